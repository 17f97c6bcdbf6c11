import type { MemberContext } from '../context.ts';
import type { Sql } from '../db.ts';
import { type Fragment, unitOf } from './range.ts';
import { onlyTier, type ReportInput, runReport } from './report.ts';
import type { Report, TimeseriesPoint } from './schemas.ts';

/** Weeks are those of ISO 8601, from Monday. */
export type Interval = 'hour' | 'day' | 'week' | 'month';

export interface TimeseriesInput extends ReportInput {
  /** Hours only for ranges of up to 31 days. */
  interval: Interval;
}

/**
 * The range in buckets, every one present, also those to come. A bucket holds what of it lies in the range; its visitors
 * are told apart within it. Reads the rollups by their primary keys, once a bucket, and grows as `reportOverview` does.
 */
export async function reportTimeseries(
  ctx: MemberContext,
  input: TimeseriesInput,
): Promise<Report<TimeseriesPoint[]>> {
  const { sql } = ctx;
  const { interval, tier } = input;
  const unit = interval === 'hour' ? 'hour' : unitOf(input.range);
  const { rows, meta } = await runReport<Omit<TimeseriesPoint, 'time'> & { time: Date }>(
    ctx,
    input,
    ({ range }) => sql`
      with range as materialized (${range}),
      buckets as (
        select start_at, greatest(start_at, from_at) as from_at,
          lead(start_at, 1, to_at) over (order by start_at) as to_at
        from (
          select distinct ${bucketStart(sql, interval)} as start_at, from_at, to_at
          from range cross join lateral ${pointsOf(sql, unit)}
        ) b
      )
      select start_at as time, coalesce(v.visitors, 0)::float8 as visitors,
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
        where site_key = (select site_key from range) and unit = ${unit} and bucket >= from_at and bucket < to_at
          and previous < from_at ${onlyTier(sql, tier)}
      ) v
      order by start_at`,
  );
  return { data: rows.map((row) => ({ ...row, time: row.time.toISOString() })), meta };
}

/** An instant in each hour or each day of the range; days are hit near their noon, whatever the clocks do. */
function pointsOf(sql: Sql, unit: 'hour' | 'day'): Fragment {
  return unit === 'hour'
    ? sql`generate_series(from_at, to_at - interval '1 second', interval '1 hour') as point`
    : sql`generate_series(from_at + interval '12 hours', to_at, interval '24 hours') as point`;
}

/** Where the bucket of `point` begins. */
function bucketStart(sql: Sql, interval: Interval): Fragment {
  if (interval === 'hour') return sql`local_hour(point, timezone)`;
  if (interval === 'day') return sql`local_day(point, timezone)`;
  return sql`local_day(
    (date_trunc(${interval}, point at time zone timezone) + interval '12 hours') at time zone timezone, timezone)`;
}
