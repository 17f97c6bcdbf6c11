-- What a series'' points say: a level at a time, what was added since the point before, or what was added since the
-- start. Histograms whose sender didn''t say which are unknown.
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
language sql immutable parallel safe as $$
  select case when value between -1e300 and 1e300 then value end
$$;

-- A sum of counts, or as much of it as fits with a count on top.
create or replace function metric_count(count numeric) returns bigint
language sql immutable parallel safe as $$
  select case when count > 9000000000000000000 then 9000000000000000000 else count end::bigint
$$;

-- A bucket of an exponential histogram as a number: its scale, side (0 negative, 1 zero, 2 positive) and index.
create or replace function exponential_bucket(scale integer, side integer, index bigint) returns bigint
language sql immutable parallel safe as $$
  select ((scale::bigint + 64) << 40) | (side::bigint << 36) | (index + 17179869184)
$$;
create or replace function exponential_scale(bucket bigint) returns integer
language sql immutable parallel safe as $$
  select (bucket >> 40)::integer - 64
$$;
create or replace function exponential_side(bucket bigint) returns integer
language sql immutable parallel safe as $$
  select (bucket >> 36 & 3)::integer
$$;
create or replace function exponential_index(bucket bigint) returns bigint
language sql immutable parallel safe as $$
  select (bucket & 68719476735) - 17179869184
$$;

-- The buckets of a histogram's point that hold something: of explicit bounds by their place from 0, else as
-- exponential_bucket. A scale that no number has buckets of gives none. Version 0.1.0
-- stored scales above what 32 bits with a sign hold.
create or replace function metric_buckets(distribution jsonb, out buckets bigint[], out counts bigint[])
language sql immutable parallel safe as $$
  select array_agg(bucket order by bucket), array_agg(count::bigint order by bucket)
  from (
    select n - 1 as bucket, count
    from jsonb_array_elements_text(distribution -> 'counts') with ordinality as listed(count, n)
    union all
    select exponential_bucket(nearest::integer, 1, 0), distribution ->> 'zeroCount'
    from (select (distribution ->> 'scale')::bigint as scale) exponential
    -- A plan may cast a scale before it looks whether it is one of these.
    cross join lateral (select least(greatest(scale, -32), 63) as nearest) bounded
    where scale between -32 and 63
    union all
    select exponential_bucket(nearest::integer, side, (run ->> 'offset')::bigint + n - 1), count
    from (select (distribution ->> 'scale')::bigint as scale) exponential
    cross join lateral (select least(greatest(scale, -32), 63) as nearest) bounded
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
