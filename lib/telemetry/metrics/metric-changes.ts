import type { Fragment, Sql } from '../../db.ts';
import type { Buckets } from './metric-interval.ts';

/**
 * CTEs `link` and `change`, based on `part`: the rows of each stream in order, with the increase since the row before (`increase_*`),
 * even if that row lies before the range. A value or count below the one before is a reset and counts from 0. The first point of a
 * stream counts in full only if the stream began while it could be observed. Increases of values come in two halves, which are exact
 * (schema/functions/metric-rollups.sql). The row before the range is looked up among points by
 * their primary key, once per cumulative stream, in each day since the stream started.
 */
export function metricChanges(
  sql: Sql,
  { instants, seconds }: Buckets,
  { now, distributions }: { now: number; distributions: boolean },
): Fragment {
  const { fromNano, fromDay, fromMs } = instants;
  const columns = sql`points, value, first_value, last_value, min, max, count, first_count, last_count, sum, first_sum, last_sum${
    distributions ? sql`, last_nano, buckets, counts, quantiles` : sql``
  }`;
  return sql`
    head as (
      select distinct on (series_id, start_nano, layout) series_id, start_nano, layout
      from part join member on member.id = part.series_id
      where kind = 'cumulative'
      order by series_id, start_nano, layout
    ), link as (
      select series_id, start_nano, layout, first_nano, ${columns},
        floor((extract(epoch from minute) - ${fromMs / 1000}::numeric) / ${seconds}::integer)::integer as bucket
      from part
      union all
      select head.series_id, head.start_nano, head.layout, earlier.time_nano, 0, null, null, metric_value(earlier.value), null, null,
        null, null, earlier.count, null, null, metric_value(earlier.sum)${
          distributions ? sql`, earlier.time_nano, null, null, null` : sql``
        }, -1
      from head
      cross join lateral (
        select time_nano, value, count, sum from metric_points
        where environment_key = (select key from environment) and metric_points.series_id = head.series_id
          and metric_points.start_nano = head.start_nano and time_nano >= head.start_nano and time_nano < ${fromNano}::bigint
          and day between day_of_nano(head.start_nano) and ${fromDay}::date
          and flags & 1 = 0 and (count is not null or metric_value(value) is not null)
          and metric_layout(distribution) = head.layout
        order by time_nano desc, hash desc limit 1
      ) earlier
    ), linked as (
      select link.*, member.kind, member.labels, lag(link.bucket) over stream as previous_bucket,
        lead(link.bucket) over stream as next_bucket, lag(last_value) over stream as previous_value,
        lag(last_count) over stream as previous_count, lag(last_sum) over stream as previous_sum${
          distributions
            ? sql`, coalesce(lead(first_count) over stream < last_count, false) as ends_in_reset`
            : sql``
        }
      from link join member on member.id = link.series_id
      window stream as (partition by link.series_id, start_nano, layout order by first_nano)
    ), change as materialized (
      select linked.*, is_baseline, increase_high, increase_low, points - is_baseline::integer as observed,
        next_bucket is distinct from bucket as is_last,
        metric_near(increase_high, increase_low) as increase_value,
        case kind when 'cumulative'
          then coalesce(count, 0) + (last_count - case when is_baseline then first_count when is_reset then 0 else previous_count end)
          else count end as increase_count,
        case kind when 'cumulative'
          then coalesce(sum, 0) + (last_sum - case when is_baseline then first_sum when is_reset then 0 else previous_sum end)
          else sum end as increase_sum
      from linked
      cross join lateral (
        select kind = 'cumulative' and previous_bucket is null and bucket >= 0
          and (start_nano = 0 or start_nano >= first_nano or start_nano < (
            select (extract(epoch from greatest(created_at, ${new Date(now).toISOString()}::timestamptz - kept_days * interval '1 day'))
              * 1000000000)::bigint
            from environment)) as is_baseline,
          previous_bucket is null or coalesce(first_value < previous_value, first_count < previous_count, false) as is_reset
      ) judged
      cross join lateral (
        select
          case kind when 'cumulative'
            then coalesce(metric_high(value), 0) + (metric_high(last_value)
              - case when is_baseline then metric_high(first_value) when is_reset then 0 else metric_high(previous_value) end)
            else metric_high(value) end as increase_high,
          case kind when 'cumulative'
            then coalesce(metric_low(value, sum), 0) + (metric_low(last_value, last_sum)
              - case when is_baseline then metric_low(first_value, first_sum) when is_reset then 0
                else metric_low(previous_value, previous_sum) end)
            else metric_low(value, sum) end as increase_low
      ) halves
    )`;
}
