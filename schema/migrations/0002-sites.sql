-- Sites, and what their owners set for them.

create table sites (
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
  kept_from timestamptz,
  check (num_nulls(jurisdiction, consent_mode, pre_consent_tier, retention_months) in (0, 4))
);
create index sites_project on sites (project_id, created_at);
comment on table sites is 'A website. Its four policy columns are all set, or all null: no policy was saved.';
comment on column sites.key is
  'Leads the keys of the large tables in place of id: a quarter of its size, in every row and index.';
comment on column sites.domain is 'Host name, lower case, ASCII form. Visits to it and to hosts below it count.';
comment on column sites.timezone is 'IANA zone of reports. Rollups are cut by its hours, so it never changes.';
comment on column sites.kept_from is
  'For which oldest day of its policy all that is older was deleted last; null: for none.';
comment on column sites.jurisdiction is 'ISO 3166-1 alpha-2 code of the owner''s country.';

create table site_annotations (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references sites on delete cascade,
  date date not null,
  text text not null,
  created_at timestamptz not null default now()
);
create index site_annotations_date on site_annotations (site_id, date);
comment on table site_annotations is 'What people noted of a day of a site, to be read beside its reports.';
comment on column site_annotations.date is 'A day of the site''s zone.';

create table site_shares (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references sites on delete cascade,
  name text not null,
  hash bytea not null unique,
  password text,
  reports text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index site_shares_site on site_shares (site_id, created_at);
comment on table site_shares is
  'Public links to a site''s reports. The secret itself is never stored; revoking deletes the row.';
comment on column site_shares.hash is 'SHA-256 of the secret.';
comment on column site_shares.password is 'How to check it (lib/shares/password.ts); null: none is asked.';
comment on column site_shares.reports is
  'Which reports it shows, by name: what is added to the service later is not in it.';

create table site_goals (
  site_id uuid not null references sites on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null,
  kind smallint not null check (kind in (1, 2)),
  pattern text not null,
  created_at timestamptz not null default now(),
  key integer not null generated always as identity,
  primary key (site_id, id)
);
create unique index site_goals_name on site_goals (site_id, name);
comment on table site_goals is 'What a site''s owner wants visits to reach, 100 a site at most.';
comment on column site_goals.key is 'Names it in rollups.';
comment on column site_goals.kind is 'What reaches it, as events.kind: 1 a page view, 2 a custom event.';
comment on column site_goals.pattern is 'The event''s name, or a pattern of paths (`page_matches`).';

create table site_funnels (
  site_id uuid not null references sites on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null,
  steps jsonb not null,
  created_at timestamptz not null default now(),
  key integer not null generated always as identity,
  primary key (site_id, id)
);
create unique index site_funnels_name on site_funnels (site_id, name);
comment on table site_funnels is
  'Steps that visits are expected to take one after the other, 100 funnels a site at most.';
comment on column site_funnels.key is 'Names it in rollups.';
comment on column site_funnels.steps is '2 to 8 in order, each with `kind` and `pattern` as a goal''s.';

create table site_deletions (
  site uuid primary key,
  key integer not null,
  project_id uuid not null,
  domain text not null,
  name text not null,
  visits bigint not null,
  deleted_visits bigint not null default 0,
  deleted_rows bigint not null default 0,
  requested_at timestamptz not null default now(),
  finished_at timestamptz
);
create index site_deletions_project on site_deletions (project_id, requested_at);
create index site_deletions_unfinished on site_deletions (requested_at) where finished_at is null;
comment on table site_deletions is
  'Deleted sites, how far the deletion of what was stored of them came, and for 7 days that it is finished.';
comment on column site_deletions.project_id is 'The project may be gone too.';
comment on column site_deletions.visits is 'How many rows of visits there were, by the rollups.';
