-- The retention of sites: visits and their sums are deleted when they are older than the policy of their site allows.

-- The tables whose rows expire, in the order of deletion, and the condition for expired rows. In a condition, %1$s is
-- the beginning of the oldest day that the site keeps, and %2$s is that day. Each condition uses an index that begins
-- with the site. Sealed days are deleted before their sums. Rows of rollup_visitors are deleted last, because old ones
-- show that forget_visitors isn't done.
create or replace view expiring_tables as
select name::regclass as name, condition, position
from (
  values
    (1, 'visits', 'profile_id > 0 and started_at < %1$s and quarter_hour(started_at) < %1$s'),
    (2, 'associations', 'occurred_at < %1$s'),
    (3, 'sealed_days', 'span in (1, 7, 28) and bucket < %2$s'),
    (4, 'seal_faults', 'day < %2$s'), (5, 'open_visits', 'day < %2$s'), (6, 'rollup_revenue', 'bucket < %2$s'),
    (7, 'rollup_values', 'bucket < %2$s'), (8, 'rollup_journeys', 'bucket < %2$s'),
    (9, 'rollup_props', 'bucket < %2$s'), (10, 'rollup_hours', 'hour < %1$s'),
    (11, 'rollup_engagement', 'span in (-1, 0, 1, 7, 28) and starts_at < %1$s'),
    (12, 'rollup_vitals', 'span in (-1, 0, 1, 7, 28) and starts_at < %1$s'),
    (13, 'rollup_blocks', 'span in (-1, 0, 1, 7, 28) and starts_at < %1$s'),
    (14, 'imported_days', 'starts_at < %1$s'),
    (15, 'dropped_days', 'day < %1$s'), (16, 'other_days', 'day < %1$s'),
    (17, 'filter_seals', 'span in (1, 7, 28) and bucket < %2$s'),
    (18, 'filter_values', 'span in (1, 7, 28) and bucket < %2$s'),
    (19, 'site_filters', 'asked_on < %2$s'),
    (20, 'site_minutes', 'series between 1 and 12 and hour < %1$s'),
    (21, 'rollup_visitors', 'unit in (''hour'', ''day'') and bucket < %1$s')
) as listed(position, name, condition);

-- Deletes up to `max_rows` rows of a site that meet a condition, of a partitioned table partition by partition;
-- returns how many.
create or replace function delete_expired(target regclass, key integer, condition text, max_rows integer)
returns integer
language plpgsql set enable_seqscan = off as $$
declare
  deleted integer := 0;
  partition regclass;
begin
  if (select relkind = 'r' from pg_class where oid = target) then
    return delete_some(target, key, condition, max_rows);
  end if;
  while deleted < max_rows loop
    execute format(
      'select tableoid from %s where site_key = $1 and %s limit 1',
      target, condition
    ) into partition using key;
    exit when partition is null;
    deleted := deleted + delete_some(partition, key, condition, max_rows - deleted);
  end loop;
  return deleted;
end
$$;

-- Removes the knowledge that visitors came before the oldest day, from up to `max_rows` rows of later days; returns
-- how many.
create or replace function forget_visitors(site integer, oldest timestamptz, max_rows integer) returns integer
language sql as $$
  with forgotten as (
    delete from rollup_visitors
    where ctid = any (
      array(
        select ctid
        from rollup_visitors
        where site_key = site
          and previous < oldest
          and previous > '-infinity'
          and bucket >= oldest
          and (
            unit = 'hour' and bucket < oldest + interval '49 hours'
              or unit = 'day' and bucket < oldest + interval '402 days'
          )
        limit max_rows
      )
    )
    returning unit, bucket, tier, visitors
  ),
  merged as (
    insert into rollup_visitors (site_key, unit, bucket, tier, previous, visitors)
    select site, unit, bucket, tier, '-infinity', sum(visitors)
    from forgotten
    group by unit, bucket, tier
    on conflict (
      site_key, unit, bucket, tier, previous
    ) do update set visitors = rollup_visitors.visitors + excluded.visitors
  )
  select count(*)::integer
  from forgotten
$$;

-- Shortens imports to the days that are kept; deletes imports without such a day.
create or replace function trim_imports(site integer) returns void
language plpgsql as $$
begin
  delete from site_imports i
  where i.site_key = site
    and i.finished_at is not null
    and not exists (select from imported_days d where d.site_key = i.site_key and d.import_id = i.id);
  update site_imports i
  set from_day = kept.first
  from (select import_id, min(day) as first from imported_days where site_key = site group by import_id) kept
  where i.site_key = site and i.id = kept.import_id and i.from_day < kept.first and i.finished_at is not null;
end
$$;

-- Deletes up to `max_rows` rows of a site from before `oldest`, the beginning of its `oldest_day`; returns how many. A
-- block that contains this instant is deleted as a whole; reports then read its days.
create or replace function expire_site(site integer, oldest timestamptz, oldest_day date, max_rows integer)
returns integer
language plpgsql as $$
declare
  target record;
  deleted integer := 0;
begin
  for target in
    select name, format(condition, quote_literal(oldest), quote_literal(oldest_day)) as condition
    from expiring_tables
    order by position
  loop
    -- After the visits, from which the fold knows when a visitor was here before.
    if target.name = 'rollup_visitors'::regclass
      and deleted < max_rows
      and exists (
        select
        from rollup_visitors r
        where r.site_key = site and r.unit in ('hour', 'day') and r.bucket < oldest
      )
    then
      deleted := deleted + forget_visitors(site, oldest, max_rows - deleted);
    end if;
    deleted := deleted + delete_expired(target.name, site, target.condition, max_rows - deleted);
    if target.name = 'imported_days'::regclass then
      perform trim_imports(site);
    end if;
  end loop;
  return deleted;
end
$$;

-- Up to $2 sites that are due, with their oldest kept day at the instant $1, and whether they have a row from before
-- it. For each site it stops at the first table with such a row.
create or replace function expiry_query() returns text
language sql stable as $$
  select format(
    $query$
      select s.key, s.id, o.oldest, o.oldest_day, %s as has_expired
      from (
        select *, (oldest at time zone timezone)::date as oldest_day
        from (
          select timezone, retention_months, oldest_kept($1, timezone, retention_months) as oldest
          from sites
          where retention_months is not null
          group by timezone, retention_months
        ) policies
      ) o
      join sites s using (timezone, retention_months)
      where s.kept_from is distinct from o.oldest
      order by hashtextextended(s.id::text, 0)
      limit $2
    $query$,
    string_agg(
      format(
        'exists (select from %s where site_key = s.key and %s)',
        name,
        format(condition, 'oldest', 'oldest_day')
      ),
      ' or ' order by position
    )
  )
  from expiring_tables
$$;

-- Deletes up to `max_rows` rows that are older than the sites' policies allow at an instant, of at most 1000 sites. A
-- site without a policy keeps everything. `sites.kept_from` says which sites are done, so each call continues the one
-- before. A site without expired rows costs one look-up per table and old partition, once a day. Locks sites in the
-- same order as the fold. Does nothing while another call runs.
create or replace function expire_visits(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
)
language plpgsql set jit = off as $$
declare
  query constant text := expiry_query();
  site_key integer;
  site uuid;
  oldest timestamptz;
  oldest_day date;
  has_expired boolean;
  max_sites constant integer := 1000;
  looked_at integer := 0;
begin
  instant := trusted_instant(instant);
  deleted := 0;
  finished := true;
  if not pg_try_advisory_xact_lock(hashtextextended('expire_visits', 0)) then
    return;
  end if;
  perform keep_partitions();
  for site_key, site, oldest, oldest_day, has_expired in execute query using instant, max_sites loop
    looked_at := looked_at + 1;
    if has_expired then
      perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
      deleted := deleted + expire_site(site_key, oldest, oldest_day, max_rows - deleted);
    end if;
    -- If `max_rows` were deleted, the site may have more: the next call deletes them.
    if deleted >= max_rows then
      finished := false;
      return;
    end if;
    update sites set kept_from = oldest where key = site_key;
  end loop;
  finished := looked_at < max_sites;
end
$$;
