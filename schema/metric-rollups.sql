-- Metric points summed by series and minute, and by hour. A request notes which minutes it touched; a cron sums each of them again
-- from all of its points, and then its hour from all of its minutes, so that nothing depends on what came first. What reads sums
-- reads the points of touched minutes, and the minutes of touched hours (lib/telemetry/metrics).

create table if not exists metric_minutes (
  series_id bigint not null,
  start_nano bigint not null,
  layout bigint not null,
  first_nano bigint not null,
  last_nano bigint not null,
  minute timestamptz not null,
  environment_key integer not null,
  day date not null,
  points integer not null,
  value double precision,
  first_value double precision,
  last_value double precision,
  min double precision,
  max double precision,
  count bigint,
  first_count bigint,
  last_count bigint,
  sum double precision,
  first_sum double precision,
  last_sum double precision,
  bounds double precision[],
  buckets bigint[],
  counts bigint[],
  last_buckets bigint[],
  last_counts bigint[],
  quantiles jsonb,
  primary key (environment_key, series_id, minute, start_nano, layout, day)
) partition by range (day);
comment on table metric_minutes is 'A row a stream: of a series, what has the same start, if it is cumulative, and the same bounds.';
comment on column metric_minutes.start_nano is 'Of what is cumulative; otherwise 0.';
comment on column metric_minutes.layout is 'A hash of bounds; 0 without any.';
comment on column metric_minutes.first_nano is 'When its first point is from; last_nano its last.';
comment on column metric_minutes.value is 'Of gauges and delta sums the sum of values. Of what is cumulative, value, count, sum, buckets: what was reached before each reset.';
comment on column metric_minutes.last_value is 'Of what is cumulative, and of gauges, as it was last; first_value: first. From first to last, resets added, it increased.';
comment on column metric_minutes.buckets is 'Buckets (metric_buckets) that hold something, each once; counts says how much.';
comment on column metric_minutes.quantiles is 'Of a summary''s last point, as lib/otlp/rows.ts has them.';

create table if not exists metric_hours (like metric_minutes including all) partition by range (day);
comment on table metric_hours is 'As metric_minutes, of whole hours, whose minute is their first.';

create table if not exists metric_touched_hours (
  series_id bigint not null,
  hour timestamptz not null,
  environment_key integer not null
);
create index if not exists metric_touched_hours_series on metric_touched_hours (environment_key, series_id, hour);
comment on table metric_touched_hours is 'Hours of series whose minutes changed since they were summed.';

create table if not exists metric_seen (
  minute timestamptz not null,
  environment_key integer not null,
  name text not null,
  type text not null,
  unit text not null,
  service text not null,
  primary key (environment_key, name, type, unit, service)
);
comment on column metric_seen.minute is 'Of its last point, but for those of touched minutes.';

-- What a series'' points say: a level at a time, what was added since the point before, or what was added since the start. Histograms
-- whose sender didn''t say which are unknown.
create or replace function metric_kind(type text, temporality smallint, monotonic boolean) returns text
language sql immutable parallel safe as $$
  select case
    when type = 'gauge' then 'level'
    when type = 'summary' then 'cumulative'
    when temporality = 1 then 'delta'
    when temporality = 2 and (type <> 'sum' or monotonic) then 'cumulative'
    when type = 'sum' then 'level'
    else 'unknown'
  end
$$;

-- A value that can be added to others; null of one that isn't finite, or so large that their sum might not be.
create or replace function metric_value(value double precision) returns double precision
language sql immutable parallel safe as $$ select case when value between -1e300 and 1e300 then value end $$;

-- A sum of counts, or as much of it as fits with a count on top.
create or replace function metric_count(count numeric) returns bigint
language sql immutable parallel safe as $$
  select case when count > 9000000000000000000 then 9000000000000000000 else count end::bigint
$$;

-- A bucket of an exponential histogram as a number: its scale, side (0 negative, 1 zero, 2 positive) and index.
create or replace function exponential_bucket(scale integer, side integer, index bigint) returns bigint
language sql immutable parallel safe as $$
  select ((scale + 64)::bigint << 40) | (side::bigint << 36) | (index + 17179869184)
$$;
create or replace function exponential_scale(bucket bigint) returns integer
language sql immutable parallel safe as $$ select (bucket >> 40)::integer - 64 $$;
create or replace function exponential_side(bucket bigint) returns integer
language sql immutable parallel safe as $$ select (bucket >> 36 & 3)::integer $$;
create or replace function exponential_index(bucket bigint) returns bigint
language sql immutable parallel safe as $$ select (bucket & 68719476735) - 17179869184 $$;

-- The buckets of a histogram's point that hold something: of explicit bounds by their place from 0, else as exponential_bucket. A
-- scale that no number has buckets of gives none.
create or replace function metric_buckets(distribution jsonb, out buckets bigint[], out counts bigint[])
language sql immutable parallel safe as $$
  select array_agg(bucket order by bucket), array_agg(count::bigint order by bucket)
  from (
    select n - 1 as bucket, count
    from jsonb_array_elements_text(distribution -> 'counts') with ordinality as listed(count, n)
    union all
    select exponential_bucket(scale, 1, 0), distribution ->> 'zeroCount'
    from (select (distribution ->> 'scale')::integer as scale) exponential where scale between -32 and 63
    union all
    select exponential_bucket(scale, side, (run ->> 'offset')::bigint + n - 1), count
    from (select (distribution ->> 'scale')::integer as scale) exponential
    cross join lateral (values (0, distribution -> 'negative'), (2, distribution -> 'positive')) as runs(side, run)
    cross join lateral jsonb_array_elements_text(run -> 'counts') with ordinality as listed(count, n)
    where scale between -32 and 63
  ) entry
  where count <> '0'
$$;

create or replace function metric_bounds(distribution jsonb) returns double precision[]
language sql immutable parallel safe as $$
  select array_agg(bound::double precision order by n)
  from jsonb_array_elements_text(distribution -> 'bounds') with ordinality as listed(bound, n)
$$;
create or replace function metric_layout(distribution jsonb) returns bigint
language sql immutable parallel safe as $$
  select coalesce(telemetry_hash(nullif(distribution -> 'bounds', '[]')::text), 0)
$$;

