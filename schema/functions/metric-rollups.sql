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

-- Integers that a double may not hold. Where value is an integer of 64 bits, sum has what the nearest double, in
-- value, lacks; null if nothing. The same is true of first_value and first_sum, last_value and last_sum. Sums add two
-- halves apart, which doubles hold exactly: multiples of 2^32, and the rest with everything below.
create or replace function metric_high(value double precision) returns double precision
language sql immutable parallel safe as $$
  select case when abs(value) < 4294967296 then 0 else trunc(value / 4294967296) end
$$;
create or replace function metric_low(value double precision, rest double precision) returns double precision
language sql immutable parallel safe as $$
  select case
    when abs(value) < 4294967296 then value
    else value - trunc(value / 4294967296) * 4294967296 + coalesce(rest, 0)
  end
$$;

-- The nearest double to the sum of two halves; what it lacks, if they are integers; and all digits of the sum, if it
-- is an integer beyond 2^53.
create or replace function metric_near(high double precision, low double precision) returns double precision
language sql immutable parallel safe as $$
  select high * 4294967296 + low
$$;
create or replace function metric_rest(high double precision, low double precision) returns double precision
language sql immutable parallel safe as $$
  select case when low = trunc(low)
    and abs(metric_near(high, low)) >= 9007199254740992 then nullif(
      high * 4294967296 - (metric_near(high, low) - (metric_near(high, low) - high * 4294967296)) + (
        low - (metric_near(high, low) - high * 4294967296)
      ),
      0
    )
  end
$$;
create or replace function metric_digits(high double precision, low double precision) returns text
language sql immutable parallel safe as $$
  select case when low = trunc(low)
    and abs(metric_near(high, low)) >= 9007199254740992
    and abs(high) < 1e18
    and abs(low) < 1e18 then (high::bigint::numeric * 4294967296 + low::bigint)::text
  end
$$;

-- What a double lacks of an integer that a request has as digits, because JSON's numbers can't hold it.
create or replace function metric_rest_of(digits jsonb, value double precision) returns double precision
language sql immutable parallel safe as $$
  select case when jsonb_typeof(digits) = 'string'
    and digits ->> 0 ~ '^-?[0-9]{16,19}$' then nullif(
      (digits ->> 0)::numeric - metric_digits(metric_high(value), metric_low(value, 0))::numeric,
      0
    )
  end::double precision
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

-- The buckets of a histogram's point that hold something: of explicit bounds by their index from 0, else as
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
