-- The whole truth of the database: applied to an empty one it makes everything, applied again it changes nothing.
-- PostgreSQL 15 to 18, Neon and PGlite; no extensions. Large tables lead their keys with site_id and are partitioned
-- by time. Instants are timestamptz; money and durations name their unit.

create table if not exists users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null default '',
  created_at timestamptz not null default now()
);
create unique index if not exists users_email on users (lower(email));
comment on table users is 'People who sign in.';

create table if not exists projects (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz not null default now()
);
comment on table projects is 'What people share: sites and environments belong to a project.';

create table if not exists project_members (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (user_id, project_id)
);
create index if not exists project_members_project on project_members (project_id);
comment on table project_members is 'Who may see (viewer) and change (owner, admin) a project.';

create table if not exists environments (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references projects on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  unique (project_id, name)
);
comment on table environments is 'Deployments of a project that telemetry is kept apart by; the first is production.';

create table if not exists api_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index if not exists api_tokens_user on api_tokens (user_id);
comment on table api_tokens is 'API tokens (vapi_...). The secret itself is never stored.';
comment on column api_tokens.hash is 'SHA-256 of the whole token.';
comment on column api_tokens.last_used_at is 'Exact to a minute.';

create table if not exists sites (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references projects on delete cascade,
  domain text not null,
  name text not null,
  timezone text not null default 'UTC',
  jurisdiction text,
  consent_mode text check (consent_mode in ('required', 'regional')),
  pre_consent_tier text check (pre_consent_tier in ('off', 'counts', 'sessions')),
  retention_months smallint check (retention_months between 1 and 25),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nulls(jurisdiction, consent_mode, pre_consent_tier, retention_months) in (0, 4))
);
create index if not exists sites_project on sites (project_id, created_at);
comment on table sites is 'A website. Its four policy columns are all set, or all null: no policy was saved.';
comment on column sites.domain is 'Host name, lower case, ASCII form. Visits to it and to hosts below it count.';
comment on column sites.timezone is 'IANA zone of reports. Rollups are cut by its hours, so it never changes.';
comment on column sites.jurisdiction is 'ISO 3166-1 alpha-2 code of the owner''s country.';

-- Visits and their rollups ---------------------------------------------------------------------------------------
-- Raw events are appended and kept for two days; `ingest_events` folds each batch into visits, one compact row a
-- visit, and into hourly rollups. A visit counts, and its visitor counts, where the visit began; a page view counts
-- where it happened. Hours and days are those of the site's time zone.

create table if not exists site_texts (
  site_id uuid not null,
  id integer not null,
  value text not null,
  primary key (site_id, id),
  unique (site_id, value)
);
comment on table site_texts is 'Dictionary of a site''s paths and event names, numbered from 1, so that visits hold small integers.';

create table if not exists events (
  site_id uuid not null,
  event_id uuid not null,
  occurred_at timestamptz not null,
  kind smallint not null,
  tier smallint not null,
  visitor_id uuid,
  continued boolean,
  entry boolean,
  path_id integer,
  name_id integer,
  hostname text,
  source text,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  country text,
  device text,
  browser text,
  os text,
  language text,
  screen text,
  data jsonb,
  primary key (site_id, event_id, occurred_at)
) partition by range (occurred_at);
create index if not exists events_time on events (site_id, occurred_at);
comment on table events is 'Raw events, one partition a UTC day, dropped after two days; the memory that makes a repeated event count once.';
comment on column events.occurred_at is 'When the server received it; at tier 1 truncated to the minute.';
comment on column events.kind is '0 dropped, 1 page view, 2 custom event, 3 engagement, 4 vitals, 5 association.';
comment on column events.visitor_id is 'Tier 2: the day''s 128-bit hash. Tier 3: the tracker''s first-party id. Null below.';
comment on column events.entry is 'Tier 1: the referrer is not the site itself, so the page view is a visit.';
comment on column events.data is 'What only its kind has: properties, revenue, seconds, scroll depth, vitals, trace, reason.';

create table if not exists visits (
  site_id uuid not null,
  started_at timestamptz not null,
  visit_id uuid not null,
  visitor_id uuid,
  duration_ms integer not null,
  engaged_seconds real,
  entry_ms integer,
  tier smallint not null,
  continued boolean not null,
  counted boolean not null,
  page_ms integer[],
  page_ids integer[],
  event_ms integer[],
  event_ids integer[],
  hostname text,
  source text,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  country text,
  device text,
  browser text,
  os text,
  language text,
  screen text,
  primary key (site_id, started_at, visit_id)
) partition by range (started_at);
create index if not exists visits_visitor on visits (site_id, visitor_id, started_at) where visitor_id is not null;
comment on table visits is 'One row a visit, one partition a month: a session at tiers 2 and 3, a single page view or event at tier 1.';
comment on column visits.visit_id is 'Id of its first page view, or without one of its first event.';
comment on column visits.entry_ms is 'Milliseconds from the start to the first page view; null without one.';
comment on column visits.continued is 'Tier 3: began when consent was upgraded in the middle of a visit that already counted.';
comment on column visits.counted is 'Counts as a visit: an entry page view at tier 1; at tiers 2 and 3 a page view or custom event, not continued.';
comment on column visits.page_ms is 'Milliseconds from the start, one element a page view; page_ids has their paths (site_texts).';
comment on column visits.event_ms is 'As page_ms, for custom events; event_ids has their names (site_texts).';
comment on column visits.source is 'Of the entry page view, as shown; null is direct.';

create table if not exists rollup_hours (
  site_id uuid not null,
  hour timestamptz not null,
  tier smallint not null,
  pageviews bigint not null,
  visits bigint not null,
  measured bigint not null,
  bounces bigint not null,
  duration_ms bigint not null,
  primary key (site_id, hour, tier)
);
comment on table rollup_hours is 'Totals by hour of the site''s zone and tier.';
comment on column rollup_hours.measured is 'Counted consented visits: what bounces and duration_ms are measured over.';
comment on column rollup_hours.bounces is 'Measured visits with at most one page view and no custom event.';

create table if not exists rollup_visitors (
  site_id uuid not null,
  unit text not null check (unit in ('hour', 'day')),
  bucket timestamptz not null,
  tier smallint not null,
  previous timestamptz not null,
  visitors bigint not null,
  primary key (site_id, unit, bucket, tier, previous)
);
comment on table rollup_visitors is
  'Visitors by the hour or day in which a visit began and the previous such hour or day of the same visitor. The distinct '
  'visitors of [a, b) are the sum over its buckets of those whose previous lies before a: exact, whatever the traffic.';
comment on column rollup_visitors.previous is '-infinity: none known. For hours also when over 48 hours before.';

create table if not exists dropped_days (
  site_id uuid not null,
  day timestamptz not null,
  reason text not null,
  events bigint not null,
  primary key (site_id, day, reason)
);
comment on table dropped_days is 'Events refused, by the site''s day and reason (bot, hostname, tier). Nothing about who sent them.';

create table if not exists site_freshness (
  site_id uuid primary key,
  first_event_at timestamptz not null,
  last_event_at timestamptz not null,
  folded_at timestamptz not null
);
comment on table site_freshness is 'Since when a site is observed, and up to when its reports are folded.';

create table if not exists dead_letters (
  id bigint generated always as identity primary key,
  site_id uuid,
  failed_at timestamptz not null default now(),
  reason text not null,
  message text not null
);
create index if not exists dead_letters_site on dead_letters (site_id, failed_at);
comment on table dead_letters is 'Queue messages that could not be stored, as they were; kept for 30 days. Holds no address and no user agent.';

-- The hour of the zone in which an instant lies: right for zones off the whole hour and on days of 23 and 25 hours.
create or replace function local_hour(instant timestamptz, zone text) returns timestamptz
language sql immutable parallel safe as $$
  select instant - ((instant at time zone zone) - date_trunc('hour', instant at time zone zone))
$$;

create or replace function local_day(instant timestamptz, zone text) returns timestamptz
language sql immutable parallel safe as $$
  select date_trunc('day', instant at time zone zone) at time zone zone
$$;

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
  execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
    partition, parent, lower_bound, upper_bound);
end
$$;

-- Partitions for the present and the next three days; run by a cron, and by `ingest_events` for what is missing.
create or replace function ensure_partitions(instant timestamptz) returns void
language sql as $$
  select ensure_partition('events', instant + day * interval '1 day') from generate_series(-1, 3) as day;
  select ensure_partition('visits', instant + day * interval '1 day') from generate_series(-1, 3) as day;
$$;
select ensure_partitions(now());

-- Drops the partitions of raw events that ended over 48 hours before, and dead letters over 30 days old.
create or replace function drop_raw_events(instant timestamptz) returns integer
language plpgsql as $$
declare
  expired text;
  dropped integer := 0;
begin
  for expired in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass
      and to_date(right(c.relname, 8), 'YYYYMMDD') + 1 < (instant - interval '48 hours') at time zone 'UTC'
  loop
    execute format('drop table %I', expired);
    dropped := dropped + 1;
  end loop;
  delete from dead_letters where failed_at < instant - interval '30 days';
  return dropped;
end
$$;

-- Deletes a site with everything known of it. Waits for a batch of its events that is being folded; later ones find
-- no site and are left out.
create or replace function delete_site(site uuid) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  delete from sites where id = site;
  delete from events where site_id = site;
  delete from visits where site_id = site;
  delete from rollup_hours where site_id = site;
  delete from rollup_visitors where site_id = site;
  delete from dropped_days where site_id = site;
  delete from site_freshness where site_id = site;
  delete from site_texts where site_id = site;
  delete from dead_letters where site_id = site;
end
$$;
