import type { Fragment, Sql } from '../../db.ts';
import { reachedBy } from '../reading/reached-targets.ts';
import type { ReportInput } from '../reading/run-report.ts';
import { blocksAndRaw } from './blocks.ts';

/**
 * The tables of `blocksAndRaw` and `reachedBy` for a statement with `range` (the fragment begins with a comma), with the visits that no
 * sealed day has.
 */
export function reachedRaw(
  sql: Sql,
  input: ReportInput,
  now: number,
  targets: Fragment,
  options?: { withConsent?: boolean },
): Fragment {
  return sql`
    ${blocksAndRaw(sql, input, now, 'targets')}
    ${reachedBy(sql, sql`select * from raw where started_at >= x and started_at < y`, targets, options)}`;
}

/** Of `visitsOf`, those of tiers 2 and 3. */
function exactOf(sql: Sql, tier: ReportInput['tier']): Fragment {
  if (tier === undefined) return sql`v.visits_2 + v.visits_3`;
  return tier === 1 ? sql`0` : visitsOf(sql, tier);
}

/**
 * Table `reach` (`value, visits, exact`) for the same statement: the number of visits of each kind of `reach` in `rollup_values`
 * (schema/functions/seal-visits.sql). `exact`: of them, those of tiers 2 and 3. Kinds of goals are of sealed days alone.
 */
export function reachOf(sql: Sql, { tier }: ReportInput): Fragment {
  return sql`,
    reach as (
      select value, sum(visits) as visits, sum(exact) as exact
      from (
        select v.value, ${visitsOf(sql, tier)} as visits, ${exactOf(sql, tier)} as exact
        from blocks b
        join rollup_values r on r.site_key = (select site_key from range) and r.bucket = b.bucket and r.span = b.span
          and r.dimension = dimension_number('reach')
        cross join lateral unnest(r.value, r.visits_1, r.visits_2, r.visits_3) as v(value, visits_1, visits_2, visits_3)
        union all
        select kind.value, 1, (tier > 1)::integer
        from begun
        cross join lateral (
          select 1 as value where tier = 1 and has_hits
          union all select 2 where continued and has_hits
          union all select 3 where tier > 1 and not seen and has_hits
          union all select 4 where counted
        ) kind
      ) part
      group by value
      having sum(visits) > 0
    )`;
}

/** The reasons why rates may be approximate, like `reasonsOf`: a select of one array. */
export function sealedReasons(sql: Sql): Fragment {
  return sql`
    select coalesce(array_agg((array['anonymousCounts', 'continuations', 'serverEvents'])[value] order by value), '{}')
    from reach where value < 4`;
}

/** The visits of a tier, or of all tiers, from an element's `visits_1` to `visits_3`. */
export function visitsOf(sql: Sql, tier: ReportInput['tier']): Fragment {
  switch (tier) {
    case 1:
      return sql`v.visits_1`;
    case 2:
      return sql`v.visits_2`;
    case 3:
      return sql`v.visits_3`;
    case undefined:
      return sql`v.visits_1 + v.visits_2 + v.visits_3`;
  }
}
