-- The bucket of a duration. A doubling has 8 buckets, so the middle of a bucket is within 4.5 % of its values. Bucket
-- 0 is below 1 ns.
create or replace function latency_bucket(duration_nano bigint) returns smallint
language sql immutable parallel safe as $$
  select case
    when duration_nano < 1 then 0
    else 1 + floor(8 * ln(duration_nano::double precision) / ln(2::double precision))
  end::smallint
$$;

-- An instant as JavaScript writes it.
create or replace function iso_of_nano(nano bigint) returns text
language sql stable strict parallel safe as $$
  select to_char(to_timestamp(nano / 1000000 / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
