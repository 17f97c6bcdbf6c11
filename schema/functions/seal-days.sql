-- When and how days are sealed (schema/migrations/0007-sealed.sql explains seals).

-- A visit without an event for this time is over: the session gap, plus 5 minutes for late events.
create or replace function closed_before(instant timestamptz) returns timestamptz
language sql immutable parallel safe as $$
  select instant - session_gap() - interval '5 minutes'
$$;

-- Begins to seal a day: from now on a change breaks the seal. False: nothing of the day can be sealed yet. Waits for a
-- running fold of the site, and makes the next folds wait while it looks for open visits in one scan of the day's
-- visits.
create or replace function begin_seal(of_site integer, of_day date, instant timestamptz) returns boolean
language plpgsql set jit = off as $$
declare
  -- Visits that began later aren't sealed: reports read them in one scan, and each row of `open_visits` costs a probe.
  closed_at constant timestamptz := closed_before(instant);
  site uuid;
  until_at timestamptz;
begin
  select id, least(day_start(of_day + 1, timezone), closed_at)
  into site, until_at
  from sites
  where key = of_site and day_start(of_day, timezone) < closed_at;
  -- Imported days have no visits, so they can't be made again.
  if site is null or exists (select from imported_days where site_key = of_site and day = of_day) then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  perform name_values(of_site);
  delete from sealed_days where site_key = of_site and bucket <= of_day and bucket + span > of_day;
  delete from open_visits where site_key = of_site and day = of_day;
  insert into open_visits (site_key, day, tier, visitor_id, started_at)
  select of_site, of_day, tier, visitor_id, started_at
  from visits_within(of_site, closed_at, until_at)
  where visitor_id is not null and visit_time(started_at, duration_ms) > closed_at;
  insert into sealed_days (site_key, span, bucket, until, ready) values (of_site, 1, of_day, until_at, false);
  update site_seals set until = greatest(until, until_at), tried_at = instant where site_key = of_site;
  return true;
end
$$;

-- Ends the seal that `begin_seal` began, in another transaction: writes the day's rows, makes the blocks that they
-- complete, and lets reports use them. False: a change broke the seal in between.
create or replace function end_seal(of_site integer, of_day date) returns boolean
language plpgsql set jit = off as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  if not exists (select from sealed_days where site_key = of_site and span = 1 and bucket = of_day and not ready) then
    return false;
  end if;
  perform seal_hits(of_site, of_day, only_targets => false);
  perform seal_journeys(of_site, of_day);
  update sealed_days set ready = true where site_key = of_site and span = 1 and bucket = of_day and not ready;
  if not found then
    return false;
  end if;
  perform merge_block(of_site, 7, block_start(of_day, 7));
  perform merge_block(of_site, 28, block_start(of_day, 28));
  perform note_sealed(of_site, day_start(of_day + 1, timezone)) from sites where key = of_site;
  delete from seal_faults where site_key = of_site and day = of_day;
  return true;
end
$$;

-- Remembers that a day could not be sealed: it is tried again after 15 minutes, then after twice as long each time, a
-- day at most. Its site comes after the others.
create or replace function note_seal_fault(of_site integer, of_day date, fault text, instant timestamptz) returns void
language sql as $$
  insert into site_seals (site_key, named, tried_at)
  select key, '{0,0,0}', trusted_instant(instant)
  from sites
  where key = of_site
  on conflict (site_key) do update set tried_at = excluded.tried_at;
  insert into seal_faults as known (site_key, day, faults, retry_at, reason)
  select key, of_day, 1, trusted_instant(instant) + interval '15 minutes', fault
  from sites
  where key = of_site
  on conflict (
    site_key, day
  ) do update set
    faults = known.faults + 1,
    retry_at = trusted_instant(instant) + least(interval '15 minutes' * 2 ^ least(known.faults, 7), interval '1 day'),
    reason = excluded.reason
$$;

-- How many visits of today are sealed before the day ends: reports read fewer of them from their rows.
create or replace function visits_worth_sealing() returns integer
language sql immutable parallel safe as $$
  select 5000
$$;

-- Up to `most` days that are due: past days whose visits are closed, if they aren't sealed, or if visits that were
-- open at their seal have closed; and today, if enough visits came since its last seal. Sites take turns: first the
-- oldest day of each site, beginning with the site whose last turn was longest ago, then the next days. Days that
-- couldn't be sealed wait for their next attempt.
create or replace function days_to_seal(instant timestamptz, most integer) returns table (site_key integer, day date)
language sql stable set jit = off as $$
  select f.site_key, d.day
  from site_freshness f
  join sites on sites.key = f.site_key
  left join site_seals done on done.site_key = f.site_key
  cross join lateral (
    select (instant at time zone timezone)::date as today, (f.last_event_at at time zone timezone)::date as last_day
  ) t
  cross join lateral (
    select days.day, row_number() over (order by days.day) as nth
    from (
      select day::date
      from generate_series(
        coalesce(done.sealed_to, (f.first_event_at at time zone timezone)::date)::timestamp,
        least(today, last_day), '1 day'
      ) as day
    ) days
    left join sealed_days s on s.site_key = f.site_key and s.span = 1 and s.bucket = days.day and s.ready
    where not exists (select from imported_days i where i.site_key = f.site_key and i.day = days.day)
      and not exists (
        select
        from seal_faults bad
        where bad.site_key = f.site_key and bad.day = days.day and bad.retry_at > instant
      )
      and case
        when days.day < today
          and day_start(days.day + 1, timezone) <= closed_before(instant) - interval '5 minutes' then s.until is null
          or s.until < day_start(days.day + 1, timezone)
          or exists (
            select
            from open_visits o
            left join visits v on v.site_key = o.site_key
              and v.visitor_id = o.visitor_id
              and v.tier = o.tier
              and v.started_at = o.started_at
            where o.site_key = f.site_key
              and o.day = days.day
              and (v.started_at is null or visit_time(v.started_at, v.duration_ms) < closed_before(instant))
          )
        when days.day = today then visits_worth_sealing() <= (
          select count(*)
          from (
            select
            from visits v
            where v.site_key = f.site_key
              and v.profile_id > 0
              and v.started_at >= coalesce(s.until, day_start(days.day, timezone))
              and v.started_at < closed_before(instant)
              and quarter_hour(v.started_at) >= quarter_hour(coalesce(s.until, day_start(days.day, timezone)))
              and quarter_hour(v.started_at) < closed_before(instant)
            limit visits_worth_sealing()
          ) recent
        )
      end
    order by days.day
    limit 10
  ) d
  order by d.nth, done.tried_at nulls first, f.site_key
  limit most
$$;

-- Notes the day up to which a site is finally sealed without a gap, so that the next search begins there.
create or replace function note_sealed(of_site integer, instant timestamptz) returns void
language sql as $$
  update site_seals done
  set sealed_to = coalesce(
    (
      select min(d.day)::date
      from sites
      join site_freshness f on f.site_key = sites.key
      cross join lateral generate_series(
        coalesce(done.sealed_to, (f.first_event_at at time zone timezone)::date)::timestamp,
        (instant at time zone timezone)::date, '1 day'
      ) as d(day)
      left join sealed_days s on s.site_key = of_site and s.span = 1 and s.bucket = d.day::date and s.ready
      where key = of_site
        and (
          s.until is null
            or s.until < day_start(d.day::date + 1, timezone)
            or exists (select from open_visits o where o.site_key = of_site and o.day = d.day::date)
        )
    ),
    done.sealed_to
  )
  where done.site_key = of_site
$$;

-- Seals all days that are due, in one transaction, and returns how many: for a database without other writers.
create or replace function seal_days(instant timestamptz) returns integer
language plpgsql as $$
declare
  due record;
  sealed integer := 0;
begin
  for due in select * from days_to_seal(instant, 100000) loop
    if begin_seal(due.site_key, due.day, instant) and end_seal(due.site_key, due.day) then
      sealed := sealed + 1;
    end if;
  end loop;
  return sealed;
end
$$;

-- Up to `most` sealed days of a site, or with null of all sites, that were sealed with earlier goals and funnels.
-- Sites take turns as in `days_to_seal`, the newest day of each first.
create or replace function targets_to_seal(of_site uuid, instant timestamptz, most integer)
returns table (site_key integer, day date)
language sql stable as $$
  select s.site_key, d.bucket
  from site_seals s
  cross join lateral (
    select d.bucket, row_number() over (order by d.bucket desc) as nth
    from sealed_days d
    where d.site_key = s.site_key
      and d.span = 1
      and d.ready
      and d.targets is distinct from s.targets
      and not exists (select from imported_days i where i.site_key = d.site_key and i.day = d.bucket)
      and not exists (
        select
        from seal_faults bad
        where bad.site_key = d.site_key and bad.day = d.bucket and bad.retry_at > instant
      )
    order by d.bucket desc
    limit 10
  ) d
  where of_site is null or s.site_key = (select key from sites where id = of_site)
  order by d.nth, s.tried_at nulls first, s.site_key
  limit most
$$;

-- Updates a sealed day to the site's present goals and funnels.
create or replace function reseal_day(of_site integer, of_day date) returns void
language sql as $$
  select seal_hits(of_site, of_day, only_targets => true);
  delete from seal_faults where site_key = of_site and day = of_day
$$;
