/** The audit log: who changed what in a project, and by which call (docs/accounts.md#audit-log). */
import { joinSiteAccess } from './access.ts';
import type { Actor, ActorOf, Context, ControlActor, MemberActor } from './context.ts';
import { type Fragment, reach } from './db.ts';
import type { ErrorCode } from './errors.ts';

/** Audited changes. */
export type AuditedAction =
  | 'project.create'
  | 'project.rename'
  | 'project.delete'
  | 'member.invite'
  | 'member.uninvite'
  | 'member.join'
  | 'member.change'
  | 'member.remove'
  | 'environment.create'
  | 'environment.rename'
  | 'environment.delete'
  | 'ingest-key.create'
  | 'ingest-key.revoke'
  | 'api-key.create'
  | 'api-key.revoke'
  | 'query-token.create'
  | 'query-token.revoke'
  | 'view-grant.create'
  | 'view-grant.end'
  | 'view.show'
  | 'origins.replace'
  | 'error.change'
  | 'quotas.set'
  | 'retention.replace'
  /** A refused call that didn't say what to delete. */
  | 'definition.delete'
  | 'site.create'
  | 'site.change'
  | 'privacy.replace'
  | 'site.delete'
  | 'share.create'
  | 'share.revoke'
  | 'goal.create'
  | 'goal.change'
  | 'goal.delete'
  | 'funnel.create'
  | 'funnel.change'
  | 'funnel.delete'
  | 'import.begin'
  | 'import.add'
  | 'import.undo'
  | 'segment.create'
  | 'segment.change'
  | 'segment.delete'
  | 'alert.create'
  | 'alert.change'
  | 'alert.delete'
  | 'annotation.create'
  | 'annotation.delete'
  | 'channel.create'
  | 'channel.change'
  | 'channel.rotate'
  | 'channel.test'
  | 'channel.resend'
  | 'channel.delete'
  | 'mail-report.create'
  | 'mail-report.change'
  | 'mail-report.delete'
  | 'visitor.delete'
  | 'visitor.export';

/** The call of a verb, as the audit log stores it. */
export interface Call {
  /** The same id as in the log and in the answer's `X-Request-Id`. */
  requestId: string;
  /** The REST operation, the agent's tool or the script: `createGoal`. */
  tool: string;
  /** Hex SHA-256 of the checked input (lib/input-hash.ts). Null: the call has no checked input. */
  inputHash: string | null;
}

/** The context of verbs that write to the audit log. */
export interface AuditedContext<A extends Actor = MemberActor> extends Context<A>, Call {}

/** The context of verbs by which a person who is signed in changes something in a project. */
export type ProjectContext = AuditedContext<ActorOf<'session'>>;

/** What a key opens never changes and stands in its own row. In each of its lines it would take more room than the line. */
const OF_KEYS = ['access', 'scopes', 'projectIds', 'siteIds'];
const toStored = (actor: Actor): string =>
  JSON.stringify(actor, (field, value) => (OF_KEYS.includes(field) ? undefined : value));

/**
 * Writes one line with the result `done` for each row of `changed`. A row has `project_id`, `site` or null, and `id`, `target` and `name` of
 * the changed thing. Of the id only a hash is stored; the log shows target and name.
 */
const insertLines = (
  ctx: AuditedContext<Actor>,
  action: AuditedAction,
  changed: Fragment,
): Fragment => ctx.sql`
  insert into audit_log (at, actor, action, request_id, tool, input_hash, project_id, site, target, target_name, subject)
  select ${new Date(ctx.now()).toISOString()}::timestamptz, ${toStored(ctx.actor)}::jsonb, ${action}::text,
    ${ctx.requestId}::text, ${ctx.tool}::text, decode(${ctx.inputHash}, 'hex'), changed.project_id, changed.site, changed.target, left(changed.name, 200),
    sha256(convert_to(coalesce(changed.site, changed.project_id)::text || ' ' || changed.id::text, 'UTF8'))
  from (${changed}) changed`;

/**
 * Part of other statements: writes one line per row of a relation, by default `done`: `project_id`, and the `id` of the changed thing,
 * with its `name` if the relation has one.
 */
export const insertProjectAudit = (
  ctx: AuditedContext<Actor>,
  action: AuditedAction,
  done: Fragment = ctx.sql`done`,
): Fragment =>
  insertLines(
    ctx,
    action,
    ctx.sql`select project_id, null::uuid as site, id, id::text as target, to_jsonb(done) ->> 'name' as name from ${done} done`,
  );

/**
 * Part of other statements: writes one line per row of a relation with the `id` of a thing in the site `target` (`memberSite`), and its
 * `name` if the relation has one.
 */
export const insertSiteAudit = (
  ctx: AuditedContext<Actor>,
  action: AuditedAction,
  changed: Fragment,
): Fragment =>
  insertLines(
    ctx,
    action,
    ctx.sql`select target.project_id, target.id as site, changed.id, changed.id::text as target, to_jsonb(changed) ->> 'name' as name
      from ${changed} changed cross join target`,
  );

/** Part of other statements: writes one line per new site in `made`. */
export const insertNewSiteAudit = (ctx: AuditedContext<Actor>): Fragment =>
  insertLines(
    ctx,
    'site.create',
    ctx.sql`select project_id, id as site, id, id::text as target, name from made`,
  );

/**
 * Part of other statements: writes one line about the site `target`, or about its visitor, if the caller's role may change things. Of a
 * visitor's id only a hash is stored: only a caller who knows the id can find its lines.
 */
export const insertAudit = (ctx: AuditedContext, action: AuditedAction, subject: string | null): Fragment =>
  insertLines(
    ctx,
    action,
    ctx.sql`select target.project_id, target.id as site, ${subject}::text as id,
        case when ${subject}::text is null then target.id::text end as target, case when ${subject}::text is null then sites.name end as name
      from target join sites on sites.id = target.id where target.role in ('owner', 'admin')`,
  );

/** What came of a call that changed nothing: the error's code, a dry run, or everything was so already. */
export type NothingChanged = ErrorCode | 'dry_run' | 'unchanged';

/** Maximum lines of refused calls that a person has in a project's log in 24 hours (docs/accounts.md#audit-log). */
export const MAX_REFUSED_LINES = 200;

/**
 * Writes one line about a call that changed nothing into the log of the project in the call, if the caller is a member of that project. A
 * repeated call counts in the line that is there (`note_attempt` of the schema).
 */
export async function auditAttempt(
  ctx: AuditedContext<ControlActor>,
  {
    action,
    siteId,
    projectId,
    result,
  }: {
    action: AuditedAction;
    siteId?: string | undefined;
    projectId?: string | undefined;
    result: NothingChanged;
  },
): Promise<void> {
  const { sql, actor } = ctx;
  const changed =
    siteId === undefined
      ? sql`select project_id, null::uuid as site from project_members
          where project_id = ${projectId ?? null}::uuid and user_id = ${actor.userId}::uuid`
      : sql`select site.project_id, site.id as site from sites site ${joinSiteAccess(sql, actor)} where site.id = ${siteId}::uuid`;
  await reach(sql`
    select note_attempt(changed.project_id, changed.site, ${toStored(actor)}::jsonb, ${action}, ${ctx.requestId}, ${ctx.tool},
      decode(${ctx.inputHash}, 'hex'), ${result}, ${new Date(ctx.now()).toISOString()}::timestamptz, ${MAX_REFUSED_LINES}::integer)
    from (${changed}) changed`);
}
