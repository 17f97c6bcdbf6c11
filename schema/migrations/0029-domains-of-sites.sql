alter table sites add column domains text[] not null default '{}', add column first_domain text;
comment on column sites.domains is 'Further domains, as `domain`. Visits to them and to hosts below them count too.';
comment on column sites.first_domain is
  'The domain that the site was made with, where it has another one now; else null. Origins without a hostname have '
  'it.';
