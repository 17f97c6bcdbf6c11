-- Limits on properties per site and day (docs/limits.md#new-values). Anybody can send them, and each makes the seal of
-- its day and the reports on it slower.

-- The number of free properties per event, which don't count against the day's limit. An event with fewer leaves its
-- room to others: a day has at most this number for each of its events, plus the limit.
create or replace function free_properties() returns integer
language sql immutable parallel safe as $$
  select 5
$$;

-- The digest of a property's key, or with `value` of one of its values, as stored in `known_properties`. SHA-256, so
-- that nobody can find two values with the same digest. Stable, like the functions that it calls, so that it is
-- inlined.
create or replace function property_digest(event integer, key text, value text default null) returns bytea
language sql stable parallel safe as $$
  select substr(sha256(convert_to(concat(event, ' ', jsonb_build_array(key, value)), 'UTF8')), 1, 16)
$$;

-- The properties of events. `n` is the event's index.
create or replace function properties_of(fresh events[])
returns table (
  n bigint, site_key integer, at timestamptz, key text, value jsonb, key_digest bytea, value_digest bytea
)
language sql stable as $$
  select
    e.ordinality, e.site_key, e.occurred_at, prop.key, prop.value,
    property_digest(coalesce(e.name_id, 0), prop.key),
    property_digest(coalesce(e.name_id, 0), prop.key, prop.value #>> '{}')
  from unnest(fresh) with ordinality as e cross join lateral jsonb_each(e.data -> 'props') prop
  where e.data ? 'props'
$$;

-- The events with other `data`, by the events' indexes.
create or replace function with_data(fresh events[], changed jsonb) returns events[]
language sql stable as $$
  select array_agg(
    event_row(
      occurred_at => occurred_at, event_id => event_id, visitor_id => visitor_id, page_id => page_id,
      site_key => site_key, path_id => path_id, name_id => name_id, profile_id => profile_id, place_id => place_id,
      origin_id => origin_id, engaged_ms => engaged_ms, scroll_depth => scroll_depth, kind => kind, tier => tier,
      continued => continued, entry => entry, screen => screen,
      data => coalesce(changed -> ordinality::text, data)
    )
    order by ordinality
  )
  from unnest(fresh) with ordinality
$$;

-- Removes the properties of events that have more than the free ones, once their day has too many; `cut` marks these
-- events. Earlier events come first. In a batch with such an event, page views and events with fewer than the free
-- ones add room. Other batches aren't counted, so that most cost no write. Needs the sites' locks.
create or replace function cut_properties(fresh events[]) returns events[]
language plpgsql as $$
declare
  beyond jsonb;
begin
  with counted as materialized (
    select
      e.site_key,
      (e.occurred_at at time zone 'UTC')::date as day,
      e.occurred_at as at, e.ordinality as n,
      (select count(*) from jsonb_object_keys(e.data -> 'props')) - free_properties() as further
    from unnest(fresh) with ordinality as e
    where e.kind in (1, 2)
  ),
  summed as materialized (
    select
      c.site_key, c.day, c.n, c.further,
      c.further > 0
        and coalesce(known.taken, 0) + sum(c.further) over (
          partition by c.site_key, c.day
          order by c.at, c.n rows unbounded preceding
        ) > most_new_values('further') as is_beyond
    from counted c
    left join new_values known on known.site_key = c.site_key and known.day = c.day and known.kind = 'further'
    where (c.site_key, c.day) in (select site_key, day from counted where further > 0)
  ),
  noted as (
    insert into new_values (site_key, day, kind, taken)
    select site_key, day, 'further', sum(further)
    from summed
    where not is_beyond
    group by site_key, day
    on conflict (site_key, day, kind) do update set taken = new_values.taken + excluded.taken
  )
  select jsonb_object_agg(n, fresh[n].data - 'props' || '{"cut": "day"}')
  into beyond
  from summed
  where is_beyond;
  return case when beyond is null then fresh else with_data(fresh, beyond) end;
end
$$;

-- The new keys and values of the events' properties that are beyond their day's limit, in the shape that `is_refused`
-- reads; null: none. Notes all others as known. Keys are decided first: a value of a refused key isn't counted.
create or replace function refuse_properties(fresh events[]) returns jsonb
language plpgsql as $$
declare
  lacking jsonb;
  refused_keys jsonb;
  refused_values jsonb;
begin
  select jsonb_agg(d)
  into lacking
  from (
    select
      p.site_key, encode(d.digest, 'hex') as value, d.of_key, 'properties' as kind,
      floor(extract(epoch from min(p.at)) * 1000)::bigint as at,
      (max(p.at) at time zone 'UTC')::date as last_day,
      min(known.last_day) as known_day
    from properties_of(fresh) p
    cross join lateral (values (p.key_digest, null), (p.value_digest, encode(p.key_digest, 'hex'))) as d(
      digest, of_key
    )
    left join lateral (
      select k.last_day
      from known_properties k
      where k.site_key = p.site_key and k.digest = d.digest
      offset 0
    ) known on true
    where known.last_day is null or known.last_day < (p.at at time zone 'UTC')::date
    group by p.site_key, d.digest, d.of_key
  ) d;
  if lacking is null then
    return null;
  end if;
  refused_keys := refuse_values(jsonb_path_query_array(lacking, '$[*] ? (@.of_key == null && @.known_day == null)'));
  refused_values := refuse_values(
    (
      select coalesce(jsonb_agg(v.value), '[]')
      from jsonb_array_elements(lacking) as v(value)
      where v.value ->> 'of_key' is not null
        and v.value ->> 'known_day' is null
        and not is_refused(
          refused_keys, (v.value ->> 'site_key')::integer, 'properties', v.value ->> 'of_key'
        )
    )
  );
  insert into known_properties as known (site_key, last_day, digest)
  select site_key, last_day, decode(value, 'hex')
  from jsonb_to_recordset(lacking) as d(site_key integer, value text, of_key text, last_day date)
  where not is_refused(refused_keys, site_key, 'properties', coalesce(of_key, value))
    and not is_refused(refused_values, site_key, 'properties', value)
  order by site_key, value
  on conflict (site_key, digest) do update set last_day = greatest(known.last_day, excluded.last_day);
  return coalesce(refused_keys || refused_values, refused_keys, refused_values);
end
$$;

-- The events with the properties that their days accept. `is_limited`: some have `(other)`. It is fast because few
-- events have properties, and most properties are known.
create or replace function admit_properties(fresh events[], out admitted events[], out is_limited boolean)
language plpgsql as $$
declare
  refused jsonb;
  changed jsonb;
begin
  admitted := fresh;
  is_limited := false;
  if not exists (select from unnest(fresh) where data ? 'props') then
    return;
  end if;
  admitted := cut_properties(admitted);
  refused := refuse_properties(admitted);
  if refused is null then
    return;
  end if;
  is_limited := true;
  select jsonb_object_agg(n, jsonb_set(admitted[n].data, '{props}', props))
  into changed
  from (
    select
      n,
      jsonb_object_agg(
        case when no_key then other_value() else key end,
        case when no_key or no_value then to_jsonb(other_value()) else value end
      ) as props
    from (
      select
        p.n, p.key, p.value,
        is_refused(refused, p.site_key, 'properties', encode(p.key_digest, 'hex')) as no_key,
        is_refused(refused, p.site_key, 'properties', encode(p.value_digest, 'hex')) as no_value
      from properties_of(admitted) p
      offset 0
    ) p
    group by n
    having bool_or(no_key or no_value)
  ) c;
  admitted := with_data(admitted, changed);
end
$$;
