-- Filters that people keep under a name.
create table if not exists site_segments (
  site_id uuid not null references sites on delete cascade,
  id uuid not null default gen_random_uuid(),
  user_id uuid references users on delete cascade,
  name text not null,
  filters jsonb not null,
  created_at timestamptz not null default now(),
  primary key (site_id, id)
);
create unique index if not exists site_segments_owner on site_segments (site_id, user_id, name) nulls not distinct;
create index if not exists site_segments_person on site_segments (user_id);
comment on table site_segments is
  'Filters under a name: 50 shared ones a site at most, and as many of each person at a site.';
comment on column site_segments.user_id is 'The person whose own it is. Null: the members of the project share it.';
comment on column site_segments.filters is 'Filters by name, as a query has them: {"country": "PT|ES"}.';
