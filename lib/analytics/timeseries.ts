import type { ReportContext } from '../context.ts';
import type { Sql } from '../db.ts';
import { runCompared } from './compare.ts';
import { groupedVisits } from './kept-visits.ts';
import { type Fragment, type Unit, unitOf } from './range.ts';
import { asksForVisits, onlyTier, type ReportInput, type ReportParts } from './report.ts';
import type { Report, TimeseriesPoint } from './schemas.ts';
import { onlyLarge, sizeOfVisitors } from './small-groups.ts';
import { arrayOfTimes, endOfVisit } from './visit-pages.ts';

/** Weeks are those of ISO 8601, from Monday. */
export type Interval = 'hour' | 'day' | 'week' | 'month';

export interface TimeseriesInput extends ReportInput {
  /** `hour` only for ranges of up to 31 days. */
  interval: Interval;
}

/**
 * The range in buckets, without gaps and including future ones. A bucket counts only what is in the range; its visitors are distinct
 * within the bucket. Reads the rollups by their primary keys, once per bucket. The cost grows as in `reportOverview`.
 */
export async function reportTimeseries(
  ctx: ReportContext,
  input: TimeseriesInput,
): Promise<Report<TimeseriesPoint[]>> {
  const { rows, meta, before } = await runCompared<PointRow, TimeseriesInput>(
    ctx,
    { ...input, imported: 'totals' },
    (asked, parts) =>
      asksForVisits(asked) ? pointsOfVisits(ctx.sql, asked, parts) : pointsOfRollups(ctx.sql, asked, parts),
  );
  const previous = new Map(before?.map((row) => [row.bucket, toPoint(row)]));
  return {
    data: rows.map((row) => ({
      ...toPoint(row),
      ...(before !== undefined && { previous: previous.get(row.bucket) ?? null }),
    })),
    meta,
  };
}

/** `bucket`: its place in the range, from 1. The same places of two ranges are compared. */
type PointRow = Omit<TimeseriesPoint, 'time' | 'previous'> & { time: Date | string; bucket: number };

const toPoint = ({ time, visitors, visits, pageviews }: PointRow) => ({
  time: new Date(time).toISOString(),
  visitors,
  visits,
  pageviews,
});

const unitFor = ({ interval, range }: TimeseriesInput): Unit =>
  interval === 'hour' ? 'hour' : unitOf(range);

function pointsOfRollups(sql: Sql, input: TimeseriesInput, { range }: ReportParts): Fragment {
  const { tier } = input;
  return sql`
    with range as materialized (${range}),
    ${bucketsOf(sql, input)}
    select start_at as time, row_number() over (order by start_at)::integer as bucket, coalesce(v.visitors, 0)::float8 as visitors,
      coalesce(h.visits, 0)::float8 as visits, coalesce(h.pageviews, 0)::float8 as pageviews
    from buckets
    cross join lateral (
      select sum(visits) as visits, sum(pageviews) as pageviews
      from rollup_hours
      where site_key = (select site_key from range) and hour >= from_at and hour < to_at ${onlyTier(sql, tier)}
    ) h
    cross join lateral (
      select sum(visitors) as visitors
      from rollup_visitors
      where site_key = (select site_key from range) and unit = ${unitFor(input)} and bucket >= from_at and bucket < to_at
        and previous < from_at ${onlyTier(sql, tier)}
    ) v
    order by start_at`;
}

/** The same from the visits. Each visit's bucket is found by a search in the array of the buckets' starts. */
function pointsOfVisits(sql: Sql, input: TimeseriesInput, { range, visits }: ReportParts): Fragment {
  // 0 is before the range, and one more than there are buckets is after it.
  const bucketOf = (at: Fragment): Fragment => sql`width_bucket(${at}, (select starts from edges))`;
  const last = bucketOf(endOfVisit(sql));
  return sql`
    with range as materialized (${range}),
    ${bucketsOf(sql, input)},
    edges as materialized (
      select array_agg(from_at order by from_at) || (select to_at from range) as starts from buckets
    ),
    told as materialized (
      select bucket, ${groupedVisits(sql)}, bool_or(seen) as seen, count(*) filter (where seen and alone) as alone_seen,
        sum(views) filter (where duration_ms is null or bucket = ${last}) as pageviews
      from (select *, ${bucketOf(sql`started_at`)} as bucket from ${visits.kept('lasting')} offset 0) k
      group by bucket, tier, repeat_id
    ),
    begun as (
      select bucket, sum(visits) as visits, sum(alone_seen) + count(repeat_id) filter (where seen) as visitors
      from told where bucket > 0
      group by 1 ${onlyLarge(sql, input.narrowing, sizeOfVisitors(sql))}
    ),
    viewed as (
      select bucket, sum(pageviews) as pageviews
      from (
        select bucket, pageviews from told
        union all
        -- Only of visits that last into another bucket, page views are counted one by one.
        select ${bucketOf(sql`at`)}, 1
        from ${visits.kept('lasting')} cross join lateral unnest(${arrayOfTimes(sql)}) as at
        where duration_ms is not null and ${bucketOf(sql`started_at`)} <> ${last}
      ) view
      group by bucket
    )
    select start_at as time, bucket, coalesce(visitors, 0)::float8 as visitors, coalesce(visits, 0)::float8 as visits,
      coalesce(pageviews, 0)::float8 as pageviews
    from (select start_at, row_number() over (order by from_at)::integer as bucket from buckets) b
    left join begun using (bucket)
    left join viewed using (bucket)
    where ${input.narrowing === undefined}::boolean or visits is not null
    order by start_at`;
}

/** Selects the start of each bucket, and its part in the range, from a row `from_at, to_at, timezone`. */
export function selectBuckets(sql: Sql, interval: Interval, unit: Unit, range: Fragment): Fragment {
  return sql`
    select start_at, greatest(start_at, from_at) as from_at,
      lead(start_at, 1, to_at) over (order by start_at) as to_at
    from (
      select distinct ${bucketStart(sql, interval)} as start_at, from_at, to_at
      from ${range} cross join lateral ${pointsOf(sql, unit)}
    ) b`;
}

/** The table `buckets` for a statement with `range`. */
const bucketsOf = (sql: Sql, input: TimeseriesInput): Fragment => sql`
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
