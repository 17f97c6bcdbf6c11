-- Days that other tools counted. Their visits were never here: an import writes rollups, one row each at the first
-- hour of a day, at tier 2, as nobody knows who of them consented and a visitor of two days counts twice. It goes in
-- by parts that no report sees until `finish_import`, and `undo_import` takes out what it put in.

create table site_imports (
  site_key integer not null,
  id uuid not null default gen_random_uuid(),
  source text not null,
  from_day date not null,
  to_day date not null,
  dimensions text[] not null,
  rows bigint not null,
  text_id integer not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (site_key, id)
);
comment on table site_imports is
  'What was imported into a site from another tool. Read by `meta.coverage.imported` of reports.';
comment on column site_imports.source is 'plausible, umami or ga4-csv.';
comment on column site_imports.from_day is
  'First and last day of the site''s zone that it brought; between them days may be missing.';
comment on column site_imports.dimensions is 'Which lists it brought, by their names in lib/analytics/dimensions.ts.';
comment on column site_imports.rows is 'Rows of days and of values.';
comment on column site_imports.text_id is 'The last id of site_texts before it.';
comment on column site_imports.finished_at is 'Null: it was broken off, and no report shows any of it.';

create table imported_days (
  site_key integer not null,
  day date not null,
  import_id uuid not null,
  starts_at timestamptz not null,
  hours smallint not null,
  visitors integer not null,
  visits integer not null,
  pageviews integer not null,
  primary key (site_key, day)
);
comment on table imported_days is 'The days of imports with their totals: no day is imported twice.';
comment on column imported_days.starts_at is 'Where its rollups are; the day has so many hours.';
