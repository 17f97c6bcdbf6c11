/** The parts of a range that `timeseries` counts: hours, days, weeks or months. */
import type { Fragment, Sql } from '../../db.ts';
import { type Interval, type Range, type Unit, unitOf } from '../reading/report-range.ts';
import { repeatsBy, type SharedVisits } from '../reading/shared-visits.ts';
import { type Narrowing, onlyLarge, SMALLEST_GROUP, sizeOfVisitors } from '../reading/small-groups.ts';
import { arrayOfTimes, endOfVisit } from '../reading/visit-pages.ts';

/** A range and how long its buckets are. */
export interface Bucketed {
  range: Range;
  /** `hour` only for ranges of up to 31 days. */
  interval: Interval;
}

/** The unit in which the rollups count the visitors of the buckets. */
export const unitFor = ({ interval, range }: Bucketed): Unit =>
  interval === 'hour' ? 'hour' : unitOf(range);

/** Selects the position of each bucket from 1, its start, and its part in the range, from a row `from_at, to_at, timezone`. */
export function selectBuckets(sql: Sql, interval: Interval, unit: Unit, range: Fragment): Fragment {
  return sql`
    select row_number() over (order by start_at)::integer as position, start_at, greatest(start_at, from_at) as from_at,
      lead(start_at, 1, to_at) over (order by start_at) as to_at
    from (
      select distinct ${bucketStart(sql, interval)} as start_at, from_at, to_at
      from ${range} cross join lateral ${pointsOf(sql, unit)}
    ) b`;
}

/** The table `buckets` (`position, start_at, from_at, to_at`) for a statement with `range`. */
export const bucketsOf = (sql: Sql, input: Bucketed): Fragment => sql`
    buckets as (${selectBuckets(sql, input.interval, unitFor(input), sql`range`)})`;

/** An instant in each hour or each day of the range. For a day it is near noon, so that clock changes don't matter. */
function pointsOf(sql: Sql, unit: Unit): Fragment {
  return unit === 'hour'
    ? sql`generate_series(from_at, to_at - interval '1 second', interval '1 hour') as point`
    : sql`generate_series(from_at + interval '12 hours', to_at, interval '24 hours') as point`;
}

/** The start of the bucket of `point`. */
function bucketStart(sql: Sql, interval: Interval): Fragment {
  if (interval === 'hour') return sql`local_hour(point, timezone)`;
  if (interval === 'day') return sql`local_day(point, timezone)`;
  return sql`local_day(
    (date_trunc(${interval}, point at time zone timezone) + interval '12 hours') at time zone timezone, timezone)`;
}

/** Table `edges` with one array for a statement with `buckets`: the starts of the buckets, and the end of the range. */
export const edgesOf = (sql: Sql): Fragment => sql`
    edges as materialized (
      select array_agg(from_at order by from_at) || (select to_at from range) as starts from buckets
    )`;

/** The position of the bucket of an instant, from 1. 0 is before the range, and one more than there are buckets is after it. */
export const positionOf = (sql: Sql, at: Fragment): Fragment =>
  sql`width_bucket(${at}, (select starts from edges))`;

/**
 * For a statement with `buckets` and `edges`: table `begun` (`bucket, visits, visitors, measured, bounces, duration_ms, is_measured`) of
 * the visits that began in a bucket, and `viewed` (`bucket, pageviews`) of the page views that happened in it. `byTier`: a row for each tier.
 *
 * Only visits of tier 3 are measured. `is_measured` is false where `narrowing` withholds the figures because fewer people have them.
 */
export function visitsInBuckets(
  sql: Sql,
  { narrowing }: { narrowing?: Narrowing | undefined },
  visits: SharedVisits,
  { byTier = false }: { byTier?: boolean } = {},
): Fragment {
  const by = byTier ? sql`tier,` : sql``;
  const begunIn = positionOf(sql, sql`started_at`);
  const again = sql`(select ${begunIn} as bucket, tier, visitor_id from ${visits.repeated('lasting')} where seen) v`;
  return sql`
    counted_visits as materialized (
      select ${begunIn} as bucket, tier, count(*) filter (where counted) as visits, count(visitor_id) filter (where seen) as visitors,
        count(*) - count(visitor_id) as unknown, sum(views) as pageviews,
        count(*) filter (where counted and tier = 3) as measured,
        count(*) filter (where counted and tier = 3 and is_bounce(later_pages, custom_events, event_data)) as bounces,
        sum(duration_ms) filter (where counted and tier = 3) as duration_ms
      from ${visits.kept('lasting')}
      group by 1, 2
    ),
    begun as (
      select bucket, ${by} sum(visits) as visits, sum(visitors) as visitors,
        sum(measured) as measured, sum(bounces) as bounces, sum(duration_ms) as duration_ms,
        ${narrowing === undefined}::boolean
          or least(sum(visits) filter (where tier = 3), sum(visitors) filter (where tier = 3)) >= ${SMALLEST_GROUP}::integer as is_measured
      from (
        select bucket, tier, visits, visitors, unknown, measured, bounces, duration_ms from counted_visits
        union all
        select bucket, tier, 0, -repeats, 0, 0, 0, 0 from (${repeatsBy(sql, sql`bucket, tier`, again)}) r
      ) v
      where bucket > 0
      group by ${by} bucket ${onlyLarge(sql, narrowing, sizeOfVisitors(sql))}
    ),
    -- Only of visits that last into another bucket, page views are counted one by one.
    crossing as materialized (
      select ${begunIn} as bucket, tier, views, started_at, entry_page, entry_ms, later_pages
      from ${visits.kept('lasting')}
      where duration_ms is not null and ${begunIn} <> ${positionOf(sql, endOfVisit(sql))}
    ),
    viewed as (
      select ${by} bucket, sum(pageviews) as pageviews
      from (
        select tier, bucket, pageviews from counted_visits
        union all
        select tier, bucket, -views from crossing
        union all
        select tier, ${positionOf(sql, sql`at`)}, 1 from crossing cross join lateral unnest(${arrayOfTimes(sql)}) as at
      ) view
      group by ${by} bucket
    )`;
}
