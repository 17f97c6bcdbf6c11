create table erased_values (
  site_key integer not null,
  dictionary text not null,
  id integer not null,
  first_day date not null,
  searched_to timestamptz not null,
  tried_at timestamptz not null,
  primary key (site_key, dictionary, id)
);
create index erased_values_tried on erased_values (tried_at);
comment on table erased_values is
  'Values that were named by what was deleted with a visitor or an import, until it is known whether anything else '
  'names them.';
comment on column erased_values.dictionary is 'text, profile, place or origin: of site_texts and so on.';
comment on column erased_values.first_day is 'The value''s own, which is infinity meanwhile.';
comment on column erased_values.searched_to is 'No visit that began then or later names it.';
comment on column erased_values.tried_at is 'When a piece of the search was done last.';

comment on column site_imports.text_id is 'Not used any more.';

create table value_ids (
  site_key integer not null,
  dictionary text not null,
  last_id integer not null,
  primary key (site_key, dictionary)
);
comment on table value_ids is
  'The highest id that was deleted from a dictionary of a site: no id is given twice, since a seal that is being '
  'written may still have it.';
