import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { memberSite } from '../sites/member-site.ts';
import { requireWritten, type Written } from '../sites/written.ts';
import { refuseTakenName, tooMany } from './conflicts.ts';
import { type GoalRow, toGoal } from './goal.ts';
import { type Goal, MAX_DEFINITIONS, type NewGoal } from './schemas.ts';
import { storeTarget } from './target.ts';

/**
 * Makes a goal of a site; it is reported on all that was ever collected. Throws `NOT_FOUND`, `FORBIDDEN` for viewers,
 * `CONFLICT` if another goal has the name or the site has enough. Reads the site's goals by their primary key.
 */
export async function createGoal(ctx: MemberContext, siteId: string, input: NewGoal): Promise<Goal> {
  const { kind, pattern } = storeTarget(input) ?? {};
  const statement = ctx.sql`
    with target as (${memberSite(ctx, siteId)}), made as (
      insert into site_goals (site_id, name, kind, pattern)
      select target.id, ${input.name}, ${kind}::smallint, ${pattern}
      from target
      where target.role in ('owner', 'admin')
        and (select count(*) from site_goals where site_id = target.id) < ${MAX_DEFINITIONS}
      returning *
    )
    select target.role, made.* from target left join made on true
  `;
  const rows = await refuseTakenName(reach(statement));
  return toGoal(requireWritten(rows as Written<GoalRow>[], tooMany));
}
