import type { Fragment, Sql } from '../../db.ts';
import type { Buckets } from './metric-interval.ts';

const HOUR_MS = 3_600_000;

/**
 * CTEs `touched` and `part`: rows shaped like `metric_minute_sums` that cover every point of the `member` series in the range once. Minutes
 * that changed since their last sum are summed here. For buckets of an hour or more, unchanged hours are read as hours. Uses the
 * primary keys of metric_minute_sums, metric_points and metric_hours, one look-up per series and day; cost grows with series times minutes
 * (or hours), and with the points of touched minutes. The `order by` follows the keys, which keeps the planner to look-ups for any estimate.
 */
export function metricParts(
  sql: Sql,
  { instants, seconds }: Buckets,
  { distributions }: { distributions: boolean },
): Fragment {
  // Selects only the needed columns: there are many rows, and their buckets make up most of their size. Those that a cumulative series had
  // last are looked up where they count (metric-ranks.ts).
  const columns = sql`series_id, start_nano, layout, first_nano, minute, points, value, first_value, last_value, min, max, count, first_count,
    last_count, sum, first_sum, last_sum${distributions ? sql`, last_nano, buckets, counts, quantiles` : sql``}`;
  const from = new Date(instants.fromMs).toISOString();
  const to = new Date(instants.toMs).toISOString();
  const touched = sql`
    touched as materialized (
      select distinct t.series_id, t.minute, date_trunc('hour', t.minute, 'UTC') as hour
      from member
      join metric_touched t on t.environment_key = (select key from environment) and t.series_id = member.id
      where t.minute >= ${from}::timestamptz and t.minute < ${to}::timestamptz
    ), touched_part as (
      select ${columns} from sum_metric_slots((select key from environment), array(select series_id from touched order by series_id, minute),
        array(select minute from touched order by series_id, minute), interval '1 minute')
    )`;
  // The summed minutes of `span`, and the points of minutes with one.
  const minutes = sql`
    select ${columns} from environment cross join span
    cross join lateral metric_minutes_of(
      environment.key, span.series, span.starts, span.ends, ${instants.fromDay}::date, ${instants.toDay}::date) as summed
    where (summed.series_id, summed.minute) not in (select series_id, minute from touched)`;
  if (seconds * 1000 < HOUR_MS) {
    return sql`${touched}, span as materialized (
      select array_agg(id) as series, array_agg(${from}::timestamptz) as starts, array_agg(${to}::timestamptz) as ends from member
    ), part as materialized (
      ${minutes}
      union all
      select * from touched_part
    )`;
  }
  const lastHour = new Date(Math.floor(instants.toMs / HOUR_MS) * HOUR_MS).toISOString();
  return sql`${touched}, loose as materialized (
    select series_id, hour from touched
    union
    select t.series_id, t.hour from member
    join metric_touched_hours t on t.environment_key = (select key from environment) and t.series_id = member.id
    where t.hour >= ${from}::timestamptz and t.hour < ${to}::timestamptz
    union
    select member.id, ${lastHour}::timestamptz from member
  ), span as materialized (
    select array_agg(series_id) as series, array_agg(hour) as starts,
      array_agg(least(hour + interval '1 hour', ${to}::timestamptz)) as ends from loose
  ), part as materialized (
    select summed.* from member
    cross join lateral (
      select ${columns} from metric_hours m where m.environment_key = (select key from environment) and m.series_id = member.id
        and minute >= ${from}::timestamptz and minute < ${lastHour}::timestamptz
        and day between ${instants.fromDay}::date and ${instants.toDay}::date
      order by minute
    ) summed
    where (summed.series_id, summed.minute) not in (select series_id, hour from loose)
    union all
    ${minutes}
    union all
    select * from touched_part
  )`;
}
