-- Deletion of expired data. Each call does a bounded piece of the work in one transaction, so that the next run
-- continues an interrupted one, and nobody waits long for a lock.

-- Partitions are dropped only while no transaction uses one by name: this lock keeps them until the end of the
-- transaction.
create or replace function keep_partitions() returns void
language sql as $$
  select pg_advisory_xact_lock_shared(hashtextextended('partitions', 0))
$$;

-- Returns true if no transaction uses partitions by name, and keeps it so until the end of this transaction; else
-- false.
create or replace function may_drop_partitions() returns boolean
language sql as $$
  select pg_try_advisory_xact_lock(hashtextextended('partitions', 0))
$$;

-- The instant that functions with the owner's rights use (with-owners-rights.sql). A function's role can pass any
-- instant; one later than the database's clock is replaced by now, so that it can't delete data too early. The owner's
-- own commands may pass a later one.
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

-- Drops a partition. Returns false if it can't lock the partition at once: waiting for the lock would stop the fold.
-- The caller tries again later. Also returns true if another run has dropped the partition.
create or replace function drop_partition(partition regclass) returns boolean
language plpgsql set lock_timeout = '100ms' as $$
declare
  -- A dropped table has no name; as a text its id would be a number.
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

-- Drops the partitions of raw events that ended over 48 hours ago. Deletes the counts of new values and properties of
-- those days, and dead letters that are older than their sites' policies allow. Other dead letters stay until somebody
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

-- Returns whether a partition of visits or associations has a row that must be kept: of a site without a policy, or
-- with a policy that keeps days before the partition's end. Steps from site to site by an index that begins with the
-- site and contains the rows that are `present`, and stops at the first site that keeps a row.
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

-- Drops the oldest partition of visits, or else of associations, from which nothing is kept. False: there is none, or
-- it couldn't be locked at once. One per call, because a transaction holds its locks to the end. The fold doesn't
-- write rows that are a month old. Retention deletes by days, so most of these partitions are empty already.
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

-- Deletes up to `max_rows` rows of a site that meet a condition, from a table or one partition; returns how many.
-- `key_column` names another key than the site's. Uses an index that begins with the key. The plan doesn't depend on
-- statistics, which are wrong while thousands of rows are deleted.
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
