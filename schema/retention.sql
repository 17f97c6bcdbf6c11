-- Drops the partitions of raw events that ended over 48 hours before, and dead letters over 30 days old.
create or replace function drop_raw_events(instant timestamptz) returns integer
language plpgsql as $$
declare
  expired text;
  dropped integer := 0;
begin
  for expired in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass
      and to_date(right(c.relname, 8), 'YYYYMMDD') + 1 < (instant - interval '48 hours') at time zone 'UTC'
  loop
    execute format('drop table %I', expired);
    dropped := dropped + 1;
  end loop;
  delete from dead_letters where failed_at < instant - interval '30 days';
  return dropped;
end
$$;

-- Deletes what is older than the site's policy allows, site by site by the indexes that lead with it. Costs a probe a
-- site and partition where nothing has expired. A site without a policy keeps everything.
create or replace function expire_visits(instant timestamptz) returns bigint
language plpgsql as $$
declare
  site record;
  deleted bigint;
  total bigint := 0;
begin
  for site in
    select key, local_day(instant, timezone) - make_interval(months => retention_months) as oldest
    from sites where retention_months is not null
  loop
    delete from visits where site_key = site.key and started_at < site.oldest and duration_ms >= 0;
    get diagnostics deleted = row_count;
    total := total + deleted;
    delete from rollup_hours where site_key = site.key and hour < site.oldest;
    delete from rollup_visitors where site_key = site.key and unit in ('hour', 'day') and bucket < site.oldest;
    -- Of those who stay nothing earlier is known any more.
    with forgotten as (
      delete from rollup_visitors
      where site_key = site.key and previous < site.oldest and previous > '-infinity'
        and (unit = 'hour' and bucket < site.oldest + interval '49 hours'
          or unit = 'day' and bucket < site.oldest + interval '402 days')
      returning unit, bucket, tier, visitors
    )
    insert into rollup_visitors (site_key, unit, bucket, tier, previous, visitors)
    select site.key, unit, bucket, tier, '-infinity', sum(visitors) from forgotten group by unit, bucket, tier
    on conflict (site_key, unit, bucket, tier, previous) do update set
      visitors = rollup_visitors.visitors + excluded.visitors;
    delete from dropped_days where site_key = site.key and day < site.oldest;
    delete from rollup_blocks where site_key = site.key and starts_at < site.oldest;
    delete from rollup_engagement where site_key = site.key and starts_at < site.oldest;
    delete from rollup_vitals where site_key = site.key and starts_at < site.oldest;
  end loop;
  return total;
end
$$;
