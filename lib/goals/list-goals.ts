import { readableSite } from '../analytics/reader.ts';
import type { ReportContext } from '../context.ts';
import { reach } from '../db.ts';
import { listed } from '../listed.ts';
import { type GoalRow, toGoal } from './goal.ts';
import type { Goal } from './schemas.ts';

/** A site's goals, oldest first. Throws `NOT_FOUND`. Reads them by their primary key, `MAX_DEFINITIONS` at most. */
export async function listGoals(ctx: ReportContext, siteId: string): Promise<Goal[]> {
  const rows = await reach(ctx.sql`
    select goal.* from (${readableSite(ctx, siteId)}) target
    left join site_goals goal on goal.site_id = target.id
    order by goal.created_at, goal.id
  `);
  return listed<GoalRow>(rows, 'site').map(toGoal);
}
