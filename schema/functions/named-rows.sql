-- Rows of `events` and `visits` with each column by its name: `event_row(kind => 1, …)`. What isn't named is null.
-- PostgreSQL plans them into the caller. A test compares their arguments with the columns of the tables.

create or replace function event_row(
  occurred_at timestamptz default null, event_id uuid default null, visitor_id uuid default null,
  page_id uuid default null, site_key integer default null, path_id integer default null,
  name_id integer default null, profile_id integer default null, place_id integer default null,
  origin_id integer default null, engaged_ms integer default null, scroll_depth real default null,
  kind smallint default null, tier smallint default null, continued boolean default null, entry boolean default null,
  screen text default null, data jsonb default null
)
returns events
language sql immutable parallel safe as $$
  select row(
    occurred_at, event_id, visitor_id, page_id, site_key, path_id, name_id, profile_id, place_id, origin_id,
    engaged_ms, scroll_depth, kind, tier, continued, entry, screen, data
  )::events
$$;

create or replace function visit_row(
  started_at timestamptz default null, visitor_id uuid default null, site_key integer default null,
  duration_ms integer default null, engaged_ms integer default null, entry_ms integer default null,
  entry_page integer default null, profile_id integer default null, place_id integer default null,
  origin_id integer default null, tier smallint default null, continued boolean default null,
  counted boolean default null, newcomer boolean default null, later_pages integer[] default null,
  custom_events integer[] default null, event_data jsonb default null, page_data jsonb default null,
  consent_page integer default null, vitals integer[] default null
)
returns visits
language sql immutable parallel safe as $$
  select row(
    started_at, visitor_id, site_key, duration_ms, engaged_ms, entry_ms, entry_page, profile_id, place_id, origin_id,
    tier, continued, counted, newcomer, later_pages, custom_events, event_data, page_data, consent_page,
    vitals
  )::visits
$$;
