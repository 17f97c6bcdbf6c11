-- Attention and web vitals by page ---------------------------------------------------------------------------------
-- Raw events tell of single page views and are dropped. A cron sums them, hour by hour of a day of the site's zone
-- once all of an hour's page views are over, then hours to days, days to weeks, weeks to 28 days. What no block
-- covers is read from the raw events by the same two functions, so that a report is the same before and after. An
-- event that comes late opens the blocks again that it may change, as long as the raw events of all of it are there
-- (`reopen_measures`).

create table rollup_blocks (
  site_key integer not null,
  span smallint not null check (span in (-1, 0, 1, 7, 28)),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  told_to timestamptz,
  primary key (site_key, span, starts_at)
);
comment on table rollup_blocks is 'Which times rollup_engagement and rollup_vitals hold; one without rows had none.';
comment on column rollup_blocks.span is
  'Days of the site''s zone; 0 an hour of a day, kept until the day can''t change any more. 7 begin on Monday, 28 '
  'are four of these. -1 an hour, or its beginning, of which more may be told.';
comment on column rollup_blocks.told_to is
  'Of span -1: only what was told before is in it. The same for all of a site.';

-- What was told of a page view.
create index events_pages on events (site_key, page_id) where kind in (1, 3) and tier = 3 and page_id is not null;

create table rollup_engagement (
  site_key integer not null,
  span smallint not null,
  starts_at timestamptz not null,
  path_id integer[] not null,
  measured integer[] not null,
  engaged_ms bigint[] not null,
  scroll_depth bigint[] not null,
  scrolled_25 integer[] not null,
  scrolled_50 integer[] not null,
  scrolled_75 integer[] not null,
  scrolled_100 integer[] not null,
  primary key (site_key, span, starts_at)
);
comment on table rollup_engagement is
  'Sums by block over its consented page views of which attention was told: arrays with an element a path, which '
  'take an eighth of what rows would.';
comment on column rollup_engagement.measured is
  'How many these are; scrolled_25 and so on those that were scrolled so many percent down.';
comment on column rollup_engagement.scroll_depth is 'Sum of the deepest scroll of each, in tenths of a percent.';

create table rollup_vitals (
  site_key integer not null,
  span smallint not null,
  starts_at timestamptz not null,
  part smallint not null,
  path_id integer[] not null,
  measured integer[] not null,
  bin_path integer[] not null,
  bin smallint[] not null,
  told integer[] not null,
  band_path integer[] not null,
  band smallint[] not null,
  band_first smallint[] not null,
  band_told integer[] not null,
  primary key (site_key, span, starts_at, part)
);
comment on table rollup_vitals is 'Histograms by block and path over its consented loads of which vitals were told.';
comment on column rollup_vitals.part is
  'The paths with the most loads are in the first, so that who asks for these reads little else. A part ends after '
  'some 4096 bins.';
comment on column rollup_vitals.path_id is 'The paths of the part; measured: how many loads each had.';
comment on column rollup_vitals.bin is
  'What of `vital_bin` there is of the path bin_path, told so often: arrays with an element a bin.';
comment on column rollup_vitals.band is
  'A band is 32 bins, bin / 32. Of band_path it was told band_told times: bins from the element band_first on to the '
  'next band''s. A quantile is found in the bands first, and then among the bins of one.';
