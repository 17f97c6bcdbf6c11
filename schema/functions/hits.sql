-- The hits of a visit as rows.

-- The page views (kind 1) and custom events (kind 2) of a visit, with what an event brought.
create or replace function hits_of_visit(
  entry_ms integer, entry_page integer, later_pages integer[], custom_events integer[], event_data jsonb
)
returns table (kind integer, ms integer, text_id integer, data jsonb)
language sql immutable parallel safe rows 4 as $$
  select 1, coalesce(entry_ms, 0), entry_page, null::jsonb
  where entry_page is not null
  union all
  select 1, ms, text_id, null
  from hits_of(later_pages)
  union all
  select 2, ms, text_id, data
  from events_of(custom_events, event_data)
$$;

-- The same, and what page views brought (kind 3), of event 0.
create or replace function hits_with_page_data(
  entry_ms integer, entry_page integer, later_pages integer[], custom_events integer[], event_data jsonb,
  page_data jsonb
)
returns table (kind integer, ms integer, text_id integer, data jsonb)
language sql immutable parallel safe rows 4 as $$
  select *
  from hits_of_visit(entry_ms, entry_page, later_pages, custom_events, event_data)
  union all
  select 3, ms, 0, data
  from page_data_of(page_data)
$$;

-- The properties of a custom event: each key, `["plan"]`, and its value, `["plan", "pro"]`.
create or replace function props_in(data jsonb) returns table (value text)
language sql immutable parallel safe rows 4 as $$
  select v.value
  from jsonb_each_text(data -> 'props') prop
  cross join lateral (values (jsonb_build_array(prop.key)::text), (jsonb_build_array(prop.key, prop.value)::text)) v(
    value
  )
$$;

-- The same of all custom events of a visit.
create or replace function props_of(pairs integer[], event_data jsonb)
returns table (ms integer, event integer, value text)
language sql immutable parallel safe rows 6 as $$
  select e.ms, e.text_id, p.value from events_of(pairs, event_data) e cross join lateral props_in(e.data) p
$$;

-- What a hit counts as: its dimension and value. A property has its event as value, and its text.
create or replace function values_of_hit(kind integer, text_id integer, data jsonb)
returns table (dimension smallint, value integer, prop text)
language sql immutable parallel safe rows 2 as $$
  select case kind when 1 then dimension_number('page') else dimension_number('event') end, text_id, null::text
  where kind < 3
  union all
  select dimension_number('prop'), text_id, value
  from props_in(data)
  where data is not null
$$;
