-- What is deleted after its time. Each call does a bounded piece of the work in one transaction, so that a run that
-- ends anywhere is continued by the next, and nobody waits long for a lock.

-- Partitions are dropped while nobody names one: whoever names them keeps them to
-- the end of its transaction.
create or replace function keep_partitions() returns void
language sql as $$
  select pg_advisory_xact_lock_shared(hashtextextended('partitions', 0))
$$;

-- Returns false while somebody names partitions. True: nobody does until the end of the transaction.
create or replace function may_drop_partitions() returns boolean
language sql as $$
  select pg_try_advisory_xact_lock(hashtextextended('partitions', 0))
$$;

-- The instant that a function with the rights of the owner works with (with-owners-rights.sql). A function's role can
-- pass any, and what it may delete goes by the database's clock: never later than now. The owner's own commands may
-- look ahead.
create or replace function trusted_instant(instant timestamptz) returns timestamptz
language sql stable as $$
  select case
    when pg_has_role(
      coalesce(nullif(current_setting('role'), 'none'), session_user)::name,
      current_user, 'member'
    ) then instant
    else least(instant, now())
  end
$$;

-- Drops a partition; false, to be tried again, where its locks aren't to be had at once: they stop the fold, and so
-- does whoever waits for them. True too if another run has dropped it since it was found.
create or replace function drop_partition(partition regclass) returns boolean
language plpgsql set lock_timeout = '100ms' as $$
declare
  -- A table that is gone has no name, and as a text it would be a number.
  name constant text := (
    select format('%I.%I', n.nspname, c.relname)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = partition
  );
begin
  if name is not null then
    execute format('drop table if exists %s', name);
  end if;
  return true;
exception when lock_not_available then
  return false;
end
$$;

-- Drops the partitions of raw events that ended over 48 hours before, what their days took of new values and
-- properties, and dead letters that are older than what their sites' policies keep. All others stay until somebody
-- replays or dismisses them.
create or replace function drop_raw_events(instant timestamptz) returns integer
language plpgsql as $$
declare
  expired record;
  dropped integer := 0;
begin
  if not may_drop_partitions() then
    return 0;
  end if;
  instant := trusted_instant(instant);
  for expired in
    select partition, ends_at
    from (
      select
        c.oid::regclass as partition,
        (to_date(substring(c.relname from '_(\d{8})$'), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC' as ends_at
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'events'::regclass
    ) days
    where ends_at < instant - interval '48 hours'
    order by ends_at
  loop
    exit when not drop_partition(expired.partition);
    update raw_events_kept set since = greatest(since, expired.ends_at);
    dropped := dropped + 1;
  end loop;
  delete from new_values where day < (instant - interval '4 days') at time zone 'UTC';
  delete from known_properties where last_day < ((instant - interval '4 days') at time zone 'UTC')::date;
  delete from dead_letters using sites
  where sites.id = site_id and failed_at < instant - make_interval(months => retention_months);
  return dropped;
end
$$;

-- The beginning of the oldest day that a policy keeps, in the site's zone.
create or replace function oldest_kept(instant timestamptz, zone text, months integer) returns timestamptz
language sql immutable parallel safe as $$
  select local_day(
    (date_trunc('day', instant at time zone zone) - make_interval(months => months)) at time zone zone,
    zone
  )
$$;

-- Whether a partition of visits or associations holds one that must be kept: of a site without a policy, or with one
-- that reaches back before the partition's end. Steps from site to site by an index that leads with the site and has
-- the rows that are `present`, up to the first that keeps something.
drop function if exists keeps_visits(regclass, timestamptz, timestamptz);
create or replace function keeps_visits(partition regclass, ends_at timestamptz, instant timestamptz, present text)
returns boolean
language plpgsql as $$
declare
  kept boolean;
begin
  execute format($query$
    with recursive present(key) as (
      (select site_key from %1$s where %2$s order by site_key limit 1)
      union all
      select (select site_key from %1$s where %2$s and site_key > present.key order by site_key limit 1)
      from present where present.key is not null
    )
    select exists (
      select from present
      cross join lateral (
        select from sites where sites.key = present.key and (
          retention_months is null or oldest_kept($1, timezone, retention_months) < $2)
        offset 0
      ) keeper
    )
  $query$, partition, present) into kept using instant, ends_at;
  return kept;
end
$$;

-- Drops the oldest partition of visits, or else of associations, of which nothing is kept; false: there is none, or
-- its locks weren't to be had. One a call, since a transaction holds the locks to its end. The fold no longer writes
-- what is a month old. Retention goes by days, so that of most partitions only the room is left to be given back.
create or replace function drop_expired_visits(instant timestamptz) returns boolean
language plpgsql as $$
declare
  old record;
begin
  if not may_drop_partitions() then
    return false;
  end if;
  instant := trusted_instant(instant);
  for old in
    select
      c.oid::regclass as partition,
      (to_date(substring(c.relname from '_(\d{8})$'), 'YYYYMMDD') + interval '1 month') at time zone 'UTC' as ends_at,
      case when i.inhparent = 'visits'::regclass then 'profile_id > 0' else 'true' end as present
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('visits'::regclass, 'associations'::regclass)
    order by i.inhparent = 'associations'::regclass, c.relname
  loop
    continue when old.ends_at > instant - interval '1 month';
    if not keeps_visits(old.partition, old.ends_at, instant, old.present) then
      return drop_partition(old.partition);
    end if;
  end loop;
  return false;
end
$$;

-- Deletes at most so many of a site's rows of a table, or of one partition, that meet a condition, or of what
-- `key_column` names; the number deleted. They are found by the index that leads with the key. Statistics tell
-- nothing of rows that are deleted by the thousand: no plan by them.
create or replace function delete_some(
  target regclass, key integer, condition text, max_rows integer, key_column text default 'site_key'
)
returns integer
language plpgsql set enable_seqscan = off as $$
declare
  deleted integer := 0;
begin
  if max_rows > 0 then
    execute format(
      'delete from %1$s where ctid = any (array(select ctid from %1$s where %2$I = $1 and %3$s limit $2))',
      target, key_column, condition
    ) using key, max_rows;
    get diagnostics deleted = row_count;
  end if;
  return deleted;
end
$$;

-- The first partition with visits of a site from before an instant; null: there are none.
create or replace function first_partition(site integer, before timestamptz) returns regclass
language sql stable as $$
  select v.tableoid
  from visits v
  where v.site_key = site and v.profile_id > 0 and v.started_at < before and quarter_hour(v.started_at) < before
  order by quarter_hour(v.started_at)
  limit 1
$$;

-- Deletes at most so many of a site's associations from before an instant, partition by partition; the number deleted.
create or replace function delete_associations(site integer, before timestamptz, max_rows integer) returns integer
language plpgsql as $$
declare
  old regclass;
  deleted integer := 0;
begin
  while deleted < max_rows loop
    old := (
      select tableoid
      from associations
      where site_key = site and occurred_at < before
      order by site_key, occurred_at
      limit 1
    );
    exit when old is null;
    deleted := deleted + delete_some(old, site, format('occurred_at < %L', before), max_rows - deleted);
  end loop;
  return deleted;
end
$$;

-- Forgets, of at most so many rows of those who stay, that the visitor was here before the oldest day; the number of
-- rows.
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

-- Deletes what is older than the sites' policies allow at an instant, at most so many rows, and looks at 1000 sites
-- at most; a site without a policy keeps everything. `sites.kept_from` says which are done, so that each call goes on
-- where the one before it ended, however it did. Of a site of which nothing has expired it costs a probe a table and
-- old partition, once a day. Takes the locks of sites in the order in which the fold does; while another call runs it
-- does nothing.
create or replace function expire_visits(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
)
language plpgsql as $$
declare
  site record;
  partition regclass;
  has_visitors boolean;
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
  for site in
    select s.key, s.id, o.oldest, (o.oldest at time zone o.timezone)::date as oldest_day
    from (
      select timezone, retention_months, oldest_kept(instant, timezone, retention_months) as oldest
      from sites
      where retention_months is not null
      group by timezone, retention_months
    ) o
    join sites s using (timezone, retention_months)
    where s.kept_from is distinct from o.oldest
    order by hashtextextended(s.id::text, 0)
    limit max_sites
  loop
    looked_at := looked_at + 1;
    -- A table whose rows bear a time is named here, and where they are deleted.
    partition := first_partition(site.key, site.oldest);
    has_visitors := exists (
      select
      from rollup_visitors r
      where r.site_key = site.key and r.unit in ('hour', 'day') and r.bucket < site.oldest
    );
    if partition is not null
      or has_visitors
      or exists (select from associations a where a.site_key = site.key and a.occurred_at < site.oldest)
      or exists (select from rollup_hours r where r.site_key = site.key and r.hour < site.oldest)
      or exists (select from dropped_days d where d.site_key = site.key and d.day < site.oldest)
      or exists (select from other_days d where d.site_key = site.key and d.day < site.oldest)
      or exists (
        select
        from rollup_blocks b
        where b.site_key = site.key and b.span in (-1, 0, 1, 7, 28) and b.starts_at < site.oldest
      )
      or exists (select from rollup_values r where r.site_key = site.key and r.bucket < site.oldest_day)
      or exists (select from rollup_journeys r where r.site_key = site.key and r.bucket < site.oldest_day)
      or exists (select from rollup_props r where r.site_key = site.key and r.bucket < site.oldest_day)
      or exists (
        select
        from sealed_days s
        where s.site_key = site.key and s.span in (1, 7, 28) and s.bucket < site.oldest_day
      )
    then
      perform pg_advisory_xact_lock(hashtextextended(site.id::text, 0));
      while partition is not null and deleted < max_rows loop
        deleted := deleted + delete_some(
          partition, site.key,
          format('profile_id > 0 and quarter_hour(started_at) < %L', site.oldest),
          max_rows - deleted
        );
        partition := first_partition(site.key, site.oldest);
      end loop;
      deleted := deleted + delete_associations(site.key, site.oldest, max_rows - deleted);
      -- A block that reaches over the day goes whole; reports then take its days.
      deleted := deleted + delete_some(
        'sealed_days', site.key,
        format('span in (1, 7, 28) and bucket < %L', site.oldest_day),
        max_rows - deleted
      );
      deleted := deleted + delete_some(
        'seal_faults', site.key, format('day < %L', site.oldest_day), max_rows - deleted
      );
      deleted := deleted + delete_some(
        'open_visits', site.key, format('day < %L', site.oldest_day), max_rows - deleted
      );
      deleted := deleted + delete_some(
        'rollup_revenue', site.key, format('bucket < %L', site.oldest_day), max_rows - deleted
      );
      deleted := deleted + delete_some(
        'rollup_values', site.key, format('bucket < %L', site.oldest_day), max_rows - deleted
      );
      deleted := deleted + delete_some(
        'rollup_journeys', site.key, format('bucket < %L', site.oldest_day), max_rows - deleted
      );
      deleted := deleted + delete_some(
        'rollup_props', site.key, format('bucket < %L', site.oldest_day), max_rows - deleted
      );
      deleted := deleted + delete_some(
        'rollup_hours', site.key, format('hour < %L', site.oldest), max_rows - deleted
      );
      deleted := deleted + delete_some(
        'rollup_engagement', site.key,
        format('span in (-1, 0, 1, 7, 28) and starts_at < %L', site.oldest),
        max_rows - deleted
      );
      deleted := deleted + delete_some(
        'rollup_vitals', site.key,
        format('span in (-1, 0, 1, 7, 28) and starts_at < %L', site.oldest),
        max_rows - deleted
      );
      deleted := deleted + delete_some(
        'rollup_blocks', site.key,
        format('span in (-1, 0, 1, 7, 28) and starts_at < %L', site.oldest),
        max_rows - deleted
      );
      deleted := deleted + delete_some(
        'imported_days', site.key, format('starts_at < %L', site.oldest), max_rows - deleted
      );
      delete from site_imports i
      where i.site_key = site.key
        and i.finished_at is not null
        and not exists (select from imported_days d where d.site_key = i.site_key and d.import_id = i.id);
      update site_imports i
      set from_day = kept.first
      from (select import_id, min(day) as first from imported_days where site_key = site.key group by import_id) kept
      where i.site_key = site.key and i.id = kept.import_id and i.from_day < kept.first and i.finished_at is not null;
      deleted := deleted + delete_some('dropped_days', site.key, format('day < %L', site.oldest), max_rows - deleted);
      deleted := deleted + delete_some('other_days', site.key, format('day < %L', site.oldest), max_rows - deleted);
      -- After the visits, from which the fold knows when a visitor was here before.
      if has_visitors and deleted < max_rows then
        deleted := deleted + forget_visitors(site.key, site.oldest, max_rows - deleted);
      end if;
      -- Last of all: as long as one of these is there, something may be left to forget.
      deleted := deleted + delete_some(
        'rollup_visitors', site.key,
        format('unit in (''hour'', ''day'') and bucket < %L', site.oldest),
        max_rows - deleted
      );
    end if;
    -- With as many as may be deleted, more of the site may be left: the next call sees.
    if deleted >= max_rows then
      finished := false;
      return;
    end if;
    update sites set kept_from = site.oldest where key = site.key;
  end loop;
  finished := looked_at < max_sites;
end
$$;
