-- The fold stores a batch of events and brings visits and rollups up to date. `ingest_events`, at the end of this
-- file, names the steps in their order. Steps pass events and visits on as arrays of rows. PostgreSQL plans a
-- function in SQL as a part of the statement that calls it, and keeps the plan of each statement of a function in
-- PL/pgSQL.

-- Batches that share a site take turns, sites always in the same order.
create or replace function take_turns(batch jsonb) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(s.lock_key)
  from (
    select distinct hashtextextended((b.event ->> 'siteId')::uuid::text, 0) as lock_key
    from jsonb_array_elements(batch) as b(event)
    order by 1
  ) s;
end
$$;

create or replace function ensure_batch_partitions(batch jsonb) returns void
language plpgsql as $$
begin
  perform ensure_partition('events', days.noon), ensure_partition('visits', days.noon)
  from (
    select (d.day + time '12:00') at time zone 'UTC' as noon
    from (select distinct utc_day((b.event ->> 'at')::bigint) as day from jsonb_array_elements(batch) as b(event)) d
  ) days;
end
$$;

-- Late events change measures that are summed already; all others find nothing to open.
create or replace function reopen_measures_of(fresh events[]) returns void
language plpgsql as $$
begin
  perform reopen_measures(late.site_key, late.first_at, late.last_at)
  from (
    select site_key, min(occurred_at) as first_at, max(occurred_at) as last_at
    from unnest(fresh)
    where tier = 3 and kind in (1, 3, 4)
    group by site_key
  ) late;
end
$$;

-- Breaks the seals of days that hold a changed visit. A visit that was open when its day was sealed isn't in the seal.
create or replace function break_seals(taken visits[], merged visits[]) returns void
language plpgsql as $$
begin
  with changed as materialized (
    select distinct
      v.site_key, v.tier, v.visitor_id, v.started_at,
      (v.started_at at time zone sites.timezone)::date as day
    from unnest(taken || merged) v
    join site_seals done using (site_key)
    join sites on sites.key = v.site_key
    where v.started_at < done.until
  ),
  unsealed as (
    delete from sealed_days s using changed c
    where s.site_key = c.site_key
      and s.span = 1
      and s.bucket >= c.day
      and s.until > c.started_at
      and not exists (select from imported_days i where i.site_key = s.site_key and i.day = s.bucket)
      and not exists (
        select
        from open_visits o
        where o.site_key = c.site_key
          and o.day = s.bucket
          and o.tier = c.tier
          and o.visitor_id = c.visitor_id
          and o.started_at = c.started_at
      )
  )
  update site_seals s
  set sealed_to = c.day
  from (select site_key, min(day) as day from changed group by site_key) c
  where s.site_key = c.site_key and s.sealed_to > c.day;
end
$$;

-- Counts refused events, and as `properties` page views without theirs.
create or replace function count_refusals(fresh events[]) returns void
language plpgsql as $$
begin
  insert into dropped_days (site_key, day, reason, events)
  select
    site_key, local_day(occurred_at, timezone),
    case kind when 0 then data ->> 'reason' else 'properties' end,
    count(*)
  from unnest(fresh) join sites on sites.key = site_key
  where kind = 0 or (kind = 1 and data ? 'cut')
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (site_key, day, reason) do update set events = dropped_days.events + excluded.events;
end
$$;

-- Counts the custom events and page views that visits keep without their properties.
create or replace function count_cut_events(taken visits[], merged visits[]) returns void
language plpgsql as $$
begin
  if not exists (select from unnest(taken || merged) where event_data @? '$[*].cut' or page_data @? '$[*].cut') then
    return;
  end if;
  insert into dropped_days (site_key, day, reason, events)
  select v.site_key, local_day(visit_time(v.started_at, hit.ms), timezone), 'properties', sum(sign)
  from (select -1 as sign, * from unnest(taken) union all select 1, * from unnest(merged)) v
  cross join lateral (
    select ms, data
    from events_of(custom_events, event_data)
    union all
    select ms, data
    from page_data_of(page_data)
  ) hit
  join sites on sites.key = v.site_key
  where hit.data ? 'cut'
  group by 1, 2
  having sum(sign) <> 0
  order by 1, 2
  on conflict (site_key, day, reason) do update set events = dropped_days.events + excluded.events;
end
$$;

-- Stores the traces of backends that page views reported. Most batches have none.
create or replace function keep_associations(fresh events[]) returns void
language plpgsql as $$
declare
  has_associations boolean;
  viewed boolean;
begin
  select bool_or(kind = 5), bool_or(kind = 1) into has_associations, viewed from unnest(fresh) where tier = 3;
  if has_associations then
    perform fold_associations(fresh);
  end if;
  if viewed then
    perform place_associations(fresh);
  end if;
end
$$;

-- Notes up to when the sites' reports are folded. A site that has nothing yet sends `site.first_visit`.
drop function if exists note_freshness(events[], timestamptz);
create or replace function note_freshness(fresh events[], merged visits[], instant timestamptz) returns void
language plpgsql as $$
begin
  perform send_site_message(
    seen.site_key, 'site.first_visit', jsonb_build_object('at', json_instant(min(seen.occurred_at))), instant,
    'first visit ' || seen.site_key
  )
  from unnest(fresh) seen
  where seen.kind > 0 and not exists (select from site_freshness noted where noted.site_key = seen.site_key)
  group by seen.site_key;
  insert into site_freshness (site_key, first_event_at, last_event_at, folded_at, vitals_from)
  select
    site_key, min(occurred_at), max(occurred_at), instant,
    (select min(m.started_at) from unnest(merged) m where m.site_key = seen.site_key and m.vitals is not null)
  from unnest(fresh) seen
  where kind > 0
  group by site_key
  order by site_key
  on conflict (
    site_key
  ) do update set
    first_event_at = least(site_freshness.first_event_at, excluded.first_event_at),
    last_event_at = greatest(site_freshness.last_event_at, excluded.last_event_at),
    folded_at = greatest(site_freshness.folded_at, excluded.folded_at),
    vitals_from = least(site_freshness.vitals_from, excluded.vitals_from);
end
$$;

-- Brings visits and rollups up to date with events that were not folded before. Most events join a visit that goes on,
-- and then no visitor is counted anew.
create or replace function fold_events(fresh events[], instant timestamptz) returns void
language plpgsql as $$
declare
  taken visits[];
  row_ids tid[];
  merged visits[];
  others visits[];
begin
  select t.taken, t.places into taken, row_ids from take_visits(fresh) t;
  merged := merge_visits(taken, fresh);
  perform count_hours(fresh, taken, merged);
  if exists (select from moved_visitors(taken, merged)) then
    others := other_visits(taken, merged);
    perform count_visitors(taken, merged, others);
    if cardinality(others) > 0 then
      perform unmark_newcomers(merged, others);
    end if;
    merged := mark_newcomers(taken, merged, others);
  end if;
  perform write_visits(taken, row_ids, merged);
  perform break_seals(taken, merged);
  perform count_site_minutes(fresh, taken, merged);
  perform count_refusals(fresh);
  perform count_cut_events(taken, merged);
  perform keep_associations(fresh);
  perform note_freshness(fresh, merged, instant);
end
$$;

-- Stores and folds one batch of events: raw rows, visits, rollups, all or nothing. The batch is a JSON array of
-- flattened events (lib/collection/fold-batch.ts). What is stored depends on the set of events alone, not on their
-- order or on how they were cut into batches: visits merge as events arrive (of two page views received in one
-- millisecond either may be the first).
-- Plans are kept. One that was made while a table was small must not read all of it after it has grown: 5,000 new
-- pages then took 15 s.
create or replace function ingest_events(batch jsonb, instant timestamptz)
returns table (stored integer, repeated integer)
language plpgsql set jit = off set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  memory constant interval := interval '4 days';
  done record;
begin
  perform take_turns(batch);
  perform ensure_batch_partitions(batch);
  select * into done from store_events(batch, instant - memory);
  stored := cardinality(done.stored);
  repeated := done.repeated;
  if stored > 0 then
    perform reopen_measures_of(done.stored);
    perform fold_events(done.stored, instant);
    if done.is_limited then
      perform count_others(done.stored);
    end if;
  end if;
  return next;
end
$$;
