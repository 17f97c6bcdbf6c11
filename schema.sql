-- The whole truth of the database: applied to an empty one it makes everything, applied again it changes nothing.
-- PostgreSQL 15 to 18, Neon and PGlite; no extensions. Large tables lead their keys with the site and are partitioned
-- by time. Instants are timestamptz; money and durations name their unit.

-- Before 0.1.0 shapes change without a way from one to the next.
do $$
begin
  if exists (
    select from information_schema.columns
    where table_schema = current_schema() and table_name = 'visits' and column_name = 'utm_source'
  ) then
    raise exception 'This database was made by an earlier version, before 0.1.0, whose visits have another shape. '
      'Make a new one; on your own machine delete .local/postgres and start again.';
  end if;
end
$$;

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
  key integer not null generated always as identity unique,
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
comment on column sites.key is 'Leads the keys of the large tables in place of id: a quarter of its size, in every row and index.';
comment on column sites.domain is 'Host name, lower case, ASCII form. Visits to it and to hosts below it count.';
comment on column sites.timezone is 'IANA zone of reports. Rollups are cut by its hours, so it never changes.';
comment on column sites.jurisdiction is 'ISO 3166-1 alpha-2 code of the owner''s country.';

create table if not exists site_annotations (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references sites on delete cascade,
  date date not null,
  text text not null,
  created_at timestamptz not null default now()
);
create index if not exists site_annotations_date on site_annotations (site_id, date);
comment on table site_annotations is 'What people noted of a day of a site, to be read beside its reports.';
comment on column site_annotations.date is 'A day of the site''s zone.';

create table if not exists site_shares (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references sites on delete cascade,
  name text not null,
  hash bytea not null unique,
  password text,
  reports text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index if not exists site_shares_site on site_shares (site_id, created_at);
comment on table site_shares is 'Public links to a site''s reports. The secret itself is never stored; revoking deletes the row.';
comment on column site_shares.hash is 'SHA-256 of the secret.';
comment on column site_shares.password is 'How to check it (lib/shares/password.ts); null: none is asked.';
comment on column site_shares.reports is 'Which reports it shows, by name: what is added to the service later is not in it.';

create table if not exists site_goals (
  site_id uuid not null references sites on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null,
  kind smallint not null check (kind in (1, 2)),
  pattern text not null,
  created_at timestamptz not null default now(),
  primary key (site_id, id)
);
create unique index if not exists site_goals_name on site_goals (site_id, name);
comment on table site_goals is 'What a site''s owner wants visits to reach, 100 a site at most.';
comment on column site_goals.kind is 'What reaches it, as events.kind: 1 a page view, 2 a custom event.';
comment on column site_goals.pattern is 'The event''s name, or a pattern of paths (`page_matches`).';

create table if not exists site_funnels (
  site_id uuid not null references sites on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null,
  steps jsonb not null,
  created_at timestamptz not null default now(),
  primary key (site_id, id)
);
create unique index if not exists site_funnels_name on site_funnels (site_id, name);
comment on table site_funnels is 'Steps that visits are expected to take one after the other, 100 funnels a site at most.';
comment on column site_funnels.steps is '2 to 8 in order, each with `kind` and `pattern` as a goal''s.';

-- Visits and their rollups ---------------------------------------------------------------------------------------
-- Raw events are appended and kept for two days; `ingest_events` folds each batch into visits, one compact row a
-- visit, and into hourly rollups. A visit counts, and its visitor counts, where the visit began; a page view counts
-- where it happened. Hours and days are those of the site's time zone.
--
-- `events_time`, `visits_time` and the dictionaries' indexes by id have a condition that is always true. Only reports name it, so that
-- the fold can't be planned with them: on a partition without statistics, as each is when it is new, they look as good
-- as the index that finds a visitor at once.

create table if not exists site_texts (
  site_key integer not null,
  id integer not null,
  value text not null,
  primary key (site_key, value)
);
create unique index if not exists site_texts_id on site_texts (site_key, id) where id > 0;
comment on table site_texts is 'Dictionary of a site''s paths and event names, numbered from 1, so that visits hold small integers.';

-- What tells two rows of a site's dictionaries apart; absent and empty are one.
create or replace function profile_key(device text, browser text, os text, language text) returns text
language sql immutable parallel safe as $$
  select coalesce(device, '')
    || chr(31) || coalesce(browser, '')
    || chr(31) || coalesce(os, '')
    || chr(31) || coalesce(language, '')
$$;
create or replace function place_key(country text, region text, city text) returns text
language sql immutable parallel safe as $$
  select coalesce(country, '')
    || chr(31) || coalesce(region, '')
    || chr(31) || coalesce(city, '')
$$;
create or replace function origin_key(hostname text, source text, channel text, utm_source text, utm_medium text, utm_campaign text, utm_term text, utm_content text) returns text
language sql immutable parallel safe as $$
  select coalesce(hostname, '')
    || chr(31) || coalesce(source, '')
    || chr(31) || coalesce(channel, '')
    || chr(31) || coalesce(utm_source, '')
    || chr(31) || coalesce(utm_medium, '')
    || chr(31) || coalesce(utm_campaign, '')
    || chr(31) || coalesce(utm_term, '')
    || chr(31) || coalesce(utm_content, '')
$$;

create table if not exists site_profiles (
  site_key integer not null,
  id integer not null,
  device text,
  browser text,
  os text,
  language text,
  value text not null generated always as (profile_key(device, browser, os, language)) stored,
  primary key (site_key, value)
);
create unique index if not exists site_profiles_id on site_profiles (site_key, id) where id > 0;
comment on table site_profiles is
  'Dictionary of what a site''s visitors have in common with others, numbered from 1 without gaps: few combinations serve most visits.';
comment on column site_profiles.os is 'Tier 3 only.';
comment on column site_profiles.language is 'Tiers 2 and 3.';

create table if not exists site_places (
  site_key integer not null,
  id integer not null,
  country text,
  region text,
  city text,
  value text not null generated always as (place_key(country, region, city)) stored,
  primary key (site_key, value)
);
create unique index if not exists site_places_id on site_places (site_key, id) where id > 0;
comment on table site_places is 'Dictionary of where a site''s visitors were, as the edge saw it; numbered as site_profiles.';
comment on column site_places.country is 'ISO 3166-1 alpha-2.';
comment on column site_places.region is 'ISO 3166-2. Tiers 2 and 3.';
comment on column site_places.city is 'Tiers 2 and 3.';

create table if not exists site_origins (
  site_key integer not null,
  id integer not null,
  hostname text,
  source text,
  channel text,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  value text not null generated always as (
    origin_key(hostname, source, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content)) stored,
  primary key (site_key, value)
);
create unique index if not exists site_origins_id on site_origins (site_key, id) where id > 0;
comment on table site_origins is 'Dictionary of how visits came to a site, and to which of its hosts; numbered as site_profiles.';
comment on column site_origins.hostname is 'Null: the site''s own domain.';
comment on column site_origins.source is 'As shown; null is direct.';

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
  duration_ms integer not null,
  engaged_ms integer,
  entry_ms integer,
  entry_page integer,
  profile_id integer not null,
  place_id integer not null,
  origin_id integer not null,
  tier smallint not null,
  continued boolean not null,
  counted boolean not null,
  later_pages integer[],
  custom_events integer[],
  event_data jsonb
) partition by range (started_at);
create index if not exists visits_time on visits (site_key, started_at) where duration_ms >= 0;
create unique index if not exists visits_visitor on visits (site_key, tier, visitor_id, started_at) where visitor_id is not null;
comment on table visits is 'One row a visit, one partition a month: a session at tiers 2 and 3, a single page view or event at tier 1.';
comment on column visits.duration_ms is 'From the first event to the last.';
comment on column visits.engaged_ms is 'Tier 3: milliseconds of attention, summed over its engagement events.';
comment on column visits.entry_ms is 'Milliseconds from the start to the first page view, whose path is entry_page (site_texts); null without one.';
comment on column visits.continued is 'Tier 3: began when consent was upgraded in the middle of a visit that already counted.';
comment on column visits.counted is 'Counts as a visit: an entry page view at tier 1; at tiers 2 and 3 a page view or a page''s custom event, not continued.';
comment on column visits.later_pages is 'Further page views, 499 at most, in order of time, a pair each: milliseconds from the start, path (site_texts).';
comment on column visits.custom_events is 'Custom events, 500 at most, as later_pages with their names.';
comment on column visits.event_data is 'Properties and revenue of the custom events, in their order, null for those that have none; null if none has any.';
comment on column visits.origin_id is 'Of the entry page view.';

-- Whether somebody was on the site: custom events that a server sent show nobody by themselves. At tier 1 only page views do.
create or replace function is_seen(counted boolean, continued boolean, entry_page integer, custom_events integer[]) returns boolean
language sql immutable parallel safe as $$
  select counted or entry_page is not null or (continued and custom_events is not null)
$$;

create table if not exists rollup_hours (
  site_key integer not null,
  hour timestamptz not null,
  tier smallint not null,
  pageviews bigint not null,
  visits bigint not null,
  measured bigint not null,
  bounces bigint not null,
  duration_ms bigint not null,
  primary key (site_key, hour, tier)
);
comment on table rollup_hours is 'Totals by hour of the site''s zone and tier.';
comment on column rollup_hours.measured is 'Counted consented visits: what bounces and duration_ms are measured over.';
comment on column rollup_hours.bounces is 'Measured visits with at most one page view and no custom event.';

create table if not exists rollup_visitors (
  site_key integer not null,
  unit text not null check (unit in ('hour', 'day')),
  bucket timestamptz not null,
  tier smallint not null,
  previous timestamptz not null,
  visitors bigint not null,
  primary key (site_key, unit, bucket, tier, previous)
);
comment on table rollup_visitors is
  'Visitors by the hour or day in which a visit began and the previous such hour or day of the same visitor. The distinct '
  'visitors of [a, b) are the sum over its buckets of those whose previous lies before a: exact, whatever the traffic.';
comment on column rollup_visitors.previous is '-infinity: none known. For hours also when over 48 hours before.';

create table if not exists dropped_days (
  site_key integer not null,
  day timestamptz not null,
  reason text not null,
  events bigint not null,
  primary key (site_key, day, reason)
);
comment on table dropped_days is 'Events refused, by the site''s day and reason (bot, datacenter, spam, hostname, tier). Nothing about who sent them.';

create table if not exists site_freshness (
  site_key integer primary key,
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
create unique index if not exists dead_letters_once on dead_letters (md5(message));
comment on table dead_letters is 'Queue messages that could not be stored, as they were; kept for 30 days. Holds no address and no user agent.';

create table if not exists audit_log (
  project_id uuid not null references projects on delete cascade,
  id uuid not null default gen_random_uuid(),
  at timestamptz not null,
  actor jsonb not null,
  action text not null,
  site uuid,
  subject bytea,
  request_id text not null,
  primary key (project_id, at, id)
);
comment on table audit_log is 'Who did what to people''s data, and with which powers. Outlives the sites and the people that it tells of.';
comment on column audit_log.actor is 'As lib/context.ts has it: its kind, and the ids of the token and of the person.';
comment on column audit_log.action is 'What was done, as `visitor.delete` (lib/audit.ts).';
comment on column audit_log.site is 'The site that it was done in; may be gone.';
comment on column audit_log.subject is
  'Whom it was done to, as SHA-256 of "<site> <id>": enough to prove it to who knows the id, and it tells nobody else.';
comment on column audit_log.request_id is 'As in the log and in the answer''s `X-Request-Id`.';

-- The hour of the zone in which an instant lies: right for zones off the whole hour and on days of 23 and 25 hours.
create or replace function local_hour(instant timestamptz, zone text) returns timestamptz
language plpgsql immutable parallel safe as $$
declare
  local_time constant timestamp := instant at time zone zone;
begin
  return instant - (local_time - date_trunc('hour', local_time));
end
$$;

-- The first midnight where clocks that go back strike it twice.
create or replace function local_day(instant timestamptz, zone text) returns timestamptz
language plpgsql immutable parallel safe as $$
declare
  local_midnight constant timestamp := date_trunc('day', instant at time zone zone);
  midnight constant timestamptz := local_midnight at time zone zone;
begin
  if (midnight - interval '1 hour') at time zone zone >= local_midnight then
    return midnight - interval '1 hour';
  end if;
  return midnight;
end
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

-- Deletes what is older than the site's policy allows, site by site by the indexes that lead with it. Costs a probe a
-- site and partition where nothing has expired. A site without a policy keeps everything.
create or replace function expire_visits(instant timestamptz) returns bigint
language plpgsql as $$
declare
  site record;
  deleted bigint;
  total bigint := 0;
begin
  for site in
    select key, local_day(instant, timezone) - make_interval(months => retention_months) as oldest
    from sites where retention_months is not null
  loop
    delete from visits where site_key = site.key and started_at < site.oldest and duration_ms >= 0;
    get diagnostics deleted = row_count;
    total := total + deleted;
    delete from rollup_hours where site_key = site.key and hour < site.oldest;
    delete from rollup_visitors where site_key = site.key and unit in ('hour', 'day') and bucket < site.oldest;
    -- Of those who stay nothing earlier is known any more.
    with forgotten as (
      delete from rollup_visitors
      where site_key = site.key and previous < site.oldest and previous > '-infinity'
        and (unit = 'hour' and bucket < site.oldest + interval '49 hours'
          or unit = 'day' and bucket < site.oldest + interval '402 days')
      returning unit, bucket, tier, visitors
    )
    insert into rollup_visitors (site_key, unit, bucket, tier, previous, visitors)
    select site.key, unit, bucket, tier, '-infinity', sum(visitors) from forgotten group by unit, bucket, tier
    on conflict (site_key, unit, bucket, tier, previous) do update set
      visitors = rollup_visitors.visitors + excluded.visitors;
    delete from dropped_days where site_key = site.key and day < site.oldest;
  end loop;
  return total;
end
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

-- A pattern of paths as `like` reads it: keeps every path that `page_matches` does, and some in which `*` is more than a segment.
create or replace function as_like(pattern text) returns text
language sql immutable parallel safe as $$
  select replace(replace(regexp_replace(pattern, '([\\%_])', '\\\1', 'g'), '**', '%'), '*', '_%')
$$;

-- Whether a path is one of a pattern's: `*` is one whole segment, never empty; `**`, at the end alone, is whatever is left,
-- nothing too; all else is itself. The literal start is compared first, which is all that most paths cost. A `%` of the
-- `like` can't run over a slash, since what it is compared with has as many slashes as the pattern.
create or replace function page_matches(path text, pattern text) returns boolean
language sql immutable parallel safe as $$
  select case
    when position('*' in pattern) = 0 then path = pattern
    when not starts_with(path, split_part(pattern, '*', 1)) then false
    when right(pattern, 2) <> '**' then
      cardinality(string_to_array(path, '/')) = cardinality(string_to_array(pattern, '/')) and path like as_like(pattern)
    else
      cardinality(string_to_array(path, '/')) >= cardinality(string_to_array(pattern, '/'))
      and array_to_string((string_to_array(path, '/'))[:cardinality(string_to_array(pattern, '/')) - 1], '/')
        like as_like(left(pattern, -3))
  end
$$;

-- How far a visit came in a funnel, over its hits in order of time, each as the number of a step that it meets; those of
-- one instant in order of the steps.
create or replace function next_step(reached integer, met integer) returns integer
language sql immutable parallel safe as $$
  select case when met = reached + 1 then met else reached end
$$;
create or replace aggregate steps_reached(integer) (sfunc = next_step, stype = integer, initcond = '0');

-- Deletes a site with everything known of it. Waits for a batch of its events that is being folded; later ones find
-- no site and are left out.
create or replace function delete_site(site uuid) returns void
language plpgsql as $$
declare
  deleted_key integer;
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  delete from sites where id = site returning key into deleted_key;
  delete from events where site_key = deleted_key;
  delete from visits where site_key = deleted_key;
  delete from rollup_hours where site_key = deleted_key;
  delete from rollup_visitors where site_key = deleted_key;
  delete from dropped_days where site_key = deleted_key;
  delete from site_freshness where site_key = deleted_key;
  delete from site_texts where site_key = deleted_key;
  delete from site_profiles where site_key = deleted_key;
  delete from site_places where site_key = deleted_key;
  delete from site_origins where site_key = deleted_key;
  delete from dead_letters where site_id = site;
end
$$;

-- Deletes a tier 3 visitor: raw events, visits, undelivered messages, and their part of the rollups, which are then as if
-- the visitor had never come. Dictionaries and refusals stay, since they say of nobody. What is still on its way comes
-- after it and begins anew. Nothing known of the visitor: nothing happens. Its visits are found by `visits_visitor`, its
-- events by `events_time` within these.
create or replace function delete_visitor(site uuid, visitor uuid) returns void
language plpgsql as $$
declare
  erased_key integer;
  zone text;
  first_at timestamptz;
  last_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  select key, timezone into erased_key, zone from sites where id = site;
  delete from dead_letters where site_id = site and strpos(lower(message), visitor::text) > 0;

  with erased as materialized (
    delete from visits where site_key = erased_key and tier = 3 and visitor_id = visitor
    returning *, started_at + duration_ms * interval '1 millisecond' as ended_at
  ),
  raw as (
    delete from events e using erased v
    where e.site_key = erased_key and e.kind > 0 and e.tier = 3 and e.visitor_id = visitor
      and e.occurred_at >= v.started_at and e.occurred_at <= v.ended_at
    returning e.occurred_at, e.kind
  ),
  -- A visit keeps 500 page views and the rollup counts them all. While raw events are there, by UTC days, they know the rest.
  views as (
    select local_hour(at, zone) as hour,
      greatest(count(*) filter (where kept), count(*) filter (where not kept)) as pageviews
    from (
      select true as kept, started_at + entry_ms * interval '1 millisecond' as at from erased where entry_page is not null
      union all
      select true, started_at + page.ms * interval '1 millisecond' from erased cross join hits_of(later_pages) as page
      union all
      select false, occurred_at from raw where kind = 1
    ) shown
    group by local_hour(at, zone), date_trunc('day', at, 'UTC')
  ),
  hours as materialized (
    select hour, sum(pageviews) as pageviews, sum(visits) as visits, sum(bounces) as bounces, sum(duration_ms) as duration_ms
    from (
      select hour, pageviews, 0 as visits, 0 as bounces, 0 as duration_ms from views
      union all
      select local_hour(started_at, zone), 0, 1,
        case when custom_events is null and later_pages is null then 1 else 0 end, duration_ms
      from erased where counted
    ) d
    group by hour
  ),
  emptied_hours as (
    delete from rollup_hours r using hours h
    where r.site_key = erased_key and r.tier = 3 and r.hour = h.hour
      and (r.pageviews, r.visits, r.duration_ms) = (h.pageviews, h.visits, h.duration_ms)
  ),
  lessened_hours as (
    update rollup_hours r set
      pageviews = r.pageviews - h.pageviews, visits = r.visits - h.visits, measured = r.measured - h.visits,
      bounces = r.bounces - h.bounces, duration_ms = r.duration_ms - h.duration_ms
    from hours h
    where r.site_key = erased_key and r.tier = 3 and r.hour = h.hour
      and (r.pageviews, r.visits, r.duration_ms) <> (h.pageviews, h.visits, h.duration_ms)
  ),
  buckets as (
    select unit, bucket, lag(bucket) over by_unit as previous, lag(last_start) over by_unit as last_start
    from (
      select b.unit, b.bucket, max(v.started_at) as last_start
      from erased v
      cross join lateral (values
        ('hour', local_hour(v.started_at, zone)), ('day', local_day(v.started_at, zone))
      ) as b(unit, bucket)
      where is_seen(v.counted, v.continued, v.entry_page, v.custom_events)
      group by b.unit, b.bucket
    ) b
    window by_unit as (partition by unit order by bucket)
  ),
  seen as materialized (
    select unit, bucket, case
      when previous is null or last_start < bucket - interval '400 days'
        or (unit = 'hour' and previous < bucket - interval '48 hours') then '-infinity'
      else previous end as previous
    from buckets
  ),
  emptied_visitors as (
    delete from rollup_visitors r using seen s
    where r.site_key = erased_key and r.unit = s.unit and r.bucket = s.bucket and r.tier = 3 and r.previous = s.previous
      and r.visitors = 1
  ),
  lessened_visitors as (
    update rollup_visitors r set visitors = r.visitors - 1 from seen s
    where r.site_key = erased_key and r.unit = s.unit and r.bucket = s.bucket and r.tier = 3 and r.previous = s.previous
      and r.visitors <> 1
  )
  select min(started_at), max(ended_at) into first_at, last_at from erased;

  if last_at is null then
    return;
  end if;
  delete from site_freshness f
  where f.site_key = erased_key
    and not exists (select from visits v where v.site_key = erased_key and v.duration_ms >= 0);
  update site_freshness f set
    first_event_at = case when f.first_event_at < first_at then f.first_event_at else (
      select min(v.started_at) from visits v where v.site_key = erased_key and v.duration_ms >= 0) end,
    last_event_at = case when f.last_event_at > last_at then f.last_event_at else coalesce(
      (select max(e.occurred_at) from events e where e.site_key = erased_key and e.kind > 0),
      (select max(v.started_at + v.duration_ms * interval '1 millisecond') from visits v
        where v.site_key = erased_key and v.duration_ms >= 0)) end
  where f.site_key = erased_key and (f.first_event_at >= first_at or f.last_event_at <= last_at);
end
$$;

-- Stores and folds one batch of events: raw rows, visits, rollups, all or nothing. The batch is a JSON array of
-- flattened events (lib/visits/fold-batch.ts). What is stored depends on the set of events alone, not on their order
-- or on how they were cut into batches: a visit is the maximal chain of a visitor's events with less than 30 minutes
-- between neighbours, and visits merge as events arrive (of two page views received in one millisecond either may be
-- the first). Batches that share a site take turns.
create or replace function ingest_events(batch jsonb, instant timestamptz)
returns table (stored integer, repeated integer)
language plpgsql set jit = off as $$
declare
  session_gap constant interval := interval '30 minutes';
  -- The first so many page views, and custom events, of a visit are kept; the rollups count them all. It bounds what an
  -- endless visit costs with each further event.
  max_hits constant integer := 500;
  kept_hits constant jsonpath := '$[0 to 499]';
  memory_start constant timestamptz := instant - interval '4 days';
begin
  perform pg_advisory_xact_lock(s.lock_key) from (
    select distinct hashtextextended((b.event ->> 'siteId')::uuid::text, 0) as lock_key
    from jsonb_array_elements(batch) as b(event) order by 1
  ) s;

  perform ensure_partition('events', d.day), ensure_partition('visits', d.day) from (
    select distinct date_trunc('day', 'epoch'::timestamptz + (b.event ->> 'at')::bigint * interval '1 millisecond', 'UTC') as day
    from jsonb_array_elements(batch) as b(event)
  ) d;

  insert into site_texts (site_key, id, value)
  select fresh.key, last.id + row_number() over (partition by fresh.key order by fresh.value), fresh.value
  from (
    select distinct sites.key, text.value
    from jsonb_to_recordset(batch) as b("siteId" uuid, path text, name text)
    join sites on sites.id = b."siteId"
    cross join lateral (values (b.path), (b.name)) as text(value)
    where text.value is not null
      and not exists (select from site_texts known where known.site_key = sites.key and known.value = text.value)
  ) fresh
  cross join lateral (
    select coalesce(max(t.id), 0) as id from site_texts t where t.site_key = fresh.key and t.id > 0
  ) last;

  insert into site_profiles (site_key, id, device, browser, os, language)
  select fresh.key, last.id + row_number() over (partition by fresh.key order by fresh.value),
    fresh.device, fresh.browser, fresh.os, fresh.language
  from (
    select distinct on (sites.key, d.value) sites.key, d.value, b.device as device, b.browser as browser, b.os as os, b.language as language
    from jsonb_to_recordset(batch) as b("siteId" uuid, device text, browser text, os text, language text)
    join sites on sites.id = b."siteId"
    cross join lateral (values (profile_key(b.device, b.browser, b.os, b.language))) as d(value)
    where not exists (select from site_profiles known where known.site_key = sites.key and known.value = d.value)
    order by sites.key, d.value
  ) fresh
  cross join lateral (
    select coalesce(max(t.id), 0) as id from site_profiles t where t.site_key = fresh.key and t.id > 0
  ) last;

  insert into site_places (site_key, id, country, region, city)
  select fresh.key, last.id + row_number() over (partition by fresh.key order by fresh.value),
    fresh.country, fresh.region, fresh.city
  from (
    select distinct on (sites.key, d.value) sites.key, d.value, b.country as country, b.region as region, b.city as city
    from jsonb_to_recordset(batch) as b("siteId" uuid, country text, region text, city text)
    join sites on sites.id = b."siteId"
    cross join lateral (values (place_key(b.country, b.region, b.city))) as d(value)
    where not exists (select from site_places known where known.site_key = sites.key and known.value = d.value)
    order by sites.key, d.value
  ) fresh
  cross join lateral (
    select coalesce(max(t.id), 0) as id from site_places t where t.site_key = fresh.key and t.id > 0
  ) last;

  insert into site_origins (site_key, id, hostname, source, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content)
  select fresh.key, last.id + row_number() over (partition by fresh.key order by fresh.value),
    fresh.hostname, fresh.source, fresh.channel, fresh.utm_source, fresh.utm_medium, fresh.utm_campaign, fresh.utm_term, fresh.utm_content
  from (
    select distinct on (sites.key, d.value) sites.key, d.value, nullif(b.hostname, sites.domain) as hostname, b.source as source, b.channel as channel, b."utmSource" as utm_source, b."utmMedium" as utm_medium, b."utmCampaign" as utm_campaign, b."utmTerm" as utm_term, b."utmContent" as utm_content
    from jsonb_to_recordset(batch) as b("siteId" uuid, hostname text, source text, channel text, "utmSource" text, "utmMedium" text, "utmCampaign" text, "utmTerm" text, "utmContent" text)
    join sites on sites.id = b."siteId"
    cross join lateral (values (origin_key(nullif(b.hostname, sites.domain), b.source, b.channel, b."utmSource", b."utmMedium", b."utmCampaign", b."utmTerm", b."utmContent"))) as d(value)
    where not exists (select from site_origins known where known.site_key = sites.key and known.value = d.value)
    order by sites.key, d.value
  ) fresh
  cross join lateral (
    select coalesce(max(t.id), 0) as id from site_origins t where t.site_key = fresh.key and t.id > 0
  ) last;

  return query
  with input as materialized (
    select distinct on (sites.key, b.id)
      sites.key as site_key, sites.timezone, b.id as event_id, b.kind, b.tier, b."visitorId" as visitor_id,
      coalesce(b.continued, false) as continued, b.entry, b.path, b.name,
      'epoch'::timestamptz + b.at * interval '1 millisecond' as occurred_at, b.screen, b."pageId" as page_id,
      b."engagedMs" as engaged_ms, b."scrollDepth" as scroll_depth, b.data,
      profile_key(b.device, b.browser, b.os, b.language) as profile,
      place_key(b.country, b.region, b.city) as place,
      origin_key(nullif(b.hostname, sites.domain), b.source, b.channel,
        b."utmSource", b."utmMedium", b."utmCampaign", b."utmTerm", b."utmContent") as origin
    from jsonb_to_recordset(batch) as b(
      "siteId" uuid, id uuid, at bigint, kind smallint, tier smallint, "visitorId" uuid, continued boolean,
      entry boolean, path text, name text, hostname text, source text, channel text, "utmSource" text, "utmMedium" text,
      "utmCampaign" text, "utmTerm" text, "utmContent" text, country text, region text, city text, device text,
      browser text, os text, language text, screen text, "pageId" uuid, "engagedMs" integer, "scrollDepth" real, data jsonb)
    join sites on sites.id = b."siteId"
    order by sites.key, b.id, b.at, b.tier
  ),
  fresh as materialized (
    select input.*, path_text.id as path_id, name_text.id as name_id, known_profile.id as profile_id,
      known_place.id as place_id, known_origin.id as origin_id
    from input
    left join lateral (
      select t.id from site_texts t where t.site_key = input.site_key and t.value = input.path offset 0
    ) as path_text on true
    left join lateral (
      select t.id from site_texts t where t.site_key = input.site_key and t.value = input.name offset 0
    ) as name_text on true
    left join lateral (
      select t.id from site_profiles t where t.site_key = input.site_key and t.value = input.profile offset 0
    ) as known_profile on true
    left join lateral (
      select t.id from site_places t where t.site_key = input.site_key and t.value = input.place offset 0
    ) as known_place on true
    left join lateral (
      select t.id from site_origins t where t.site_key = input.site_key and t.value = input.origin offset 0
    ) as known_origin on true
    where not exists (
      select from events e
      where e.site_key = input.site_key and e.event_id = input.event_id and e.occurred_at > memory_start
    )
  ),
  raw as (
    insert into events (
      occurred_at, event_id, visitor_id, page_id, site_key, path_id, name_id, profile_id, place_id, origin_id,
      engaged_ms, scroll_depth, kind, tier, continued, entry, screen, data)
    select
      occurred_at, event_id, visitor_id, page_id, site_key, path_id, name_id, profile_id, place_id, origin_id,
      engaged_ms, scroll_depth, kind, tier, continued, entry, screen, data
    from fresh
  ),
  -- Every event of tiers 2 and 3 is a visit of its own at first; `spans` are these and the visits they may join.
  points as (
    select
      site_key, tier, visitor_id, timezone, occurred_at as started_at, occurred_at as ended_at,
      case when kind = 1 then occurred_at end as entry_at, continued, kind = 1 or (kind = 2 and entry is null) as counted,
      engaged_ms, profile_id, place_id, origin_id,
      case when kind = 1 then path_id end as entry_page, null::integer[] as later_pages,
      case when kind = 2 then array[0, name_id] end as custom_events,
      case when kind = 2 and data is not null then jsonb_build_array(data) end as event_data
    from fresh where tier >= 2 and kind > 0
  ),
  touched as materialized (
    select site_key, tier, visitor_id, timezone, min(started_at) as first_at, max(started_at) as last_at
    from points group by site_key, tier, visitor_id, timezone
  ),
  old as materialized (
    select v.*, v.started_at + v.duration_ms * interval '1 millisecond' as ended_at, t.timezone
    from touched t
    cross join lateral (
      select v.tableoid as partition, v.ctid as place, v.* from visits v
      where v.site_key = t.site_key and v.visitor_id = t.visitor_id and v.tier = t.tier
        and v.started_at < t.last_at + session_gap
        and v.started_at > t.first_at - interval '24 days'
        and v.started_at + v.duration_ms * interval '1 millisecond' > t.first_at - session_gap
      offset 0
    ) v
  ),
  spans as (
    select
      site_key, tier, visitor_id, timezone, started_at, ended_at, started_at + entry_ms * interval '1 millisecond' as entry_at,
      continued, counted, engaged_ms, profile_id, place_id, origin_id, entry_page, later_pages, custom_events, event_data
    from old
    union all
    select
      site_key, tier, visitor_id, timezone, started_at, ended_at, entry_at,
      continued, counted, engaged_ms, profile_id, place_id, origin_id, entry_page, later_pages, custom_events, event_data
    from points
  ),
  chained as (
    select *, count(*) filter (where begins) over visitor as chain
    from (
      select *, coalesce(started_at >= max(ended_at) over before + session_gap, true) as begins
      from spans
      window before as (
        partition by site_key, tier, visitor_id order by started_at, ended_at
        rows between unbounded preceding and 1 preceding)
    ) s
    window visitor as (
      partition by site_key, tier, visitor_id order by started_at, ended_at rows unbounded preceding)
  ),
  -- Rank 1 is the entry: the first page view, or without one the first event.
  ranked as (
    select *, min(started_at) over chain_of as chain_start, sum(engaged_ms) over chain_of as chain_engaged,
      row_number() over (partition by site_key, tier, visitor_id, chain order by entry_at, started_at) as rank
    from chained
    window chain_of as (partition by site_key, tier, visitor_id, chain)
  ),
  placed as (
    select r.*, hit.is_page, hit.text_id as hit_text, hit.data as hit_data,
      round(extract(epoch from hit.base - r.chain_start) * 1000)::integer + hit.ms as hit_ms
    from ranked r
    left join lateral (
      select true, r.entry_at, 0, r.entry_page, null::jsonb where r.entry_page is not null
      union all select true, r.started_at, page.ms, page.text_id, null from hits_of(r.later_pages) as page
      union all select false, r.started_at, event.ms, event.text_id, event.data
        from events_of(r.custom_events, r.event_data) as event
    ) as hit(is_page, base, ms, text_id, data) on true
  ),
  merged as (
    select
      site_key, chain_start as started_at, visitor_id,
      round(extract(epoch from max(ended_at) - chain_start) * 1000)::integer as duration_ms,
      max(chain_engaged)::integer as engaged_ms,
      tier, bool_or(continued) as continued, bool_or(counted) and not bool_or(continued) as counted,
      array_agg(array[hit_ms, hit_text] order by hit_ms, hit_text) filter (where is_page) as pages,
      array_agg(array[hit_ms, hit_text] order by hit_ms, hit_text, hit_data) filter (where not is_page) as customs,
      jsonb_agg(hit_data order by hit_ms, hit_text, hit_data) filter (where not is_page) as custom_data,
      count(hit_data) > 0 as has_data,
      max(profile_id) filter (where rank = 1) as profile_id, max(place_id) filter (where rank = 1) as place_id,
      max(origin_id) filter (where rank = 1) as origin_id, timezone
    from placed group by site_key, tier, visitor_id, timezone, chain, chain_start
  ),
  new as materialized (
    select
      started_at, visitor_id, site_key, duration_ms, engaged_ms, pages[1][1] as entry_ms, pages[1][2] as entry_page,
      profile_id, place_id, origin_id, tier, continued, counted,
      case when cardinality(pages) > 2 then (select array_agg(n order by position) from unnest(pages[2:max_hits]) with ordinality as p(n, position)) end as later_pages,
      (select array_agg(n order by position) from unnest(customs[:max_hits]) with ordinality as c(n, position)) as custom_events,
      case when has_data then jsonb_path_query_array(custom_data, kept_hits) end as event_data, timezone
    from merged
  ),
  anonymous as (
    select
      occurred_at as started_at, null::uuid as visitor_id, site_key, 0 as duration_ms, null::integer as engaged_ms,
      case when kind = 1 then 0 end as entry_ms, case when kind = 1 then path_id end as entry_page,
      profile_id, place_id, origin_id, tier, false as continued,
      kind = 1 and entry as counted, null::integer[] as later_pages,
      case when kind = 2 then array[0, name_id] end as custom_events,
      case when kind = 2 and data is not null then jsonb_build_array(data) end as event_data, timezone
    from fresh where tier = 1 and kind in (1, 2)
  ),
  gone as materialized (
    select o.partition, o.place from old o
    where not exists (
      select from new n
      where n.site_key = o.site_key and n.tier = o.tier and n.visitor_id = o.visitor_id and n.started_at = o.started_at)
  ),
  replaced as (
    delete from visits v
    where v.ctid = any (array(select place from gone))
      and exists (select from gone g where g.partition = v.tableoid and g.place = v.ctid)
  ),
  written as (
    insert into visits (
      started_at, visitor_id, site_key, duration_ms, engaged_ms, entry_ms, entry_page, profile_id, place_id, origin_id,
      tier, continued, counted, later_pages, custom_events, event_data)
    select
      started_at, visitor_id, site_key, duration_ms, engaged_ms, entry_ms, entry_page, profile_id, place_id, origin_id,
      tier, continued, counted, later_pages, custom_events, event_data
    from (select * from new union all select * from anonymous) v
    on conflict (site_key, tier, visitor_id, started_at) where visitor_id is not null do update set
      duration_ms = excluded.duration_ms, engaged_ms = excluded.engaged_ms, entry_ms = excluded.entry_ms,
      entry_page = excluded.entry_page, profile_id = excluded.profile_id, place_id = excluded.place_id,
      origin_id = excluded.origin_id, continued = excluded.continued, counted = excluded.counted,
      later_pages = excluded.later_pages, custom_events = excluded.custom_events, event_data = excluded.event_data
  ),
  changes as materialized (
    select -1 as sign, site_key, tier, visitor_id, timezone, started_at, duration_ms, counted, continued, entry_page, later_pages, custom_events
    from old
    union all
    select 1, site_key, tier, visitor_id, timezone, started_at, duration_ms, counted, continued, entry_page, later_pages, custom_events
    from new
    union all
    select 1, site_key, tier, visitor_id, timezone, started_at, duration_ms, counted, continued, entry_page, later_pages, custom_events
    from anonymous
  ),
  hours as (
    insert into rollup_hours (site_key, hour, tier, pageviews, visits, measured, bounces, duration_ms)
    select site_key, hour, tier, sum(pageviews), sum(visits), sum(measured), sum(bounces), sum(duration_ms)
    from (
      select site_key, local_hour(occurred_at, timezone) as hour, tier,
        1 as pageviews, 0 as visits, 0 as measured, 0 as bounces, 0 as duration_ms
      from fresh where kind = 1
      union all
      select site_key, local_hour(started_at, timezone), tier, 0, sign,
        case when tier = 3 then sign else 0 end,
        case when tier = 3 and custom_events is null and later_pages is null then sign else 0 end,
        case when tier = 3 then sign * duration_ms else 0 end
      from changes where counted
    ) d
    group by site_key, hour, tier
    having sum(pageviews) <> 0 or sum(visits) <> 0 or sum(bounces) <> 0 or sum(duration_ms) <> 0
    order by site_key, hour, tier
    on conflict (site_key, hour, tier) do update set
      pageviews = rollup_hours.pageviews + excluded.pageviews, visits = rollup_hours.visits + excluded.visits,
      measured = rollup_hours.measured + excluded.measured, bounces = rollup_hours.bounces + excluded.bounces,
      duration_ms = rollup_hours.duration_ms + excluded.duration_ms
  ),
  -- Visitors whose visits begin elsewhere than before, and the whole days around the change.
  moved as materialized (
    select site_key, tier, visitor_id, timezone,
      local_day(min(started_at), timezone) as from_day,
      local_day(local_day(max(started_at), timezone) + interval '36 hours', timezone) as to_day
    from (
      select site_key, tier, visitor_id, timezone, started_at
      from changes where visitor_id is not null and is_seen(counted, continued, entry_page, custom_events)
      group by site_key, tier, visitor_id, timezone, started_at having sum(sign) <> 0
    ) c
    group by site_key, tier, visitor_id, timezone
  ),
  starts as materialized (
    select m.*, -1 as sign, near.started_at
    from moved m cross join lateral (
      select v.started_at from visits v
      where v.site_key = m.site_key and v.visitor_id = m.visitor_id and v.tier = m.tier
        and v.started_at >= m.from_day and v.started_at < m.to_day
        and is_seen(v.counted, v.continued, v.entry_page, v.custom_events)
      union all
      (select v.started_at from visits v
      where v.site_key = m.site_key and v.visitor_id = m.visitor_id and v.tier = m.tier
        and v.started_at < m.from_day and is_seen(v.counted, v.continued, v.entry_page, v.custom_events)
        and v.started_at >= m.from_day - case m.tier when 2 then interval '2 days' else interval '400 days' end
      order by v.started_at desc limit 1)
      union all
      (select v.started_at from visits v
      where v.site_key = m.site_key and v.visitor_id = m.visitor_id and v.tier = m.tier
        and v.started_at >= m.to_day and is_seen(v.counted, v.continued, v.entry_page, v.custom_events)
      order by v.started_at limit 1)
    ) near
  ),
  starts_after as (
    select s.site_key, s.tier, s.visitor_id, s.timezone, s.from_day, s.to_day, 1 as sign, s.started_at
    from starts s
    where s.started_at < s.from_day or s.started_at >= s.to_day or not exists (
      select from old o
      where o.site_key = s.site_key and o.tier = s.tier and o.visitor_id = s.visitor_id and o.started_at = s.started_at)
    union all
    select m.*, 1, n.started_at
    from moved m join new n using (site_key, tier, visitor_id)
    where n.started_at >= m.from_day and n.started_at < m.to_day
      and is_seen(n.counted, n.continued, n.entry_page, n.custom_events)
  ),
  buckets as (
    select site_key, tier, visitor_id, sign, unit, bucket, from_day,
      lag(bucket) over (partition by site_key, tier, visitor_id, sign, unit order by bucket) as previous
    from (
      select distinct s.site_key, s.tier, s.visitor_id, s.sign, s.from_day, b.unit, b.bucket
      from (select * from starts union all select * from starts_after) s
      cross join lateral (values
        ('hour', local_hour(s.started_at, s.timezone)), ('day', local_day(s.started_at, s.timezone))
      ) as b(unit, bucket)
    ) b
  ),
  visitors as (
    insert into rollup_visitors (site_key, unit, bucket, tier, previous, visitors)
    select site_key, unit, bucket, tier, known_previous, sum(sign)
    from (
      select b.*, case
        when previous is null or (unit = 'hour' and previous < bucket - interval '48 hours') then '-infinity'
        else previous end as known_previous
      from buckets b where bucket >= from_day
    ) b
    group by site_key, unit, bucket, tier, known_previous
    having sum(sign) <> 0
    order by site_key, unit, bucket, tier, known_previous
    on conflict (site_key, unit, bucket, tier, previous) do update set
      visitors = rollup_visitors.visitors + excluded.visitors
  ),
  refused as (
    insert into dropped_days (site_key, day, reason, events)
    select site_key, local_day(occurred_at, timezone), data ->> 'reason', count(*)
    from fresh where kind = 0 group by 1, 2, 3 order by 1, 2, 3
    on conflict (site_key, day, reason) do update set events = dropped_days.events + excluded.events
  ),
  freshness as (
    insert into site_freshness (site_key, first_event_at, last_event_at, folded_at)
    select site_key, min(occurred_at), max(occurred_at), instant from fresh where kind > 0 group by site_key order by 1
    on conflict (site_key) do update set
      first_event_at = least(site_freshness.first_event_at, excluded.first_event_at),
      last_event_at = greatest(site_freshness.last_event_at, excluded.last_event_at),
      folded_at = greatest(site_freshness.folded_at, excluded.folded_at)
  )
  select
    (select count(*) from fresh)::integer,
    (select count(*) from input)::integer - (select count(*) from fresh)::integer;
end
$$;
