alter table visits add column page_data jsonb;
comment on column visits.page_data is
  'Of the page views that brought properties, 500 at most, in order of time: `ms` from the start, and `props`, or '
  '`cut` beyond the limit of the visit. Null: none did.';
