-- Limits on new dictionary values per site and day (docs/limits.md#new-values). Anybody can send paths, event names,
-- links and languages, and each value is kept as long as something uses it (values.sql).

-- How many new values of a kind a site takes on a UTC day. The kind `further` counts the properties beyond the free
-- ones of their events (properties.sql).
create or replace function most_new_values(kind text) returns integer
language sql immutable parallel safe as $$
  select case kind when 'pages' then 5000 when 'events' then 500 when 'further' then 20000 else 2000 end
$$;

-- Notes the new values of a batch, `{site_key, kind, value, at}`, as taken by their day, earliest first. Returns those
-- beyond the limits, in the shape that `is_refused` reads; null: none. A path or name that a goal or funnel names in
-- full is always taken. Values without a kind come from closed lists and aren't counted. Needs the sites' locks.
create or replace function refuse_values(fresh jsonb) returns jsonb
language plpgsql as $$
declare
  refused jsonb;
begin
  with ranked as materialized (
    select *, row_number() over (partition by site_key, kind, day order by at, value) as nth
    from (
      select site_key, kind, value, at, utc_day(at) as day
      from jsonb_to_recordset(fresh) as v(site_key integer, kind text, value text, at bigint)
      where kind is not null
    ) v
  ),
  beyond as materialized (
    select r.site_key, r.kind, r.value
    from ranked r left join new_values n using (site_key, day, kind)
    where r.nth > most_new_values(r.kind) - coalesce(n.taken, 0)
  ),
  meant as materialized (
    select s.site_key, case t.kind when 1 then 'pages' else 'events' end as kind, t.pattern as value
    from (select distinct site_key from beyond where kind in ('pages', 'events')) s
    cross join lateral targets_of(s.site_key) t
  ),
  left_out as materialized (select site_key, kind, value from beyond except select site_key, kind, value from meant),
  noted as (
    insert into new_values (site_key, day, kind, taken)
    select r.site_key, r.day, r.kind, count(*)
    from ranked r left join left_out o using (site_key, kind, value)
    where o.value is null
    group by r.site_key, r.day, r.kind
    on conflict (site_key, day, kind) do update set taken = new_values.taken + excluded.taken
  )
  select jsonb_object_agg(site_key || ' ' || kind || ' ' || value, true)
  into refused
  from left_out;
  return refused;
end
$$;

create or replace function is_refused(refused jsonb, site_key integer, kind text, value text) returns boolean
language sql immutable parallel safe as $$
  select coalesce(refused ? (site_key || ' ' || kind || ' ' || value), false)
$$;

-- An event with `(other)` in each of the fields that it has.
create or replace function as_other(event jsonb, fields text[]) returns jsonb
language sql immutable parallel safe as $$
  select event || coalesce(
    (select jsonb_object_agg(field, other_value()) from unnest(fields) as f(field) where event ->> field is not null),
    '{}'
  )
$$;

-- The last id that a dictionary has given at each site of these values. Not in SQL alone, so that a statement that
-- inserts asks once for each site, and not for each value.
create or replace function last_ids(fresh jsonb, of_dictionary text) returns table (site_key integer, id integer)
language plpgsql stable as $$
begin
  return query
  select
    s.site_key,
    greatest(
      last_id_of(s.site_key, of_dictionary),
      (select v.last_id from value_ids v where v.site_key = s.site_key and v.dictionary = of_dictionary)
    )
  from (select distinct t.site_key from jsonb_to_recordset(fresh) as t(site_key integer)) s;
end
$$;

-- Gives ids to the paths and event names of the batch that are new for their site. Returns the same as the other
-- `admit_` functions (dimensions.generated.sql).
create or replace function admit_texts(batch jsonb) returns jsonb
language plpgsql as $$
declare
  fresh jsonb;
  refused jsonb;
  limited jsonb;
begin
  select jsonb_agg(text)
  into fresh
  from (
    select
      sites.key as site_key, text.value,
      case when text.value <> other_value() then text.kind end as kind,
      min(b.at) as at
    from jsonb_to_recordset(batch) as b("siteId" uuid, at bigint, path text, name text)
    join sites on sites.id = b."siteId"
    cross join lateral (values ('pages', b.path), ('events', b.name)) as text(kind, value)
    where text.value is not null
      and not exists (select from site_texts known where known.site_key = sites.key and known.value = text.value)
    group by 1, 2, 3
  ) text;
  if fresh is null then
    return null;
  end if;
  refused := refuse_values(fresh);
  insert into site_texts (site_key, id, value, first_day, last_day)
  select
    text.site_key,
    last.id + row_number() over (partition by text.site_key order by text.value),
    text.value, text.day, text.day
  from (
    select site_key, value, utc_day(min(at)) as day
    from jsonb_to_recordset(fresh) as t(site_key integer, kind text, value text, at bigint)
    where not is_refused(refused, site_key, kind, value)
    group by site_key, value
  ) text
  join last_ids(fresh, 'text') last using (site_key);
  if refused is null then
    return null;
  end if;
  select jsonb_agg(
    as_other(
      b.event,
      array[
        case when is_refused(refused, sites.key, 'pages', b.event ->> 'path') then 'path' end,
        case when is_refused(refused, sites.key, 'events', b.event ->> 'name') then 'name' end
      ]
    )
    order by b.position
  )
  into limited
  from jsonb_array_elements(batch) with ordinality as b(event, position)
  left join sites on sites.id = (b.event ->> 'siteId')::uuid;
  return coalesce(admit_texts(limited), limited);
end
$$;

-- Gives ids to the values of the batch that are new in these dictionaries of their site. Returns the batch with
-- `(other)` instead of the values beyond the day's limits; null: no value is beyond them.
create or replace function admit_values(batch jsonb, dictionaries text[]) returns jsonb
language plpgsql as $$
declare
  limited jsonb;
begin
  if 'text' = any (dictionaries) then
    limited := admit_texts(batch);
  end if;
  if 'profile' = any (dictionaries) then
    limited := coalesce(admit_profiles(coalesce(limited, batch)), limited);
  end if;
  if 'place' = any (dictionaries) then
    limited := coalesce(admit_places(coalesce(limited, batch)), limited);
  end if;
  if 'origin' = any (dictionaries) then
    limited := coalesce(admit_origins(coalesce(limited, batch)), limited);
  end if;
  return limited;
end
$$;

-- Counts the events that have a value beyond the limits, by the kind of the value.
create or replace function count_others(fresh events[]) returns void
language plpgsql as $$
begin
  insert into other_days (site_key, day, kind, events)
  select e.site_key, local_day(e.occurred_at, sites.timezone), other.kind, count(*)
  from unnest(fresh) e
  join sites on sites.key = e.site_key
  left join site_texts text on text.site_key = e.site_key and text.value = other_value()
  cross join lateral (
    select 'pages' as kind
    where e.path_id = text.id
    union all
    select 'events'
    where e.name_id = text.id
    union all
    select 'properties'
    where e.data @? '$.props.* ? (@ == "(other)")'
    union all
    select distinct d.new_values
    from entry_values v join dimensions d on d.name = v.dimension
    where v.site_key = e.site_key
      and v.value = other_value()
      and d.new_values is not null
      and (
        v.dictionary = 'profile' and v.id = e.profile_id
          or v.dictionary = 'place' and v.id = e.place_id
          or v.dictionary = 'origin' and v.id = e.origin_id
      )
  ) other
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (site_key, day, kind) do update set events = other_days.events + excluded.events;
end
$$;
