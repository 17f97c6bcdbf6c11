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

-- Deletes up to `max_rows` of a site's rows of a table, or of one partition, that meet a condition; returns how many.
-- `key_column` names another key than the site's. The index that leads with the key finds the rows. Statistics are
-- wrong while rows are deleted by the thousand, so the plan doesn't use them.
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
