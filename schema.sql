-- The whole database as it is now, to be read. schema/ is what npm run db:apply applies, and has the bodies of the functions.
-- Written by npm run generate. Made from: 09e0c83f9606b0da6f5ca12e4f75c784. What follows: 695cb8f0f8c5197f8de7d4d3df2af502.

-- -------------------- Tables --------------------

-- The migrations that this database has, each once.
create table schema_migrations (
  number integer not null,
  name text not null,
  applied_at timestamptz default now() not null,
  primary key (number)
);

-- One row: what version this database is of.
create table schema_version (
  one boolean default true not null,
  -- Of the code that brought it up. Null: never to the end.
  version text,
  -- The last migration of that version.
  migration integer,
  functions_hash text,
  -- Functions, views and triggers that files made, so that those that no file makes any more can go.
  functions text[] not null,
  -- Where the migration that runs in pieces goes on; null: at its beginning.
  position text,
  changed_at timestamptz default now() not null,
  check (one),
  primary key (one)
);

-- People who sign in.
create table users (
  id uuid default gen_random_uuid() not null,
  email text not null,
  name text default '' not null,
  created_at timestamptz default now() not null,
  email_verified boolean default false not null,
  -- Signing in takes a code too (user_second_factors).
  second_factor boolean default false not null,
  updated_at timestamptz default now() not null,
  primary key (id)
);
create unique index users_email on users (lower(email));

-- How people prove who they are; with provider `credential`, by a password.
create table user_credentials (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  provider text not null,
  account text not null,
  -- As scrypt makes of it: "<salt>:<key>" in hex (better-auth's form).
  password text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  primary key (id),
  unique (user_id, provider),
  foreign key (user_id) references users(id) on delete cascade
);

-- Who is signed in, and where. The secret itself is never stored, nor an address or a user agent; those that ended go
-- with the person's next sign-in.
create table user_sessions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  -- SHA-256 of the session's token, which is in its cookie.
  hash bytea not null,
  -- Its name, without a version.
  browser text,
  -- The operating system's name, without a version.
  os text,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  expires_at timestamptz not null,
  -- When the person proved last in this session who they are, after the sign-in. Null: with the sign-in.
  proven_at timestamptz,
  primary key (id),
  unique (hash),
  foreign key (user_id) references users(id) on delete cascade
);
create index user_sessions_user on user_sessions (user_id, created_at);

-- What is waited for: passwords that are being reset, second factors that are being asked for.
create table user_verifications (
  id uuid default gen_random_uuid() not null,
  -- SHA-256 in base64url of what it is for and of its secret.
  identifier text not null,
  value text not null,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  expires_at timestamptz not null,
  primary key (id)
);
create index user_verifications_identifier on user_verifications (identifier, created_at);
create index user_verifications_expires on user_verifications (expires_at);
create index user_verifications_value on user_verifications (value);

-- Secrets of authenticator apps (TOTP), encrypted under AUTH_KEY.
create table user_second_factors (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  secret text not null,
  backup_codes text not null,
  -- A first code was right; before that signing in takes none.
  verified boolean default true not null,
  -- Wrong codes one after the other; at 10 it is locked for a while.
  failures integer default 0 not null,
  locked_until timestamptz,
  primary key (id),
  unique (user_id),
  foreign key (user_id) references users(id) on delete cascade
);

-- What people share: sites and environments belong to a project.
create table projects (
  id uuid default gen_random_uuid() not null,
  name text not null,
  created_at timestamptz default now() not null,
  primary key (id)
);

-- Who may see (viewer) and change (owner, admin) a project.
create table project_members (
  project_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamptz default now() not null,
  check ((role = any (array['owner', 'admin', 'viewer']))),
  primary key (user_id, project_id),
  foreign key (project_id) references projects(id) on delete cascade,
  foreign key (user_id) references users(id) on delete cascade
);
create index project_members_project on project_members (project_id);

-- Deployments of a project that telemetry is kept apart by; the first is production.
create table environments (
  id uuid default gen_random_uuid() not null,
  project_id uuid not null,
  name text not null,
  created_at timestamptz default now() not null,
  -- Its number in telemetry's tables; never used again.
  key integer generated always as identity not null,
  -- How many whole days spans are kept; logs_days and metrics_days alike.
  traces_days smallint default 30 not null,
  logs_days smallint default 30 not null,
  metrics_days smallint default 30 not null,
  -- The UTC day on which all that was too old by then had been deleted last; before all days where retention was
  -- changed since.
  expired_on date default '-infinity'::date not null,
  -- Since when otlp_hours tells of this environment; null: since it was made.
  hours_noted_from timestamptz,
  primary key (id),
  unique (project_id, name),
  foreign key (project_id) references projects(id) on delete cascade
);
create index environments_project on environments (project_id, created_at);
create unique index environments_key on environments (key);
create index environments_expired on environments (expired_on);

-- API tokens (vapi_...). The secret itself is never stored.
create table api_tokens (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  name text not null,
  -- SHA-256 of the whole token.
  hash bytea not null,
  created_at timestamptz default now() not null,
  -- Exact to a minute.
  last_used_at timestamptz,
  revoked_at timestamptz,
  -- Whether it only reads, whatever the role of its person.
  access text default 'write' not null,
  -- The projects that it opens; null: all that its person is a member of. Without foreign keys: what is gone opens
  -- nothing.
  project_ids uuid[],
  -- The same of sites.
  site_ids uuid[],
  -- When it ends. Null: when it is revoked.
  expires_at timestamptz,
  primary key (id),
  unique (hash),
  foreign key (user_id) references users(id) on delete cascade,
  check ((access = any (array['read', 'write'])))
);
create index api_tokens_user on api_tokens (user_id);

-- Links that make whoever opens one a member, once. The secret itself is never stored.
create table project_invitations (
  id uuid default gen_random_uuid() not null,
  project_id uuid not null,
  role text not null,
  -- SHA-256 of the secret.
  hash bytea not null,
  created_by uuid not null,
  created_at timestamptz default now() not null,
  expires_at timestamptz not null,
  check ((role = any (array['owner', 'admin', 'viewer']))),
  primary key (id),
  unique (hash),
  foreign key (project_id) references projects(id) on delete cascade,
  foreign key (created_by) references users(id) on delete cascade
);
create index project_invitations_project on project_invitations (project_id, created_at);

-- Keys that backends send telemetry with (ving_...). The secret itself is never stored.
create table ingest_keys (
  id uuid default gen_random_uuid() not null,
  environment_id uuid not null,
  name text not null,
  -- Whether it may record outcomes too.
  outcomes boolean not null,
  -- SHA-256 of the whole key.
  hash bytea not null,
  created_at timestamptz default now() not null,
  -- Exact to a minute.
  last_used_at timestamptz,
  revoked_at timestamptz,
  -- The person who made it. Without a foreign key: the person may be gone. Null: older than the column.
  created_by uuid,
  primary key (id),
  unique (hash),
  foreign key (environment_id) references environments(id) on delete cascade
);
create index ingest_keys_environment on ingest_keys (environment_id, created_at);

-- Tokens for /mcp (vqry_...): never more than what their person may at the moment. The secret itself is never stored.
create table query_tokens (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  name text not null,
  scopes text[] not null,
  -- The projects that it is for; null: all that the person is a member of. Without foreign keys: what is gone opens
  -- nothing.
  project_ids uuid[],
  -- The same of sites.
  site_ids uuid[],
  -- SHA-256 of the whole token.
  hash bytea not null,
  created_at timestamptz default now() not null,
  expires_at timestamptz,
  -- Exact to a minute.
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (id),
  unique (hash),
  foreign key (user_id) references users(id) on delete cascade
);
create index query_tokens_user on query_tokens (user_id, created_at);

-- Who did what to people's data, and with which powers. Outlives the sites and the people that it tells of.
create table audit_log (
  project_id uuid not null,
  id uuid default gen_random_uuid() not null,
  at timestamptz not null,
  -- As lib/context.ts has it: its kind, and the ids of the token and of the person. Kind `operator`: whoever has the
  -- database.
  actor jsonb not null,
  -- What was done, as `visitor.delete` (lib/audit.ts).
  action text not null,
  -- The site that it was done in; may be gone.
  site uuid,
  -- Whom it was done to, as SHA-256 of "<site> <id>": enough to prove it to who knows the id, and it tells nobody else.
  subject bytea,
  -- As in the log and in the answer's `X-Request-Id`; of an import its id.
  request_id text not null,
  -- The operation or tool that was called, as `createGoal`. Null: a line of 0.1.0.
  tool text,
  -- SHA-256 of the checked input as JSON with its keys in order, without passwords and secrets. Null: the input was
  -- never checked.
  input_hash bytea,
  -- done, or the code of the error that the caller got.
  result text default 'done' not null,
  -- The id of what was changed. Null: a visitor, a refused call, or a line of before this column.
  target text,
  -- Its name at that time. Null for people, whose names go with them.
  target_name text,
  -- How many calls the line counts: more than one if calls that changed nothing were repeated.
  calls integer default 1 not null,
  -- When the last of these calls came. Null: there was one.
  last_at timestamptz,
  primary key (project_id, at, id),
  foreign key (project_id) references projects(id) on delete cascade
);
create index audit_log_attempts on audit_log (project_id, ((actor ->> 'userId')), at) where (result <> 'done');

-- A website. Its four policy columns are all set, or all null: no policy was saved.
create table sites (
  id uuid default gen_random_uuid() not null,
  -- Leads the keys of the large tables in place of id: a quarter of its size, in every row and index.
  key integer generated always as identity not null,
  project_id uuid not null,
  -- Host name, lower case, ASCII form. Visits to it and to hosts below it count.
  domain text not null,
  name text not null,
  -- IANA zone of reports. Rollups are cut by its days and hours; only change_zone changes it.
  timezone text default 'UTC' not null,
  -- ISO 3166-1 alpha-2 code of the owner's country.
  jurisdiction text,
  consent_mode text,
  pre_consent_tier text,
  retention_months smallint,
  created_at timestamptz default now() not null,
  updated_at timestamptz default now() not null,
  -- For which oldest day of its policy all that is older was deleted last; null: for none.
  kept_from timestamptz,
  -- kept_from, once the values that nothing names since are deleted too.
  values_kept_from timestamptz,
  -- Further domains, as `domain`. Visits to them and to hosts below them count too.
  domains text[] default '{}'::text[] not null,
  -- The domain that the site was made with, where it has another one now; else null. Origins without a hostname have
  -- it.
  first_domain text,
  -- The zone that change_zone makes the site's next. Null: it keeps its zone.
  next_timezone text,
  -- When its zone was changed last. Null: never.
  zone_changed_at timestamptz,
  check ((consent_mode = any (array['required', 'regional']))),
  check ((pre_consent_tier = any (array['off', 'counts', 'sessions']))),
  check (((retention_months >= 1) and (retention_months <= 25))),
  check ((num_nulls(jurisdiction, consent_mode, pre_consent_tier, retention_months) = any (array[0, 4]))),
  primary key (id),
  unique (key),
  foreign key (project_id) references projects(id) on delete cascade
);
create index sites_project on sites (project_id, created_at);
create index sites_zone_changes on sites (key) where (next_timezone is not null);

-- What people noted of a day of a site, to be read beside its reports.
create table site_annotations (
  id uuid default gen_random_uuid() not null,
  site_id uuid not null,
  -- A day of the site's zone.
  date date not null,
  text text not null,
  created_at timestamptz default now() not null,
  primary key (id),
  foreign key (site_id) references sites(id) on delete cascade
);
create index site_annotations_date on site_annotations (site_id, date);

-- Public links to a site's reports. The secret itself is never stored; revoking deletes the row.
create table site_shares (
  id uuid default gen_random_uuid() not null,
  site_id uuid not null,
  name text not null,
  -- SHA-256 of the secret.
  hash bytea not null,
  -- How to check it (lib/shares/password.ts); null: none is asked.
  password text,
  -- Which reports it shows, by name: what is added to the service later is not in it.
  reports text[] not null,
  created_at timestamptz default now() not null,
  expires_at timestamptz,
  -- Origins whose pages may show the share's page in a frame; an asterisk: those of every page. Empty: none.
  embed_origins text[] default '{}'::text[] not null,
  -- The person who made it, perhaps by an API key. Without a foreign key: the person may be gone. Null: older than the
  -- column.
  created_by uuid,
  primary key (id),
  unique (hash),
  foreign key (site_id) references sites(id) on delete cascade
);
create index site_shares_site on site_shares (site_id, created_at);

-- What a site's owner wants visits to reach, 100 a site at most.
create table site_goals (
  site_id uuid not null,
  id uuid default gen_random_uuid() not null,
  name text not null,
  -- What reaches it, as events.kind: 1 a page view, 2 a custom event.
  kind smallint not null,
  -- The event's name, or a pattern of paths (`page_matches`).
  pattern text not null,
  created_at timestamptz default now() not null,
  -- Names it in rollups.
  key integer generated always as identity not null,
  check ((kind = any (array[1, 2]))),
  primary key (site_id, id),
  foreign key (site_id) references sites(id) on delete cascade
);
create unique index site_goals_name on site_goals (site_id, name);

-- Steps that visits are expected to take one after the other, 100 funnels a site at most.
create table site_funnels (
  site_id uuid not null,
  id uuid default gen_random_uuid() not null,
  name text not null,
  -- 2 to 8 in order, each with `kind` and `pattern` as a goal's.
  steps jsonb not null,
  created_at timestamptz default now() not null,
  -- Names it in rollups.
  key integer generated always as identity not null,
  primary key (site_id, id),
  foreign key (site_id) references sites(id) on delete cascade
);
create unique index site_funnels_name on site_funnels (site_id, name);

-- Deleted sites, how far the deletion of what was stored of them came, and for 7 days that it is finished.
create table site_deletions (
  site uuid not null,
  key integer not null,
  -- The project may be gone too.
  project_id uuid not null,
  domain text not null,
  name text not null,
  -- How many rows of visits there were, by the rollups.
  visits bigint not null,
  deleted_visits bigint default 0 not null,
  deleted_rows bigint default 0 not null,
  requested_at timestamptz default now() not null,
  finished_at timestamptz,
  primary key (site)
);
create index site_deletions_project on site_deletions (project_id, requested_at);
create index site_deletions_unfinished on site_deletions (requested_at) where (finished_at is null);

-- Dictionary of a site's paths and event names, numbered from 1, so that visits hold small integers.
create table site_texts (
  site_key integer not null,
  id integer not null,
  value text not null,
  -- UTC day before which nothing names it. infinity: visits that named it were deleted with their visitor, and nothing
  -- that came since names it (erased_values).
  first_day date default '-infinity'::date not null,
  -- UTC day after which nothing names it, but for entries of other dictionaries that have the value.
  last_day date default (((now() at time zone 'UTC'))::date + 31) not null,
  primary key (site_key, value)
);
create unique index site_texts_id on site_texts (site_key, id) where (id > 0);

-- Dictionary of what a site's visitors have in common with others: few combinations serve most visits. Numbered from 1;
-- what nothing names any more goes, and its number isn't given again.
create table site_profiles (
  site_key integer not null,
  id integer not null,
  device text,
  browser text,
  -- Tier 3 only.
  os text,
  -- Tiers 2 and 3.
  language text,
  -- profile_key of its events.
  value text not null,
  -- As site_texts.first_day.
  first_day date default '-infinity'::date not null,
  -- As site_texts.last_day.
  last_day date default (((now() at time zone 'UTC'))::date + 31) not null,
  primary key (site_key, value)
);
create unique index site_profiles_id on site_profiles (site_key, id) where (id > 0);

-- Dictionary of where a site's visitors were, as the edge saw it; numbered as site_profiles.
create table site_places (
  site_key integer not null,
  id integer not null,
  -- ISO 3166-1 alpha-2.
  country text,
  -- ISO 3166-2. Tiers 2 and 3.
  region text,
  -- Tiers 2 and 3.
  city text,
  -- place_key of its events.
  value text not null,
  -- As site_texts.first_day.
  first_day date default '-infinity'::date not null,
  -- As site_texts.last_day.
  last_day date default (((now() at time zone 'UTC'))::date + 31) not null,
  primary key (site_key, value)
);
create unique index site_places_id on site_places (site_key, id) where (id > 0);

-- Dictionary of how visits came to a site, and to which of its hosts; numbered as site_profiles.
create table site_origins (
  site_key integer not null,
  id integer not null,
  -- Null: the domain that the site was made with.
  hostname text,
  -- As shown; null is direct.
  source text,
  channel text,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  -- origin_key of its events.
  value text not null,
  -- As site_texts.first_day.
  first_day date default '-infinity'::date not null,
  -- As site_texts.last_day.
  last_day date default (((now() at time zone 'UTC'))::date + 31) not null,
  primary key (site_key, value)
);
create unique index site_origins_id on site_origins (site_key, id) where (id > 0);

-- Raw events, one partition a UTC day, dropped after two days; the memory that makes a repeated event count once.
create table events (
  -- When the server received it; at tier 1 truncated to the minute.
  occurred_at timestamptz not null,
  event_id uuid not null,
  -- Tier 2: the day's 128-bit hash. Tier 3: the tracker's first-party id. Null below.
  visitor_id uuid,
  -- Tiers 2 and 3: the page view's. Tier 1: a digest of page view and name, of custom events alone, which says only
  -- that the same event came from the same page view before.
  page_id uuid,
  site_key integer not null,
  path_id integer,
  name_id integer,
  profile_id integer,
  place_id integer,
  origin_id integer,
  -- Engagement: milliseconds of attention since the one before it; scroll_depth is percent of the page.
  engaged_ms integer,
  scroll_depth real,
  -- 0 dropped, 1 page view, 2 custom event, 3 engagement, 4 vitals, 5 association, 6 consent on a page that is counted
  -- already.
  kind smallint not null,
  tier smallint not null,
  continued boolean,
  -- Tier 1: the referrer is not the site itself, so the page view is a visit. False for a custom event that a server
  -- sent.
  entry boolean,
  screen text,
  -- What only its kind has: properties, revenue, vitals, trace, reason.
  data jsonb,
  primary key (site_key, event_id, occurred_at)
) partition by range (occurred_at);
create index events_time on events (site_key, occurred_at) where (kind >= 0);
create index events_pages on events (site_key, page_id) where ((kind = any (array[1, 3])) and (tier = 3) and (page_id is not null));
create index events_repeats on events (site_key, page_id, occurred_at, event_id) where ((kind = 2) and (tier = 1));

-- One row a visit, one partition a month: a session at tiers 2 and 3, a single page view or event at tier 1.
create table visits (
  started_at timestamptz not null,
  visitor_id uuid,
  site_key integer not null,
  -- From the first event to the last; null is 0, which many have and takes no room. So it is of entry_ms.
  duration_ms integer,
  -- Tier 3: milliseconds of attention, summed over its engagement events.
  engaged_ms integer,
  -- Milliseconds from the start to the first page view, whose path is entry_page (site_texts).
  entry_ms integer,
  entry_page integer,
  profile_id integer not null,
  place_id integer not null,
  -- Of the entry page view.
  origin_id integer not null,
  tier smallint not null,
  -- Tier 3: began when consent was upgraded in the middle of a visit that already counted.
  continued boolean not null,
  -- Counts as a visit: an entry page view at tier 1; at tiers 2 and 3 a page view or a page's custom event, not
  -- continued.
  counted boolean not null,
  -- Tiers 2 and 3: true if the visitor was not seen before, in 400 days or, at tier 2, in two. Null: seen, or not
  -- known.
  newcomer boolean,
  -- Further page views, 499 at most, in order of time, a pair each: milliseconds from the start, path (site_texts).
  later_pages integer[],
  -- Custom events, 500 at most, as later_pages with their names.
  custom_events integer[],
  -- Properties and revenue of the custom events, in their order, null for those that have none; null if none has any.
  -- `repeated`, at tier 1: the same page view sent an event of this name before.
  event_data jsonb,
  -- Of the page views that brought properties, 500 at most, in order of time: `ms` from the start, and `props`, or
  -- `cut` beyond the limit of the visit. Null: none did.
  page_data jsonb,
  -- Tier 3: the page on which consent was given (site_texts), if the visit begins there and its page view was counted
  -- before, at a lower tier. No page view.
  consent_page integer,
  -- Tier 3: page loads that reported web vitals, 500 at most, in order of time, seven numbers each: milliseconds from
  -- the start, path (site_texts), lcp, inp, cls, fcp and ttfb, null where the load had none. Tenths of a millisecond;
  -- cls in ten thousandths.
  vitals integer[]
) partition by range (started_at);
create index visits_quarters on visits (site_key, quarter_hour(started_at)) where (profile_id > 0);
create index visits_long on visits (site_key, started_at) where (duration_ms >= 86400000);
create index visits_events on visits (site_key, quarter_hour(started_at)) where (custom_events is not null);
create index visits_by_visitor on visits (site_key, visitor_id) where (visitor_id is not null);

-- Queue messages that could not be stored, as they were, until somebody replays or dismisses them. Holds no address and
-- no user agent.
create table dead_letters (
  id bigint generated always as identity not null,
  site_id uuid,
  failed_at timestamptz default now() not null,
  reason text not null,
  message text not null,
  primary key (id)
);
create index dead_letters_site on dead_letters (site_id, failed_at);
create unique index dead_letters_once on dead_letters (md5(message));

-- Totals by hour of the site's zone and tier.
create table rollup_hours (
  site_key integer not null,
  hour timestamptz not null,
  tier smallint not null,
  pageviews bigint not null,
  visits bigint not null,
  -- Counted consented visits: what bounces and duration_ms are measured over.
  measured bigint not null,
  -- Measured visits with at most one page view and no custom event.
  bounces bigint not null,
  duration_ms bigint not null,
  primary key (site_key, hour, tier)
);

-- Visitors by the hour or day in which a visit began and the previous such hour or day of the same visitor. The
-- distinct visitors of [a, b) are the sum over its buckets of those whose previous lies before a: exact, whatever the
-- traffic.
create table rollup_visitors (
  site_key integer not null,
  unit text not null,
  bucket timestamptz not null,
  tier smallint not null,
  -- -infinity: none known. For hours also when over 48 hours before.
  previous timestamptz not null,
  visitors bigint not null,
  check ((unit = any (array['hour', 'day']))),
  primary key (site_key, unit, bucket, tier, previous)
);

-- Events refused, by the site's day and reason (bot, datacenter, spam, hostname, tier). Nothing about who sent them.
create table dropped_days (
  site_key integer not null,
  day timestamptz not null,
  reason text not null,
  events bigint not null,
  primary key (site_key, day, reason)
);

-- Since when a site is observed, and up to when its reports are folded.
create table site_freshness (
  site_key integer not null,
  first_event_at timestamptz not null,
  last_event_at timestamptz not null,
  folded_at timestamptz not null,
  -- When the first visit with visits.vitals began. Page loads before it are in rollup_vitals alone. Null: no visit has
  -- some.
  vitals_from timestamptz,
  primary key (site_key)
);

-- What was imported into a site from another tool. Read by `meta.coverage.imported` of reports.
create table site_imports (
  site_key integer not null,
  id uuid default gen_random_uuid() not null,
  -- plausible, umami or ga4-csv.
  source text not null,
  -- First and last day of the site's zone that it brought; between them days may be missing.
  from_day date not null,
  to_day date not null,
  -- Which lists it brought, by their names in lib/analytics/dimensions.ts.
  dimensions text[] not null,
  -- Rows of days and of values.
  rows bigint not null,
  -- Not used any more.
  text_id integer not null,
  created_at timestamptz not null,
  -- Null: it was broken off, and no report shows any of it.
  finished_at timestamptz,
  -- What the caller says of its content: the same hash continues an import under way. Null: from before pieces.
  content_hash bytea,
  -- The number of the last piece that came.
  pieces integer default 0 not null,
  primary key (site_key, id)
);

-- The days of imports with their totals: no day is imported twice.
create table imported_days (
  site_key integer not null,
  day date not null,
  import_id uuid not null,
  -- Where its rollups are; the day has so many hours.
  starts_at timestamptz not null,
  hours smallint not null,
  visitors integer not null,
  visits integer not null,
  pageviews integer not null,
  primary key (site_key, day)
);

-- What the lists show, by block of days of the site's zone, one row a dimension: arrays with an element a value, which
-- take a tenth of what rows would. Distinct visitors of [a, b) are the sum of visitors less those returned from a or
-- later: exact.
create table rollup_values (
  site_key integer not null,
  -- The block's first day.
  bucket date not null,
  -- Days in the block. Blocks of 7 and 28 begin where the days since 2001-01-01, a Monday, divide by it.
  span smallint not null,
  -- dimension_number(name).
  dimension smallint not null,
  -- Values as shown (site_texts). goal: site_goals.key. funnel: eight times site_funnels.key, and the step from 0.
  -- reach: 1 to 4 (reach_of_visit), and eight times site_goals.key with conversion_apart. cohort: the day of the
  -- visitor's first visit, as days since 2001-01-01. These four have days alone, no longer blocks.
  value integer[] not null,
  -- By tier. page, event: page views or events that happened in the block. Others: all page views of the visits that
  -- began in it.
  hits_1 integer[] not null,
  hits_2 integer[] not null,
  hits_3 integer[] not null,
  -- Counted visits: page, event: with such a hit in the block; others: that began in it.
  visits_1 integer[] not null,
  visits_2 integer[] not null,
  visits_3 integer[] not null,
  visitors_2 integer[] not null,
  visitors_3 integer[] not null,
  gap_value integer[],
  gap_tier smallint[],
  -- How many days before `bucket` visitors had a value last, at most 400: with gap_value and gap_tier one element for
  -- each that occurs; null: none.
  gap smallint[],
  -- How many visitors with that gap.
  returned integer[],
  -- page, event: counted visits that had such a hit that many days before already.
  resumed integer[],
  check ((span = any (array[1, 7, 28]))),
  primary key (site_key, bucket, span, dimension)
);

-- What a sealed day's custom events earned, by value of a dimension (event, goal) and currency; a column a tier, null
-- where none did.
create table rollup_revenue (
  site_key integer not null,
  bucket date not null,
  dimension smallint not null,
  value integer not null,
  currency text not null,
  amount_1 numeric,
  amount_2 numeric,
  amount_3 numeric,
  primary key (site_key, bucket, dimension, value, currency)
);

-- Journeys of the visits that began in a sealed day, arrays as those of rollup_values. The most frequent are a row of
-- their own: almost every report is told from these, since `most` bounds what the others can add up to.
create table rollup_journeys (
  site_key integer not null,
  bucket date not null,
  -- 0: those that came more than once in the day, the 500 most frequent. 1: all others.
  part smallint not null,
  -- Up to 5 pages by their ids in site_texts, as journey_of gives them.
  path text[] not null,
  journeys_2 integer[] not null,
  journeys_3 integer[] not null,
  -- Those of the journeys whose visits count.
  visits_2 integer[] not null,
  visits_3 integer[] not null,
  visitors_2 integer[] not null,
  visitors_3 integer[] not null,
  gap_path text[],
  gap_tier smallint[],
  gap smallint[],
  returned integer[],
  -- How often the most frequent journey of part 1 comes: at tier 2, at tier 3, at both. Zeros without that part.
  most integer[] not null,
  check ((part = any (array[0, 1]))),
  primary key (site_key, bucket, part)
);

-- Properties of the custom events and page views of a sealed day, one row an event, arrays as those of rollup_values.
-- Texts and not ids: what nobody has any more goes with its days.
create table rollup_props (
  site_key integer not null,
  bucket date not null,
  -- Its name (site_texts); 0: page views.
  event integer not null,
  -- Keys and their values, as props_of gives them.
  value text[] not null,
  hits_1 integer[] not null,
  hits_2 integer[] not null,
  hits_3 integer[] not null,
  visits_1 integer[] not null,
  visits_2 integer[] not null,
  visits_3 integer[] not null,
  visitors_2 integer[] not null,
  visitors_3 integer[] not null,
  gap_value text[],
  gap_tier smallint[],
  gap smallint[],
  returned integer[],
  resumed integer[],
  primary key (site_key, bucket, event)
);

-- Blocks of days that rollup_values is right about, a block of 7 or 28 as long as each of its days is here.
create table sealed_days (
  site_key integer not null,
  span smallint not null,
  bucket date not null,
  -- Visits that began later are not in it. The day's end once that is over.
  until timestamptz not null,
  -- False while its rows are being written: changes break it already, and reports don't see it yet.
  ready boolean not null,
  -- Which goals and funnels its rows know, as site_seals.targets; null: none.
  targets integer,
  -- Names this seal. A block that was sealed again has another one, so sums that were made from the earlier one end.
  seal uuid default gen_random_uuid() not null,
  check ((span = any (array[1, 7, 28]))),
  primary key (site_key, span, bucket)
);

-- Visits that weren't over when a day was sealed, and so aren't in its rollups, nor any hit of theirs.
create table open_visits (
  site_key integer not null,
  day date not null,
  tier smallint not null,
  visitor_id uuid not null,
  started_at timestamptz not null,
  primary key (site_key, day, tier, visitor_id, started_at)
);

-- How far sealing has come with a site.
create table site_seals (
  site_key integer not null,
  -- The latest `until` that a day of the site was ever sealed to: what began later breaks no seal.
  until timestamptz,
  -- All days before are sealed for good; null: none known.
  sealed_to date,
  -- Up to which id the entries of site_profiles, site_places and site_origins have their values in site_texts.
  named integer[] not null,
  -- Counts the changes to what the site's goals and funnels mean.
  targets integer default 0 not null,
  -- When a day of the site was sealed or tried last: the others come first.
  tried_at timestamptz,
  -- When it was last decided which filters of the site have sums.
  filters_at timestamptz,
  primary key (site_key)
);

-- Which times rollup_engagement and rollup_vitals hold; one without rows had none.
create table rollup_blocks (
  site_key integer not null,
  -- Days of the site's zone; 0 an hour of a day, kept until the day can't change any more. 7 begin on Monday, 28 are
  -- four of these. -1 an hour, or its beginning, of which more may be told.
  span smallint not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Of span -1: only what was told before is in it. The same for all of a site.
  told_to timestamptz,
  check ((span = any (array['-1'::integer, 0, 1, 7, 28]))),
  primary key (site_key, span, starts_at)
);

-- Sums by block over its consented page views of which attention was told: arrays with an element a path, which take an
-- eighth of what rows would.
create table rollup_engagement (
  site_key integer not null,
  span smallint not null,
  starts_at timestamptz not null,
  path_id integer[] not null,
  -- How many these are; scrolled_25 and so on those that were scrolled so many percent down.
  measured integer[] not null,
  engaged_ms bigint[] not null,
  -- Sum of the deepest scroll of each, in tenths of a percent.
  scroll_depth bigint[] not null,
  scrolled_25 integer[] not null,
  scrolled_50 integer[] not null,
  scrolled_75 integer[] not null,
  scrolled_100 integer[] not null,
  primary key (site_key, span, starts_at)
);

-- Histograms by block and path over its consented loads of which vitals were told.
create table rollup_vitals (
  site_key integer not null,
  span smallint not null,
  starts_at timestamptz not null,
  -- The paths with the most loads are in the first, so that who asks for these reads little else. A part ends after
  -- some 4096 bins.
  part smallint not null,
  -- The paths of the part; measured: how many loads each had.
  path_id integer[] not null,
  measured integer[] not null,
  bin_path integer[] not null,
  -- What of `vital_bin` there is of the path bin_path, told so often: arrays with an element a bin.
  bin smallint[] not null,
  told integer[] not null,
  band_path integer[] not null,
  -- A band is 32 bins, bin / 32. Of band_path it was told band_told times: bins from the element band_first on to the
  -- next band's. A quantile is found in the bands first, and then among the bins of one.
  band smallint[] not null,
  band_first smallint[] not null,
  band_told integer[] not null,
  primary key (site_key, span, starts_at, part)
);

-- Who sent it. An id is 64 bits of the content's hash, so that writers need not agree on it.
create table otlp_resources (
  id bigint not null,
  environment_key integer not null,
  -- The last UTC day on which it sent something; what sent nothing that is still kept goes.
  last_day date not null,
  dropped_attributes integer not null,
  -- Its `service.name`, or `unknown_service`, at most 256 characters.
  service text not null,
  schema_url text not null,
  attributes jsonb not null,
  primary key (environment_key, id)
);
create index otlp_resources_service on otlp_resources (environment_key, service);

-- The library that made it; as otlp_resources.
create table otlp_scopes (
  id bigint not null,
  environment_key integer not null,
  last_day date not null,
  dropped_attributes integer not null,
  name text not null,
  version text not null,
  schema_url text not null,
  attributes jsonb not null,
  primary key (environment_key, id)
);

-- The first span of an id that came is the one that is kept.
create table spans (
  trace_id uuid not null,
  span_id bigint not null,
  parent_span_id bigint,
  -- Nanoseconds since 1970, as all that is called nano.
  start_nano bigint not null,
  duration_nano bigint not null,
  resource_id bigint not null,
  scope_id bigint not null,
  environment_key integer not null,
  -- The UTC day of its start.
  day date not null,
  -- 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer.
  kind smallint not null,
  -- 0 unset, 1 ok, 2 error. status_message is null if empty.
  status smallint not null,
  -- The 32 bits as a signed integer; null for none is set.
  flags integer,
  name text not null,
  status_message text,
  attributes jsonb not null,
  -- As lib/otlp/rows.ts has them; null for none, as are links.
  events jsonb,
  links jsonb,
  -- What is seldom there: traceState, droppedAttributes, droppedEvents, droppedLinks; null for none.
  rest jsonb,
  primary key (environment_key, trace_id, span_id, day)
) partition by range (day);
create index spans_time on spans (environment_key, start_nano);
create index spans_errors on spans (environment_key, start_nano) where (status = 2);
create index spans_terms on spans using gin ((array[(((environment_key)::bigint << 32) + (start_nano / '600000000000'::bigint))]), attributes jsonb_path_ops);

-- Log records.
create table logs (
  -- When it happened; else when it was observed; else when it was received.
  time_nano bigint not null,
  -- 64 bits of the hash of its content, and of how many equal ones came before it in its request.
  hash bigint not null,
  observed_nano bigint not null,
  trace_id uuid,
  span_id bigint,
  resource_id bigint not null,
  scope_id bigint not null,
  environment_key integer not null,
  day date not null,
  -- 1 (trace) to 24 (fatal); 0 is unspecified.
  severity smallint not null,
  severity_text text,
  event_name text,
  -- Of any type; null for none.
  body jsonb,
  attributes jsonb not null,
  -- What is seldom there: flags, droppedAttributes; null for none.
  rest jsonb,
  primary key (environment_key, time_nano, hash, day)
) partition by range (day);
create index logs_trace on logs (environment_key, trace_id) where (trace_id is not null);
create index logs_text on logs using gin (log_words(environment_key, body)) with (gin_pending_list_limit='512');
create index logs_attributes on logs using gin (log_terms(environment_key, attributes) jsonb_path_ops) with (gin_pending_list_limit='512');
create index logs_severe on logs (environment_key, time_nano, hash) where (severity >= 17);

-- A metric of a resource and scope with the attributes of its points. Ids as of otlp_resources, of all but the
-- description.
create table metric_series (
  id bigint not null,
  environment_key integer not null,
  last_day date not null,
  resource_id bigint not null,
  scope_id bigint not null,
  -- 0 unspecified (gauges and summaries), 1 delta, 2 cumulative.
  temporality smallint not null,
  monotonic boolean not null,
  -- gauge, sum, histogram, exponentialHistogram, summary.
  type text not null,
  name text not null,
  unit text not null,
  description text not null,
  attributes jsonb not null,
  primary key (environment_key, id)
);
create index metric_series_name on metric_series (environment_key, name);

create table metric_points (
  series_id bigint not null,
  time_nano bigint not null,
  -- 0 where it is unknown.
  start_nano bigint not null,
  -- 64 bits of the hash of its content.
  hash bigint not null,
  environment_key integer not null,
  day date not null,
  -- Bit 0: nothing was recorded, the series ends here.
  flags integer not null,
  -- Of a gauge or a sum; the other types have the next five, as lib/otlp/rows.ts has them.
  value double precision,
  count bigint,
  sum double precision,
  min double precision,
  max double precision,
  distribution jsonb,
  exemplars jsonb,
  primary key (environment_key, series_id, time_nano, hash, day)
) partition by range (day);

-- What was received in the last minutes, a row a request, signal and service; summed into telemetry_connections by a
-- cron.
create table telemetry_receipts (
  received_at timestamptz not null,
  environment_key integer not null,
  -- Spans, log records or points that were stored: repeats aren't.
  items integer not null,
  -- traces, logs, metrics.
  signal text not null,
  service text not null,
  -- When the last of the items happened; null if nothing was new, and of outcomes.
  last_nano bigint
);
create index telemetry_receipts_time on telemetry_receipts (environment_key, received_at);

create table telemetry_connections (
  environment_key integer not null,
  signal text not null,
  service text not null,
  last_received_at timestamptz not null,
  -- When the last of what was received happened.
  last_nano bigint,
  primary key (environment_key, signal, service)
);

-- The last thing that a sender was told was wrong, a row a signal.
create table telemetry_errors (
  environment_key integer not null,
  signal text not null,
  at timestamptz not null,
  -- The HTTP status; 200 for a partial success.
  status smallint not null,
  message text not null,
  primary key (environment_key, signal)
);

-- Minutes of series whose points changed since they were summed; whatever reads sums reads their points too.
create table metric_touched (
  series_id bigint not null,
  minute timestamptz not null,
  environment_key integer not null
);
create index metric_touched_series on metric_touched (environment_key, series_id, minute);

-- Deleted environments of which rows may be left.
create table telemetry_deletions (
  key integer not null,
  requested_at timestamptz not null,
  -- When to look again: what was on its way as the environment was deleted may come later.
  next_at timestamptz not null,
  primary key (key)
);
create index telemetry_deletions_next on telemetry_deletions (next_at);

create table span_parts (
  -- Of the spans' starts.
  minute timestamptz not null,
  environment_key integer not null,
  spans integer not null,
  -- The start of the one that began last.
  last_nano bigint not null,
  -- The sum.
  duration_nano numeric not null,
  status smallint not null,
  -- The service was entered here: of kind server or consumer, or without a parent.
  entry boolean not null,
  service text not null,
  -- The spans' name, its first 256 characters.
  operation text not null,
  -- Latency buckets (latency_bucket) that hold spans, each once; counts says how many.
  buckets smallint[] not null,
  counts integer[] not null
);
create index span_parts_minute on span_parts (environment_key, minute);

-- As span_parts, one row for each; of few enough operations (sum_spans).
create table span_minutes (
  -- Of the spans' starts.
  minute timestamptz not null,
  environment_key integer not null,
  spans integer not null,
  -- The start of the one that began last.
  last_nano bigint not null,
  -- The sum.
  duration_nano numeric not null,
  status smallint not null,
  -- The service was entered here: of kind server or consumer, or without a parent.
  entry boolean not null,
  service text not null,
  -- The spans' name, its first 256 characters.
  operation text not null,
  -- Latency buckets (latency_bucket) that hold spans, each once; counts says how many.
  buckets smallint[] not null,
  counts integer[] not null,
  primary key (environment_key, minute, service, operation, entry, status)
);

-- The sum of span_minutes by hour, always; minute is the hour's first.
create table span_hours (
  -- Of the spans' starts.
  minute timestamptz not null,
  environment_key integer not null,
  spans integer not null,
  -- The start of the one that began last.
  last_nano bigint not null,
  -- The sum.
  duration_nano numeric not null,
  status smallint not null,
  -- The service was entered here: of kind server or consumer, or without a parent.
  entry boolean not null,
  service text not null,
  -- The spans' name, its first 256 characters.
  operation text not null,
  -- Latency buckets (latency_bucket) that hold spans, each once; counts says how many.
  buckets smallint[] not null,
  counts integer[] not null,
  primary key (environment_key, minute, service, operation, entry, status)
);

-- The minutes of series with several points. A row a stream: of a series, what has the same start, if it is cumulative,
-- and the same bounds.
create table metric_minute_sums (
  series_id bigint not null,
  -- Of what is cumulative; otherwise 0.
  start_nano bigint not null,
  -- A hash of bounds; 0 without any.
  layout bigint not null,
  -- When its first point is from; last_nano its last.
  first_nano bigint not null,
  last_nano bigint not null,
  minute timestamptz not null,
  environment_key integer not null,
  day date not null,
  points integer not null,
  -- Of gauges and delta sums the sum of values. Of what is cumulative, value, count, sum, buckets: what was reached
  -- before each reset.
  value double precision,
  first_value double precision,
  -- Of what is cumulative, and of gauges, as it was last; first_value: first. From first to last, resets added, it
  -- increased.
  last_value double precision,
  min double precision,
  max double precision,
  count bigint,
  first_count bigint,
  last_count bigint,
  sum double precision,
  first_sum double precision,
  last_sum double precision,
  bounds double precision[],
  -- Buckets (metric_buckets) that hold something, each once; counts says how much.
  buckets bigint[],
  counts bigint[],
  last_buckets bigint[],
  last_counts bigint[],
  -- Of a summary's last point, as lib/otlp/rows.ts has them.
  quantiles jsonb,
  primary key (environment_key, series_id, minute, start_nano, layout, day)
) partition by range (day);

-- As metric_minutes, of whole hours, whose minute is their first.
create table metric_hours (
  series_id bigint not null,
  -- Of what is cumulative; otherwise 0.
  start_nano bigint not null,
  -- A hash of bounds; 0 without any.
  layout bigint not null,
  -- When its first point is from; last_nano its last.
  first_nano bigint not null,
  last_nano bigint not null,
  minute timestamptz not null,
  environment_key integer not null,
  day date not null,
  points integer not null,
  -- Of gauges and delta sums the sum of values. Of what is cumulative, value, count, sum, buckets: what was reached
  -- before each reset.
  value double precision,
  first_value double precision,
  -- Of what is cumulative, and of gauges, as it was last; first_value: first. From first to last, resets added, it
  -- increased.
  last_value double precision,
  min double precision,
  max double precision,
  count bigint,
  first_count bigint,
  last_count bigint,
  sum double precision,
  first_sum double precision,
  last_sum double precision,
  bounds double precision[],
  -- Buckets (metric_buckets) that hold something, each once; counts says how much.
  buckets bigint[],
  counts bigint[],
  last_buckets bigint[],
  last_counts bigint[],
  -- Of a summary's last point, as lib/otlp/rows.ts has them.
  quantiles jsonb,
  primary key (environment_key, series_id, minute, start_nano, layout, day)
) partition by range (day);

-- Hours of series whose minutes changed since they were summed.
create table metric_touched_hours (
  series_id bigint not null,
  hour timestamptz not null,
  environment_key integer not null
);
create index metric_touched_hours_series on metric_touched_hours (environment_key, series_id, hour);

create table metric_seen (
  -- Of its last point, but for those of touched minutes.
  minute timestamptz not null,
  environment_key integer not null,
  name text not null,
  type text not null,
  unit text not null,
  service text not null
);
create unique index metric_seen_once on metric_seen (environment_key, name, type, md5(unit), md5(service));

-- By minute of the entries' starts, and, if hourly, the sum of these by hour.
create table service_calls (
  minute timestamptz not null,
  environment_key integer not null,
  hourly boolean not null,
  calls integer not null,
  -- Entries with status error.
  errors integer not null,
  duration_nano numeric not null,
  caller text not null,
  callee text not null,
  -- Of the entries' durations, as span_parts has them.
  buckets smallint[] not null,
  counts integer[] not null,
  primary key (environment_key, hourly, minute, caller, callee)
);

-- Minutes with spans that came since their calls were counted last.
create table service_map_due (
  minute timestamptz not null,
  due_at timestamptz not null,
  environment_key integer not null,
  primary key (environment_key, minute)
);
create index service_map_due_at on service_map_due (due_at);

-- Confirmed business outcomes, as they were told first; kept as long as their environment, and never changed.
create table outcomes (
  -- Its number, for its sendings and for pages of lists.
  id bigint generated always as identity not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  -- Of the first sending, as are span_id and session_id; null where it told none.
  trace_id uuid,
  span_id bigint,
  -- A site of the project; null too once that is deleted.
  site_id uuid,
  environment_key integer not null,
  source text not null,
  -- The event's identity within its source, which its sender keeps stable.
  domain_event_id text not null,
  type text not null,
  -- With as many decimals as were sent, at most 4.
  amount numeric,
  currency text,
  session_id text,
  -- Null for none.
  attributes jsonb,
  -- SHA-256 of type, time, amount, currency, attributes and site: who tells something else of the same event conflicts.
  payload_hash bytea not null,
  check (((amount >= (0)::numeric) and (amount < ('1000000000000'::bigint)::numeric) and (scale(amount) <= 4))),
  check (((amount is null) = (currency is null))),
  primary key (environment_key, source, domain_event_id)
);
create index outcomes_time on outcomes (environment_key, occurred_at, id);
create index outcomes_trace on outcomes (environment_key, trace_id) where (trace_id is not null);
create index outcomes_site on outcomes (site_id) where (site_id is not null);

-- Each time that an outcome was told, by whom, and what was answered: provenance, apart from the confirmation.
create table outcome_sendings (
  outcome_id bigint not null,
  -- When it was received.
  sent_at timestamptz not null,
  -- The ingest key; may be revoked since.
  key_id uuid not null,
  trace_id uuid,
  span_id bigint,
  environment_key integer not null,
  result text not null,
  -- As in the log and in the answer's `X-Request-Id`.
  request_id text not null,
  session_id text,
  check ((result = any (array['created', 'duplicate', 'conflict'])))
);
create index outcome_sendings_outcome on outcome_sendings (environment_key, outcome_id, sent_at);
create index outcome_sendings_trace on outcome_sendings (environment_key, trace_id) where (trace_id is not null);

create table environment_origins (
  environment_id uuid not null,
  -- As browsers write it: `https://api.example.com`.
  origin text not null,
  -- The sites tied to it; null: every site of the project. Ids of sites that are deleted may be left in it, and tie
  -- nothing.
  site_ids uuid[],
  primary key (environment_id, origin),
  foreign key (environment_id) references environments(id) on delete cascade
);

-- One row: which raw events were dropped.
create table raw_events_kept (
  one boolean default true not null,
  -- Beginning of the first UTC day whose raw events were never dropped. Earlier days have replayed events only.
  since timestamptz not null,
  check (one),
  primary key (one)
);

-- Quotas that the operator set. The row without a project has those of all projects; null in another row: as there.
create table telemetry_quotas (
  project_id uuid,
  -- Bytes of requests, inflated, of a UTC day.
  bytes_a_day bigint,
  series bigint,
  services bigint,
  attribute_keys bigint,
  check ((bytes_a_day >= 0)),
  check ((series >= 0)),
  check ((services >= 0)),
  check ((attribute_keys >= 0)),
  check (((project_id is not null) or (num_nulls(bytes_a_day, series, services, attribute_keys) = 0))),
  unique nulls not distinct (project_id),
  foreign key (project_id) references projects(id) on delete cascade
);

-- Bytes that a project stored today. It has several rows, so that requests rarely wait for each other.
create table telemetry_usage (
  project_id uuid not null,
  slot smallint not null,
  -- The UTC day of bytes; of another day there are none.
  day date not null,
  bytes bigint not null,
  primary key (project_id, slot),
  foreign key (project_id) references projects(id) on delete cascade
);

-- How many series, services and attribute keys an environment has: the sum of its rows. A request adds to one of them,
-- a cron sets slot -1 so that the sum is what the tables hold.
create table telemetry_counts (
  environment_key integer not null,
  slot smallint not null,
  series bigint not null,
  services bigint not null,
  attribute_keys bigint not null,
  primary key (environment_key, slot)
);

-- Services and attribute keys that an environment has, by a hash of their name.
create table otlp_names (
  hash bigint not null,
  environment_key integer not null,
  -- The last UTC day on which it was sent.
  last_day date not null,
  -- 1 a service, 2 a key of attributes.
  kind smallint not null,
  check ((kind = any (array[1, 2]))),
  primary key (environment_key, kind, hash)
);

-- How many new values of a kind (pages, events, terms, campaigns, sources, places, languages) a site's dictionaries
-- took on a UTC day. Kept as long as raw events.
create table new_values (
  site_key integer not null,
  day date not null,
  kind text not null,
  taken integer not null,
  primary key (site_key, day, kind)
);

-- Events that count as (other) because their day had too many new values of a kind, by the site's day.
create table other_days (
  site_key integer not null,
  day timestamptz not null,
  kind text not null,
  events bigint not null,
  primary key (site_key, day, kind)
);

-- Days that could not be sealed, until they are. Reports read their visits meanwhile.
create table seal_faults (
  site_key integer not null,
  day date not null,
  -- How often it was tried.
  faults integer not null,
  retry_at timestamptz not null,
  -- The SQLSTATE of the last fault.
  reason text not null,
  primary key (site_key, day)
);

-- Filters under a name: 50 shared ones a site at most, and as many of each person at a site.
create table site_segments (
  site_id uuid not null,
  id uuid default gen_random_uuid() not null,
  -- The person whose own it is. Null: the members of the project share it.
  user_id uuid,
  name text not null,
  -- Filters by name, as a query has them: {"country": "PT|ES"}.
  filters jsonb not null,
  created_at timestamptz default now() not null,
  primary key (site_id, id),
  foreign key (site_id) references sites(id) on delete cascade,
  foreign key (user_id) references users(id) on delete cascade
);
create unique index site_segments_owner on site_segments (site_id, user_id, name) nulls not distinct;
create index site_segments_person on site_segments (user_id);

-- Values that were named by what was deleted with a visitor or an import, until it is known whether anything else names
-- them.
create table erased_values (
  site_key integer not null,
  -- text, profile, place or origin: of site_texts and so on.
  dictionary text not null,
  id integer not null,
  -- The value's own, which is infinity meanwhile.
  first_day date not null,
  -- No visit that began then or later names it.
  searched_to timestamptz not null,
  -- When a piece of the search was done last.
  tried_at timestamptz not null,
  primary key (site_key, dictionary, id)
);
create index erased_values_tried on erased_values (tried_at);

-- The highest id that was deleted from a dictionary of a site: no id is given twice, since a seal that is being written
-- may still have it.
create table value_ids (
  site_key integer not null,
  dictionary text not null,
  last_id integer not null,
  primary key (site_key, dictionary)
);

-- In which minutes something happened that was received, by its own time.
create table otlp_hours (
  hour timestamptz not null,
  environment_key integer not null,
  -- Bit n: the hour's minute n, from 0.
  minutes bigint not null,
  -- traces, logs, metrics.
  signal text not null,
  primary key (environment_key, signal, hour)
);

-- What was received in an hour and not stored.
create table otlp_dropped (
  hour timestamptz not null,
  environment_key integer not null,
  items bigint not null,
  -- traces, logs, metrics, outcomes.
  signal text not null,
  -- As lib/otlp/drop-reason.ts has it.
  reason text not null,
  primary key (environment_key, signal, hour, reason)
);

-- That a query token may change what one tab of a person's session shows. It ends with the session and the token.
create table view_grants (
  id uuid default gen_random_uuid() not null,
  session_id uuid not null,
  query_token_id uuid not null,
  tab uuid not null,
  expires_at timestamptz not null,
  -- When the tab asked last. A tab that doesn't ask is closed.
  seen_at timestamptz not null,
  -- The view that the token asked for last, as a path of the dashboard.
  path text,
  sent_at timestamptz,
  -- When the tab showed it.
  shown_at timestamptz,
  primary key (id),
  unique (query_token_id),
  foreign key (session_id) references user_sessions(id) on delete cascade,
  foreign key (query_token_id) references query_tokens(id) on delete cascade
);
create index view_grants_session on view_grants (session_id);

-- The last run of each function's cron. npm run doctor reads it.
create table cron_runs (
  function text not null,
  began_at timestamptz not null,
  -- When a run last did all of its work.
  ended_at timestamptz,
  -- When a run last left some of it undone.
  failed_at timestamptz,
  primary key (function)
);

-- Which traces of backends consented page views told of, one partition a UTC month. 50 a page view and month at most.
create table associations (
  -- The beginning of the UTC month of occurred_at.
  month timestamptz not null,
  -- When the server received it first; status, sent and origin are those of that event.
  occurred_at timestamptz not null,
  -- When the page view came; null: no page view with this page id is known. Its path is in the visit.
  viewed_at timestamptz,
  visitor_id uuid not null,
  page_id uuid not null,
  trace_id uuid not null,
  -- MD5 of the path of that page view: finds the associations of a page, and names no value that could go before them.
  page_hash uuid,
  site_key integer not null,
  -- HTTP status as the page saw it; null: not told.
  status smallint,
  -- The trace id is of a `traceparent` that the request carried, and no answer told it.
  sent boolean not null,
  -- To which the request went, as browsers write it.
  origin text not null,
  primary key (site_key, visitor_id, page_id, trace_id, month)
) partition by range (month);
create index associations_time on associations (site_key, occurred_at);
create index associations_trace on associations (site_key, trace_id);
create index associations_page on associations (site_key, page_hash, occurred_at);

-- Keys and values of properties that a site had on the last days: these are not new. Kept as long as raw events.
create table known_properties (
  site_key integer not null,
  -- The last UTC day that had it.
  last_day date not null,
  -- 16 bytes of a SHA-256 of the event's name (its id; 0: a page view), the key, and for a value the value.
  digest bytea not null,
  primary key (site_key, digest)
);
create index known_properties_day on known_properties (last_day);

-- Names by which snippets of other tools call a site, each of one site alone. Managers of the site set them.
create table site_aliases (
  -- Lower case: a domain, or the id of a site at another tool.
  alias text not null,
  site_id uuid not null,
  primary key (alias),
  foreign key (site_id) references sites(id) on delete cascade
);
create index site_aliases_site on site_aliases (site_id);

-- Where a project's messages go: a mailbox, a webhook, or a chat that takes Slack's payload.
create table message_channels (
  project_id uuid not null,
  id uuid default gen_random_uuid() not null,
  kind text not null,
  name text not null,
  -- Of a mail channel the mailbox in lower case, of others the URL.
  address text not null,
  -- The event types that it gets without being named by an alert or a report.
  events text[] not null,
  language text not null,
  created_at timestamptz not null,
  -- The person who made it. Without a foreign key: the person may be gone.
  created_by uuid,
  -- When the recipient of a mail channel confirmed the address; of others when it was made. Null: not confirmed, and
  -- nothing but the question is sent.
  confirmed_at timestamptz,
  -- The secret of a webhook is made of it and CHANNEL_KEY (lib/messages/webhook-secrets.ts). The secret itself is never
  -- stored.
  secret_salt uuid,
  -- The salt before the last rotation.
  old_secret_salt uuid,
  -- Until then messages are signed with the old secret too.
  old_secret_until timestamptz,
  -- SHA-256 of the mailbox without a tag, or of the host or URL: the key in message_counts.
  counted_as bytea not null,
  -- When the receiver last said that it takes more than 60 messages an hour.
  allows_more_at timestamptz,
  -- When the first of the failures in a row was. Null: the last delivery succeeded, or there was none.
  failing_since timestamptz,
  paused_at timestamptz,
  pause_reason text,
  check ((kind = any (array['mail', 'webhook', 'slack']))),
  check ((pause_reason = any (array['person', 'failures', 'gone', 'unsubscribed']))),
  check (((paused_at is null) = (pause_reason is null))),
  primary key (project_id, id),
  foreign key (project_id) references projects(id) on delete cascade
);
create unique index message_channels_id on message_channels (id);
create unique index message_channels_address on message_channels (project_id, kind, md5(address));

-- One row for each message and channel, written by the statement that decides the message (`send_message`). Kept 30
-- days.
create table outbox (
  project_id uuid not null,
  -- The `webhook-id`: the same at each attempt.
  id uuid default gen_random_uuid() not null,
  channel_id uuid,
  -- An admin who gets a mail about the project, such as a paused channel.
  user_id uuid,
  event text not null,
  -- The `data` of the message: names, sums and links. Never anything of one visitor.
  payload jsonb not null,
  -- The site or environment of the message, with which the message is deleted.
  about uuid,
  -- Two messages of one channel with the same text are one.
  dedupe text not null,
  decided_at timestamptz not null,
  -- When it is sent next. A sender that takes the row moves it on by its lease, so that no other one takes it
  -- meanwhile. Null: nothing more is sent by itself.
  due_at timestamptz,
  -- How often a sender took it.
  attempts smallint default 0 not null,
  -- `failed`: nothing was accepted in three days. `dropped`: its channel was paused, or what it reports on is gone.
  state text default 'waiting' not null,
  check ((octet_length((payload)::text) <= 16384)),
  check ((length(dedupe) <= 200)),
  check ((state = any (array['waiting', 'sent', 'failed', 'dropped']))),
  check (((channel_id is null) <> (user_id is null))),
  check (((due_at is null) = (state <> 'waiting'))),
  primary key (project_id, id),
  foreign key (project_id, channel_id) references message_channels(project_id, id) on delete cascade,
  foreign key (project_id) references projects(id) on delete cascade,
  foreign key (user_id) references users(id) on delete cascade
);
create unique index outbox_channel on outbox (project_id, channel_id, dedupe) where (channel_id is not null);
create unique index outbox_user on outbox (project_id, user_id, dedupe) where (user_id is not null);
create index outbox_users on outbox (user_id) where (user_id is not null);
create index outbox_due on outbox (due_at) where (due_at is not null);
create index outbox_decided on outbox (decided_at);
create index outbox_about on outbox (about) where (about is not null);

-- Each attempt to send a message, and what was answered. Deleted with its message.
create table message_deliveries (
  project_id uuid not null,
  id uuid default gen_random_uuid() not null,
  outbox_id uuid not null,
  channel_id uuid,
  at timestamptz not null,
  attempt smallint not null,
  -- The HTTP status. Null: there was no answer; `fault` says why.
  status smallint,
  duration_ms integer not null,
  -- The first 1,024 bytes of the answer.
  answer text not null,
  fault text,
  primary key (project_id, id),
  foreign key (project_id, outbox_id) references outbox(project_id, id) on delete cascade
);
create index message_deliveries_channel on message_deliveries (project_id, channel_id, at, id);
create index message_deliveries_outbox on message_deliveries (project_id, outbox_id);

-- How many messages went to an address in the last hour, over all projects: at most 60 to one that others may own.
create table message_counts (
  counted_as bytea not null,
  -- The last 60 at most, oldest first.
  sent_at timestamptz[] not null,
  last_at timestamptz not null,
  primary key (counted_as)
);
create index message_counts_last on message_counts (last_at);

create table error_parts (
  -- The group: 64 bits of the hash of service, type, cause, location and template.
  id bigint not null,
  first_nano bigint not null,
  last_nano bigint not null,
  received_at timestamptz not null,
  -- Of the beginnings of the spans, or of the times of the records.
  hour timestamptz not null,
  environment_key integer not null,
  occurrences integer not null,
  service text not null,
  -- `service.version`; empty if it is unknown.
  release text not null,
  type text not null,
  cause text not null,
  location text not null,
  template text not null,
  examples jsonb not null,
  -- The traces of its spans and records, each once; null: of a request before the upgrade.
  traces uuid[]
);
create index error_parts_hour on error_parts (environment_key, hour);

-- At most 1,000 for each environment; id 0 has what came beyond. No text of a visitor: see docs/errors.md#groups.
create table error_groups (
  id bigint not null,
  first_nano bigint not null,
  last_nano bigint not null,
  -- When a person resolved it last. What happens later returns it.
  resolved_nano bigint,
  -- When the group was made, by the service's clock; returned_at likewise.
  noted_at timestamptz not null,
  returned_at timestamptz,
  environment_key integer not null,
  -- The UTC day of last_nano.
  last_day date not null,
  -- open, resolved, ignored, returned.
  state text not null,
  service text not null,
  type text not null,
  cause text not null,
  location text not null,
  template text not null,
  first_release text not null,
  last_release text not null,
  -- The newest 20, each of another trace: time in nanoseconds, trace and span; a record without a trace has its time.
  examples jsonb not null,
  primary key (environment_key, id)
);
create index error_groups_noted on error_groups (environment_key, noted_at);
create index error_groups_returned on error_groups (environment_key, returned_at) where (returned_at is not null);

-- How often a group occurred, by hour and release: at most 20 releases an hour, then `(other)`.
create table error_hours (
  id bigint not null,
  hour timestamptz not null,
  environment_key integer not null,
  occurrences integer not null,
  release text not null,
  -- In how many traces it occurred. A trace whose spans were summed apart counts each time; null: before the upgrade.
  traces integer,
  primary key (environment_key, id, hour, release)
);

-- Filters of reports that were asked in the last 30 days, or that probably will be.
create table site_filters (
  id uuid default gen_random_uuid() not null,
  site_key integer not null,
  -- A list of {dimension, operator, wanted}, sorted, as lib/analytics/sums/filter-clauses.ts writes it; of a property
  -- also its key. A goal is written as what reaches it (meant_clauses). Visits match all of them.
  clauses jsonb not null,
  -- The last day (UTC) on which it was asked.
  asked_on date not null,
  -- On how many days it was asked. 0: never, it was proposed.
  asked_days integer default 0 not null,
  -- Whether it has sums. What the sums of a site's filters may take has a limit.
  kept boolean default true not null,
  -- The share of the visits that it keeps, 0 to 1, in one day. Null: not known yet.
  share real,
  -- What its sums take, as a part of what the visits take, by the same day. Null: not known yet.
  size real,
  primary key (site_key, id)
);
create unique index site_filters_clauses on site_filters (site_key, md5((clauses)::text));

-- Sealed blocks of days whose sums are known for a filter. They are right as long as sealed_days has the same seal.
create table filter_seals (
  site_key integer not null,
  filter uuid not null,
  span smallint not null,
  bucket date not null,
  seal uuid not null,
  -- Counted visits of tier 3 that began in the block and that the filter keeps.
  measured integer not null,
  -- How many of these were left after one page view.
  bounces integer not null,
  -- How long these lasted together.
  duration_ms bigint not null,
  check ((span = any (array[1, 7, 28]))),
  primary key (site_key, filter, span, bucket)
);
create index filter_seals_buckets on filter_seals (site_key, span, bucket);

-- What rollup_values has, of the visits that a filter keeps. The dimension `total` has one value, 1: all page views,
-- visits and visitors.
create table filter_values (
  filter uuid not null,
  site_key integer not null,
  bucket date not null,
  span smallint not null,
  dimension smallint not null,
  value integer[] not null,
  hits_1 integer[] not null,
  hits_2 integer[] not null,
  hits_3 integer[] not null,
  visits_1 integer[] not null,
  visits_2 integer[] not null,
  visits_3 integer[] not null,
  visitors_2 integer[] not null,
  visitors_3 integer[] not null,
  gap_value integer[],
  gap_tier smallint[],
  gap smallint[],
  returned integer[],
  resumed integer[],
  primary key (site_key, filter, bucket, span, dimension)
);
create index filter_values_buckets on filter_values (site_key, span, bucket);

-- Alerts: a rule and its state. 50 of a site at most, and 50 of an environment.
create table alert_rules (
  project_id uuid not null,
  id uuid default gen_random_uuid() not null,
  site_id uuid,
  environment_id uuid,
  name text not null,
  metric text not null,
  -- What the metric is of, as the API has it: goal, event, currency, filters; service, operation, severity, text, type,
  -- name, aggregation.
  subject jsonb not null,
  compare text not null,
  -- Of rose_by and fell_by percent. Of silent 0.
  threshold double precision not null,
  for_minutes integer not null,
  -- Ids of channels of the project. A deleted channel may be left in it.
  channels uuid[] not null,
  muted_until timestamptz,
  created_at timestamptz default now() not null,
  -- Counts the changes that people make to the rule.
  revision integer default 0 not null,
  state text default 'ok' not null,
  state_since timestamptz default now() not null,
  -- Since when an alarm is open: channels have heard that it fires and not yet that it is over. Null: none is.
  alarm_since timestamptz,
  -- Since when the condition of an open alarm hasn't held.
  calm_since timestamptz,
  -- At the last evaluation. Null: no data.
  value double precision,
  -- The mean of the same hours of the last four weeks, for rose_by and fell_by.
  baseline double precision,
  -- Why there is no data.
  reason text,
  -- End of the last evaluated minute. Null: none was.
  evaluated_to timestamptz,
  check ((compare = any (array['above', 'below', 'rose_by', 'fell_by', 'silent']))),
  check (((for_minutes >= 1) and (for_minutes <= 1440))),
  check ((state = any (array['ok', 'firing', 'no_data', 'muted']))),
  check ((num_nonnulls(site_id, environment_id) = 1)),
  primary key (project_id, id),
  foreign key (project_id) references projects(id) on delete cascade,
  foreign key (site_id) references sites(id) on delete cascade,
  foreign key (environment_id) references environments(id) on delete cascade
);
create index alert_rules_site on alert_rules (site_id, created_at) where (site_id is not null);
create index alert_rules_environment on alert_rules (environment_id, created_at) where (environment_id is not null);

-- The history of alerts: each change of a state, once. Kept for 90 days.
create table alert_changes (
  project_id uuid not null,
  alert_id uuid not null,
  at timestamptz not null,
  state text not null,
  -- What channels heard of it. Null: nothing.
  message text,
  value double precision,
  baseline double precision,
  threshold double precision not null,
  reason text,
  -- What changed most: [{dimension, value, change}], the most first.
  movers jsonb,
  check ((state = any (array['ok', 'firing', 'no_data', 'muted']))),
  check ((message = any (array['firing', 'over']))),
  primary key (project_id, alert_id, at),
  foreign key (project_id, alert_id) references alert_rules(project_id, id) on delete cascade
);
create index alert_changes_at on alert_changes (at);

-- What happened on watched sites, by minute: a row an hour. Kept for 36 days. Counted by the fold from what it changes
-- in visits, so that it depends on the set of events alone.
create table site_minutes (
  -- Of UTC.
  hour timestamptz not null,
  site_key integer not null,
  -- What is counted (moments_of).
  series smallint not null,
  tier smallint not null,
  -- Event, currency, key of the goal, source, channel, country, device, page or reason; or empty.
  name text not null,
  -- Each minute that isn't 0, in order: the amount times 64, plus the minute. Revenue in ten-thousandths of its
  -- currency.
  packed bigint[] not null,
  primary key (site_key, series, hour, tier, name)
);

-- Sites whose minutes are counted, because they have alerts or somebody tried one.
create table site_watches (
  site_key integer not null,
  -- site_minutes is whole from here on. fill_site_minutes moves it back to wanted.
  since timestamptz not null,
  wanted timestamptz not null,
  -- When somebody last made or tried an alert.
  asked_at timestamptz not null,
  -- Goals that changed since: from when on their visits are counted, by key.
  goals jsonb default '{}'::jsonb not null,
  primary key (site_key)
);

-- Reports of a site that are sent by mail at 8:00 in the site's zone.
create table mail_reports (
  site_id uuid not null,
  id uuid default gen_random_uuid() not null,
  every text not null,
  -- On which day a weekly report is sent: 1 is Monday.
  weekday smallint not null,
  language text not null,
  segment_id uuid,
  created_at timestamptz not null,
  -- The person who made it. Without a foreign key: the person may be gone.
  created_by uuid,
  -- When the next one is due: 8:00 in the site's zone. It names the days of the report, also when it is sent late.
  next_at timestamptz not null,
  check ((every = any (array['day', 'week', 'month']))),
  check (((weekday >= 1) and (weekday <= 7))),
  primary key (site_id, id),
  foreign key (site_id) references sites(id) on delete cascade,
  foreign key (site_id, segment_id) references site_segments(site_id, id) on delete cascade
);
create unique index mail_reports_id on mail_reports (id);
create index mail_reports_next on mail_reports (next_at);
create index mail_reports_segment on mail_reports (site_id, segment_id) where (segment_id is not null);

-- Who gets a report by mail.
create table mail_report_recipients (
  report_id uuid not null,
  channel_id uuid not null,
  -- When the recipient ended this report. Null: it is sent, once the address is confirmed.
  ended_at timestamptz,
  primary key (report_id, channel_id),
  foreign key (report_id) references mail_reports(id) on delete cascade,
  foreign key (channel_id) references message_channels(id) on delete cascade
);
create index mail_report_recipients_channel on mail_report_recipients (channel_id);

-- -------------------- Functions, by file --------------------

-- -------------------- schema/functions/accounts.sql --------------------

-- Deletes a project with everything in it: its sites with all that is known of them, its environments and their keys.
function delete_project(project uuid) returns void;

-- Waits until no other transaction has the turn of a person or a project, and keeps it until the transaction ends
-- (lib/turns.ts). The next statement sees what the others wrote.
function take_turn(kind text, id uuid) returns void;

-- Sets a new password by the link of an identifier, uses the link up and confirms the person's address. Ends the
-- person's sessions, other links, and sign-ins that wait for a code. Returns the person, and whether it is their
-- first password; no row: no such link.
function reset_password(link text, new_password text) returns table (person uuid, is_first boolean);

-- The projects that a key of a person opens: those that it lists, else those of the sites that it lists, else all
-- projects of the person. Null: the key has no such list.
function key_projects(person uuid, listed_projects uuid[], listed_sites uuid[]) returns setof uuid;

-- Revokes all API keys, query tokens and open invitations of a person. Returns a row per key and project that it
-- opened, and a row per invitation.
function revoke_keys(person uuid) returns table (kind text, id uuid, project_id uuid);

-- -------------------- schema/functions/alert-sums.sql --------------------

-- The windows of a question as rows. An item: n (its number), key (of the site or environment), zone, to (the window's
-- end), minutes (its length), weeks (how many weeks earlier, in the zone), and what is summed.
function windows_of(asked jsonb)
returns table (
  n integer, key integer, from_at timestamptz, to_at timestamptz, series integer, tier integer, operator text,
  names text[], service text, operation text, by_minute boolean
);

-- Returns whether a name of site_minutes is asked for.
function names_match(operator text, names text[], name text) returns boolean;

-- The sums of windows of watched sites; with by_minute also the least and the most of a window's minutes. is_covered:
-- the whole window is counted, and the site was known. By the primary key of site_minutes: the rows of a series in the
-- window's hours.
function sum_site_minutes(asked jsonb)
returns table (n integer, total double precision, low double precision, high double precision, is_covered boolean);

-- The minutes of a series in [from_at, to_at) that the hours' rows have.
function minutes_in(site integer, of_series integer, from_at timestamptz, to_at timestamptz)
returns table (tier smallint, name text, at timestamptz, amount bigint);

-- The entries of windows of environments, by service and operation: of parts that aren't summed yet, minutes, and
-- whole hours (span_sums in lib/telemetry/span-sums.ts). histogram: {bucket: entries}. first_at: the first hour with
-- spans at all. By the primary keys of span_minutes and span_hours: one row an operation and status in each minute at
-- a window's edge and each hour within.
function sum_environment_minutes(asked jsonb)
returns table (
  n integer, entries double precision, errors double precision, buckets jsonb, first_at timestamptz, is_alive boolean
);

function spans_in(environment integer, from_at timestamptz, to_at timestamptz)
returns table (
  service text, operation text, entry boolean, status smallint, spans integer, buckets smallint[], counts integer[]
);

-- Deletes up to `max_rows` changes that are over 90 days old, by alert_changes_at; returns how many.
function forget_alert_changes(instant timestamptz, max_rows integer) returns integer;

-- How many outcomes of a type each window has, counted up to 100,000. By outcomes_time.
function count_window_outcomes(asked jsonb) returns table (n integer, total double precision);

-- How many log records of each window match, of the newest 20,000 of it. `operation` is a text, `tier` the least
-- severity. By the primary key of logs; of errors by logs_severe.
function count_window_logs(asked jsonb) returns table (n integer, total double precision);

-- When something of each window's service, or of its environment, was received last. By the keys of connections and
-- receipts.
function last_received_in(asked jsonb) returns table (n integer, at timestamptz);

-- How many groups of errors were made (series 1) or returned (series 2) in each window, by the service's clock. By the
-- indexes error_groups_noted and error_groups_returned.
function count_window_errors(asked jsonb) returns table (n integer, total double precision);

function errors_in(
  environment integer, series integer, of_service text, from_at timestamptz, to_at timestamptz
)
returns setof error_groups;

-- The groups themselves, up to three, the most frequent first: what a title is made of
-- (lib/telemetry/errors/error-title.ts), and how often each occurred since the hour in which the
-- window begins.
function error_movers(asked jsonb) returns table (n integer, movers jsonb);

-- What changed most in each window of a site against the same length of time before it: visits by source, country and
-- entry page. Up to three, the greatest change first, of at least 5 visits: a message keeps the value after a visitor
-- is erased, so it names none that few visits had.
function site_movers(asked jsonb) returns table (n integer, movers jsonb);

-- The same of an environment: failed entries by operation (by_minute: all entries).
function environment_movers(asked jsonb) returns table (n integer, movers jsonb);

-- -------------------- schema/functions/associations.sql --------------------

-- Maximum number of associations that a page view keeps, the earliest ones.
function kept_associations() returns integer;

-- Stores the associations in a batch of events: the earliest one for each page and trace. Finds the page view of each
-- by the index `events_pages`, while its raw event is stored.
function fold_associations(fresh events[]) returns void;

-- Writes the page into associations that came before their page view. A site without associations costs one index
-- probe.
function place_associations(fresh events[]) returns void;

-- Whether an origin, as browsers write it, is of a page of a site with these domains; the same as `isSiteHost`
-- (lib/collection/site-host.ts).
function is_site_origin(page_origin text, domains text[]) returns boolean;

-- The span that answered the page's request: of the trace's spans within 10 minutes of the report, the one with the
-- least `mark`, then the earliest. `mark`: 1, a SERVER span that names a page of the site; 2, a SERVER span that
-- names another page; 3, a SERVER span that names none; 4, any other span. No row if no span is that near. Probes the
-- primary key of one or two days.
function span_of_association(environment integer, trace uuid, told_at timestamptz, domains text[])
returns table (
  mark integer, span_id bigint, start_nano bigint, duration_nano bigint, resource_id bigint, status smallint,
  name text
);

-- -------------------- schema/functions/audit.sql --------------------

-- Writes the audit log's line of a call that changed nothing. A repeat of the call within an hour adds to the same
-- line. A person has at most `most` lines of refused calls per day and project; more calls add to the newest line, so
-- that nobody can fill the log with refused calls. Reads the index `audit_log_attempts`.
function note_attempt(
  project uuid, its_site uuid, by_actor jsonb, its_action text, request text, its_tool text, its_input bytea,
  its_result text, instant timestamptz, most integer
)
returns void;

-- Deletes up to `max_rows` old lines of the audit logs: lines of calls that changed nothing after 90 days, all others
-- after 25 months. Costs two probes per project, by the primary key and by `audit_log_attempts`.
function expire_audit(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
);

-- -------------------- schema/functions/blocks.sql --------------------

-- The first day of the block of `span` days that holds a day. Blocks of 7 begin on Monday.
function block_start(day date, span integer) returns date;

-- The span, in days, of the smaller blocks that fill a block of `span` days. 0 means an hour; only measures have
-- those.
function block_parts(span integer) returns smallint;

-- -------------------- schema/functions/calendar.sql --------------------

-- The hour of the zone in which an instant lies: right for zones off the whole hour and on days of 23 and 25 hours.
function local_hour(instant timestamptz, zone text) returns timestamptz;

-- The midnight that begins the zone's day of an instant; the first of two on a day when clocks go back over midnight.
function local_day(instant timestamptz, zone text) returns timestamptz;

-- When a day of the zone begins.
function day_start(day date, zone text) returns timestamptz;

-- The UTC day of an instant in epoch milliseconds.
function utc_day(at bigint) returns date;

-- -------------------- schema/functions/count-logs.sql --------------------

-- Examines the newest `budget` + 1 records of [from_nano, to_nano); the extra one shows whether there are more.
-- Returns their number, the time of the oldest, and the matching ones as [[slot, severity, records]] by slots of
-- `step_nano`. Reads the primary key of logs; with `only_severe` the index logs_severe; for a trace logs_trace.
-- Planned per call.
function count_newest_logs(
  environment integer, from_nano bigint, to_nano bigint, step_nano bigint, budget integer, only_severe boolean,
  min_severity smallint, by_trace uuid, resources bigint[], words tsquery, path jsonpath, out examined integer,
  out oldest_nano bigint, out counts jsonb
);

-- Counts the records in [from_nano, to_nano) that match as in find_logs, by slots of `step_nano` since 1970 and by
-- severity: {counts: [[slot, severity, records]], examined, uncounted, "uncountedSevere"}. Examines up to `budget`
-- records, newest first, by the primary key of logs; severe ones by logs_severe; those of a trace by logs_trace. If
-- there are more, `uncounted` is a time as text: before it only severe records are counted. Up to `budget` of these
-- are examined by logs_severe; before `uncountedSevere` they aren't counted either. The cost is bounded: under a
-- microsecond per record, more with a text or attributes.
function count_logs(
  environment integer, from_nano bigint, to_nano bigint, step_nano bigint, budget integer, min_severity smallint,
  by_service text, by_text text, by_trace uuid, terms text[], resource_terms text[]
)
returns jsonb;

-- -------------------- schema/functions/count-visits.sql --------------------

-- Counts page views where they happened, and visits where they began.
function count_hours(fresh events[], taken visits[], merged visits[]) returns void;

-- Visitors with a visit that begins where none began before, or with none where one began before. `first_start` and
-- `last_start` are the first and the last such instant.
function moved_visitors(taken visits[], merged visits[])
returns table (site_key integer, tier smallint, visitor_id uuid, first_start timestamptz, last_start timestamptz);

-- The other visits of moved visitors: all in the whole days around the change, the last before and the first after.
-- Without their hits: only whether there were custom events.
function other_visits(taken visits[], merged visits[]) returns visits[];

-- Counts moved visitors by the hours and days in which their visits begin, each with the hour or day before it.
function count_visitors(taken visits[], merged visits[], others visits[]) returns void;

-- A visitor's first visit is marked as newcomer. Removes the mark where a merged visit begins before.
function unmark_newcomers(merged visits[], others visits[]) returns void;

-- The merged visits, with the first visit of each moved visitor marked as newcomer.
function mark_newcomers(taken visits[], merged visits[], others visits[]) returns visits[];

-- -------------------- schema/functions/deletion.sql --------------------

-- Notes that the rows of a deleted site have to be deleted, also when its project is deleted.
function note_deletion() returns trigger;

-- Deletes up to `max_rows` rows of a deleted site, from every table that has a `site_key`, so that tables added later
-- are found too. Takes the site's turn first: it waits for a batch of the site's events that is being folded, and
-- later batches find no site.
function delete_rows(deleted_site uuid, instant timestamptz, max_rows integer) returns integer;

-- Deletes a site for everybody at once, and up to `max_rows` of its rows. `continue_deletions` deletes the others.
-- Waits for a batch of the site's events that is being folded.
function delete_site(site uuid, instant timestamptz default now(), max_rows integer default 10000)
returns void;

-- Deletes up to `max_rows` rows of the site that was deleted longest ago and still has rows. Forgets deletions that
-- were finished 7 days before.
function continue_deletions(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
);

-- -------------------- schema/functions/dimensions.generated.sql --------------------

-- The session gap: a visit ends after this time without an event.
function session_gap() returns interval;

-- What values beyond a day's limit count as. No message has it.
function other_value() returns text;

-- The number of a dimension in rollups. Another name is an error, which says the name.
function dimension_number(name text) returns smallint;

-- What tells an entry of site_profiles apart, of an event; absent and empty are one.
function profile_key(event jsonb, domain text) returns text;

-- What tells an entry of site_places apart, of an event; absent and empty are one.
function place_key(event jsonb, domain text) returns text;

-- What tells an entry of site_origins apart, of an event; absent and empty are one.
function origin_key(event jsonb, domain text) returns text;

-- The entries of the batch that a site's dictionary doesn't have, each with what its new values count as.
function lacking_profiles(batch jsonb) returns jsonb;

-- The batch with refused values as `(other)`.
function limited_profiles(batch jsonb, refused jsonb) returns jsonb;

-- Gives numbers to the entries of the batch that a site's dictionary didn't have before. Returns the batch with what
-- is beyond the day's limits as `(other)`; null: nothing is.
function admit_profiles(batch jsonb) returns jsonb;

-- The entries of the batch that a site's dictionary doesn't have, each with what its new values count as.
function lacking_places(batch jsonb) returns jsonb;

-- The batch with refused values as `(other)`.
function limited_places(batch jsonb, refused jsonb) returns jsonb;

-- Gives numbers to the entries of the batch that a site's dictionary didn't have before. Returns the batch with what
-- is beyond the day's limits as `(other)`; null: nothing is.
function admit_places(batch jsonb) returns jsonb;

-- The entries of the batch that a site's dictionary doesn't have, each with what its new values count as.
function lacking_origins(batch jsonb) returns jsonb;

-- The batch with refused values as `(other)`.
function limited_origins(batch jsonb, refused jsonb) returns jsonb;

-- Gives numbers to the entries of the batch that a site's dictionary didn't have before. Returns the batch with what
-- is beyond the day's limits as `(other)`; null: nothing is.
function admit_origins(batch jsonb) returns jsonb;

-- -------------------- schema/functions/dimensions.sql --------------------

-- Gives ids in site_texts to the texts under which a site's entries are listed, for the entries that are new since the
-- last call. Needs the site's lock, which the fold holds.
function name_values(of_site integer) returns void;

-- The entries of a site with the ids of their texts in site_texts, 0 for none. `place`: the position of the entry
-- among those of its dimension, by id; the first one is 0, which stands for unknown ids.
function entry_texts(of_site integer)
returns table (number smallint, dictionary text, id integer, text_id integer, place integer);

-- Texts of entries, as ids of site_texts, dimension by dimension (`texts`), and where each entry stands among those of
-- a dimension, by its id, dictionary by dictionary (`positions`). `starts`: where each dimension, by its number, and
-- each dictionary begin in these.
function index_entries(
  of_site integer, out texts integer[], out positions integer[], out starts jsonb
);

-- What a visit's value of each dimension follows from: 1, its profile; 2, its place; 3, its origin; 4, its entry page;
-- 5, its exit page; and where the dimension is in what `index_entries` returns.
function dimensions_of_seal(starts jsonb)
returns table (
  number smallint, lowest_tier smallint, arrives boolean, source integer, text_start integer, position_start integer
);

-- The value that a visit has of such a dimension: a text of its entry, or a page.
function value_of_visit(
  source integer, text_start integer, position_start integer, profile_id integer, place_id integer, origin_id integer,
  entry_page integer, exit_page integer, texts integer[], positions integer[]
)
returns integer;

-- -------------------- schema/functions/erasure.sql --------------------

-- Deletes the raw events of a visitor's visits, by `events_time`. Returns the times of the page views, the hours with
-- measures, and the values that the events named, as {dictionary: [id]}.
function erase_events(
  erased_site integer, visitor uuid, erased visits[], out viewed_at timestamptz[], out measured_at timestamptz[],
  out named jsonb
);

-- Notes the values that erased visits or their events (`named`) used. search_values finds out whether anything else
-- uses them.
function doubt_values_of(erased_site integer, erased visits[], named jsonb) returns void;

-- Subtracts erased visits from the sums of hours. A visit keeps its first 500 page views, but the sums count all of
-- them; the others come from raw events (`viewed_at`), for the UTC days that still have raw events.
function lessen_hours(erased_site integer, zone text, erased visits[], viewed_at timestamptz[])
returns void;

-- Subtracts the visitor of erased visits from the visitors of hours and days.
function lessen_visitors(erased_site integer, zone text, erased visits[]) returns void;

-- Deletes the sums of sealed days that contain erased visits. The days are sealed again later; until then reports read
-- their visits.
function unseal_days(erased_site integer, zone text, erased visits[]) returns void;

-- When the first visit of a site began, or its first one with vitals. Uses `visits_quarters`.
function first_start(of_site integer, with_vitals boolean) returns timestamptz;

-- Corrects the times of a site's first and last event, and of its first visit with vitals, in case these belonged to
-- erased visits from `first_at` to `last_at`. Uses the indexes of visits and events that begin with the site.
function lessen_freshness(erased_site integer, first_at timestamptz, last_at timestamptz)
returns void;

-- Takes the names out of alerts that looked at a time in which the visitor came: what changed most in the history, and
-- in messages. An alert looks back two days at most. Uses `alert_rules_site` and `outbox_about`.
function forget_movers(site uuid, erased visits[]) returns void;

-- Deletes a tier 3 visitor: raw events, visits, undelivered messages, and its part of the rollups, which then look as
-- if the visitor had never come. Two kinds of sums stay, because they identify nobody: refusals, and attention and
-- vitals by page whose raw events are deleted already. Events that arrive later begin a new visitor. Does nothing for
-- an unknown visitor. Finds the visits by `visits_by_visitor`.
function delete_visitor(site uuid, visitor uuid) returns void;

-- -------------------- schema/functions/expire-visits.sql --------------------

-- Deletes up to `max_rows` rows of a site that meet a condition, of a partitioned table partition by partition;
-- returns how many.
function delete_expired(target regclass, key integer, condition text, max_rows integer)
returns integer;

-- Removes the knowledge that visitors came before the oldest day, from up to `max_rows` rows of later days; returns
-- how many.
function forget_visitors(site integer, oldest timestamptz, max_rows integer) returns integer;

-- Shortens imports to the days that are kept; deletes imports without such a day.
function trim_imports(site integer) returns void;

-- Deletes up to `max_rows` rows of a site from before `oldest`, the beginning of its `oldest_day`; returns how many. A
-- block that contains this instant is deleted as a whole; reports then read its days.
function expire_site(site integer, oldest timestamptz, oldest_day date, max_rows integer)
returns integer;

-- Up to $2 sites that are due, with their oldest kept day at the instant $1, and whether they have a row from before
-- it. For each site it stops at the first table with such a row.
function expiry_query() returns text;

-- Deletes up to `max_rows` rows that are older than the sites' policies allow at an instant, of at most 1000 sites. A
-- site without a policy keeps everything. `sites.kept_from` says which sites are done, so each call continues the one
-- before. A site without expired rows costs one look-up per table and old partition, once a day. Locks sites in the
-- same order as the fold. Does nothing while another call runs.
function expire_visits(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
);

-- -------------------- schema/functions/filter-masks.sql --------------------

-- The bit of a visit's kind: its tier, and whether it counts. Some dimensions are only of visits that count, or of
-- higher tiers. All bits together are 63.
function kind_of_visit(tier smallint, counted boolean) returns smallint;

-- The kinds of visits that can have a dimension.
function kinds_with(lowest_tier smallint, arrives boolean) returns smallint;

-- Whether a value is one that a clause wants.
function is_wanted(value text, operator text, wanted text[]) returns boolean;

-- Clauses as sums are kept by them: a goal is what reaches it, `kind pattern`. So sums end with a goal that is
-- changed.
function meant_clauses(of_site integer, clauses jsonb) returns jsonb;

-- The mask of the clauses about a dictionary, or about the entry or exit page. Null: there are none.
function filter_mask(of_site integer, clauses jsonb, of_source text) returns smallint[];

-- The largest id of a dictionary of a site; of pages, that of its texts.
function last_id_of(of_site integer, of_source text) returns integer;

-- The pages of each clause about any page of a visit, of those that negate or of the others. Null: there are none.
function pages_of_filter(of_site integer, clauses jsonb, negated boolean) returns int4multirange[];

-- What reaches the goals of each clause about goals, as `meant_clauses` writes it: pages, custom events, and whether
-- the clause negates. Nulls: there are none.
function goals_of_filter(
  of_site integer, clauses jsonb, out pages int4multirange[], out events int4multirange[], out negated boolean[]
);

-- What a filter of a site keeps.
function masks_of_filter(of_site integer, clauses jsonb) returns filter_masks;

-- Whether one of the ids is in pairs of milliseconds and id. Steps, since a select takes longer to begin than these.
function has_hit(ids int4multirange, pairs integer[]) returns boolean;

-- Whether a visit has one of the pages.
function has_page(pages int4multirange, entry_page integer, later_pages integer[]) returns boolean;

-- Whether one of the hits with this data brings a property that a clause wants.
function brings_prop(data jsonb, of_key text, operator text, wanted text[]) returns boolean;

-- Whether a visit has a page of each of these sets (`wanted`), or of none of them.
function has_pages(
  sets int4multirange[], entry_page integer, later_pages integer[], wanted boolean
)
returns boolean;

-- Whether a visit reaches the goals of each clause, or doesn't if the clause negates.
function reaches_goals(
  kept filter_masks, entry_page integer, later_pages integer[], custom_events integer[]
)
returns boolean;

-- Whether a visit brings what each clause about a property wants, or doesn't if the clause negates.
function brings_props(props jsonb, event_data jsonb, page_data jsonb) returns boolean;

-- Whether a filter keeps a visit. 0 stands for no page. It is asked of each visit of a day, so it is without selects:
-- then it is a part of the statement that asks, which takes a tenth of the time of a call.
function is_kept(
  kept filter_masks, tier smallint, counted boolean, profile_id integer, place_id integer, origin_id integer,
  entry_page integer, later_pages integer[], custom_events integer[], event_data jsonb, page_data jsonb
)
returns boolean;

-- -------------------- schema/functions/find-logs.sql --------------------

-- The tsquery of a search text (docs/metrics-and-logs.md#logs), as websearch_to_tsquery reads it. A word with a star
-- at its end matches all words with this prefix. Scripts without spaces between words are one long word to
-- PostgreSQL, so a run of their characters is a prefix too. websearch_to_tsquery drops stars: letters that no text
-- has replace them.
function log_query(asked text) returns tsquery;

-- Returns whether a record matches; a null argument matches any record. Inlined where it is used.
function log_matches(
  log logs, min_severity smallint, resources bigint[], words tsquery, terms jsonpath
)
returns boolean;

-- The records of a trace, in the shape of find_logs. Reads all of them, by logs_trace.
function find_trace_logs(
  environment integer, by_trace uuid, from_nano bigint, at_nano bigint, at_hash bigint, page integer,
  min_severity smallint, resources bigint[], words tsquery, terms jsonpath
)
returns jsonb;

-- The answer of find_logs.
function logs_found(hits jsonb[], examined integer, next jsonb) returns jsonb;

-- Looks up a text, or else attributes, among a day's records in [low, (at_nano, at_hash)). Adds the matching ones to
-- `hits`, newest first, up to `page` + 1. If the index has more than `max_rows` matches, it adds none and `is_over` is
-- false. Uses logs_words or logs_terms; with `words` it also tests `terms`.
function look_up_logs(
  environment integer, on_day date, low bigint, at_nano bigint, at_hash bigint, page integer, max_rows integer,
  min_severity smallint, resources bigint[], words tsquery, terms text[], inout examined integer, inout hits jsonb[],
  out is_over boolean
);

-- Opens a cursor over up to `chunk` of a day's records in [low, (at_nano, at_hash)), newest first, each with whether
-- it matches. Uses the primary key, or logs_severe for severe records.
function open_logs(
  environment integer, on_day date, low bigint, at_nano bigint, at_hash bigint, chunk integer, min_severity smallint,
  resources bigint[], words tsquery, terms jsonpath
)
returns refcursor;

-- Reads up to `chunk` of a day's records in [low, (at_nano, at_hash)), newest first, and adds the matching ones to
-- `hits`. `at_nano` and `at_hash` become those of the last record that it read. `is_over`: the day has no more
-- records. `is_full`: the page is full or `budget` is spent, and there are more.
function walk_logs(
  environment integer, on_day date, low bigint, chunk integer, page integer, budget integer, min_severity smallint,
  resources bigint[], words tsquery, terms jsonpath, inout at_nano bigint, inout at_hash bigint,
  inout examined integer, inout hits jsonb[], out is_over boolean, out is_full boolean
);

-- The day of the newest record in [from_nano, to_nano) below (to_nano, to_hash); null: there is none. By the primary
-- key.
function newest_log_day(environment integer, from_nano bigint, to_nano bigint, to_hash bigint)
returns date;

-- Finds up to `page` matching records in [from_nano, to_nano), newest first, before (before_nano, before_hash) if that
-- is given: {hits: [[timeNano, hash]], examined, next: [timeNano, hash] | null}. All but `examined` are texts. `next`
-- is passed as `before_…` to get the next page.
--
-- Examines the newest records one by one, by the primary key, or by logs_severe for severe ones. If a text or an
-- attribute is rare among the newest tenth of `budget`, it looks them up day by day in their index, unless a day has
-- more than five times `budget` matches. Stops after `budget` records; `next` then says where to continue. Of a trace
-- it reads all records, by logs_trace.
function find_logs(
  environment integer, from_nano bigint, to_nano bigint, before_nano bigint, before_hash bigint, page integer,
  budget integer, min_severity smallint, by_service text, by_text text, by_trace uuid, terms text[],
  resource_terms text[]
)
returns jsonb;

-- -------------------- schema/functions/find-traces.sql --------------------

-- Returns whether one of the values matches `pattern`, which is as for `ilike`.
function attribute_texts_match(attributes jsonb, pattern text) returns boolean;

-- Returns whether an exception among the events has a type or a message that matches `pattern`.
function exception_texts_match(events jsonb, pattern text) returns boolean;

-- Returns whether a span matches; a null argument matches any span. Inlined where it is used.
function span_matches(
  span spans, resources bigint[], by_operation text, by_status smallint, min_nano bigint, max_nano bigint,
  terms jsonpath, pattern text
)
returns boolean;

-- Returns whether an hour may have spans of the service, operation and status with a duration between the buckets; a
-- null argument matches any. Uses the primary key of span_hours. Parts that aren't summed yet may have any spans.
function hour_may_have_spans(
  environment integer, hour_start timestamptz, by_service text, by_operation text, by_status smallint,
  min_bucket smallint, max_bucket smallint
)
returns boolean;

-- The minutes of an hour, in nanoseconds, that may have spans as hour_may_have_spans says. By the primary key of
-- span_minutes.
function minutes_with_spans(
  environment integer, hour_start timestamptz, by_service text, by_operation text, by_status smallint,
  min_bucket smallint, max_bucket smallint
)
returns bigint[];

-- Opens a cursor over the spans from `low` to (at_nano, at_trace, at_span), newest first, each with whether it
-- matches. Uses spans_time, or spans_errors for errors. With `is_looking_up` it reads only the spans of ten minutes
-- that have the attributes, by spans_terms.
function open_spans(
  environment integer, low bigint, at_nano bigint, at_trace uuid, at_span bigint, is_looking_up boolean,
  resources bigint[], by_operation text, by_status smallint, min_nano bigint, max_nano bigint, path jsonpath,
  pattern text
)
returns refcursor;

-- Returns whether an earlier page listed a trace: the trace then has a matching span at (before_nano, before_trace,
-- before_span) or later. Uses the primary key of spans.
function was_listed(
  environment integer, trace uuid, low bigint, to_nano bigint, before_nano bigint, before_trace uuid,
  before_span bigint, resources bigint[], by_operation text, by_status smallint, min_nano bigint, max_nano bigint,
  path jsonpath, pattern text
)
returns boolean;

-- The stretches of an hour that may have matching spans: their beginnings and their length, in nanoseconds. None if
-- the sums show that no span can match; minutes where there are sums by minute; ten minutes for attributes.
function stretches_with_spans(
  environment integer, hour bigint, by_service text, by_operation text, by_status smallint, min_nano bigint,
  max_nano bigint, has_terms boolean, out lows bigint[], out step bigint
);

-- Whether an hour has a span with the attributes, by spans_terms: one look-up instead of one for each ten minutes. It
-- counts, since the planner would look for a first one in another index.
function hour_has_attributes(environment integer, hour bigint, path jsonpath) returns boolean;

-- Reads spans from `low` to (at_nano, at_trace, at_span), newest first, and sets these three to the last span that it
-- read. Adds traces with a matching span to `hits` and `listed`, or to `shown_before` if an earlier page listed them.
-- `is_full`: the page is full or `budget` is spent, and there are more. Attributes are looked up in their index only
-- after `walked_first` spans, because frequent ones are found sooner without it.
function walk_spans(
  environment integer, low bigint, to_nano bigint, before_nano bigint, before_trace uuid, before_span bigint,
  page integer, budget integer, resources bigint[], by_operation text, by_status smallint, min_nano bigint,
  max_nano bigint, path jsonpath, pattern text, inout at_nano bigint, inout at_trace uuid, inout at_span bigint,
  inout examined integer, inout hits jsonb[], inout listed uuid[], inout shown_before uuid[], out is_full boolean
);

function trace_hit(start_nano bigint, trace_id uuid, span_id bigint) returns jsonb;

-- Finds up to `page` traces with a matching span that began in [from_nano, to_nano), ordered by their newest matching
-- span, newest first: {hits: [{traceId, spanId, startNano}], examined, next: {startNano, traceId, spanId} | null}.
-- `next` is passed as `before_*` to get the next page; a trace is on one page only. `terms` are the pieces of a
-- jsonpath predicate; the path's root is put between them.
--
-- It goes back hour by hour and skips hours whose sums (schema/migrations/0010-telemetry-rollups.sql) have no spans of
-- the service, operation, status and duration; within an hour it skips minutes in the same way. It reads the others by
-- spans_time, or by spans_errors for errors. Attributes that are rare among the newest tenth of `budget` spans are
-- looked up in spans_terms, ten minutes at a time. Stops after `budget` spans; `next` then says where to continue. So
-- the cost is bounded: a few microseconds per span.
function find_traces(
  environment integer, from_nano bigint, to_nano bigint, before_nano bigint, before_trace uuid, before_span bigint,
  page integer, budget integer, by_service text, by_operation text, by_status smallint, min_nano bigint,
  max_nano bigint, terms text[], resource_terms text[], pattern text
)
returns jsonb;

-- -------------------- schema/functions/fold.sql --------------------

-- Batches that share a site take turns, sites always in the same order.
function take_turns(batch jsonb) returns void;

function ensure_batch_partitions(batch jsonb) returns void;

-- Late events change measures that are summed already; all others find nothing to open.
function reopen_measures_of(fresh events[]) returns void;

-- Breaks the seals of days that hold a changed visit. A visit that was open when its day was sealed isn't in the seal.
function break_seals(taken visits[], merged visits[]) returns void;

-- Counts refused events, and as `properties` page views without theirs.
function count_refusals(fresh events[]) returns void;

-- Counts the custom events and page views that visits keep without their properties.
function count_cut_events(taken visits[], merged visits[]) returns void;

-- Stores the traces of backends that page views reported. Most batches have none.
function keep_associations(fresh events[]) returns void;

-- Notes up to when the sites' reports are folded. A site that has nothing yet sends `site.first_visit`.
function note_freshness(fresh events[], merged visits[], instant timestamptz) returns void;

-- Brings visits and rollups up to date with events that were not folded before. Most events join a visit that goes on,
-- and then no visitor is counted anew.
function fold_events(fresh events[], instant timestamptz) returns void;

-- Stores and folds one batch of events: raw rows, visits, rollups, all or nothing. The batch is a JSON array of
-- flattened events (lib/collection/fold-batch.ts). What is stored depends on the set of events alone, not on their
-- order or on how they were cut into batches: visits merge as events arrive (of two page views received in one
-- millisecond either may be the first).
-- Plans are kept. One that was made while a table was small must not read all of it after it has grown: 5,000 new
-- pages then took 15 s.
function ingest_events(batch jsonb, instant timestamptz)
returns table (stored integer, repeated integer);

-- -------------------- schema/functions/hits.sql --------------------

-- The page views (kind 1) and custom events (kind 2) of a visit, with what an event brought.
function hits_of_visit(
  entry_ms integer, entry_page integer, later_pages integer[], custom_events integer[], event_data jsonb
)
returns table (kind integer, ms integer, text_id integer, data jsonb);

-- The same, and what page views brought (kind 3), of event 0.
function hits_with_page_data(
  entry_ms integer, entry_page integer, later_pages integer[], custom_events integer[], event_data jsonb,
  page_data jsonb
)
returns table (kind integer, ms integer, text_id integer, data jsonb);

-- The properties of a custom event: each key, `["plan"]`, and its value, `["plan", "pro"]`.
function props_in(data jsonb) returns table (value text);

-- The same of all custom events of a visit.
function props_of(pairs integer[], event_data jsonb)
returns table (ms integer, event integer, value text);

-- What a hit counts as: its dimension and value. A property has its event as value, and its text.
function values_of_hit(kind integer, text_id integer, data jsonb)
returns table (dimension smallint, value integer, prop text);

-- -------------------- schema/functions/imports.sql --------------------

-- The first day of a site that can't be imported: the day of the site's first event, or yesterday at the latest, since
-- servers may still send events for it.
function import_end(site_key integer, zone text, instant timestamptz) returns date;

-- Begins an import of these lists, or continues the unfinished one with the same content, which then has a whole day
-- again to be finished. Any other unfinished import of the site is removed. Refused: `many`.
function begin_import(
  site uuid, import_source text, names text[], content bytea, most integer, instant timestamptz, out import_id uuid,
  out refused text
);

-- The unfinished import whose next piece is `number`. Refused: `import` (none is unfinished), `order` (another piece
-- is next). All columns are null if the piece was taken before. Locks the site.
function next_import_piece(
  site uuid, import uuid, number integer, out key_of_site integer, out known_rows bigint, out names text[],
  out refused text
);

-- Adds a piece with totals: a JSON array of [date, visitors, visits, page views]. Also refused: `end` (a day isn't
-- over, or the site has data of its own), `imported` (an import has one of the days).
function add_import_days(
  site uuid, import uuid, number integer, days jsonb, instant timestamptz, out refused text
);

-- Adds a piece with values of one dimension: a JSON array of [date, value, visitors, visits, page views]. A day's
-- values may come in several pieces. Also refused: `day` (one of the days has no totals), `dimension` (the import
-- doesn't have this list), `large` (more rows than `most`).
function add_import_values(
  site uuid, import uuid, number integer, dimension text, values_of_days jsonb, most bigint, out refused text
);

-- The days of a site's finished imports; with `import`, of this one.
function counted_imports(of_site integer, import uuid) returns setof imported_days;

-- Adds what these imports have to the sums of hours and to the visitors of hours and days.
function count_imports(of_site integer, import uuid) returns void;

-- Takes what these imports have out of these sums. What is left belongs to visits.
function uncount_imports(of_site integer, import uuid) returns void;

-- Makes an import of `number` pieces visible to reports. `finished`: it became visible by this call. Refused: `import`
-- (there is none), `order` (pieces are missing), `end` (the site has data of its own by now in these days), `empty`.
function finish_import(
  site uuid, import uuid, number integer, instant timestamptz, out finished boolean, out refused text
);

-- Removes an import, finished or not, by subtracting what it added; other data of its days stay. Its texts are deleted
-- when a search has found that nothing else uses them. False: there is no such import.
function undo_import(site uuid, import uuid) returns boolean;

-- Removes the oldest unfinished import, if it was interrupted more than a day ago. Reads all imports, a few per site,
-- and costs as much as `undo_import`. Only one call runs at a time, so that a slow removal isn't begun twice.
function expire_imports(instant timestamptz, out deleted integer, out finished boolean);

-- -------------------- schema/functions/mail-reports.sql --------------------

-- The first 8:00 in the zone that is later than `instant`, on a day on which such a report is sent. On days on which
-- the clock changes it is 8:00 too.
function next_mail_report(instant timestamptz, zone text, every text, weekday integer)
returns timestamptz;

-- Decides up to `max_rows` reports that are due: a message to each recipient, and `report.ready` to the channels that
-- want it. Each report is of the days before the morning on which it was due, however late it is sent; its last day is
-- in the text by which the same message twice is one, so it is never sent twice. Mornings of over 31 days ago are left
-- out. Uses `mail_reports_next`.
function decide_mail_reports(instant timestamptz, max_rows integer) returns integer;

-- A site in another zone gets its reports at 8:00 there.
function move_mail_reports() returns trigger;

-- -------------------- schema/functions/measure-blocks.sql --------------------

-- Makes the larger blocks of the smaller ones that fill them.
function join_blocks(site integer, zone text, larger smallint, instant timestamptz) returns void;

-- Writes blocks with the given beginnings and ends, in order of time. A block is the sum of the blocks of the span
-- `smaller` in it. Where `smaller` is null, it is the sum of the raw events in it that were reported before `told_to`.
function sum_blocks(
  site integer, larger smallint, smaller smallint, starts timestamptz[], ends timestamptz[], told_to timestamptz
)
returns void;

-- The part of sum_blocks that writes engagement.
function sum_engagement_blocks(
  site integer, larger smallint, smaller smallint, starts timestamptz[], ends timestamptz[], told_to timestamptz
)
returns void;

-- Page loads (`bin` is -1) and histogram cells of web vitals, by the number of the block in which they lie. By the
-- primary key of rollup_vitals, or by the indexes of vitals_of. Inlined where it is used.
function vitals_in_blocks(site integer, smaller smallint, starts timestamptz[], ends timestamptz[])
returns table (n integer, path_id integer, bin smallint, measured integer);

-- The part of sum_blocks that writes web vitals, in pieces of about 4096 cells.
function sum_vitals_blocks(
  site integer, larger smallint, smaller smallint, starts timestamptz[], ends timestamptz[]
)
returns void;

-- -------------------- schema/functions/measures.sql --------------------

-- The histogram bin of a value. A bin is 2 % wide, so `vital_value` is within 1 % of the value. Metrics are 0 lcp, 1
-- inp, 2 cls, 3 fcp and 4 ttfb; each has 2048 bins. The first bin is everything below 1e-6, the last begins at 1e7.
function vital_bin(metric integer, value double precision) returns smallint;

function vital_value(bin integer) returns double precision;

-- The consented page views of [after, before) with an engagement event at `since` or later. The columns `…_before`
-- count only events before `told_to`; they are null if there is none. An engagement event belongs to its visitor's
-- first view of its page from 6 hours before the event to 1 hour after it: a failed request is sent again, so the
-- view may arrive late. Seconds of a page view are added; its depth is the deepest scroll. Scans the raw events from
-- `since` on, and looks up each of their pages once in the index `events_pages`.
function attention_of(
  site integer, after timestamptz, before timestamptz, since timestamptz, told_to timestamptz
)
returns table (
  viewed_at timestamptz, path_id integer, engaged_ms bigint, scroll_depth integer, engaged_ms_before bigint,
  scroll_depth_before integer
);

-- The consented page loads of [after, before) that reported vitals. Each load has one row with the bin -1, and one row
-- for each reported value. `path_id` is the path in the vitals event. Scans the raw events of [after, before).
function vitals_of(site integer, after timestamptz, before timestamptz)
returns table (told_at timestamptz, path_id integer, bin smallint);

-- The hours without final sums, from the site's first day with raw events to `until`. With `cut`, the last hour ends
-- at `until`; without it, only hours that are over at `until` are returned.
function unsummed_hours(site integer, zone text, until timestamptz, cut boolean)
returns table (starts_at timestamptz, ends_at timestamptz);

-- End of the last hour whose sums are final at `instant`. A page view gets events for 6 hours, and these may arrive 5
-- minutes late.
function last_final_end(instant timestamptz) returns timestamptz;

-- The first instant from which all raw events are still stored.
function raw_events_from() returns timestamptz;

-- Writes the sums of a site: the final ones, and the provisional ones of span -1. Waits for a fold of the site that is
-- running. Plans are kept: for a small site planning takes a third of the time.
function sum_measures_of(site uuid, instant timestamptz) returns void;

-- Returns whether the site has at least 1000 events that aren't in sums yet, which would make its reports slow.
function has_much_unsummed(site integer) returns boolean;

-- Sums the measures of the next 20 sites that have something to sum, in the order in which `ingest_events` locks them.
-- Returns the lock key of the last one, to be passed as `after_lock` in the next call; null when all are done. Costs a
-- few index probes for each site with events in the last four days.
function sum_measures(instant timestamptz, after_lock bigint) returns bigint;

-- Deletes the provisional sums (span -1) if they may contain events at `instant` or later.
function drop_passing_measures(site integer, instant timestamptz) returns void;

-- Deletes the blocks that events of [first_at, last_at] may change. Reports read raw events for their time until the
-- cron sums it again. A block whose raw events are partly deleted is kept, and doesn't get the new events.
function reopen_measures(site integer, first_at timestamptz, last_at timestamptz) returns void;

-- -------------------- schema/functions/merge-visits.sql --------------------

-- Each event as a visit of its own. At tier 1 it stays one; at tiers 2 and 3 `merge_visits` merges it with others.
function single_visits(fresh events[]) returns setof visits;

-- The visits that the events may join, and where they are stored.
function take_visits(fresh events[], out taken visits[], out places tid[]);

-- The taken visits and the events in chains with less than the session gap between neighbours. Rank 1 of a chain is
-- the entry: the first page view, or without one the first event. `shift_ms`: how long after its chain a part began.
function chained_visits(taken visits[], fresh events[])
returns table (
  part visits, chain bigint, ended_at timestamptz, chain_start timestamptz, chain_engaged bigint, rank bigint,
  shift_ms bigint
);

-- Data of a visit's hits, in order of time, with properties up to `max_bytes`; from there on each hit has a mark
-- instead. What no hit after the last one with data needs is left out. Null without any data.
function kept_data(data_of_hits jsonb[], max_bytes integer) returns table (kept jsonb);

-- The visits that the taken ones and the events make together. A visit is the longest chain of them with less than the
-- session gap between neighbours.
function merge_visits(taken visits[], fresh events[]) returns visits[];

-- Writes the merged visits instead of the taken ones. A visit that begins when it began before is updated: what
-- didn't change of a long visit's hits stays where it is stored, out of the row.
function write_visits(taken visits[], places tid[], merged visits[]) returns void;

-- Deletes the taken visits that begin when no merged one begins.
function delete_visits(taken visits[], places tid[], merged visits[]) returns void;

-- -------------------- schema/functions/messages.sql --------------------

-- Decides a message: writes one row of the outbox for each channel that gets it, and returns how many. Call it within
-- the statement that decides, so that what is decided is also sent. A common table expression must be read by the
-- statement, or PostgreSQL never calls the function.
--   to_channels  The channels of the project that get it. Null: those that want events of this type.
--   event_type   One of lib/messages/events.ts.
--   details      The `data` of the message. With {"site": {"id"}} or {"environment": {"id"}} it is deleted with that
--                site or environment.
--   dedupe_text  Names what was decided, at most 200 characters: the same text twice is one message.
-- A channel that is paused or not confirmed gets nothing. Reads at most the project's channels.
function send_message(
  of_project uuid, to_channels uuid[], event_type text, details jsonb, instant timestamptz, dedupe_text text
)
returns integer;

-- Decides a message about a site, for the channels that want it: adds the site's id, name and view to `details`.
function send_site_message(
  site_key integer, event_type text, details jsonb, instant timestamptz, dedupe_text text
)
returns integer;

-- An instant as JSON has it: `2026-11-21T09:00:00.000Z`.
function json_instant(instant timestamptz) returns text;

-- Deletes the messages about a site or an environment that is deleted. Uses `outbox_about`.
function forget_messages() returns trigger;

-- Counts one more message to an address, over all projects. Returns null if the address had fewer than 60 in the last
-- hour; otherwise nothing is counted, and it returns when there is room again.
function take_message_room(address bytea, instant timestamptz) returns timestamptz;

-- Takes up to `max_rows` messages that are due, and keeps them from other senders for the time of the lease. A message
-- that is still `waiting` after the lease is due again: its sender was stopped. Messages of paused channels are
-- dropped; those to an address without room wait for it. Uses `outbox_due`.
function claim_messages(instant timestamptz, lease interval, max_rows integer)
returns table (project_id uuid, id uuid, attempts smallint);

-- Notes what came of an attempt: the delivery, when the message is due again (null: never), and how its channel is.
-- What was accepted stays accepted, also if another sender has taken the message meanwhile. Returns false if the
-- message is gone with its channel.
function note_delivery(
  of_project uuid, message uuid, began timestamptz, took_ms integer, http_status integer, got text, failure text,
  was_accepted boolean, allows_more boolean, next_at timestamptz
)
returns boolean;

-- Pauses a channel that answers 410 (`is_gone`), or that has failed for three days, and says so to the project's
-- admins by mail and to the channels that want `channel.paused`. A mail channel fails with the mail service, for no
-- fault of its own, and is not paused.
function pause_failing_channel(
  of_project uuid, channel uuid, instant timestamptz, is_gone boolean
)
returns void;

-- Deletes up to `max_rows` messages that were decided over 30 days ago, with their deliveries, and counts that mean
-- nothing any more. Uses `outbox_decided` and `message_counts_last`.
function expire_messages(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
);

-- -------------------- schema/functions/metric-rollups.sql --------------------

-- The kind of a series' points: a level, the increase since the previous point (delta), or the total since the start
-- (cumulative). Unknown for histograms whose sender didn't name it.
function metric_kind(type text, temporality smallint, monotonic boolean) returns text;

-- The value if it can be added to others; null if it isn't finite, or so large that a sum might not be finite.
function metric_value(value double precision) returns double precision;

-- 64-bit integers that a double can't hold exactly. The column value has the nearest double, and the column sum has
-- the difference to the integer; null if there is none. The same holds for first_value and first_sum, and for
-- last_value and last_sum. To stay exact, sums add two halves separately: the multiples of 2^32, and the rest.
function metric_high(value double precision) returns double precision;

function metric_low(value double precision, rest double precision) returns double precision;

-- The sum of two halves: its nearest double; the difference to it, if they are integers; and all digits, if the sum is
-- an integer beyond 2^53.
function metric_near(high double precision, low double precision) returns double precision;

function metric_rest(high double precision, low double precision) returns double precision;

function metric_digits(high double precision, low double precision) returns text;

-- The difference between an integer, given as digits because a JSON number can't hold it, and its nearest double.
function metric_rest_of(digits jsonb, value double precision) returns double precision;

-- A sum of counts, limited so that one more count still fits into the type.
function metric_count(count numeric) returns bigint;

-- A bucket of an exponential histogram as a number: its scale, side (0 negative, 1 zero, 2 positive) and index.
function exponential_bucket(scale integer, side integer, index bigint) returns bigint;

function exponential_scale(bucket bigint) returns integer;

function exponential_side(bucket bigint) returns integer;

function exponential_index(bucket bigint) returns bigint;

-- An array of numbers, or of their digits, as PostgreSQL writes it.
function json_digits(list jsonb) returns text;

-- The buckets of a histogram's point: explicit ones by their index from 0, exponential ones as exponential_bucket.
-- None for a scale outside the allowed range: version 0.1.0 stored scales that don't fit into a 32-bit integer.
-- Inlined: a call costs three times as much. The views that use it (metric-views.sql) are made anew after it.
function metric_bucket_counts(distribution jsonb) returns table (bucket bigint, count bigint);

-- Those that aren't empty as two arrays in one row.
function metric_buckets(distribution jsonb) returns table (buckets bigint[], counts bigint[]);

function metric_bounds(distribution jsonb) returns double precision[];

function metric_layout(distribution jsonb) returns bigint;

-- -------------------- schema/functions/metric-views.sql --------------------

-- A point of a series of a `kind` as the sum of a minute without another one; nothing if it doesn't count. A table of
-- one row, so that it is inlined and no column is computed that nobody needs. Buckets are in outer joins with the kind
-- within: those of the other kind aren't unpacked.
function metric_part_of(point metric_points, kind text)
returns table (
  start_nano bigint, layout bigint, minute timestamptz, points integer, value double precision,
  first_value double precision, last_value double precision, min double precision, max double precision, count bigint,
  first_count bigint, last_count bigint, sum double precision, first_sum double precision, last_sum double precision,
  bounds double precision[], buckets bigint[], counts bigint[], last_buckets bigint[], last_counts bigint[],
  quantiles jsonb
);

-- Where in a range of minutes a series has no sums: its minutes with one point or none. By the primary key of
-- metric_minute_sums.
function metric_gaps(
  environment integer, series bigint, from_minute timestamptz, to_minute timestamptz, first_day date, last_day date
)
returns table (start timestamptz, stop timestamptz);

-- The minutes of ranges of series: a row a stream, or a row a point where a minute has no sums. Times are whole
-- minutes and within the days. Inlined: no column is computed that nobody needs, and other days aren't planned.
function metric_minutes_of(
  environment integer, series bigint[], starts timestamptz[], ends timestamptz[], first_day date, last_day date
)
returns setof metric_minute_sums;

-- -------------------- schema/functions/named-rows.sql --------------------

-- Rows of `events` and `visits` with each column by its name: `event_row(kind => 1, …)`. What isn't named is null.
-- PostgreSQL plans them into the caller. A test compares their arguments with the columns of the tables.
function event_row(
  occurred_at timestamptz default null, event_id uuid default null, visitor_id uuid default null,
  page_id uuid default null, site_key integer default null, path_id integer default null,
  name_id integer default null, profile_id integer default null, place_id integer default null,
  origin_id integer default null, engaged_ms integer default null, scroll_depth real default null,
  kind smallint default null, tier smallint default null, continued boolean default null, entry boolean default null,
  screen text default null, data jsonb default null
)
returns events;

function visit_row(
  started_at timestamptz default null, visitor_id uuid default null, site_key integer default null,
  duration_ms integer default null, engaged_ms integer default null, entry_ms integer default null,
  entry_page integer default null, profile_id integer default null, place_id integer default null,
  origin_id integer default null, tier smallint default null, continued boolean default null,
  counted boolean default null, newcomer boolean default null, later_pages integer[] default null,
  custom_events integer[] default null, event_data jsonb default null, page_data jsonb default null,
  consent_page integer default null, vitals integer[] default null
)
returns visits;

-- -------------------- schema/functions/new-values.sql --------------------

-- How many new values of a kind a site takes on a UTC day. The kind `further` counts the properties beyond the free
-- ones of their events (properties.sql).
function most_new_values(kind text) returns integer;

-- Notes the new values of a batch, `{site_key, kind, value, at}`, as taken by their day, earliest first. Returns those
-- beyond the limits, in the shape that `is_refused` reads; null: none. A path or name that a goal or funnel names in
-- full is always taken. Values without a kind come from closed lists and aren't counted. Needs the sites' locks.
function refuse_values(fresh jsonb) returns jsonb;

function is_refused(refused jsonb, site_key integer, kind text, value text) returns boolean;

-- An event with `(other)` in each of the fields that it has.
function as_other(event jsonb, fields text[]) returns jsonb;

-- The last id that a dictionary has given at each site of these values. Not in SQL alone, so that a statement that
-- inserts asks once for each site, and not for each value.
function last_ids(fresh jsonb, of_dictionary text) returns table (site_key integer, id integer);

-- Gives ids to the paths and event names of the batch that are new for their site. Returns the same as the other
-- `admit_` functions (dimensions.generated.sql).
function admit_texts(batch jsonb) returns jsonb;

-- Gives ids to the values of the batch that are new in these dictionaries of their site. Returns the batch with
-- `(other)` instead of the values beyond the day's limits; null: no value is beyond them.
function admit_values(batch jsonb, dictionaries text[]) returns jsonb;

-- Counts the events that have a value beyond the limits, by the kind of the value.
function count_others(fresh events[]) returns void;

-- -------------------- schema/functions/outcomes.sql --------------------

-- An instant as the wire has it: RFC 3339 in UTC, with milliseconds.
function wire_instant(instant timestamptz) returns text;

-- -------------------- schema/functions/properties.sql --------------------

-- The number of free properties per event, which don't count against the day's limit. An event with fewer leaves its
-- room to others: a day has at most this number for each of its events, plus the limit.
function free_properties() returns integer;

-- The digest of a property's key, or with `value` of one of its values, as stored in `known_properties`. SHA-256, so
-- that nobody can find two values with the same digest. Stable, like the functions that it calls, so that it is
-- inlined.
function property_digest(event integer, key text, value text default null) returns bytea;

-- The properties of events. `n` is the event's index.
function properties_of(fresh events[])
returns table (
  n bigint, site_key integer, at timestamptz, key text, value jsonb, key_digest bytea, value_digest bytea
);

-- The events with other `data`, by the events' indexes.
function with_data(fresh events[], changed jsonb) returns events[];

-- Removes the properties of events that have more than the free ones, once their day has too many; `cut` marks these
-- events. Earlier events come first. In a batch with such an event, page views and events with fewer than the free
-- ones add room. Other batches aren't counted, so that most cost no write. Needs the sites' locks.
function cut_properties(fresh events[]) returns events[];

-- The new keys and values of the events' properties that are beyond their day's limit, in the shape that `is_refused`
-- reads; null: none. Notes all others as known. Keys are decided first: a value of a refused key isn't counted.
function refuse_properties(fresh events[]) returns jsonb;

-- The events with the properties that their days accept. `is_limited`: some have `(other)`. It is fast because few
-- events have properties, and most properties are known.
function admit_properties(fresh events[], out admitted events[], out is_limited boolean);

-- -------------------- schema/functions/questions.sql --------------------

-- Begins a question: takes one of the asker's 2 slots, and waits for one for at most 8 seconds. Raises
-- configuration_limit_exceeded (53400) after that, or if 15 questions are running or waiting. A null asker has no
-- limit. Always returns null.
function begin_question(asker uuid) returns text;

-- -------------------- schema/functions/rank-traces.sql --------------------

-- Up to `page` traces among the newest `budget` spans that began in [from_nano, to_nano): {hits: [{traceId, spanId,
-- startNano}], examined, since, next: {value, startNano, traceId} | null}. They are ordered by the duration of their
-- longest matching span, which is the hit, or `by_errors` by the number of matching spans with status error; of equal
-- ones the newest hit comes first. `next` is passed as `before_*` to get the next page. `since` is the start of the
-- oldest of these spans if the range has more. Each page reads them anew, by spans_time, or by spans_errors for
-- errors: a few microseconds per span.
function rank_traces(
  environment integer, from_nano bigint, to_nano bigint, by_errors boolean, before_value bigint, before_nano bigint,
  before_trace uuid, page integer, budget integer, by_service text, by_operation text, by_status smallint,
  min_nano bigint, max_nano bigint, terms text[], resource_terms text[], pattern text
)
returns jsonb;

-- -------------------- schema/functions/repeated-events.sql --------------------

-- At tier 1 a goal counts once per page view, but no stored value links the events of a page view for long. So the
-- fold marks repeats: custom events of the same page view (`events.page_id`) and name, less than a day after the
-- previous one. The result depends only on the set of events, not on their order of arrival. Needs the sites' locks.
function repeat_gap() returns interval;

-- Whether a custom event with this data is a repeat.
function is_repeated(data jsonb) returns boolean;

function as_repeated(data jsonb) returns jsonb;

-- The new events with the repeats among them marked. Costs two probes of `events_repeats` a custom event of tier 1.
function mark_repeats(fresh events[]) returns events[];

-- Marks stored events that late events turn into repeats, and one visit for each: any visit with the same stored
-- values.
function mark_stored_repeats(fresh events[]) returns void;

-- -------------------- schema/functions/retention.sql --------------------

-- Partitions are dropped only while no transaction uses one by name: this lock keeps them until the end of the
-- transaction.
function keep_partitions() returns void;

-- Returns true if no transaction uses partitions by name, and keeps it so until the end of this transaction; else
-- false.
function may_drop_partitions() returns boolean;

-- The instant that functions with the owner's rights use (with-owners-rights.sql). A function's role can pass any
-- instant; one later than the database's clock is replaced by now, so that it can't delete data too early. The owner's
-- own commands may pass a later one.
function trusted_instant(instant timestamptz) returns timestamptz;

-- Drops a partition. Returns false if it can't lock the partition at once: waiting for the lock would stop the fold.
-- The caller tries again later. Also returns true if another run has dropped the partition.
function drop_partition(partition regclass) returns boolean;

-- Drops the partitions of raw events that ended over 48 hours ago. Deletes the counts of new values and properties of
-- those days, and dead letters that are older than their sites' policies allow. Other dead letters stay until somebody
-- replays or dismisses them.
function drop_raw_events(instant timestamptz) returns integer;

-- The beginning of the oldest day that a policy keeps, in the site's zone.
function oldest_kept(instant timestamptz, zone text, months integer) returns timestamptz;

-- Returns whether a partition of visits or associations has a row that must be kept: of a site without a policy, or
-- with a policy that keeps days before the partition's end. Steps from site to site by an index that begins with the
-- site and contains the rows that are `present`, and stops at the first site that keeps a row.
function keeps_visits(partition regclass, ends_at timestamptz, instant timestamptz, present text)
returns boolean;

-- Drops the oldest partition of visits, or else of associations, from which nothing is kept. False: there is none, or
-- it couldn't be locked at once. One per call, because a transaction holds its locks to the end. The fold doesn't
-- write rows that are a month old. Retention deletes by days, so most of these partitions are empty already.
function drop_expired_visits(instant timestamptz) returns boolean;

-- Deletes up to `max_rows` rows of a site that meet a condition, from a table or one partition; returns how many.
-- `key_column` names another key than the site's. Uses an index that begins with the key. The plan doesn't depend on
-- statistics, which are wrong while thousands of rows are deleted.
function delete_some(
  target regclass, key integer, condition text, max_rows integer, key_column text default 'site_key'
)
returns integer;

-- -------------------- schema/functions/seal-blocks.sql --------------------

-- Returns whether all blocks of the span `part` within a block are finally sealed.
function parts_are_sealed(of_site integer, of_span integer, part smallint, of_bucket date)
returns boolean;

-- Stands for no filter in block_values: all visits.
function no_filter() returns uuid;

-- The values of a block as sums of the blocks of the span `part` that fill it: a row for each dimension.
function merged_values(
  of_site integer, of_filter uuid, of_span integer, part smallint, of_bucket date
)
returns table (
  dimension smallint, value integer[], hits_1 integer[], hits_2 integer[], hits_3 integer[], visits_1 integer[],
  visits_2 integer[], visits_3 integer[], visitors_2 integer[], visitors_3 integer[], gap_value integer[],
  gap_tier smallint[], gap smallint[], returned integer[], resumed integer[]
);

-- Makes one block of 7 or 28 days from the smaller ones in it. Returns false if one of these isn't finally sealed, or
-- if the block exists already.
function merge_block(of_site integer, of_span integer, of_bucket date) returns boolean;

-- -------------------- schema/functions/seal-days.sql --------------------

-- A visit without an event for this time is over: the session gap, plus 5 minutes for late events.
function closed_before(instant timestamptz) returns timestamptz;

-- Begins to seal a day: from now on a change breaks the seal. False: nothing of the day can be sealed yet. Waits for a
-- running fold of the site, and makes the next folds wait while it looks for open visits in one scan of the day's
-- visits.
function begin_seal(of_site integer, of_day date, instant timestamptz) returns boolean;

-- Ends the seal that `begin_seal` began, in another transaction: writes the day's rows, makes the blocks that they
-- complete, and lets reports use them. False: a change broke the seal in between.
function end_seal(of_site integer, of_day date) returns boolean;

-- Remembers that a day could not be sealed: it is tried again after 15 minutes, then after twice as long each time, a
-- day at most. Its site comes after the others.
function note_seal_fault(of_site integer, of_day date, fault text, instant timestamptz) returns void;

-- How many visits of today are sealed before the day ends: reports read fewer of them from their rows.
function visits_worth_sealing() returns integer;

-- Up to `most` days that are due: past days whose visits are closed, if they aren't sealed, or if visits that were
-- open at their seal have closed; and today, if enough visits came since its last seal. Sites take turns: first the
-- oldest day of each site, beginning with the site whose last turn was longest ago, then the next days. Days that
-- couldn't be sealed wait for their next attempt.
function days_to_seal(instant timestamptz, most integer) returns table (site_key integer, day date);

-- Notes the day up to which a site is finally sealed without a gap, so that the next search begins there.
function note_sealed(of_site integer, instant timestamptz) returns void;

-- Seals all days that are due, in one transaction, and returns how many: for a database without other writers.
function seal_days(instant timestamptz) returns integer;

-- Up to `most` sealed days of a site, or with null of all sites, that were sealed with earlier goals and funnels.
-- Sites take turns as in `days_to_seal`, the newest day of each first.
function targets_to_seal(of_site uuid, instant timestamptz, most integer)
returns table (site_key integer, day date);

-- Updates a sealed day to the site's present goals and funnels.
function reseal_day(of_site integer, of_day date) returns void;

-- -------------------- schema/functions/seal-filters.sql --------------------

-- How many filters of a site are remembered.
function most_filters() returns integer;

-- Whether the visits of a site are enough to make sums of filters worth it: 7,000 in a week. Fewer are read
-- fast. By the primary key of rollup_hours.
function has_many_visits(of_site integer, instant timestamptz) returns boolean;

-- Notes that a filter of a site was asked. Returns its id if sums of it are kept. Null: they aren't, since they are
-- too large or the site has few visits.
function note_filter(of_site uuid, asked jsonb, instant timestamptz) returns uuid;

-- Proposes the commonest values of a site as filters: up to three of a dimension, each with at least a twentieth of
-- the visits. Reads the newest block of 7 days.
function propose_filters(of_site integer, today date) returns void;

-- Proposes the commonest values of a site with many visits, and decides which filters have sums: those that spare
-- most reading for their size, as long as together they take at most a tenth of what the visits take. A filter whose
-- size isn't known is tried. Forgets filters that nobody asked for 30 days. The sums of others are deleted.
function choose_filters(of_site integer, instant timestamptz) returns void;

-- Up to `max_sites` sites that have filters, or whose commonest values weren't proposed for a day; those that waited
-- longest first. Notes that they have had their turn.
function sites_with_filters(instant timestamptz, max_sites integer)
returns table (site_key integer);

-- Up to `max_days` days that a filter has no sums of, though they were sealed for good; the newest first, and before
-- them a first day of each filter whose size isn't known. Null: of all filters of a site.
function days_of_filter(of_site integer, of_filter uuid, max_days integer)
returns table (filter uuid, day date);

-- Sums up a day for a filter. False: nothing was done, because the day isn't sealed for good or another call sums up
-- a day of the site.
function seal_filter(of_site integer, of_filter uuid, of_day date) returns boolean;

-- Writes what a day has of the visits that a filter keeps.
function write_filter(
  of_site integer, of_filter uuid, of_day date, zone text, start_at timestamptz, end_at timestamptz,
  until_at timestamptz, masks filter_masks
)
returns void;

-- Notes the share and the size of a filter by its first day. The blocks of 7 and 28 days add less than half.
function measure_filter(
  of_site integer, of_filter uuid, of_day date, start_at timestamptz, until_at timestamptz
)
returns void;

-- Of the counted visits of tier 3 that began in a day and that a filter keeps: how many, how many were left after one
-- page view, and how long they lasted together.
function measures_of_seal(
  of_site integer, of_day date, start_at timestamptz, until_at timestamptz, kept filter_masks, out measured integer,
  out bounces integer, out duration_ms bigint
);

-- Makes a filter's block of 7 or 28 days of the smaller ones in it, if it has all of them and the block is sealed.
function merge_filter(of_site integer, of_filter uuid, of_span integer, of_bucket date) returns void;

-- -------------------- schema/functions/seal-hits.sql --------------------

-- What reaches goals and steps of funnels. A funnel may begin on the page of consent (kind 4). A goal isn't reached
-- there again.
function targets_of_seal(of_site integer)
returns table (kind integer, text_id integer, goal integer, funnel integer, step integer);

-- What each visitor, each visit of nobody known, or several of these together, had of a value in the day (`today`),
-- and on which earlier day last. A goal counts on the day on which its visit began; anything else when it happened.
-- Data of single hits is summed without a visit: anybody can send as many as there are events. `resumed`: visits that
-- had the value on an earlier day too. `kept`: of the visits that a filter keeps, what lists of visits and pages show,
-- and the total; null: of all visits, all but the total.
function values_of_seal(
  of_site integer, of_day date, zone text, start_at timestamptz, end_at timestamptz, until_at timestamptz,
  only_targets boolean, kept filter_masks
)
returns table (
  dimension smallint, value integer, prop text, tier smallint, visitor_id uuid, visitors integer, visits integer,
  hits integer, resumed integer, today boolean, last_day date
);

-- What a day had of each value, by the tier and, of visitors who had it before, by how many days before.
function sums_of_seal(
  of_site integer, of_day date, zone text, start_at timestamptz, end_at timestamptz, until_at timestamptz,
  only_targets boolean, kept filter_masks
)
returns table (
  dimension smallint, event integer, value integer, prop text, tier smallint, gap smallint, hits integer,
  visits integer, visitors integer, resumed integer
);

-- `sums_of_seal` as arrays, with an element for each value, and one for each value, tier and gap: a row for each
-- dimension and, of properties, for each event.
function packed_sums(
  of_site integer, of_day date, zone text, start_at timestamptz, end_at timestamptz, until_at timestamptz,
  only_targets boolean, kept filter_masks
)
returns table (
  dimension smallint, event integer, value integer[], prop text[], hits_1 integer[], hits_2 integer[],
  hits_3 integer[], visits_1 integer[], visits_2 integer[], visits_3 integer[], visitors_2 integer[],
  visitors_3 integer[], gap_value integer[], gap_prop text[], gap_tier smallint[], gap smallint[], returned integer[],
  resumed integer[]
);

-- Writes what a day had of all dimensions, or of goals and funnels alone.
function write_values(
  of_site integer, of_day date, zone text, start_at timestamptz, end_at timestamptz, until_at timestamptz,
  only_targets boolean
)
returns void;

-- Writes the revenue of a day's custom events, and of the goals that they reached in visits that began in the day.
function write_revenue(
  of_site integer, of_day date, start_at timestamptz, end_at timestamptz, until_at timestamptz, only_targets boolean
)
returns void;

-- Deletes what a day has of all dimensions, or of goals and funnels alone.
function clear_hits(of_site integer, of_day date, only_targets boolean) returns void;

-- Writes what a day that is being sealed has of all dimensions, or of goals and funnels alone. False: the day has no
-- seal any more. Each property makes two rows that are grouped by visit: with 4 MB of memory a day with many of them
-- takes half as long again. Plans are kept: planning would take a third of the time of a small site's day.
function seal_hits(of_site integer, of_day date, only_targets boolean) returns boolean;

-- -------------------- schema/functions/seal-journeys.sql --------------------

-- The first 5 pages of a visit, ids of site_texts with spaces between; one that is shown again at once is not
-- repeated.
function journey_of(entry_page integer, later_pages integer[]) returns text;

-- The same of a visit that may begin on the page of consent.
function journey_of(consent_page integer, entry_page integer, later_pages integer[]) returns text;

-- The journeys of the visits that began in a day, by tier, and their visitors, by how many days before they took the
-- same path last. Scans the visits once, and asks `visits_by_visitor` for each visitor who isn't new.
function journeys_of_seal(
  of_site integer, of_day date, zone text, start_at timestamptz, until_at timestamptz
)
returns table (path text, tier smallint, gap smallint, journeys integer, visits integer, visitors integer);

-- Writes the journeys of a day. `head` of the frequent ones are a row of their own (part 0).
function write_journeys(
  of_site integer, of_day date, zone text, start_at timestamptz, until_at timestamptz, head integer
)
returns void;

-- Writes the journeys of a day that is being sealed.
function seal_journeys(of_site integer, of_day date, head integer default 500) returns void;

-- -------------------- schema/functions/seal-visits.sql --------------------

-- For how many days a seal knows that a visitor had a value before. No report asks for more.
function seal_memory() returns integer;

-- A day that is being sealed: its zone, where it begins and ends, the instant up to which its visits are in the seal,
-- and the version of its site's goals and funnels. Nulls: the day has no seal any more.
function day_of_seal(
  of_site integer, of_day date, out zone text, out start_at timestamptz, out end_at timestamptz,
  out until_at timestamptz, out targets integer
);

-- The visits of a site that began before `before` and had something at `start_at` or later, by `visits_quarters` and,
-- where they lasted for a day, `visits_long`.
function visits_within(of_site integer, start_at timestamptz, before timestamptz)
returns setof visits;

-- Those that weren't open when a day was sealed.
function closed_visits(of_site integer, of_day date, start_at timestamptz, before timestamptz)
returns setof visits;

-- The visits of a visitor in which somebody was seen before `before`, by `visits_by_visitor`. At tier 2 a visitor is
-- one of a day.
function earlier_visits(of_site integer, of_tier smallint, of_visitor uuid, before timestamptz)
returns setof visits;

-- Why a visit makes shares approximate: 1, it has no visitor; 2, it goes on from another visit; 3, nobody was seen.
-- Only visits with a page view, a custom event or a page of consent. And 4: it counts.
function reach_of_visit(
  tier smallint, seen boolean, counted boolean, continued boolean, entry_page integer, custom_events integer[],
  consent_page integer
)
returns table (reason integer);

-- Why a conversion is of no counted visit of tiers 2 and 3: 1, it is anonymous; 2, its visit goes on from another one;
-- 3, a server sent it outside of any visit. Null: it is of one.
function conversion_apart(tier smallint, seen boolean, counted boolean) returns integer;

-- The closed visits of a day, and the earlier ones, without a number, of each of their visitors who isn't new: for
-- goals alone, of those who reached one. Scans the visits of the day once, and by `visits_by_visitor` the earlier
-- ones. `began_on`: null if the visit began before the day and has something in it. `alone`: the one visit of a
-- visitor who is new. It counts without looking who it was. `visitor_id`: only of others in which somebody was seen.
-- `single`: of nobody known, with one hit that has data. `kept`: only visits that a filter keeps; null: all.
function visits_of_seal(
  of_site integer, of_day date, zone text, start_at timestamptz, until_at timestamptz, only_targets boolean,
  kept filter_masks
)
returns table (
  visit bigint, tier smallint, began_on date, alone boolean, seen boolean, counted boolean, continued boolean,
  came boolean, single boolean, visitor_id uuid, started_at timestamptz, profile_id integer, place_id integer,
  origin_id integer, entry_ms integer, entry_page integer, exit_page integer, consent_page integer, pageviews integer,
  later_pages integer[], custom_events integer[], event_data jsonb, page_data jsonb
);

-- The hits of such a visit: page views (kind 1), custom events (2), what page views brought (3), and the page of
-- consent (4). `day`: null for what an earlier visit had in the day, which the day's own visits have too.
function hits_of_seal(
  of_day date, zone text, start_at timestamptz, end_at timestamptz, visit bigint, started_at timestamptz,
  entry_ms integer, entry_page integer, later_pages integer[], custom_events integer[], event_data jsonb,
  page_data jsonb, consent_page integer
)
returns table (kind integer, ms integer, text_id integer, data jsonb, day date);

-- -------------------- schema/functions/service-map.sql --------------------

-- The calls of spans that began in [from_nano, to_nano), which lies in one UTC day. An index scan of spans_time, and
-- a look-up by the primary key for each entry with a parent: its day, or the day before for what began before
-- midnight.
function calls_between(environment integer, from_nano bigint, to_nano bigint)
returns table (caller text, callee text, status smallint, duration_nano bigint);

-- Counts the calls of up to `piece` due minutes again, and those of their hours; returns how many. A minute is due 2
-- minutes after its spans came, and again 15 minutes later, when long parent spans have come. Returns 0 while another
-- call runs.
function map_services(instant timestamptz, piece integer) returns integer;

function count_calls_of_minute(environment integer, due timestamptz) returns void;

function sum_calls_of_hour(environment integer, hour timestamptz) returns void;

-- -------------------- schema/functions/site-minutes.sql --------------------

-- What a visit counts as, and when. Series: 1 present, from the first event to the fifth minute after the last one,
-- a day at most; 2 visits; 3 page views; 4 custom events by name; 5 revenue by currency; 6 visits that reach a goal,
-- by its key; 7 visits by source, 8 by channel, 9 by country, 10 by device, 11 by entry page.
function moments_of(visit visits)
returns table (series integer, name text, at timestamptz, amount bigint);

-- The goals that a visit reaches, each with the time when it first does.
function goals_reached_by(visit visits) returns table (goal_key integer, at timestamptz);

-- An amount in a minute of 0 to 59, as `site_minutes.packed` has it, and back.
function pack_minute(minute integer, amount bigint) returns bigint;

function unpack_minutes(packed bigint[]) returns table (minute integer, amount bigint);

function add_minutes(one bigint[], other bigint[]) returns bigint[];

-- Adds the moments of visits within [from_at, to_at) of a watched site, or subtracts those of `taken`. Goals count
-- from their last change on.
function add_site_minutes(
  taken visits[], merged visits[], from_at timestamptz, to_at timestamptz
)
returns void;

-- Called by the fold with the visits as they were and as they are. Without a watched site it costs one look-up by the
-- primary key of site_watches.
function count_site_minutes(fresh events[], taken visits[], merged visits[]) returns void;

-- Subtracts erased visits, and deletes what counts nothing any more, so that no name of theirs is left.
function lessen_minutes(erased_site integer, erased visits[]) returns void;

-- Counts a piece of the time before `since`, at most a day, of a watched site: visits of [from_at, since), by the
-- index visits_quarters. Returns whether anything before it is still wanted. The caller has the lock of the site.
function fill_piece(watched integer, hours integer) returns boolean;

-- Begins to count the minutes of a site, or notes that somebody asked again. Waits for a batch of the site's events
-- that is being folded. The last hour is counted at once: `since` begins after all that is known, and moves back.
function watch_site(site uuid, instant timestamptz) returns void;

-- Counts one piece of one site that isn't counted back to `wanted` yet; returns whether there was one. A piece has
-- about 20,000 page views, an hour at least and a day at most.
function fill_site_minutes() returns boolean;

-- Deletes up to `max_rows` minutes that are older than 36 days, and what isn't watched any more: sites without an
-- alert that nobody tried one on for a day. Returns how many rows were deleted. Cheap once a minute: one look-up a
-- watch.
function forget_site_minutes(instant timestamptz, max_rows integer) returns integer;

-- -------------------- schema/functions/sites.sql --------------------

-- The `like` pattern of a pattern of paths. It matches every path that `page_matches` matches, and some in which `*`
-- is more than one segment.
function as_like(pattern text) returns text;

-- Returns whether a path matches a pattern. `*` is one whole segment that isn't empty; `**`, only at the end, is any
-- rest, also an empty one; other characters match themselves. The literal beginning is compared first, which is enough
-- for most paths. `%` in the `like` can't match a slash, because both sides have the same number of slashes.
function page_matches(path text, pattern text) returns boolean;

-- Aggregate: the last step of a funnel that a visit reached. Its input are the numbers of the steps that the visit's
-- hits meet, in order of time, and in order of the steps within an instant.
function next_step(reached integer, met integer) returns integer;

-- -------------------- schema/functions/store-events.sql --------------------

-- The events of the batch that aren't stored yet, without ids of values: what these are to stand for, and where each
-- event stands in the batch. `repeated` counts the others.
function read_events(
  batch jsonb, memory_start timestamptz, out fresh events[], out paths text[], out names text[], out profiles text[],
  out places text[], out origins text[], out positions bigint[], out repeated integer
);

-- The text of a site with a value, and whether its days don't have `day` yet; none if the event has its id already. By
-- the index of values. Inlined where it is used.
function text_with_value(of_site integer, of_value text, known_id integer, day date)
returns table (id integer, stale boolean);

-- The events with the ids of their values, as far as there are any. `lacking`: dictionaries that lack some of these,
-- and `lacking_at`, for which of the events. `stale`: those with values that weren't named on their days before.
function look_up_values(
  fresh events[], paths text[], names text[], profiles text[], places text[], origins text[], positions bigint[],
  out named events[], out lacking text[], out lacking_at bigint[], out stale events[]
);

-- Stores the events of the batch that aren't stored yet, and returns them; `repeated` counts the others. `is_limited`:
-- some of them have `(other)` for what is beyond their day's limits.
function store_events(
  batch jsonb, memory_start timestamptz, out stored events[], out repeated integer, out is_limited boolean
);

-- -------------------- schema/functions/store-metrics.sql --------------------

-- The points of a request, each with its index and what its series is.
function points_of(batch jsonb)
returns table (
  index bigint, series_id bigint, hash bigint, resource_id bigint, service text, scope_id bigint, name text,
  unit text, description text, type text, temporality smallint, monotonic boolean, attributes jsonb,
  start_nano bigint, time_nano bigint, flags bigint, value double precision, count bigint, sum double precision,
  min double precision, max double precision, distribution jsonb, exemplars jsonb
);

-- Stores the points of a request with their series and receipts, if it has at most `series_left` new series.
-- Otherwise returns the indexes of the points whose series are beyond.
function write_metrics(
  environment integer, batch jsonb, services text[], today date, instant timestamptz, series_left bigint,
  out new_series bigint, out beyond jsonb
);

-- Series beyond the quota are answered by the places of their points.
function store_metrics(environment integer, batch jsonb, days date[], instant timestamptz)
returns jsonb;

-- -------------------- schema/functions/store-telemetry.sql --------------------

-- How many attributes the sender left out of a resource or scope, or as many as the column holds: senders have 32 bits
-- without a sign.
function dropped_count(doc jsonb) returns integer;

-- The name of a resource's service.
function service_of(doc jsonb) returns text;

-- Resources or scopes of a request by their place, with their ids.
function with_ids(docs jsonb) returns table (place integer, id bigint, doc jsonb);

-- The request's resources by their index, kept once; written at most once a day each.
function store_resources(environment integer, resources jsonb, today date)
returns table (place integer, id bigint, service text);

function store_scopes(environment integer, scopes jsonb, today date)
returns table (place integer, id bigint);

-- The indexes of a request's spans that are known already, stored or earlier in the request; and in `others` those of
-- them that have other content than the one that came first. By the primary key of `spans`.
function repeated_spans(environment integer, batch jsonb) returns jsonb;

-- Stores all spans of a request with their sums. Repeats are rare, and looking for them first costs as much as the
-- index.
function store_spans(environment integer, batch jsonb, days date[], instant timestamptz)
returns jsonb;

-- The hash of a record's content, without its time; and that of the record: of equal ones of a request each is one,
-- by their order. A clock of milliseconds makes such.
function log_content(resource bigint, scope bigint, doc jsonb) returns bigint;

function log_hash(content bigint, twin bigint) returns bigint;

function store_logs(environment integer, batch jsonb, days date[], instant timestamptz)
returns jsonb;

-- -------------------- schema/functions/sum-errors.sql --------------------

-- Adds the errors of a request's spans, as lib/telemetry/errors/error-parts.ts sums them.
function note_span_errors(environment integer, batch jsonb, instant timestamptz) returns void;

-- Adds the errors of a request's log records, of those that were stored: `stored_nanos` and `stored_hashes` are their
-- times and hashes.
function note_log_errors(
  environment integer, batch jsonb, stored_nanos bigint[], stored_hashes bigint[], instant timestamptz
)
returns void;

-- The newest examples, each of another trace. An example without a trace has only its time.
function newest_examples(examples jsonb, most integer) returns jsonb;

-- The parts with their groups. An environment has up to `max_groups`: first those that are known, then frequent ones.
-- All others are one group, which has no service and no example. One look-up by the primary key of error_groups for
-- each group, and for each environment with a new one.
function admit_errors(parts error_parts[], max_groups integer) returns error_parts[];

function as_other_error(part error_parts) returns error_parts;

-- Adds parts to groups. What happened after a group was resolved returns it.
function add_error_groups(parts error_parts[], instant timestamptz) returns void;

-- In how many traces the errors of parts occurred; null if it isn't known of each.
function traces_of(parts error_parts[]) returns integer;

-- The sum; null if a number isn't known, 0 without numbers.
function known_sum(numbers bigint[]) returns bigint;

-- Adds parts to hours. An hour of a group has up to 20 releases; later ones are one.
function add_error_hours(parts error_parts[]) returns void;

-- Sums up to `piece` parts to groups and hours; returns how many, or 0 while another call runs. A reader sees either
-- a part or its sum. The cost grows with the parts and with the rows that they change.
function sum_errors(instant timestamptz, piece integer, max_groups integer default 1000)
returns integer;

-- -------------------- schema/functions/sum-metrics.sql --------------------

-- The points of minutes of series, each as a part of its minute's sum. By the primary key of metric_points, a look-up
-- a slot.
function metric_parts_of_minutes(environment integer, series bigint[], minutes timestamptz[])
returns table (
  series_id bigint, start_nano bigint, layout bigint, first_nano bigint, last_nano bigint, tie bigint,
  slot timestamptz, day date, points integer, value double precision, first_value double precision,
  last_value double precision, min double precision, max double precision, count bigint, first_count bigint,
  last_count bigint, sum double precision, first_sum double precision, last_sum double precision,
  bounds double precision[], buckets bigint[], counts bigint[], last_buckets bigint[], last_counts bigint[],
  quantiles jsonb
);

-- The minutes of hours of series, each as a part of its hour's sum. By the primary keys of metric_minute_sums and
-- metric_points, a look-up a slot.
function metric_parts_of_hours(environment integer, series bigint[], hours timestamptz[])
returns table (
  series_id bigint, start_nano bigint, layout bigint, first_nano bigint, last_nano bigint, tie bigint,
  slot timestamptz, day date, points integer, value double precision, first_value double precision,
  last_value double precision, min double precision, max double precision, count bigint, first_count bigint,
  last_count bigint, sum double precision, first_sum double precision, last_sum double precision,
  bounds double precision[], buckets bigint[], counts bigint[], last_buckets bigint[], last_counts bigint[],
  quantiles jsonb
);

-- The entries of a part's histogram, and the last entries before a reset. Inlined where it is used.
function metric_entries(
  buckets bigint[], counts bigint[], last_buckets bigint[], last_counts bigint[], ends_in_reset boolean
)
returns table (bucket bigint, count bigint);

-- The sums of series by slots: minutes from their points, hours from their minutes. The cost grows with the rows in
-- the slots. Just-in-time compilation would make it ten times as slow, because the planner expects far more rows.
function sum_metric_slots(environment integer, series bigint[], slots timestamptz[], width interval)
returns setof metric_minute_sums;

-- Writes the sums of slots of series into metric_minute_sums or metric_hours, and replaces earlier ones.
function write_metric_sums(
  target text, environment integer, series bigint[], slots timestamptz[], width interval
)
returns void;

-- The minutes of series that have several points. A point that is alone is the sum of its minute. A look-up each by
-- the primary key of metric_points.
function crowded_minutes(environment integer, series bigint[], minutes timestamptz[])
returns table (series bigint[], minutes timestamptz[]);

-- Sums up to `max_rows` changed minutes of an environment that ended by `before` again; returns how many. Does nothing
-- while another call runs, since older sums must not be written after newer ones.
function sum_metric_minutes(environment integer, before timestamptz, max_rows integer)
returns integer;

-- The same of hours.
function sum_metric_hours(environment integer, before timestamptz, max_rows integer) returns integer;

-- The next environment, by its key, that may have minutes or hours to sum. Two index probes.
function next_touched_environment(after integer) returns integer;

-- -------------------- schema/functions/sum-spans.sql --------------------

-- The common name of operations beyond the limit of their service and hour. Without it, names that contain an id would
-- make an unbounded number of rows.
function other_operations() returns text;

-- The parts with the names under which their operations are summed. Up to `max_operations` operations of a service
-- and hour keep their names: first those with sums already, then entries before others, and frequent ones before rare
-- ones. One look-up by the primary key of span_hours for each operation, and for each service with a new one.
function name_operations(parts span_parts[], max_operations integer) returns span_parts[];

function as_other_operation(part span_parts) returns span_parts;

-- Adds parts to `target`, which is span_minutes or span_hours; `unit` is minute or hour. One look-up by the primary
-- key for each written row.
function add_span_parts(target text, unit text, parts span_parts[]) returns void;

-- Adds up to `piece` parts to minutes and hours; returns how many, or 0 while another call runs. A reader sees either
-- a part or its sum, because both change in one transaction. The cost grows with the parts and with the rows that
-- they change.
function sum_spans(piece integer, max_operations integer default 500) returns integer;

-- -------------------- schema/functions/targets.sql --------------------

-- Counts a change of a site's targets, after which sealed days are updated (`reseal_day`). The minutes of a goal are
-- counted anew from now on.
function note_targets() returns trigger;

-- Forgets the minutes of a goal that changed, if its site is watched.
function recount_goal(site integer, goal integer) returns void;

-- The targets of a site's goals and of each step of its funnels (steps from 1; 0 for a goal).
function targets_of(of_site integer)
returns table (kind smallint, pattern text, goal integer, funnel integer, step integer);

-- The texts of a site that match its targets.
function texts_of_targets(of_site integer)
returns table (kind smallint, text_id integer, goal integer, funnel integer, step integer);

-- -------------------- schema/functions/telemetry-coverage.sql --------------------

-- Notes minutes, each as a number of minutes since 1970. Writes only new ones, so that few requests wait for each
-- other. A request writes them last and in the order of hours, so that requests can't deadlock.
function note_observed(environment integer, kind text, observed bigint[]) returns void;

-- -------------------- schema/functions/telemetry-deletion.sql --------------------

-- Notes that the rows of a deleted environment have to be deleted, also when its project is deleted.
function note_telemetry_deletion() returns trigger;

-- Deletes up to `max_rows` rows of the environment that was deleted longest ago and may still have rows, from every
-- table with the column `environment_key`, so that it finds tables added later. Receivers accept a deleted key for 30
-- s, and a cron may be summing what they wrote. So it looks again every 5 minutes, until it finds nothing 10 minutes
-- or more after the deletion. Skips environments that another call is working on.
function continue_telemetry_deletions(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
);

-- -------------------- schema/functions/telemetry-quotas.sql --------------------

-- The quotas of a project: its own, else those of all projects. By the unique index.
function quotas_of(project uuid)
returns table (bytes_a_day bigint, series bigint, services bigint, attribute_keys bigint);

-- What a project has, and its bytes of a UTC day. By primary keys: up to 16 rows, and up to 17 an environment.
function telemetry_used(project uuid, today date)
returns table (bytes bigint, series bigint, services bigint, attribute_keys bigint);

-- The services (kind 1) and attribute keys (kind 2) of a request, each with the index of its resource or key there.
-- Inlined where it is used.
function telemetry_names(batch jsonb) returns table (kind smallint, hash bigint, place bigint);

-- Checks whether a request fits into the quotas of its project. If it does, notes the request's services and attribute
-- keys, and returns how many of them are new. If not, notes nothing, and `beyond` names the quota and the indexes of
-- the resources or keys beyond it. A name costs one look-up, and one write a day.
function admit_telemetry(
  environment integer, batch jsonb, today date, out beyond jsonb, out project uuid, out max_series bigint,
  out series_left bigint, out new_services bigint, out new_keys bigint
);

-- Counts what a request stored. The count is spread over several rows; each connection writes to one that others
-- seldom use.
function count_telemetry(
  environment integer, project uuid, today date, new_bytes bigint, new_series bigint, new_services bigint,
  new_keys bigint
)
returns void;

-- Corrects the counts of an environment after rows were deleted. Reads the keys of the environment's series and names
-- in the same snapshot as the counts, so rows that requests add meanwhile are in neither.
function recount_telemetry(environment integer) returns void;

-- -------------------- schema/functions/telemetry-receipts.sql --------------------

-- Sums up to `max_rows` receipts that are over 10 minutes old, environment by environment along their index. Those of
-- a deleted environment are only deleted. While another call runs it does nothing.
function sum_telemetry_receipts(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
);

-- -------------------- schema/functions/telemetry-retention.sql --------------------

-- How many whole days an environment keeps the rows of a table. Rows that refer to others are at most a day newer.
function telemetry_kept_days(target telemetry_tables, environment environments) returns integer;

-- The first day of each signal that any environment keeps. Reads all environments.
function first_telemetry_days(instant timestamptz) returns table (signal text, first_day date);

-- The day on which a partition ends.
function partition_end(partition regclass) returns date;

-- Drops the oldest day of each table that no environment keeps; returns whether any was dropped. Skips a day that
-- can't be locked at once, or into which late rows are being written (ensure_telemetry_day). Reads the catalogue, and
-- all environments for the longest retention: 3 ms for 20,000.
function drop_telemetry_days(instant timestamptz) returns boolean;

-- Deletes up to `max_rows` rows of an environment in one table that are older than `kept_from`; returns how many. In a
-- partitioned table it probes each partition that other environments still keep.
function expire_telemetry_table(
  target telemetry_tables, environment integer, kept_from date, first_day date, max_rows integer
)
returns integer;

-- Deletes up to `max_rows` expired rows of up to 1000 environments, each once a day. `environments.expired_on` says
-- which are done, so each call continues the one before. An environment without expired rows costs one probe per table
-- and a count of its series. Does nothing while another call runs.
function expire_telemetry(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
);

-- -------------------- schema/functions/telemetry-rollups.sql --------------------

-- The bucket of a duration. A doubling has 8 buckets, so the middle of a bucket is within 4.5 % of its values. Bucket
-- 0 is below 1 ns.
function latency_bucket(duration_nano bigint) returns smallint;

-- An instant as JavaScript writes it.
function iso_of_nano(nano bigint) returns text;

-- -------------------- schema/functions/telemetry.sql --------------------

-- 64 bits of a text's hash.
function telemetry_hash(content text) returns bigint;

-- A span id from its 16 hexadecimal digits, and back.
function span_id_of(digits text) returns bigint;

function span_id_text(id bigint) returns text;

function trace_id_text(id uuid) returns text;

-- The UTC day of an instant.
function day_of_nano(nano bigint) returns date;

-- The ids of the resources with a service and attributes (`terms` as in find_traces); null matches any. Uses
-- otlp_resources_service; PL/pgSQL plans it per call. Without a service it reads all resources of the environment.
function resources_asked_for(environment integer, by_service text, terms text[]) returns bigint[];

-- Makes the partition of a day, unless it exists. It is made as a table and then attached, because creating it
-- directly would wait for all writers. After waiting for a lock it reads the catalogue's rows, since to_regclass
-- would still give its earlier answer.
function ensure_telemetry_day(parent text, day date) returns void;

-- -------------------- schema/functions/time-zones.sql --------------------

-- The hour of `zone` that takes over what was counted in an hour of another zone.
function shifted_hour(at timestamptz, from_zone text, zone text) returns timestamptz;

-- What rollup_hours counts of a site's visits: page views where they happened, and visits where they began.
function counted_moments(of_site integer)
returns table (
  at timestamptz, tier smallint, pageviews integer, visits integer, measured integer, bounces integer,
  duration_ms integer
);

-- Moves the sums of hours to the hours of another zone. Where these begin at other minutes, an hour goes as a whole to
-- the hour in which it began, and then each page view and visit that belongs to the next one is moved. So the totals
-- stay, also those of visits with more page views than visits keep. Reads all visits of the site if hours move.
function shift_hours(of_site integer, from_zone text, zone text) returns void;

-- Counts the visitors of a site's hours and days anew from its visits, as count_visitors does visit by visit. Reads
-- all visits of the site, and sorts them by visitor.
function recount_visitors(of_site integer, zone text) returns void;

-- Moves a column of days to the same dates of another zone, for all rows of a site. In two steps, since a row may take
-- the instant of another one.
function shift_days(of_table regclass, day_column text, of_site integer, from_zone text, zone text)
returns void;

-- Cuts attention and vitals by the days of another zone. Days whose raw events are stored are summed again later, and
-- reports read the events until then. Earlier days keep their sums and their dates.
function shift_measures(of_site integer, from_zone text, zone text) returns void;

-- Makes the hours at the seam between days that kept their sums and days that are summed again, so that nothing is
-- missing and nothing counts twice. `kept_to`: the end of what the kept sums have. `from_at`: the end of their last
-- day in the new zone. If it is earlier, the hours up to `kept_to` have nothing; if it is later, the first hour has
-- what came since `kept_to`. All of it is final: raw events are kept for 48 hours.
function join_measures(of_site integer, kept_to timestamptz, from_at timestamptz) returns void;

-- Deletes the sums of a site's sealed days, all but those of imported days, which have no visits. Reports read the
-- visits until the days are sealed again.
function unseal_site(of_site integer) returns void;

-- Moves imported days to the same dates of another zone. Their seals stay.
function shift_imports(of_site integer, from_zone text, zone text) returns void;

-- Makes `next_timezone` the zone of a site. Returns false if there is nothing to do, or if the site has more visits
-- than `max_visits`. Folds and seals of the site wait meanwhile. Reports are right before and after: they read the
-- visits of days that aren't sealed again yet. The cost grows with the site's visits.
function change_zone(site uuid, max_visits bigint, instant timestamptz) returns boolean;

-- -------------------- schema/functions/values.sql --------------------

-- Widens the days of the values that events name.
function raise_values(fresh events[]) returns void;

-- Gives ids to the texts of a site that have none, and widens the days of the others. Needs the site's lock.
function name_texts(of_site integer, texts text[], first_days date[], last_days date[]) returns void;

-- Deletes the values of a site that meet a condition; returns how many. Their ids aren't used again. Needs the site's
-- lock.
function delete_values(of_site integer, of_dictionary text, ids integer[], condition text)
returns integer;

-- Up to `most` ids of a site's values that nothing from `kept_day` on uses; null if there are none. A text must also
-- be in no entry of the other dictionaries, so unused entries must be deleted first. Scans the site's dictionary, and
-- for texts the others too.
function expired_values(of_site integer, of_dictionary text, kept_day date, most integer)
returns integer[];

-- Deletes up to `max_rows` unused values of sites that `expire_visits` is done with. A call takes one dictionary of
-- one site, and finds the values before it locks the site. `sites.values_kept_from` says which sites are done. Does
-- nothing while another call runs.
function expire_values(max_rows integer, out deleted integer, out finished boolean);

-- Asks for a search whether anything that wasn't deleted uses these values of a site. Needs the site's lock.
function doubt_values(of_site integer, of_dictionary text, ids integer[]) returns void;

-- Ends the search for the values `ids` of a site, which something uses, and for those that came again meanwhile. Needs
-- the site's lock.
function keep_values(of_site integer, of_dictionary text, ids integer[]) returns void;

-- The values that visits of a site use, for visits whose quarter of an hour is in [since, before), by
-- `visits_quarters`.
function named_by_visits(of_site integer, since timestamptz, before timestamptz)
returns table (dictionary text, id integer);

-- Other rows that may use values since an instant: visits of over a day, by `visits_long`, raw events, by
-- `events_time`, and imported days.
function named_elsewhere(of_site integer, since timestamptz)
returns table (dictionary text, id integer);

-- Removes pages from a site's sums by page.
function take_out_pages(of_site integer, pages integer[]) returns void;

-- The beginning of the quarter of an hour from which a search reads visits: of the latest `max_visits` before
-- `before`, or of all from `since` on, if these are fewer. By visits_quarters.
function search_since(of_site integer, since timestamptz, before timestamptz, max_visits integer)
returns timestamptz;

-- The values that something other than a visit uses, from `since` on.
function named_without_visits(of_site integer, since timestamptz, unnamed erased_values[])
returns erased_values[];

-- The texts that only the given entries use, which are deleted with them.
function texts_of_entries(of_site integer, unnamed erased_values[]) returns integer[];

-- Ends a search: keeps the values that are used, and deletes the others; returns how many. Leaves out values for which
-- another search was asked meanwhile: rows that were deleted since may be those that used them.
function settle_values(
  of_site integer, searched erased_values[], named erased_values[], unnamed erased_values[], freed integer[],
  since timestamptz, instant timestamptz
)
returns integer;

-- Continues the search of one site: whether anything uses the values of deleted rows. Reads up to `max_rows` more
-- visits and the rest of their quarter of an hour, from the latest to the earliest, because a late event may join two
-- visits into the earlier one. Locks the site when the answer is known; rows that were deleted meanwhile have their
-- values searched again. A page that no visit uses is also removed from the sums by page: only page views beyond the
-- 500 of a visit could still be in them. Texts wait for the entries that use them. Does nothing while another call
-- runs.
function search_values(
  instant timestamptz, max_visits integer, out deleted integer, out finished boolean
);

-- -------------------- schema/functions/visits.sql --------------------

-- Returns whether an event shows that somebody was on the site. A custom event from a server doesn't. At tier 1 only a
-- page view does.
function is_seen(
  counted boolean, continued boolean, entry_page integer, custom_events integer[], consent_page integer
)
returns boolean;

-- For the code of the last release, which has no page of consent.
function is_seen(counted boolean, continued boolean, entry_page integer, custom_events integer[])
returns boolean;

-- Returns whether a visit has no second page view and no interaction. A custom event that isn't an interaction says so
-- in its data.
function is_bounce(later_pages integer[], custom_events integer[], event_data jsonb) returns boolean;

-- The instant at these milliseconds after the visit's beginning.
function visit_time(started_at timestamptz, ms integer) returns timestamptz;

-- Milliseconds limited to the range of their column, 24.8 days. Null stays null.
function most_ms(ms bigint) returns integer;

-- The milliseconds between two instants.
function ms_between(earlier timestamptz, later timestamptz) returns integer;

-- The longest time before an event in which its visit is searched. `duration_ms` can't hold much more.
function longest_visit() returns interval;

-- A visit keeps its first 500 page views, its first 500 custom events, the first 500 page views with properties, and
-- the first 32 KiB of properties of each kind; the rollups count all. This bounds what each further event of an
-- endless visit costs.
function kept_hits() returns integer;

function kept_property_bytes() returns integer;

-- The pairs of visits.later_pages and visits.custom_events as rows. `offset 0` keeps the planner from merging the
-- concatenation into the caller: the stored array is then unpacked once, not once for each element.
function hits_of(pairs integer[]) returns table (ms integer, text_id integer);

-- The custom events of a visit with their properties and revenue.
function events_of(pairs integer[], event_data jsonb)
returns table (ms integer, text_id integer, data jsonb);

-- visits.vitals of a vitals event alone; null if it brought none.
function load_of_event(path_id integer, data jsonb) returns integer[];

-- The page loads of visits.vitals as rows.
function loads_of(vitals integer[])
returns table (ms integer, path_id integer, lcp integer, inp integer, cls integer, fcp integer, ttfb integer);

-- The texts that a visit names.
function texts_of_visit(
  consent_page integer, entry_page integer, later_pages integer[], custom_events integer[], vitals integer[]
)
returns table (text_id integer);

-- The page views of a visit that have properties, with these.
function page_data_of(page_data jsonb) returns table (ms integer, data jsonb);

-- Makes the partition of `events` (a UTC day), `visits` or `associations` (a UTC month) for the instant, unless it
-- exists.
function ensure_partition(parent text, instant timestamptz) returns void;

-- Partitions for the present and the next three days; run by a cron, and by `ingest_events` for what is missing.
function ensure_partitions(instant timestamptz) returns void;
