-- Counts what happens on watched sites by minute, for alerts (docs/alerts.md#sums).

-- What a visit counts as, and when. Series: 1 present, from the first event to the fifth minute after the last one,
-- a day at most; 2 visits; 3 page views; 4 custom events by name; 5 revenue by currency; 6 visits that reach a goal,
-- by its key; 7 visits by source, 8 by channel, 9 by country, 10 by device, 11 by entry page.
create or replace function moments_of(visit visits)
returns table (series integer, name text, at timestamptz, amount bigint)
language sql stable rows 20 as $$
  select 1, '', minute, 1::bigint
  from generate_series(
    date_trunc('minute', (visit).started_at),
    visit_time((visit).started_at, least(coalesce((visit).duration_ms, 0), 86400000)) + interval '4 minutes',
    '1 minute'
  ) as minute
  where (visit).tier >= 2
    and is_seen(
      (visit).counted, (visit).continued, (visit).entry_page, (visit).custom_events, (visit).consent_page
    )
  union all
  select 2, '', (visit).started_at, 1
  where (visit).counted
  union all
  select 3, '', visit_time((visit).started_at, (visit).entry_ms), 1
  where (visit).entry_page is not null
  union all
  select 3, '', visit_time((visit).started_at, ms), 1
  from hits_of((visit).later_pages)
  union all
  select 4, text.value, visit_time((visit).started_at, hit.ms), 1
  from events_of((visit).custom_events, (visit).event_data) hit
  join site_texts text on text.site_key = (visit).site_key and text.id = hit.text_id and text.id > 0
  union all
  select
    5, hit.data #>> '{revenue,currency}', visit_time((visit).started_at, hit.ms),
    round((hit.data #>> '{revenue,amount}')::numeric * 10000)::bigint
  from events_of((visit).custom_events, (visit).event_data) hit
  where hit.data ? 'revenue'
  union all
  select 6, goal_key::text, at, 1
  from goals_reached_by(visit)
  union all
  select named.series, named.name, (visit).started_at, 1
  from (select) one
  left join site_origins origin on origin.site_key = (visit).site_key
    and origin.id = (visit).origin_id
    and origin.id > 0
  left join site_places place on place.site_key = (visit).site_key and place.id = (visit).place_id and place.id > 0
  left join site_profiles profile on profile.site_key = (visit).site_key
    and profile.id = (visit).profile_id
    and profile.id > 0
  left join site_texts page on page.site_key = (visit).site_key and page.id = (visit).entry_page and page.id > 0
  cross join lateral (
    values
      (7, coalesce(origin.source, 'Direct')), (8, coalesce(origin.channel, 'direct')), (9, place.country),
      (10, profile.device), (11, left(page.value, 256))
  ) as named(series, name)
  where (visit).counted and named.name is not null
$$;

-- The goals that a visit reaches, each with the time when it first does.
create or replace function goals_reached_by(visit visits) returns table (goal_key integer, at timestamptz)
language sql stable rows 2 as $$
  select goal.key, visit_time((visit).started_at, min(hit.ms))
  from sites
  join site_goals goal on goal.site_id = sites.id
  cross join lateral hits_of_visit(
    (visit).entry_ms, (visit).entry_page, (visit).later_pages, (visit).custom_events, (visit).event_data
  ) hit
  join site_texts text on text.site_key = (visit).site_key and text.id = hit.text_id and text.id > 0
  where sites.key = (visit).site_key
    and hit.kind = goal.kind
    and case goal.kind when 1 then page_matches(text.value, goal.pattern) else text.value = goal.pattern end
    and not is_repeated(hit.data)
  group by goal.key
$$;

-- An amount in a minute of 0 to 59, as `site_minutes.packed` has it, and back.
create or replace function pack_minute(minute integer, amount bigint) returns bigint
language sql immutable parallel safe as $$
  select amount * 64 + minute
$$;

create or replace function unpack_minutes(packed bigint[]) returns table (minute integer, amount bigint)
language sql immutable parallel safe rows 4 as $$
  select (item & 63)::integer, item >> 6 from unnest(packed) as item
$$;

create or replace function add_minutes(one bigint[], other bigint[]) returns bigint[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(pack_minute(minute, amount) order by minute), '{}')
  from (
    select minute, sum(amount)::bigint as amount
    from unpack_minutes(one || other)
    group by minute
    having sum(amount) <> 0
  ) added
$$;

-- Adds the moments of visits within [from_at, to_at) of a watched site, or subtracts those of `taken`. Goals count
-- from their last change on.
create or replace function add_site_minutes(
  taken visits[], merged visits[], from_at timestamptz, to_at timestamptz
)
returns void
language plpgsql as $$
begin
  insert into site_minutes as stored (site_key, series, hour, tier, name, packed)
  select site_key, series, hour, tier, name, array_agg(pack_minute(minute, amount) order by minute)
  from (
    select
      watch.site_key, moment.series, (signed.visit).tier, moment.name,
      date_trunc('hour', moment.at, 'UTC') as hour,
      extract(minute from moment.at at time zone 'UTC')::integer as minute,
      sum(signed.sign * moment.amount)::bigint as amount
    from (
      select -1 as sign, old as visit
      from unnest(taken) old
      union all
      select 1, new
      from unnest(merged) new
    ) signed
    join site_watches watch on watch.site_key = (signed.visit).site_key
    cross join lateral moments_of(signed.visit) moment
    where moment.at >= greatest(
      from_at,
      case when to_at is null then watch.since end,
      case when moment.series = 6 then (watch.goals ->> moment.name)::timestamptz end
    )
      and (to_at is null or moment.at < to_at)
    group by 1, 2, 3, 4, 5, 6
    having sum(signed.sign * moment.amount) <> 0
  ) cell
  group by site_key, series, hour, tier, name
  order by site_key, series, hour, tier, name
  on conflict (
    site_key, series, hour, tier, name
  ) do update set packed = add_minutes(stored.packed, excluded.packed);
end
$$;

-- Called by the fold with the visits as they were and as they are. Without a watched site it costs one look-up by the
-- primary key of site_watches.
create or replace function count_site_minutes(fresh events[], taken visits[], merged visits[]) returns void
language plpgsql as $$
begin
  if not exists (select from site_watches where site_key in (select e.site_key from unnest(fresh) e)) then
    return;
  end if;
  perform add_site_minutes(taken, merged, null, null);
  -- Refused events, by reason: series 12.
  insert into site_minutes as stored (site_key, series, hour, tier, name, packed)
  select site_key, 12, hour, 0, reason, array_agg(pack_minute(minute, events) order by minute)
  from (
    select
      watch.site_key,
      date_trunc('hour', e.occurred_at, 'UTC') as hour,
      extract(minute from e.occurred_at at time zone 'UTC')::integer as minute,
      e.data ->> 'reason' as reason,
      count(*) as events
    from unnest(fresh) e join site_watches watch on watch.site_key = e.site_key
    where e.kind = 0 and e.occurred_at >= watch.since
    group by 1, 2, 3, 4
  ) refused
  group by site_key, hour, reason
  order by site_key, hour, reason
  on conflict (
    site_key, series, hour, tier, name
  ) do update set packed = add_minutes(stored.packed, excluded.packed);
end
$$;

-- Subtracts erased visits, and deletes what counts nothing any more, so that no name of theirs is left.
create or replace function lessen_minutes(erased_site integer, erased visits[]) returns void
language plpgsql as $$
begin
  perform add_site_minutes(erased, '{}', null, null);
  delete from site_minutes where site_key = erased_site and packed = '{}';
end
$$;

-- Counts a piece of the time before `since`, at most a day, of a watched site: visits of [from_at, since), by the
-- index visits_quarters. Returns whether anything before it is still wanted. The caller has the lock of the site.
create or replace function fill_piece(watched integer, hours integer) returns boolean
language plpgsql as $$
declare
  watch site_watches;
  from_at timestamptz;
  found visits[];
begin
  select * into watch from site_watches where site_key = watched;
  from_at := greatest(watch.since - hours * interval '1 hour', watch.wanted);
  if from_at < watch.since then
    found := array(
      select visit
      from visits visit
      where site_key = watched
        and profile_id > 0
        and started_at >= from_at - interval '1 day'
        and started_at < watch.since
        and quarter_hour(started_at) >= from_at - interval '25 hours'
        and quarter_hour(started_at) < watch.since
      union all
      select visit
      from visits visit
      where site_key = watched
        and duration_ms >= 86400000
        and started_at >= from_at - longest_visit()
        and started_at < from_at - interval '1 day'
    );
    perform add_site_minutes('{}', found, from_at, watch.since);
    update site_watches set since = from_at where site_key = watched;
  end if;
  return from_at > watch.wanted;
end
$$;

-- Begins to count the minutes of a site, or notes that somebody asked again. Waits for a batch of the site's events
-- that is being folded. The last hour is counted at once: `since` begins after all that is known, and moves back.
create or replace function watch_site(site uuid, instant timestamptz) returns void
language plpgsql as $$
declare
  watched integer;
  known boolean;
begin
  instant := trusted_instant(instant);
  select key into watched from sites where id = site;
  if watched is null then
    return;
  end if;
  update site_watches set asked_at = greatest(asked_at, instant) where site_key = watched;
  if found then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  insert into site_watches (site_key, since, wanted, asked_at)
  values (
    watched, date_trunc('minute', instant) + interval '10 minutes', date_trunc('hour', instant) - interval '36 days',
    instant
  )
  on conflict (site_key) do nothing
  returning true into known;
  if known then
    perform fill_piece(watched, 2);
  end if;
end
$$;

-- Counts one piece of one site that isn't counted back to `wanted` yet; returns whether there was one. A piece has
-- about 20,000 page views, an hour at least and a day at most.
create or replace function fill_site_minutes() returns boolean
language plpgsql set jit = off as $$
declare
  next record;
begin
  select watch.site_key, watch.since, sites.id
  into next
  from site_watches watch join sites on sites.key = watch.site_key
  where watch.since > watch.wanted
  order by watch.since desc
  limit 1;
  if not found then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(next.id::text, 0));
  perform fill_piece(
    next.site_key,
    (
      select greatest(1, least(24, 24 * 20000 / greatest(1, coalesce(sum(pageviews), 0))))::integer
      from rollup_hours
      where site_key = next.site_key and hour >= next.since - interval '1 day' and hour < next.since
    )
  );
  return true;
end
$$;

-- Deletes up to `max_rows` minutes that are older than 36 days, and what isn't watched any more: sites without an
-- alert that nobody tried one on for a day. Returns how many rows were deleted. Cheap once a minute: one look-up a
-- watch.
create or replace function forget_site_minutes(instant timestamptz, max_rows integer) returns integer
language plpgsql as $$
declare
  watch record;
  deleted integer := 0;
begin
  instant := trusted_instant(instant);
  for watch in
    select
      w.site_key,
      not exists (select from alert_rules rule join sites on sites.id = rule.site_id where sites.key = w.site_key)
        and w.asked_at < instant - interval '1 day' as is_left
    from site_watches w
    order by w.site_key
  loop
    exit when deleted >= max_rows;
    if watch.is_left then
      deleted := deleted + delete_some('site_minutes', watch.site_key, 'true', max_rows - deleted);
      delete from site_watches
      where site_key = watch.site_key and not exists (select from site_minutes m where m.site_key = watch.site_key);
    else
      deleted := deleted + delete_some(
        'site_minutes', watch.site_key,
        format('series between 1 and 12 and hour < %L', instant - interval '36 days'), max_rows - deleted
      );
      update site_watches
      set wanted = greatest(wanted, date_trunc('hour', instant) - interval '36 days'),
        since = greatest(since, date_trunc('hour', instant) - interval '36 days')
      where site_key = watch.site_key and wanted < date_trunc('hour', instant) - interval '36 days';
    end if;
  end loop;
  return deleted;
end
$$;
