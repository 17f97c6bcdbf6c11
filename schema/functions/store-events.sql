-- How the fold stores the events of a batch.

-- The events of the batch that aren't stored yet, without ids of values: what these are to stand for, and where each
-- event stands in the batch. `repeated` counts the others.
create or replace function read_events(
  batch jsonb, memory_start timestamptz, out fresh events[], out paths text[], out names text[], out profiles text[],
  out places text[], out origins text[], out positions bigint[], out repeated integer
)
language plpgsql as $$
begin
  with input as materialized (
    select distinct on (sites.key, b.id) sites.key as site_key,
      b.id as event_id, b.kind, b.tier, b."visitorId" as visitor_id,
      coalesce(b.continued, false) as continued,
      b.entry, b.path, b.name,
      'epoch'::timestamptz + b.at * interval '1 millisecond' as occurred_at,
      b.screen, b."pageId" as page_id, b."engagedMs" as engaged_ms, b."scrollDepth" as scroll_depth, b.data,
      profile_key(b.event, coalesce(sites.first_domain, sites.domain)) as profile,
      place_key(b.event, coalesce(sites.first_domain, sites.domain)) as place,
      origin_key(b.event, coalesce(sites.first_domain, sites.domain)) as origin,
      b.ordinality as position
    from rows from (
      jsonb_array_elements(batch),
      jsonb_to_recordset(batch) as (
        "siteId" uuid, id uuid, at bigint, kind smallint, tier smallint, "visitorId" uuid, continued boolean,
        entry boolean, path text, name text, screen text, "pageId" uuid, "engagedMs" integer, "scrollDepth" real,
        data jsonb
      )
    ) with ordinality as b(event)
    join sites on sites.id = b."siteId"
    order by sites.key, b.id, b.at, b.tier
  ),
  unknown as (
    select input.*
    from input
    -- One probe of the primary key an event: the planner would rather read all of a partition that it has no
    -- statistics of.
    left join lateral (
      select true as is_known
      from events e
      where e.site_key = input.site_key and e.event_id = input.event_id and e.occurred_at > memory_start
      limit 1
    ) as stored_before on true
    where stored_before.is_known is null
  )
  select
    coalesce(
      array_agg(
        event_row(
          occurred_at => occurred_at, event_id => event_id, visitor_id => visitor_id, page_id => page_id,
          site_key => site_key, engaged_ms => engaged_ms, scroll_depth => scroll_depth, kind => kind, tier => tier,
          continued => continued, entry => entry, screen => screen, data => data
        )
      ),
      '{}'
    ),
    array_agg(path), array_agg(name), array_agg(profile), array_agg(place), array_agg(origin), array_agg(position),
    (select count(*) from input) - count(*)
  into fresh, paths, names, profiles, places, origins, positions, repeated
  from unknown;
end
$$;

-- The text of a site with a value, and whether its days don't have `day` yet; none if the event has its id already. By
-- the index of values. Inlined where it is used.
create or replace function text_with_value(of_site integer, of_value text, known_id integer, day date)
returns table (id integer, stale boolean)
language sql stable parallel safe as $$
  select t.id, text_with_value.day not between t.first_day and t.last_day
  from site_texts t
  where known_id is null and t.site_key = of_site and t.value = of_value
  offset 0
$$;

-- The events with the ids of their values, as far as there are any. `lacking`: dictionaries that lack some of these,
-- and `lacking_at`, for which of the events. `stale`: those with values that weren't named on their days before.
create or replace function look_up_values(
  fresh events[], paths text[], names text[], profiles text[], places text[], origins text[], positions bigint[],
  out named events[], out lacking text[], out lacking_at bigint[], out stale events[]
)
language plpgsql as $$
begin
  select
    array_agg(
      event_row(
        occurred_at => occurred_at, event_id => event_id, visitor_id => visitor_id, page_id => page_id,
        site_key => site_key, path_id => path_id, name_id => name_id, profile_id => profile_id, place_id => place_id,
        origin_id => origin_id, engaged_ms => engaged_ms, scroll_depth => scroll_depth, kind => kind, tier => tier,
        continued => continued, entry => entry, screen => screen, data => data
      )
    ),
    array_remove(
      array[
        case when bool_or(lacks_text) then 'text' end,
        case when bool_or(profile_id is null) then 'profile' end,
        case when bool_or(place_id is null) then 'place' end,
        case when bool_or(origin_id is null) then 'origin' end
      ],
      null
    ),
    array_agg(position) filter (where lacks_text or profile_id is null or place_id is null or origin_id is null),
    array_agg(
      event_row(
        occurred_at => occurred_at, event_id => event_id, visitor_id => visitor_id, page_id => page_id,
        site_key => site_key, path_id => path_id, name_id => name_id, profile_id => profile_id, place_id => place_id,
        origin_id => origin_id, kind => kind, tier => tier
      )
    ) filter (where is_stale)
  into named, lacking, lacking_at, stale
  from (
    select
      e.occurred_at, e.event_id, e.visitor_id, e.page_id, e.site_key,
      coalesce(e.path_id, path_text.id) as path_id,
      coalesce(e.name_id, name_text.id) as name_id,
      coalesce(e.profile_id, known_profile.id) as profile_id,
      coalesce(e.place_id, known_place.id) as place_id,
      coalesce(e.origin_id, known_origin.id) as origin_id,
      e.engaged_ms, e.scroll_depth, e.kind, e.tier, e.continued, e.entry, e.screen, e.data, e.position,
      e.path is not null and coalesce(e.path_id, path_text.id) is null
        or e.name is not null and coalesce(e.name_id, name_text.id) is null as lacks_text,
      path_text.stale or name_text.stale or known_profile.stale or known_place.stale or known_origin.stale as is_stale
    from (
      select *, (occurred_at at time zone 'UTC')::date as day
      from unnest(paths, names, profiles, places, origins, positions, fresh) as e(
        path, name, profile, place, origin, position
      )
    ) e
    left join lateral text_with_value(e.site_key, e.path, e.path_id, e.day) as path_text on true
    left join lateral text_with_value(e.site_key, e.name, e.name_id, e.day) as name_text on true
    left join lateral (
      select t.id, e.day not between t.first_day and t.last_day as stale
      from site_profiles t
      where e.profile_id is null and t.site_key = e.site_key and t.value = e.profile
      offset 0
    ) as known_profile on true
    left join lateral (
      select t.id, e.day not between t.first_day and t.last_day as stale
      from site_places t
      where e.place_id is null and t.site_key = e.site_key and t.value = e.place
      offset 0
    ) as known_place on true
    left join lateral (
      select t.id, e.day not between t.first_day and t.last_day as stale
      from site_origins t
      where e.origin_id is null and t.site_key = e.site_key and t.value = e.origin
      offset 0
    ) as known_origin on true
  ) e;
end
$$;

-- Stores the events of the batch that aren't stored yet, and returns them; `repeated` counts the others. `is_limited`:
-- some of them have `(other)` for what is beyond their day's limits.
drop function if exists store_events(jsonb, timestamptz);
create or replace function store_events(
  batch jsonb, memory_start timestamptz, out stored events[], out repeated integer, out is_limited boolean
)
language plpgsql as $$
declare
  input record;
  found record;
  stale events[];
  limited jsonb;
begin
  select * into input from read_events(batch, memory_start);
  stored := input.fresh;
  repeated := input.repeated;
  is_limited := false;
  if stored = '{}' then
    return;
  end if;
  select f.*
  into found
  from look_up_values(
    stored, input.paths, input.names, input.profiles, input.places, input.origins, input.positions
  ) f;
  stored := found.named;
  stale := found.stale;
  if found.lacking <> '{}' then
    limited := admit_values(
      (select jsonb_agg(batch -> n::integer - 1) from unnest(found.lacking_at) as n),
      found.lacking
    );
    is_limited := limited is not null;
    if is_limited then
      select *
      into input
      from read_events(
        limited || (
          select coalesce(jsonb_agg(b.event), '[]')
          from jsonb_array_elements(batch) with ordinality as b(event, n)
          where n <> all (found.lacking_at)
        ),
        memory_start
      );
      stored := input.fresh;
    end if;
    select f.*
    into found
    from look_up_values(
      stored, input.paths, input.names, input.profiles, input.places, input.origins, input.positions
    ) f;
    if found.lacking <> '{}' then
      raise data_exception using message = 'dictionaries still lack values: ' || array_to_string(found.lacking, ', ');
    end if;
    stored := found.named;
    stale := stale || found.stale;
  end if;
  if stale is not null then
    perform raise_values(stale);
  end if;
  select p.admitted, p.is_limited or store_events.is_limited into stored, is_limited from admit_properties(stored) p;
  stored := mark_repeats(stored);
  insert into events select * from unnest(stored);
end
$$;
