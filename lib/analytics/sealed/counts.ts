import type { Sql } from '../../db.ts';
import type { Dimension } from '../dimensions.ts';
import type { Fragment } from '../range.ts';
import type { ReportInput } from '../report.ts';
import { blocksAndRaw } from './blocks.ts';

export type SealedDimension = Dimension | 'page' | 'entry_page' | 'exit_page' | 'event';

interface RawParts {
  dimension: SealedDimension;
  /**
   * Selects from `raw` what the days that aren't sealed have: `value, tier, visitor_id, at, visits, hits`; a visitor
   * without a `visitor_id` doesn't count.
   */
  hits: Fragment;
  /** Whether a visit `p` of the same visitor has `first.value` before `first.at`, in the range. */
  hadBefore: Fragment;
}

/**
 * Tables as of `blocksAndRaw` and `counts` (`value, visitors, visits, hits, anonymous`) beside `range`, with a comma before: what a
 * list shows of each value, exactly. `hits` at tier 1 are `anonymous`.
 *
 * Sums as many rows as the blocks have values. Of the raw part it asks `visits_visitor` once for each visitor and value
 * whether a sealed day has them already.
 */
export function countsOf(
  sql: Sql,
  input: ReportInput,
  now: number,
  { dimension, hits, hadBefore }: RawParts,
): Fragment {
  return sql`
    ${blocksAndRaw(sql, input, now)},
    sealed as (
      select value, ${sealedSums(sql, input.tier)}
      from blocks b
      join rollup_values r on r.site_key = (select site_key from range) and r.span = b.span and r.bucket = b.bucket
        and r.dimension = dimension_number(${dimension})
      group by value
    ),
    raw_hits as materialized (${hits}),
    firsts as (
      select value, tier, visitor_id, min(at) as at from raw_hits
      where value <> 0 and visitor_id is not null group by value, tier, visitor_id
    ),
    newcomers as (
      select value, count(*) as visitors
      from firsts first
      where not exists (select from blocks) or not exists (
        select from visits p
        where p.site_key = (select site_key from range) and p.tier = first.tier and p.visitor_id = first.visitor_id
          and p.started_at >= (select from_at from range) - interval '24 days' and p.started_at <= first.at
          and is_seen(p.counted, p.continued, p.entry_page, p.custom_events) and ${hadBefore})
      group by value
    ),
    counts as (
      select value, sum(visitors) as visitors, sum(visits) as visits, sum(hits) as hits, sum(anonymous) as anonymous
      from (
        select value, visitors, visits, hits, anonymous from sealed
        union all
        select value, 0, sum(visits), sum(hits), sum(hits) filter (where tier = 1) from raw_hits where value <> 0 group by value
        union all
        select value, visitors, 0, 0, 0 from newcomers
      ) part
      group by value
      having sum(visitors) > 0 or sum(visits) > 0 or sum(hits) > 0
    )`;
}

/** Of those who returned, and of visits that went on, the ones that the range has already are taken off. */
function sealedSums(sql: Sql, tier: ReportInput['tier']): Fragment {
  const passed = { 2: sql`width_bucket(passed, gaps_2)`, 3: sql`width_bucket(passed, gaps_3)` };
  const visitors = {
    2: sql`visitors_2 - coalesce(returned_2[${passed[2]}], 0)`,
    3: sql`visitors_3 - coalesce(returned_3[${passed[3]}], 0)`,
  };
  const visits = {
    1: sql`visits_1`,
    2: sql`visits_2 - coalesce(resumed_2[${passed[2]}], 0)`,
    3: sql`visits_3 - coalesce(resumed_3[${passed[3]}], 0)`,
  };
  switch (tier) {
    case 1:
      return sql`0 as visitors, sum(${visits[1]}) as visits, sum(hits_1) as hits, sum(hits_1) as anonymous`;
    case 2:
      return sql`sum(${visitors[2]}) as visitors, sum(${visits[2]}) as visits, sum(hits_2) as hits, 0 as anonymous`;
    case 3:
      return sql`sum(${visitors[3]}) as visitors, sum(${visits[3]}) as visits, sum(hits_3) as hits, 0 as anonymous`;
    case undefined:
      return sql`
        sum(${visitors[2]} + ${visitors[3]}) as visitors,
        sum(${visits[1]} + ${visits[2]} + ${visits[3]}) as visits,
        sum(hits_1 + hits_2 + hits_3) as hits, sum(hits_1) as anonymous`;
  }
}
