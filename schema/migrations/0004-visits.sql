create table events (
  occurred_at timestamptz not null,
  event_id uuid not null,
  visitor_id uuid,
  page_id uuid,
  site_key integer not null,
  path_id integer,
  name_id integer,
  profile_id integer,
  place_id integer,
  origin_id integer,
  engaged_ms integer,
  scroll_depth real,
  kind smallint not null,
  tier smallint not null,
  continued boolean,
  entry boolean,
  screen text,
  data jsonb,
  primary key (site_key, event_id, occurred_at)
)
partition by range (occurred_at);
create index events_time on events (site_key, occurred_at) where kind >= 0;
comment on table events is
  'Raw events, one partition a UTC day, dropped after two days; the memory that makes a repeated event count once.';
comment on column events.occurred_at is 'When the server received it; at tier 1 truncated to the minute.';
comment on column events.kind is '0 dropped, 1 page view, 2 custom event, 3 engagement, 4 vitals, 5 association.';
comment on column events.visitor_id is
  'Tier 2: the day''s 128-bit hash. Tier 3: the tracker''s first-party id. Null below.';
comment on column events.entry is
  'Tier 1: the referrer is not the site itself, so the page view is a visit. False for a custom event that a server '
  'sent.';
comment on column events.engaged_ms is
  'Engagement: milliseconds of attention since the one before it; scroll_depth is percent of the page.';
comment on column events.data is 'What only its kind has: properties, revenue, vitals, trace, reason.';

create table visits (
  started_at timestamptz not null,
  visitor_id uuid,
  site_key integer not null,
  duration_ms integer,
  engaged_ms integer,
  entry_ms integer,
  entry_page integer,
  profile_id integer not null,
  place_id integer not null,
  origin_id integer not null,
  tier smallint not null,
  continued boolean not null,
  counted boolean not null,
  newcomer boolean,
  later_pages integer[],
  custom_events integer[],
  event_data jsonb
)
partition by range (started_at);
-- Many visits begin in the same quarter of an hour, so that the index has its entry once and 6 bytes for each of
-- them. Days of all zones begin with one. To be found by it, a select has to name the function beside `started_at`.
create or replace function quarter_hour(instant timestamptz) returns timestamptz
language sql immutable parallel safe as $$
  select date_bin(interval '15 minutes', instant, timestamptz '2001-01-01 00:00:00+00')
$$;
create index visits_quarters on visits (site_key, quarter_hour(started_at)) where profile_id > 0;
create index visits_long on visits (site_key, started_at) where duration_ms >= 86400000;
create index visits_events on visits (site_key, quarter_hour(started_at)) where custom_events is not null;
-- By a hash of 4 bytes for a visitor's 16, which takes less than half of the room; visits are few a visitor. To be
-- found by it, a select has to name the hash beside `visitor_id`.
create index visits_visitors on visits (site_key, uuid_hash(visitor_id)) where visitor_id is not null;
comment on table visits is
  'One row a visit, one partition a month: a session at tiers 2 and 3, a single page view or event at tier 1.';
comment on column visits.duration_ms is
  'From the first event to the last; null is 0, which many have and takes no room. So it is of entry_ms.';
comment on column visits.engaged_ms is 'Tier 3: milliseconds of attention, summed over its engagement events.';
comment on column visits.entry_ms is
  'Milliseconds from the start to the first page view, whose path is entry_page (site_texts).';
comment on column visits.continued is
  'Tier 3: began when consent was upgraded in the middle of a visit that already counted.';
comment on column visits.counted is
  'Counts as a visit: an entry page view at tier 1; at tiers 2 and 3 a page view or a page''s custom event, not '
  'continued.';
comment on column visits.newcomer is
  'Tiers 2 and 3: true if the visitor was not seen before, in 400 days or, at tier 2, in two. Null: seen, or not '
  'known.';
comment on column visits.later_pages is
  'Further page views, 499 at most, in order of time, a pair each: milliseconds from the start, path (site_texts).';
comment on column visits.custom_events is 'Custom events, 500 at most, as later_pages with their names.';
comment on column visits.event_data is
  'Properties and revenue of the custom events, in their order, null for those that have none; null if none has any.';
comment on column visits.origin_id is 'Of the entry page view.';

create table dead_letters (
  id bigint generated always as identity primary key,
  site_id uuid,
  failed_at timestamptz not null default now(),
  reason text not null,
  message text not null
);
create index dead_letters_site on dead_letters (site_id, failed_at);
create unique index dead_letters_once on dead_letters (md5(message));
comment on table dead_letters is
  'Queue messages that could not be stored, as they were, until somebody replays or dismisses them. Holds no address '
  'and no user agent.';
