-- The kind of a series' points: a level, the increase since the previous point (delta), or the total since the start
-- (cumulative). Unknown for histograms whose sender didn't name it.
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

-- The value if it can be added to others; null if it isn't finite, or so large that a sum might not be finite.
create or replace function metric_value(value double precision) returns double precision
language sql immutable parallel safe as $$
  select case when value between -1e300 and 1e300 then value end
$$;

-- 64-bit integers that a double can't hold exactly. The column value has the nearest double, and the column sum has
-- the difference to the integer; null if there is none. The same holds for first_value and first_sum, and for
-- last_value and last_sum. To stay exact, sums add two halves separately: the multiples of 2^32, and the rest.
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

-- The sum of two halves: its nearest double; the difference to it, if they are integers; and all digits, if the sum is
-- an integer beyond 2^53.
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

-- The difference between an integer, given as digits because a JSON number can't hold it, and its nearest double.
create or replace function metric_rest_of(digits jsonb, value double precision) returns double precision
language sql immutable parallel safe as $$
  select case when jsonb_typeof(digits) = 'string'
    and digits ->> 0 ~ '^-?[0-9]{16,19}$' then nullif(
      (digits ->> 0)::numeric - metric_digits(metric_high(value), metric_low(value, 0))::numeric,
      0
    )
  end::double precision
$$;

-- A sum of counts, limited so that one more count still fits into the type.
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

-- An array of numbers, or of their digits, as PostgreSQL writes it.
create or replace function json_digits(list jsonb) returns text
language sql immutable parallel safe as $$
  select translate(list::text, '[]', '{}')
$$;

-- The buckets of a histogram's point: explicit ones by their index from 0, exponential ones as exponential_bucket.
-- None for a scale outside the allowed range: version 0.1.0 stored scales that don't fit into a 32-bit integer.
-- Inlined: a call costs three times as much. The views that use it (metric-views.sql) are made anew after it.
drop view if exists metric_minutes;
drop view if exists metric_point_parts;
create or replace function metric_bucket_counts(distribution jsonb) returns table (bucket bigint, count bigint)
language sql immutable parallel safe rows 10 as $$
  select n - 1, count
  from unnest(json_digits(distribution -> 'counts')::bigint[]) with ordinality as listed(count, n)
  union all
  select exponential_bucket(nearest::integer, 1, 0), (distribution ->> 'zeroCount')::bigint
  from (select (distribution ->> 'scale')::bigint as scale) exponential
  -- A plan may cast a scale before it checks the range.
  cross join lateral (select least(greatest(scale, -32), 63) as nearest) bounded
  where scale between -32 and 63
  union all
  select exponential_bucket(nearest::integer, side, (run ->> 'offset')::bigint + n - 1), count
  from (select (distribution ->> 'scale')::bigint as scale) exponential
  cross join lateral (select least(greatest(scale, -32), 63) as nearest) bounded
  cross join lateral (values (0, distribution -> 'negative'), (2, distribution -> 'positive')) as runs(side, run)
  cross join lateral unnest(json_digits(run -> 'counts')::bigint[]) with ordinality as listed(count, n)
  where scale between -32 and 63
$$;

-- Those that aren't empty as two arrays in one row.
drop function if exists metric_buckets(jsonb);
create or replace function metric_buckets(distribution jsonb) returns table (buckets bigint[], counts bigint[])
language sql immutable parallel safe rows 1 as $$
  select array_agg(bucket), array_agg(count)
  from (select bucket, count from metric_bucket_counts(distribution) where count <> 0 order by bucket) entry
$$;

create or replace function metric_bounds(distribution jsonb) returns double precision[]
language sql immutable parallel safe as $$
  select nullif(json_digits(distribution -> 'bounds')::double precision[], '{}')
$$;
create or replace function metric_layout(distribution jsonb) returns bigint
language sql immutable parallel safe as $$
  select coalesce(telemetry_hash(nullif(distribution -> 'bounds', '[]')::text), 0)
$$;
