-- People, projects and what they may do.

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
comment on column audit_log.actor is
  'As lib/context.ts has it: its kind, and the ids of the token and of the person. Kind `operator`: whoever has the database.';
comment on column audit_log.action is 'What was done, as `visitor.delete` (lib/audit.ts).';
comment on column audit_log.site is 'The site that it was done in; may be gone.';
comment on column audit_log.subject is
  'Whom it was done to, as SHA-256 of "<site> <id>": enough to prove it to who knows the id, and it tells nobody else.';
comment on column audit_log.request_id is 'As in the log and in the answer''s `X-Request-Id`; of an import its id.';
