-- The minutes of each hour in which something was observed, from which an answer gets its coverage.

-- Notes minutes, each as a number of minutes since 1970. Writes only new ones, so that few requests wait for each
-- other. A request writes them last and in the order of hours, so that requests can't deadlock.
create or replace function note_observed(environment integer, kind text, observed bigint[]) returns void
language sql as $$
  with sent as (
    select to_timestamp(minute / 60 * 3600) as hour, bit_or(1::bigint << (minute % 60)::integer) as minutes
    from unnest(observed) as listed(minute)
    group by minute / 60
  )
  insert into otlp_hours as known (environment_key, signal, hour, minutes)
  select environment, kind, hour, minutes
  from sent
  where not exists (
    select
    from otlp_hours o
    where o.environment_key = environment
      and o.signal = kind
      and o.hour = sent.hour
      and o.minutes & sent.minutes = sent.minutes
  )
  order by hour
  on conflict (environment_key, signal, hour) do update set minutes = known.minutes | excluded.minutes
$$;
