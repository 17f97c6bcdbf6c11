/** Goals of a site: members create, change and delete them. Each verb is one statement and uses primary keys. */

import { memberSite, requireWritten } from '../access.ts';
import { type AuditedContext, insertSiteAudit } from '../audit.ts';
import type { ControlActor, ReportContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { listed } from '../listed.ts';
import type { OneSite } from '../sites/schemas.ts';
import { inTurn, turnOfSite } from '../turns.ts';
import { refuseTakenName, tooMany } from './conflicts.ts';
import { type ChangeGoal, type CreateGoal, type Goal, MAX_DEFINITIONS, type OneGoal } from './schemas.ts';
import { type StoredTarget, storeTarget, toTarget } from './target.ts';

interface GoalRow extends StoredTarget {
  id: string;
  name: string;
  created_at: Date;
}

function toGoal(row: GoalRow): Goal {
  const { id, name, created_at: createdAt } = row;
  return { id, name, ...toTarget(row), createdAt: createdAt.toISOString() };
}

/** A site's goals, oldest first. Throws `NOT_FOUND`. Uses the primary key, at most `MAX_DEFINITIONS` rows. */
export async function listGoals(ctx: ReportContext, { siteId }: OneSite): Promise<Goal[]> {
  const rows = await reach(ctx.sql`
    select goal.* from (${memberSite(ctx, siteId)}) target
    left join site_goals goal on goal.site_id = target.id
    order by goal.created_at, goal.id
  `);
  return listed<GoalRow>(rows, 'site').map(toGoal);
}

/**
 * Creates a goal of a site; its report covers all data ever collected. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` if another
 * goal has the name or the site has the maximum number. Reads the site's goals by their primary key.
 */
export async function createGoal(
  ctx: AuditedContext<ControlActor>,
  { siteId, ...input }: CreateGoal,
): Promise<Goal> {
  const { kind, pattern } = storeTarget(input) ?? {};
  const statement = ctx.sql`
    with target as (${memberSite(ctx, siteId)}), made as (
      insert into site_goals (site_id, name, kind, pattern)
      select target.id, ${input.name}, ${kind}::smallint, ${pattern}
      from target
      where target.role in ('owner', 'admin')
        and (select count(*) from site_goals where site_id = target.id) < ${MAX_DEFINITIONS}
      returning *
    ), audited as (${insertSiteAudit(ctx, 'goal.create', ctx.sql`made`)})
    select target.role, made.* from target left join made on true
  `;
  const rows = await refuseTakenName(inTurn(ctx.sql, [turnOfSite(ctx.sql, siteId)], statement));
  return toGoal(requireWritten<GoalRow>(rows, { what: 'site', refused: tooMany }));
}

/**
 * Changes a goal's name or its target; a new target applies to old data too. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` if
 * another goal has the name. Constant cost, by primary keys.
 */
export async function changeGoal(
  ctx: AuditedContext<ControlActor>,
  { siteId, goalId, ...change }: ChangeGoal,
): Promise<Goal> {
  const { kind = null, pattern = null } = storeTarget(change) ?? {};
  const statement = ctx.sql`
    with target as (${memberSite(ctx, siteId)}), changed as (
      update site_goals goal
      set
        name = coalesce(${change.name ?? null}, name),
        kind = coalesce(${kind}::smallint, kind),
        pattern = coalesce(${pattern}, pattern)
      from target
      where goal.site_id = target.id and goal.id = ${goalId} and target.role in ('owner', 'admin')
      returning goal.*
    ), audited as (${insertSiteAudit(ctx, 'goal.change', ctx.sql`changed`)})
    select target.role, changed.* from target left join changed on true
  `;
  const rows = await refuseTakenName(reach(statement));
  return toGoal(requireWritten<GoalRow>(rows, { what: 'site', refused: () => notFound('goal') }));
}

/** Deletes a goal but no collected data. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. Constant cost, by primary keys. */
export async function deleteGoal(
  ctx: AuditedContext<ControlActor>,
  { siteId, goalId }: OneGoal,
): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), deleted as (
      delete from site_goals goal using target
      where goal.site_id = target.id and goal.id = ${goalId} and target.role in ('owner', 'admin')
      returning goal.id, goal.name
    ), audited as (${insertSiteAudit(ctx, 'goal.delete', ctx.sql`deleted`)})
    select target.role, deleted.id from target left join deleted on true
  `);
  requireWritten(rows, { what: 'site', refused: () => notFound('goal') });
}
