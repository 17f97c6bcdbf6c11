-- Points and minutes of metrics in one shape, that of metric_minute_sums (sum-metrics.sql).

-- A point of a series of a `kind` as the sum of a minute without another one; nothing if it doesn't count. A table of
-- one row, so that it is inlined and no column is computed that nobody needs. Buckets are in outer joins with the kind
-- within: those of the other kind aren't unpacked.
create or replace function metric_part_of(point metric_points, kind text)
returns table (
  start_nano bigint, layout bigint, minute timestamptz, points integer, value double precision,
  first_value double precision, last_value double precision, min double precision, max double precision, count bigint,
  first_count bigint, last_count bigint, sum double precision, first_sum double precision, last_sum double precision,
  bounds double precision[], buckets bigint[], counts bigint[], last_buckets bigint[], last_counts bigint[],
  quantiles jsonb
)
language sql stable rows 1 as $$
  select
    case kind when 'cumulative' then point.start_nano else 0 end, metric_layout(point.distribution),
    to_timestamp(point.time_nano / 60000000000 * 60), 1,
    case when kind <> 'cumulative' then metric_value(point.value) end,
    case kind when 'cumulative' then metric_value(point.value) end,
    case when kind <> 'delta' then metric_value(point.value) end,
    case when kind <> 'cumulative' then metric_value(coalesce(point.min, point.value)) end,
    case when kind <> 'cumulative' then metric_value(coalesce(point.max, point.value)) end,
    case when kind <> 'cumulative' then point.count end,
    case kind when 'cumulative' then point.count end,
    case kind when 'cumulative' then point.count end,
    case when kind <> 'cumulative' then metric_value(point.sum) end,
    case kind when 'cumulative' then metric_value(point.sum) end,
    case when kind in ('cumulative', 'level') then metric_value(point.sum) end,
    metric_bounds(point.distribution), held.buckets, held.counts, reached.buckets, reached.counts,
    nullif(point.distribution -> 'quantiles', '[]')
  from (select) one
  left join lateral (
    select buckets, counts from metric_buckets(point.distribution) where kind <> 'cumulative'
  ) held on true
  left join lateral (
    select buckets, counts from metric_buckets(point.distribution) where kind = 'cumulative'
  ) reached on true
  where point.flags & 1 = 0 and (point.count is not null or metric_value(point.value) is not null)
$$;

-- The parts of all points. By the primary keys of metric_points and metric_series, a look-up each. A reader names
-- environment, series and day, and times by first_nano: minute has no index.
create or replace view metric_point_parts as
select
  point.series_id, part.start_nano, layout, time_nano as first_nano, time_nano as last_nano, minute, environment_key,
  day, points, part.value, first_value, last_value, part.min, part.max, part.count, first_count, last_count, part.sum,
  first_sum, last_sum, bounds, buckets, counts, last_buckets, last_counts, quantiles, hash
from metric_points point
-- In the order of the index and by one key, so that the plan is one look-up each, whatever the statistics are.
cross join lateral (
  select metric_kind(type, temporality, monotonic) as kind
  from metric_series s
  where s.environment_key = point.environment_key and s.id = point.series_id
  order by s.id
  limit 1
) series
cross join lateral metric_part_of(point, series.kind) as part;

-- Where in a range of minutes a series has no sums: its minutes with one point or none. By the primary key of
-- metric_minute_sums.
create or replace function metric_gaps(
  environment integer, series bigint, from_minute timestamptz, to_minute timestamptz, first_day date, last_day date
)
returns table (start timestamptz, stop timestamptz)
language sql stable as $$
  select start, stop
  from (
    select
      minute + interval '1 minute' as start,
      lead(minute, 1, to_minute) over (order by minute) as stop
    from (
      select from_minute - interval '1 minute' as minute
      union all
      select m.minute
      from metric_minute_sums m
      where m.environment_key = environment
        and m.series_id = series
        and m.day between first_day and last_day
        and m.day between (from_minute at time zone 'UTC')::date and (to_minute at time zone 'UTC')::date
        and m.minute >= from_minute
        and m.minute < to_minute
    ) known
  ) gap
  where start < stop
$$;

-- The minutes of ranges of series: a row a stream, or a row a point where a minute has no sums. Times are whole
-- minutes and within the days. Inlined: no column is computed that nobody needs, and other days aren't planned.
create or replace function metric_minutes_of(
  environment integer, series bigint[], starts timestamptz[], ends timestamptz[], first_day date, last_day date
)
returns setof metric_minute_sums
language sql stable as $$
  select summed.*
  from unnest(series, starts, ends) as span(series_id, from_minute, to_minute)
  -- In the order of the index, so that the plan is one look-up each, whatever the statistics are.
  cross join lateral (
    select *
    from metric_minute_sums m
    where m.environment_key = environment
      and m.series_id = span.series_id
      and m.day between first_day and last_day
      and m.day between (from_minute at time zone 'UTC')::date and (to_minute at time zone 'UTC')::date
      and m.minute >= from_minute
      and m.minute < to_minute
    order by m.minute
  ) summed
  union all
  select
    span.series_id, start_nano, layout, time_nano, time_nano, minute, environment, day, points, value, first_value,
    last_value, min, max, count, first_count, last_count, sum, first_sum, last_sum, bounds, buckets, counts,
    last_buckets, last_counts, quantiles
  from unnest(series, starts, ends) as span(series_id, from_minute, to_minute)
  cross join lateral (
    select metric_kind(type, temporality, monotonic) as kind
    from metric_series s
    where s.environment_key = environment and s.id = span.series_id
    order by s.id
    limit 1
  ) known
  cross join lateral metric_gaps(environment, span.series_id, from_minute, to_minute, first_day, last_day) as gap
  cross join lateral (
    select p.time_nano, p.day, part.*
    from metric_points p
    cross join lateral metric_part_of(p, known.kind) as part
    where p.environment_key = environment
      and p.series_id = span.series_id
      and p.day between first_day and last_day
      and p.day between (start at time zone 'UTC')::date and (stop at time zone 'UTC')::date
      and p.time_nano >= extract(epoch from start)::bigint * 1000000000
      and p.time_nano < extract(epoch from stop)::bigint * 1000000000
    order by p.time_nano
  ) point
$$;

-- The same without ranges, for the code of the last release. It reads all points of the days.
create or replace view metric_minutes as
select * from metric_minute_sums
union all
select
  series_id, start_nano, layout, first_nano, last_nano, minute, environment_key, day, points, value, first_value,
  last_value, min, max, count, first_count, last_count, sum, first_sum, last_sum, bounds, buckets, counts,
  last_buckets, last_counts, quantiles
from metric_point_parts part
where not exists (
  select
  from metric_minute_sums m
  where m.environment_key = part.environment_key
    and m.series_id = part.series_id
    and m.minute = part.minute
    and m.day = part.day
);
