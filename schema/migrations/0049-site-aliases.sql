-- Names by which scripts of other tools call a site (docs/sites.md#aliases).
create table site_aliases (
  alias text primary key,
  site_id uuid not null references sites on delete cascade
);
create index site_aliases_site on site_aliases (site_id);
comment on table site_aliases is
  'Names by which snippets of other tools call a site, each of one site alone. Managers of the site set them.';
comment on column site_aliases.alias is 'Lower case: a domain, or the id of a site at another tool.';
