/** Totals of the visits that filters keep, from the sums of sealed days and the visits that these don't have. */
import type { Fragment, Sql } from '../../db.ts';
import { onlyTier } from '../reading/filters.ts';
import type { ReportInput, ReportParts } from '../reading/run-report.ts';
import { arrayOfTimes, countPagesWithin, endOfVisit } from '../reading/visit-pages.ts';
import { positionOf } from './buckets.ts';
import { sealedValues, visitorsOf } from './counts.ts';
import { selectFilter } from './filter-clauses.ts';

interface Totals {
  /** The blocks to sum: a relation `span, bucket, passed`, and with `position` that of a block. */
  blocks: Fragment;
  /** What is summed alone: `tier`, or the bucket of the range. */
  by: 'tier' | 'position';
}

/**
 * Selects `by, visitors, visits, pageviews, measured, bounces, duration_ms` for a statement with the tables of `sealedBlocks` and of
 * unsealed visits, and by position with `edges`. Only visits of tier 3 are measured.
 *
 * Reads one row for each block, and the visits that it shares with other reports (`SharedVisits`).
 */
export function totalsOfFilter(
  sql: Sql,
  { filters = [], tier }: ReportInput,
  { unsealed }: Pick<ReportParts, 'unsealed'>,
  { blocks, by }: Totals,
): Fragment {
  const isByTier = by === 'tier';
  const key = isByTier ? sql`tier` : sql`position`;
  const ofVisit = isByTier ? sql`tier` : positionOf(sql, sql`started_at`);
  const seen = (from: Fragment): Fragment =>
    sql`select ${ofVisit} as value, tier, visitor_id, started_at as at from ${from}`;
  return sql`
    select ${key}, sum(visitors) as visitors, sum(visits) as visits, sum(pageviews) as pageviews, sum(measured) as measured,
      sum(bounces) as bounces, sum(duration_ms) as duration_ms
    from (
      select ${key}, visitors, visits, pageviews, 0 as measured, 0 as bounces, 0 as duration_ms
      from ${blocks} b
      join ${sealedValues(sql, 'total', filters)}
      cross join lateral (
        select * from (
          values (1, 0, visits_1[1], hits_1[1]), (2, visitors_2[1], visits_2[1], hits_2[1]), (3, visitors_3[1], visits_3[1], hits_3[1])
        ) as sums(tier, visitors, visits, pageviews)
        where true ${onlyTier(sql, tier)}
        union all
        select g.tier, -g.returned, 0, 0
        from unnest(r.gap_tier, r.gap, r.returned) as g(tier, gap, returned)
        where g.gap <= b.passed ${onlyTier(sql, tier)}
      ) sums
      union all
      select ${isByTier ? sql`3` : sql`position`}, 0, 0, 0, measured, bounces, duration_ms
      from ${blocks} b
      join filter_seals s on s.site_key = (select site_key from range) and s.filter = (${selectFilter(sql, filters)})
        and s.span = b.span and s.bucket = b.bucket
      where ${tier === undefined || tier === 3}::boolean
      union all
      select ${ofVisit}, count(visitor_id) filter (where seen), count(*) filter (where counted), 0,
        count(*) filter (where counted and tier = 3),
        count(*) filter (where counted and tier = 3 and is_bounce(later_pages, custom_events, event_data)),
        sum(duration_ms) filter (where counted and tier = 3)
      from ${unsealed.kept('lasting')}
      where inside
      group by 1
      union all
      ${isByTier ? viewsByTier(sql, unsealed) : viewsByPosition(sql, unsealed)}
      union all
      select value, visitors, 0, 0, 0, 0, 0
      from (${visitorsOf(sql, sql`value`, {
        again: seen(sql`${unsealed.repeated('lasting')} where inside and seen`),
        had: seen(sql`earlier where started_at >= (select from_at from range)`),
      })}) v
    ) part
    group by 1`;
}

type Unsealed = ReportParts['unsealed'];

const viewsByTier = (sql: Sql, unsealed: Unsealed): Fragment => sql`
      select tier, 0, 0, sum(case when whole then views else ${countPagesWithin(sql, sql`x`, sql`y`)} end), 0, 0, 0
      from ${unsealed.kept('lasting')}
      group by tier`;

/** Only of visits that last into another bucket, page views are counted one by one. */
function viewsByPosition(sql: Sql, unsealed: Unsealed): Fragment {
  const begunIn = positionOf(sql, sql`started_at`);
  const isWithin = sql`whole and (duration_ms is null or ${begunIn} = ${positionOf(sql, endOfVisit(sql))})`;
  return sql`
      select ${begunIn}, 0, 0, sum(views), 0, 0, 0 from ${unsealed.kept('lasting')} where ${isWithin} group by 1
      union all
      select ${positionOf(sql, sql`at`)}, 0, 0, 1, 0, 0, 0
      from ${unsealed.kept('lasting')} cross join lateral unnest(${arrayOfTimes(sql)}) as at
      where not (${isWithin}) and at >= x and at < y`;
}
