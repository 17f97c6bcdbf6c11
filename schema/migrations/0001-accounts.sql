-- People, projects and what they may do.

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null default '',
  created_at timestamptz not null default now(),
  email_verified boolean not null default false,
  second_factor boolean not null default false,
  updated_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));
comment on table users is 'People who sign in.';
comment on column users.second_factor is 'Signing in takes a code too (user_second_factors).';

create table user_credentials (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  provider text not null,
  account text not null,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, provider)
);
comment on table user_credentials is 'How people prove who they are; with provider `credential`, by a password.';
comment on column user_credentials.password is 'As scrypt makes of it: "<salt>:<key>" in hex (better-auth''s form).';

create table user_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  hash bytea not null unique,
  browser text,
  os text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index user_sessions_user on user_sessions (user_id, created_at);
comment on table user_sessions is
  'Who is signed in, and where. The secret itself is never stored, nor an address or a user agent; those that ended '
  'go with the person''s next sign-in.';
comment on column user_sessions.hash is 'SHA-256 of the session''s token, which is in its cookie.';
comment on column user_sessions.browser is 'Its name, without a version.';
comment on column user_sessions.os is 'The operating system''s name, without a version.';

create table user_verifications (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index user_verifications_identifier on user_verifications (identifier, created_at);
create index user_verifications_expires on user_verifications (expires_at);
comment on table user_verifications is
  'What is waited for: passwords that are being reset, second factors that are being asked for.';
comment on column user_verifications.identifier is 'SHA-256 in base64url of what it is for and of its secret.';

create table user_second_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references users on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failures integer not null default 0,
  locked_until timestamptz
);
comment on table user_second_factors is 'Secrets of authenticator apps (TOTP), encrypted under AUTH_KEY.';
comment on column user_second_factors.verified is 'A first code was right; before that signing in takes none.';
comment on column user_second_factors.failures is 'Wrong codes one after the other; at 10 it is locked for a while.';

create table projects (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz not null default now()
);
comment on table projects is 'What people share: sites and environments belong to a project.';

create table project_members (
  project_id uuid not null references projects on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (user_id, project_id)
);
create index project_members_project on project_members (project_id);
comment on table project_members is 'Who may see (viewer) and change (owner, admin) a project.';

create table environments (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references projects on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  key integer generated always as identity,
  traces_days smallint not null default 30,
  logs_days smallint not null default 30,
  metrics_days smallint not null default 30,
  expired_on date not null default '-infinity',
  unique (project_id, name)
);
create index environments_project on environments (project_id, created_at);
create unique index environments_key on environments (key);
create index environments_expired on environments (expired_on);
comment on table environments is 'Deployments of a project that telemetry is kept apart by; the first is production.';
comment on column environments.key is 'Its number in telemetry''s tables; never used again.';
comment on column environments.traces_days is 'How many whole days spans are kept; logs_days and metrics_days alike.';
comment on column environments.expired_on is
  'The UTC day on which all that was too old by then had been deleted last; before all days where retention was '
  'changed since.';

create table api_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_tokens_user on api_tokens (user_id);
comment on table api_tokens is 'API tokens (vapi_...). The secret itself is never stored.';
comment on column api_tokens.hash is 'SHA-256 of the whole token.';
comment on column api_tokens.last_used_at is 'Exact to a minute.';

create table project_invitations (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references projects on delete cascade,
  role text not null check (role in ('owner', 'admin', 'viewer')),
  hash bytea not null unique,
  created_by uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index project_invitations_project on project_invitations (project_id, created_at);
comment on table project_invitations is
  'Links that make whoever opens one a member, once. The secret itself is never stored.';
comment on column project_invitations.hash is 'SHA-256 of the secret.';

create table ingest_keys (
  id uuid primary key default gen_random_uuid(),
  environment_id uuid not null references environments on delete cascade,
  name text not null,
  outcomes boolean not null,
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index ingest_keys_environment on ingest_keys (environment_id, created_at);
comment on table ingest_keys is
  'Keys that backends send telemetry with (ving_...). The secret itself is never stored.';
comment on column ingest_keys.outcomes is 'Whether it may record outcomes too.';
comment on column ingest_keys.hash is 'SHA-256 of the whole key.';
comment on column ingest_keys.last_used_at is 'Exact to a minute.';

create table query_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  scopes text[] not null,
  project_ids uuid[],
  site_ids uuid[],
  hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index query_tokens_user on query_tokens (user_id, created_at);
comment on table query_tokens is
  'Tokens for /mcp (vqry_...): never more than what their person may at the moment. The secret itself is never '
  'stored.';
comment on column query_tokens.project_ids is
  'The projects that it is for; null: all that the person is a member of. Without foreign keys: what is gone opens '
  'nothing.';
comment on column query_tokens.site_ids is 'The same of sites.';
comment on column query_tokens.hash is 'SHA-256 of the whole token.';
comment on column query_tokens.last_used_at is 'Exact to a minute.';

create table audit_log (
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
comment on table audit_log is
  'Who did what to people''s data, and with which powers. Outlives the sites and the people that it tells of.';
comment on column audit_log.actor is
  'As lib/context.ts has it: its kind, and the ids of the token and of the person. Kind `operator`: whoever has the '
  'database.';
comment on column audit_log.action is 'What was done, as `visitor.delete` (lib/audit.ts).';
comment on column audit_log.site is 'The site that it was done in; may be gone.';
comment on column audit_log.subject is
  'Whom it was done to, as SHA-256 of "<site> <id>": enough to prove it to who knows the id, and it tells nobody '
  'else.';
comment on column audit_log.request_id is 'As in the log and in the answer''s `X-Request-Id`; of an import its id.';
