create table if not exists events (
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
) partition by range (occurred_at);
create index if not exists events_time on events (site_key, occurred_at) where kind >= 0;
comment on table events is 'Raw events, one partition a UTC day, dropped after two days; the memory that makes a repeated event count once.';
comment on column events.occurred_at is 'When the server received it; at tier 1 truncated to the minute.';
comment on column events.kind is '0 dropped, 1 page view, 2 custom event, 3 engagement, 4 vitals, 5 association.';
comment on column events.visitor_id is 'Tier 2: the day''s 128-bit hash. Tier 3: the tracker''s first-party id. Null below.';
comment on column events.entry is
  'Tier 1: the referrer is not the site itself, so the page view is a visit. False for a custom event that a server sent.';
comment on column events.engaged_ms is 'Engagement: milliseconds of attention since the one before it; scroll_depth is percent of the page.';
comment on column events.data is 'What only its kind has: properties, revenue, vitals, trace, reason.';

create table if not exists visits (
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
) partition by range (started_at);
do $$
begin
  if not exists (select from pg_attribute where attrelid = 'visits'::regclass and attname = 'newcomer') then
    alter table visits add column newcomer boolean, alter column duration_ms drop not null;
    drop index if exists visits_time, visits_quarters, visits_visitor;
  end if;
end
$$;
-- Many visits begin in the same quarter of an hour, so that the index has its entry once and 6 bytes for each of them. Days of all
-- zones begin with one. To be found by it, a select has to name the function beside `started_at`.
create or replace function quarter_hour(instant timestamptz) returns timestamptz
language sql immutable parallel safe as $$
  select date_bin(interval '15 minutes', instant, timestamptz '2001-01-01 00:00:00+00')
$$;
create index if not exists visits_quarters on visits (site_key, quarter_hour(started_at)) where profile_id > 0;
create index if not exists visits_long on visits (site_key, started_at) where duration_ms >= 86400000;
create index if not exists visits_events on visits (site_key, quarter_hour(started_at)) where custom_events is not null;
-- By a hash of 4 bytes for a visitor's 16, which takes less than half of the room; visits are few a visitor. To be found by it, a select
-- has to name the hash beside `visitor_id`.
create index if not exists visits_visitors on visits (site_key, uuid_hash(visitor_id)) where visitor_id is not null;
comment on table visits is 'One row a visit, one partition a month: a session at tiers 2 and 3, a single page view or event at tier 1.';
comment on column visits.duration_ms is 'From the first event to the last; null is 0, which many have and takes no room. So it is of entry_ms.';
comment on column visits.engaged_ms is 'Tier 3: milliseconds of attention, summed over its engagement events.';
comment on column visits.entry_ms is 'Milliseconds from the start to the first page view, whose path is entry_page (site_texts).';
comment on column visits.continued is 'Tier 3: began when consent was upgraded in the middle of a visit that already counted.';
comment on column visits.counted is 'Counts as a visit: an entry page view at tier 1; at tiers 2 and 3 a page view or a page''s custom event, not continued.';
comment on column visits.newcomer is
  'Tiers 2 and 3: true if the visitor was not seen before, in 400 days or, at tier 2, in two. Null: seen, or not known.';
comment on column visits.later_pages is 'Further page views, 499 at most, in order of time, a pair each: milliseconds from the start, path (site_texts).';
comment on column visits.custom_events is 'Custom events, 500 at most, as later_pages with their names.';
comment on column visits.event_data is 'Properties and revenue of the custom events, in their order, null for those that have none; null if none has any.';
comment on column visits.origin_id is 'Of the entry page view.';

-- Whether somebody was on the site: custom events that a server sent show nobody by themselves. At tier 1 only page views do.
create or replace function is_seen(counted boolean, continued boolean, entry_page integer, custom_events integer[]) returns boolean
language sql immutable parallel safe as $$
  select counted or entry_page is not null or (continued and custom_events is not null)
$$;

-- The instant so long after a visit began.
create or replace function visit_time(started_at timestamptz, ms integer) returns timestamptz
language sql stable parallel safe as $$
  select started_at + coalesce(ms, 0) * interval '1 millisecond'
$$;

-- The pairs of visits.later_pages and visits.custom_events as rows.
create or replace function hits_of(pairs integer[]) returns table (ms integer, text_id integer)
language sql immutable parallel safe rows 3 as $$
  -- The concatenation unpacks a stored array once, not once for each element.
  select flat[n], flat[n + 1] from (select pairs || '{}') as p(flat), generate_series(1, cardinality(flat), 2) as n
$$;

-- The custom events of a visit with what they brought.
create or replace function events_of(pairs integer[], event_data jsonb) returns table (ms integer, text_id integer, data jsonb)
language sql immutable parallel safe rows 3 as $$
  select flat[n], flat[n + 1], nullif(event_data -> (n / 2), 'null'::jsonb)
  from (select pairs || '{}') as p(flat), generate_series(1, cardinality(flat), 2) as n
$$;

create table if not exists dead_letters (
  id bigint generated always as identity primary key,
  site_id uuid,
  failed_at timestamptz not null default now(),
  reason text not null,
  message text not null
);
create index if not exists dead_letters_site on dead_letters (site_id, failed_at);
create unique index if not exists dead_letters_once on dead_letters (md5(message));
comment on table dead_letters is 'Queue messages that could not be stored, as they were; kept for 30 days. Holds no address and no user agent.';

-- Makes the partition of `events` (a UTC day) or `visits` (a UTC month) that holds the instant, unless it is there.
create or replace function ensure_partition(parent text, instant timestamptz) returns void
language plpgsql as $$
declare
  unit constant text := case parent when 'events' then 'day' when 'visits' then 'month' end;
  lower_bound constant timestamptz := date_trunc(unit, instant, 'UTC');
  upper_bound constant timestamptz := date_trunc(unit, lower_bound + ('1 ' || unit)::interval + interval '12 hours', 'UTC');
  partition constant text := parent || '_' || to_char(lower_bound at time zone 'UTC', 'YYYYMMDD');
begin
  if to_regclass(partition) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('partition ' || parent, 0));
  -- Each further event of a visit leaves a dead row, whose room the next visits are to have.
  execute format('create table if not exists %I partition of %I for values from (%L) to (%L) %s',
    partition, parent, lower_bound, upper_bound, case parent when 'visits' then 'with (autovacuum_vacuum_scale_factor = 0.02)' end);
end
$$;

-- Partitions for the present and the next three days; run by a cron, and by `ingest_events` for what is missing.
create or replace function ensure_partitions(instant timestamptz) returns void
language sql as $$
  select ensure_partition('events', instant + day * interval '1 day') from generate_series(-1, 3) as day;
  select ensure_partition('visits', instant + day * interval '1 day') from generate_series(-1, 3) as day;
$$;
select ensure_partitions(now());
