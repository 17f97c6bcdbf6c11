-- First-party API origins of environments: the tracker of the sites tied to one may associate its requests with traces.

create table if not exists environment_origins (
  environment_id uuid not null references environments on delete cascade,
  origin text not null,
  site_ids uuid[],
  primary key (environment_id, origin)
);
comment on column environment_origins.origin is 'As browsers write it: `https://api.example.com`.';
comment on column environment_origins.site_ids is 'The sites tied to it; null: every site of the project. Ids of sites that are deleted may be left in it, and tie nothing.';
