-- Sums of what a filter keeps. A filter that is asked often has sums of sealed days of its own, so that reports with
-- it needn't read the visits of these days (schema/functions/seal-filters.sql).

alter table sealed_days add column seal uuid not null default gen_random_uuid();
comment on column sealed_days.seal is
  'Names this seal. A block that was sealed again has another one, so sums that were made from the earlier one end.';

create table site_filters (
  id uuid not null default gen_random_uuid(),
  site_key integer not null,
  clauses jsonb not null,
  asked_on date not null,
  asked_days integer not null default 0,
  kept boolean not null default true,
  share real,
  size real,
  primary key (site_key, id)
);
create unique index site_filters_clauses on site_filters (site_key, md5(clauses::text));
comment on table site_filters is 'Filters of reports that were asked in the last 30 days, or that probably will be.';
comment on column site_filters.clauses is
  'A list of {dimension, operator, wanted}, sorted, as lib/analytics/sums/filter-clauses.ts writes it. Visits match '
  'all of them.';
comment on column site_filters.asked_on is 'The last day (UTC) on which it was asked.';
comment on column site_filters.asked_days is 'On how many days it was asked. 0: never, it was proposed.';
comment on column site_filters.kept is 'Whether it has sums. What the sums of a site''s filters may take has a limit.';
comment on column site_filters.share is
  'The share of the visits that it keeps, 0 to 1, in one day. Null: not known yet.';
comment on column site_filters.size is
  'What its sums take, as a part of what the visits take, by the same day. Null: not known yet.';

create table filter_seals (
  site_key integer not null,
  filter uuid not null,
  span smallint not null check (span in (1, 7, 28)),
  bucket date not null,
  seal uuid not null,
  measured integer not null,
  bounces integer not null,
  duration_ms bigint not null,
  primary key (site_key, filter, span, bucket)
);
create index filter_seals_buckets on filter_seals (site_key, span, bucket);
comment on table filter_seals is
  'Sealed blocks of days whose sums are known for a filter. They are right as long as sealed_days has the same seal.';
comment on column filter_seals.measured is
  'Counted visits of tier 3 that began in the block and that the filter keeps.';
comment on column filter_seals.bounces is 'How many of these were left after one page view.';
comment on column filter_seals.duration_ms is 'How long these lasted together.';

create table filter_values (
  filter uuid not null,
  like rollup_values,
  primary key (site_key, filter, bucket, span, dimension)
);
create index filter_values_buckets on filter_values (site_key, span, bucket);
comment on table filter_values is
  'What rollup_values has, of the visits that a filter keeps. The dimension `total` has one value, 1: all page views, '
  'visits and visitors.';

create type filter_masks as (
  profiles smallint[],
  places smallint[],
  origins smallint[],
  entries smallint[],
  exits smallint[],
  pages int4multirange[],
  without_pages int4multirange[]
);
comment on type filter_masks is
  'What a filter keeps (schema/functions/filter-masks.sql). A null keeps everything. Masks have an element for each '
  'id, from 0 on: the bits of kind_of_visit that visits with the id may have.';

alter table site_seals add column filters_at timestamptz;
comment on column site_seals.filters_at is 'When it was last decided which filters of the site have sums.';
