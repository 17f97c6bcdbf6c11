-- Sums changed minutes and hours of metrics again (schema/migrations/0010-telemetry-rollups.sql).

-- The points of minutes of series, each as a part of its minute's sum. By the primary key of metric_points, a look-up
-- a slot.
create or replace function metric_parts_of_minutes(environment integer, series bigint[], minutes timestamptz[])
returns table (
  series_id bigint, start_nano bigint, layout bigint, first_nano bigint, last_nano bigint, tie bigint,
  slot timestamptz, day date, points integer, value double precision, first_value double precision,
  last_value double precision, min double precision, max double precision, count bigint, first_count bigint,
  last_count bigint, sum double precision, first_sum double precision, last_sum double precision,
  bounds double precision[], buckets bigint[], counts bigint[], last_buckets bigint[], last_counts bigint[],
  quantiles jsonb
)
language sql stable as $$
  with slot as materialized (
    select
      series_id, slot, (slot at time zone 'UTC')::date as day,
      extract(epoch from slot)::bigint * 1000000000 as from_nano
    from unnest(series, minutes) as listed(series_id, slot)
  )
  select
    slot.series_id, start_nano, layout, first_nano, last_nano, hash, slot, slot.day, points, value, first_value,
    last_value, min, max, count, first_count, last_count, sum, first_sum, last_sum, bounds, buckets, counts,
    last_buckets, last_counts, quantiles
  from slot
  -- In the order of the index, so that the plan is one look-up each, whatever the statistics are.
  cross join lateral (
    select *
    from metric_point_parts p
    where p.environment_key = environment
      and p.series_id = slot.series_id
      and p.day = slot.day
      and p.first_nano >= from_nano
      and p.first_nano < from_nano + 60000000000
    order by p.first_nano, p.hash
  ) point
$$;

-- The minutes of hours of series, each as a part of its hour's sum. By the primary keys of metric_minute_sums and
-- metric_points, a look-up a slot.
create or replace function metric_parts_of_hours(environment integer, series bigint[], hours timestamptz[])
returns table (
  series_id bigint, start_nano bigint, layout bigint, first_nano bigint, last_nano bigint, tie bigint,
  slot timestamptz, day date, points integer, value double precision, first_value double precision,
  last_value double precision, min double precision, max double precision, count bigint, first_count bigint,
  last_count bigint, sum double precision, first_sum double precision, last_sum double precision,
  bounds double precision[], buckets bigint[], counts bigint[], last_buckets bigint[], last_counts bigint[],
  quantiles jsonb
)
language sql stable as $$
  select
    series_id, start_nano, layout, first_nano, last_nano, 0, date_trunc('hour', minute, 'UTC'), day, points, value,
    first_value, last_value, min, max, count, first_count, last_count, sum, first_sum, last_sum, bounds, buckets,
    counts, last_buckets, last_counts, quantiles
  from (
    select array_agg(hour + interval '1 hour' order by n) as ends
    from unnest(hours) with ordinality as listed(hour, n)
  ) ended
  cross join lateral metric_minutes_of(environment, series, hours, ends, '-infinity', 'infinity')
$$;

-- The entries of a part's histogram, and the last entries before a reset. Inlined where it is used.
create or replace function metric_entries(
  buckets bigint[], counts bigint[], last_buckets bigint[], last_counts bigint[], ends_in_reset boolean
)
returns table (bucket bigint, count bigint)
language sql stable parallel safe as $$
  select * from unnest(buckets, counts) union all select * from unnest(last_buckets, last_counts) where ends_in_reset
$$;

-- The sums of series by slots: minutes from their points, hours from their minutes. The cost grows with the rows in
-- the slots. Just-in-time compilation would make it ten times as slow, because the planner expects far more rows.
create or replace function sum_metric_slots(environment integer, series bigint[], slots timestamptz[], width interval)
returns setof metric_minute_sums
language sql stable set jit = off as $$
  with part as (
    select *
    from metric_parts_of_minutes(environment, series, slots)
    where width < interval '1 hour'
    union all
    select *
    from metric_parts_of_hours(environment, series, slots)
    where width = interval '1 hour'
  ),
  linked as (
    select
      *,
      row_number() over stream = 1 as is_first,
      lead(first_nano) over stream is null as is_last,
      coalesce(
        lead(first_count) over stream < last_count or lead(first_value) over stream < last_value,
        false
      ) as ends_in_reset
    from part
    window stream as (partition by series_id, slot, start_nano, layout order by first_nano, tie)
  ),
  entry as (
    select series_id, slot, start_nano, layout, bucket, sum(entry.count) as count
    from linked cross join lateral metric_entries(buckets, counts, last_buckets, last_counts, ends_in_reset) as entry
    group by 1, 2, 3, 4, 5
  ),
  vector as (
    select
      series_id, slot, start_nano, layout,
      array_agg(bucket order by bucket) as buckets,
      array_agg(metric_count(count) order by bucket) as counts
    from entry
    group by 1, 2, 3, 4
  )
  select
    series_id, start_nano, layout, first_nano, last_nano, slot, environment, day, points, metric_near(high, low),
    first_value, last_value, min, max, count, first_count, last_count,
    case when high is null then sum else metric_rest(high, low) end,
    first_sum, last_sum, bounds, buckets, counts, last_buckets, last_counts, quantiles
  from (
    select
      series_id, start_nano, layout, min(first_nano) as first_nano, max(last_nano) as last_nano, slot, day,
      sum(points)::integer as points,
      sum(
        case
          when ends_in_reset then coalesce(metric_high(value), 0) + metric_high(last_value)
          else metric_high(value)
        end
      ) as high,
      sum(
        case
          when ends_in_reset then coalesce(metric_low(value, sum), 0) + metric_low(last_value, last_sum)
          else metric_low(value, sum)
        end
      ) as low,
      max(first_value) filter (where is_first) as first_value,
      max(last_value) filter (where is_last) as last_value,
      min(min) as min, max(max) as max,
      metric_count(
        sum(case when ends_in_reset then coalesce(count, 0)::numeric + last_count else count end)
      ) as count,
      max(first_count) filter (where is_first) as first_count,
      max(last_count) filter (where is_last) as last_count,
      sum(case when ends_in_reset then coalesce(sum, 0) + last_sum else sum end) as sum,
      max(first_sum) filter (where is_first) as first_sum,
      max(last_sum) filter (where is_last) as last_sum,
      max(bounds) as bounds, max(vector.buckets) as buckets, max(vector.counts) as counts,
      max(last_buckets) filter (where is_last) as last_buckets,
      max(last_counts) filter (where is_last) as last_counts,
      (array_agg(quantiles) filter (where is_last))[1] as quantiles
    from linked left join vector using (series_id, slot, start_nano, layout)
    group by series_id, start_nano, layout, slot, day
  ) stream
$$;

-- Writes the sums of slots of series into metric_minute_sums or metric_hours, and replaces earlier ones.
create or replace function write_metric_sums(
  target text, environment integer, series bigint[], slots timestamptz[], width interval
)
returns void
language plpgsql as $$
begin
  perform ensure_telemetry_day(target, day)
  from (select distinct (slot at time zone 'UTC')::date as day from unnest(slots) as slot) days;
  execute format($query$
    insert into %I select * from sum_metric_slots($1, $2, $3, $4)
    on conflict (environment_key, series_id, minute, start_nano, layout, day) do update set
      (
        first_nano, last_nano, points, value, first_value, last_value, min, max, count, first_count, last_count,
        sum, first_sum, last_sum, bounds, buckets, counts, last_buckets, last_counts, quantiles
      ) = (
        excluded.first_nano, excluded.last_nano, excluded.points, excluded.value, excluded.first_value,
        excluded.last_value, excluded.min, excluded.max, excluded.count, excluded.first_count, excluded.last_count,
        excluded.sum, excluded.first_sum, excluded.last_sum, excluded.bounds, excluded.buckets, excluded.counts,
        excluded.last_buckets, excluded.last_counts, excluded.quantiles
      )
  $query$, target) using environment, series, slots, width;
end
$$;

-- The minutes of series that have several points. A point that is alone is the sum of its minute. A look-up each by
-- the primary key of metric_points.
create or replace function crowded_minutes(environment integer, series bigint[], minutes timestamptz[])
returns table (series bigint[], minutes timestamptz[])
language sql stable as $$
  select array_agg(series_id order by series_id, minute), array_agg(minute order by series_id, minute)
  from (
    select series_id, minute, extract(epoch from minute)::bigint * 1000000000 as from_nano
    from unnest(series, minutes) as listed(series_id, minute)
  ) slot
  where (
    select true
    from metric_points p
    where p.environment_key = environment
      and p.series_id = slot.series_id
      and p.day = (slot.minute at time zone 'UTC')::date
      and p.time_nano >= from_nano
      and p.time_nano < from_nano + 60000000000
    order by p.time_nano
    limit 1 offset 1
  )
$$;

-- Sums up to `max_rows` changed minutes of an environment that ended by `before` again; returns how many. Does nothing
-- while another call runs, since older sums must not be written after newer ones.
create or replace function sum_metric_minutes(environment integer, before timestamptz, max_rows integer)
returns integer
language plpgsql set jit = off as $$
declare
  taken_rows integer;
  series bigint[];
  minutes timestamptz[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('sums of metrics', environment)) then
    return 0;
  end if;
  with taken as (
    delete from metric_touched
    where ctid = any (
      array(
        select ctid
        from metric_touched
        where environment_key = environment and minute < before
        limit max_rows
        for update skip locked
      )
    )
    returning series_id, minute
  ),
  slot as (select distinct series_id, minute from taken)
  select
    (select count(*) from taken),
    array_agg(series_id order by series_id, minute),
    array_agg(minute order by series_id, minute)
  into taken_rows, series, minutes
  from slot;
  if taken_rows = 0 then
    return 0;
  end if;
  perform write_metric_sums('metric_minute_sums', environment, crowded.series, crowded.minutes, interval '1 minute')
  from crowded_minutes(environment, series, minutes) as crowded;
  insert into metric_touched_hours (environment_key, series_id, hour)
  select distinct environment, id, date_trunc('hour', at, 'UTC')
  from unnest(series, minutes) as slot(id, at)
  where not exists (
    select
    from metric_touched_hours t
    where t.environment_key = environment and t.series_id = id and t.hour = date_trunc('hour', at, 'UTC')
  );
  insert into metric_seen (environment_key, name, type, unit, service, minute)
  select environment, s.name, s.type, s.unit, r.service, max(at)
  from (select id, max(at) as at from unnest(series, minutes) as slot(id, at) group by id) slot
  cross join lateral (
    select *
    from metric_series m
    where m.environment_key = environment and m.id = slot.id
    order by m.id
    limit 1
  ) s
  join otlp_resources r on r.environment_key = environment and r.id = s.resource_id
  group by s.name, s.type, s.unit, r.service
  on conflict (environment_key, name, type, md5(unit), md5(service)) do update set minute = excluded.minute
  where metric_seen.minute < excluded.minute;
  return taken_rows;
end
$$;

-- The same of hours.
create or replace function sum_metric_hours(environment integer, before timestamptz, max_rows integer) returns integer
language plpgsql set jit = off as $$
declare
  taken_rows integer;
  series bigint[];
  hours timestamptz[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('sums of metrics', environment)) then
    return 0;
  end if;
  with taken as (
    delete from metric_touched_hours
    where ctid = any (
      array(
        select ctid
        from metric_touched_hours
        where environment_key = environment and hour < before - interval '1 hour'
        limit max_rows
        for update skip locked
      )
    )
    returning series_id, hour
  ),
  slot as (select distinct series_id, hour from taken)
  select
    (select count(*) from taken),
    array_agg(series_id order by series_id, hour),
    array_agg(hour order by series_id, hour)
  into taken_rows, series, hours
  from slot;
  if taken_rows = 0 then
    return 0;
  end if;
  perform write_metric_sums('metric_hours', environment, series, hours, interval '1 hour');
  return taken_rows;
end
$$;

-- The next environment, by its key, that may have minutes or hours to sum. Two index probes.
create or replace function next_touched_environment(after integer) returns integer
language sql stable as $$
  select least(
    (select environment_key from metric_touched where environment_key > after order by environment_key limit 1),
    (select environment_key from metric_touched_hours where environment_key > after order by environment_key limit 1)
  )
$$;
