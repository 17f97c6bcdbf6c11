-- Sites, and what their owners set for them.

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
  kept_from timestamptz,
  check (num_nulls(jurisdiction, consent_mode, pre_consent_tier, retention_months) in (0, 4))
);
alter table sites add column if not exists kept_from timestamptz;
create index if not exists sites_project on sites (project_id, created_at);
comment on table sites is 'A website. Its four policy columns are all set, or all null: no policy was saved.';
comment on column sites.key is 'Leads the keys of the large tables in place of id: a quarter of its size, in every row and index.';
comment on column sites.domain is 'Host name, lower case, ASCII form. Visits to it and to hosts below it count.';
comment on column sites.timezone is 'IANA zone of reports. Rollups are cut by its hours, so it never changes.';
comment on column sites.kept_from is 'For which oldest day of its policy all that is older was deleted last; null: for none.';
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
alter table site_goals add column if not exists key integer not null generated always as identity;
comment on column site_goals.key is 'Names it in rollups.';
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
alter table site_funnels add column if not exists key integer not null generated always as identity;
comment on column site_funnels.key is 'Names it in rollups.';
comment on column site_funnels.steps is '2 to 8 in order, each with `kind` and `pattern` as a goal''s.';

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
