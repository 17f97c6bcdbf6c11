import type { ReportContext } from '../../context.ts';
import { storeTarget, type Target } from '../../goals/target.ts';
import { reachedByKept } from '../reading/reached-targets.ts';
import type { Range } from '../reading/report-range.ts';
import { runReport } from '../reading/run-report.ts';

export interface TargetHits {
  /** Counted visits of tiers 2 and 3 that reached the target. */
  exact: { conversions: number };
  /** With those that can't be tied to such a visit. */
  conversions: number;
  /** How often the target was reached. */
  events: number;
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
  const { rows } = await runReport<TargetHits & { single: number }>(ctx, { siteId, range }, (parts) => {
    const targets = sql`select 1 as target, ${stored?.kind}::smallint as kind, ${stored?.pattern}::text as pattern`;
    return sql`
      with range as materialized (${parts.range})
      ${reachedByKept(sql, parts, targets)}
      select count(distinct visit) filter (where conversion_apart(begun.tier, begun.seen, counted) is null)::float8 as single,
        count(distinct visit)::float8 as conversions, (select count(*) from reached)::float8 as events
      from reached join begun using (visit)
      where not is_repeated(data)`;
  });
  const { single = 0, conversions = 0, events = 0 } = rows[0] ?? {};
  return { exact: { conversions: single }, conversions, events };
}
