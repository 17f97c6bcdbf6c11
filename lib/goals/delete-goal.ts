import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberSite } from '../sites/member-site.ts';
import { requireWritten, type Written } from '../sites/written.ts';
import type { GoalId } from './change-goal.ts';

/** Deletes a goal; nothing collected goes. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. Constant cost, by primary keys. */
export async function deleteGoal(ctx: MemberContext, { siteId, goalId }: GoalId): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), deleted as (
      delete from site_goals goal using target
      where goal.site_id = target.id and goal.id = ${goalId} and target.role in ('owner', 'admin')
      returning goal.id
    )
    select target.role, deleted.id from target left join deleted on true
  `);
  requireWritten(rows as Written<{ id: string }>[], () => notFound('goal'));
}
