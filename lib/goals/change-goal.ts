import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberSite } from '../sites/member-site.ts';
import { requireWritten, type Written } from '../sites/written.ts';
import { refuseTakenName } from './conflicts.ts';
import { type GoalRow, toGoal } from './goal.ts';
import type { Goal, GoalChange } from './schemas.ts';
import { storeTarget } from './target.ts';

export interface GoalId {
  /** UUIDs. */
  siteId: string;
  goalId: string;
}

/**
 * Changes a goal's name, or what reaches it, from ever since. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` if
 * another goal has the name. Constant cost, by primary keys.
 */
export async function changeGoal(ctx: MemberContext, id: GoalId, change: GoalChange): Promise<Goal> {
  const { kind = null, pattern = null } = storeTarget(change) ?? {};
  const statement = ctx.sql`
    with target as (${memberSite(ctx, id.siteId)}), changed as (
      update site_goals goal
      set
        name = coalesce(${change.name ?? null}, name),
        kind = coalesce(${kind}::smallint, kind),
        pattern = coalesce(${pattern}, pattern)
      from target
      where goal.site_id = target.id and goal.id = ${id.goalId} and target.role in ('owner', 'admin')
      returning goal.*
    )
    select target.role, changed.* from target left join changed on true
  `;
  const rows = await refuseTakenName(reach(statement));
  return toGoal(requireWritten(rows as Written<GoalRow>[], () => notFound('goal')));
}
