import type { ReportContext } from '../../context.ts';
import { storeTarget, type Target } from '../../goals/target.ts';
import { reachedByKept } from '../reading/reached-targets.ts';
import type { Range } from '../reading/report-range.ts';
import { runReport } from '../reading/run-report.ts';

export interface TargetHits {
  /** Visits of the range that reached the target. */
  visits: number;
  /** How often they did. */
  hits: number;
}

/**
 * How often visits of a range reached a target that needn't be a goal, as `reportGoals` counts. Scans the visits of the range. Throws
 * `NOT_FOUND`, `UNAVAILABLE`.
 */
export async function countTargetHits(
  ctx: ReportContext,
  { siteId, range, target }: { siteId: string; range: Range; target: Target },
): Promise<TargetHits> {
  const { sql } = ctx;
  const stored = storeTarget(target);
  const { rows } = await runReport<TargetHits>(ctx, { siteId, range }, (parts) => {
    const targets = sql`select 1 as target, ${stored?.kind}::smallint as kind, ${stored?.pattern}::text as pattern`;
    return sql`
      with range as materialized (${parts.range})
      ${reachedByKept(sql, parts, targets)}
      select (count(distinct visit) filter (where not is_repeated(data)))::float8 as visits, count(*)::float8 as hits from reached`;
  });
  return rows[0] ?? { visits: 0, hits: 0 };
}
