/** Whose an alert is: of a site, or of an environment. Statements on alerts begin with `ownerTarget`. */
import { memberEnvironment, memberSite } from '../access.ts';
import { type AuditedAction, type AuditedContext, insertProjectAudit, insertSiteAudit } from '../audit.ts';
import type { Context, MemberActor } from '../context.ts';
import type { Fragment } from '../db.ts';
import type { OneEnvironment } from '../projects/schemas.ts';
import type { OneSite } from '../sites/schemas.ts';
import { turnOfProject, turnOfSite } from '../turns.ts';

export type Owner = OneSite | OneEnvironment;

export const isSite = (owner: Owner): owner is OneSite => 'siteId' in owner;
export const ownerName = (owner: Owner): string => (isSite(owner) ? 'site' : 'environment');

/** The owner's ids alone, of an input that has more. */
export const ownerOf = (input: Owner): Owner =>
  isSite(input)
    ? { siteId: input.siteId }
    : { projectId: input.projectId, environmentId: input.environmentId };

/** Selects the owner with the caller's role, or nothing if the caller may not see it. Uses primary keys. */
export const ownerTarget = (ctx: Context<MemberActor>, owner: Owner): Fragment =>
  isSite(owner)
    ? ctx.sql`select site.id, site.project_id, site.role, site.id as site_id, null::uuid as environment_id
        from (${memberSite(ctx, owner.siteId)}) site`
    : ctx.sql`select environment.id, environment.id as project_id, environment.role, null::uuid as site_id, environment.environment_id
        from (${memberEnvironment(ctx, owner)}) environment`;

/** Part of a select with `target` (`ownerTarget`) and `rule`: the condition that the rule is the owner's. */
export const isOwners = ({ sql }: Context<MemberActor>, owner: Owner): Fragment =>
  isSite(owner)
    ? sql`rule.site_id = target.site_id and rule.project_id = target.project_id`
    : sql`rule.environment_id = target.environment_id and rule.project_id = target.project_id`;

export const turnOfOwner = ({ sql }: Context<MemberActor>, owner: Owner): Fragment =>
  isSite(owner) ? turnOfSite(sql, owner.siteId) : turnOfProject(sql, owner.projectId);

/** Writes a line of the audit log for each row of a relation with `project_id`, `id` and `name`. */
export const insertOwnerAudit = (
  ctx: AuditedContext,
  owner: Owner,
  action: AuditedAction,
  changed: Fragment,
): Fragment =>
  isSite(owner) ? insertSiteAudit(ctx, action, changed) : insertProjectAudit(ctx, action, changed);
