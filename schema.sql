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
