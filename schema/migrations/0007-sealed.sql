-- Sealing: days of a site that ended are summed up in `rollup_values`, so that lists needn't read their visits.
-- Reports add up sealed blocks of days and look into the visits of all else: days that aren't sealed, and in sealed
-- ones the visits that began after `until` or stood open then (`open_visits`). `ingest_events` breaks a day's seal
-- when it changes one of its other visits; a report is the same with and without it.

create table rollup_values (
  site_key integer not null,
  bucket date not null,
  span smallint not null check (span in (1, 7, 28)),
  dimension smallint not null,
  value integer[] not null,
  hits_1 integer[] not null,
  hits_2 integer[] not null,
  hits_3 integer[] not null,
  visits_1 integer[] not null,
  visits_2 integer[] not null,
  visits_3 integer[] not null,
  visitors_2 integer[] not null,
  visitors_3 integer[] not null,
  gap_value integer[],
  gap_tier smallint[],
  gap smallint[],
  returned integer[],
  resumed integer[],
  primary key (site_key, bucket, span, dimension)
);
comment on table rollup_values is
  'What the lists show, by block of days of the site''s zone, one row a dimension: arrays with an element a value, '
  'which take a tenth of what rows would. Distinct visitors of [a, b) are the sum of visitors less those returned '
  'from a or later: exact.';
comment on column rollup_values.bucket is 'The block''s first day.';
comment on column rollup_values.span is
  'Days in the block. Blocks of 7 and 28 begin where the days since 2001-01-01, a Monday, divide by it.';
comment on column rollup_values.dimension is 'dimension_number(name).';
comment on column rollup_values.value is
  'Values as shown (site_texts). goal: site_goals.key. funnel: eight times site_funnels.key, and the step from 0. '
  'reach: 1 to 4 (seal_targets). cohort: the day of the visitor''s first visit, as days since 2001-01-01. These four '
  'have days alone, no longer blocks.';
comment on column rollup_values.hits_1 is
  'By tier. page, event: page views or events that happened in the block. Others: all page views of the visits that '
  'began in it.';
comment on column rollup_values.visits_1 is
  'Counted visits: page, event: with such a hit in the block; others: that began in it.';
comment on column rollup_values.gap is
  'How many days before `bucket` visitors had a value last, at most 400: with gap_value and gap_tier one element for '
  'each that occurs; null: none.';
comment on column rollup_values.returned is 'How many visitors with that gap.';
comment on column rollup_values.resumed is
  'page, event: counted visits that had such a hit that many days before already.';

create table rollup_revenue (
  site_key integer not null,
  bucket date not null,
  dimension smallint not null,
  value integer not null,
  currency text not null,
  amount_1 numeric,
  amount_2 numeric,
  amount_3 numeric,
  primary key (site_key, bucket, dimension, value, currency)
);
comment on table rollup_revenue is
  'What a sealed day''s custom events earned, by value of a dimension (event, goal) and currency; a column a tier, '
  'null where none did.';

create table rollup_journeys (
  site_key integer not null,
  bucket date not null,
  part smallint not null check (part in (0, 1)),
  path text[] not null,
  journeys_2 integer[] not null,
  journeys_3 integer[] not null,
  visits_2 integer[] not null,
  visits_3 integer[] not null,
  visitors_2 integer[] not null,
  visitors_3 integer[] not null,
  gap_path text[],
  gap_tier smallint[],
  gap smallint[],
  returned integer[],
  most integer[] not null,
  primary key (site_key, bucket, part)
);
comment on table rollup_journeys is
  'Journeys of the visits that began in a sealed day, arrays as those of rollup_values. The most frequent are a row '
  'of their own: almost every report is told from these, since `most` bounds what the others can add up to.';
comment on column rollup_journeys.part is
  '0: those that came more than once in the day, the 500 most frequent. 1: all others.';
comment on column rollup_journeys.path is 'Up to 5 pages by their ids in site_texts, as journey_of gives them.';
comment on column rollup_journeys.visits_2 is 'Those of the journeys whose visits count.';
comment on column rollup_journeys.most is
  'How often the most frequent journey of part 1 comes: at tier 2, at tier 3, at both. Zeros without that part.';

create table rollup_props (
  site_key integer not null,
  bucket date not null,
  event integer not null,
  value text[] not null,
  hits_1 integer[] not null,
  hits_2 integer[] not null,
  hits_3 integer[] not null,
  visits_1 integer[] not null,
  visits_2 integer[] not null,
  visits_3 integer[] not null,
  visitors_2 integer[] not null,
  visitors_3 integer[] not null,
  gap_value text[],
  gap_tier smallint[],
  gap smallint[],
  returned integer[],
  resumed integer[],
  primary key (site_key, bucket, event)
);
comment on table rollup_props is
  'Properties of the custom events and page views of a sealed day, one row an event, arrays as those of '
  'rollup_values. Texts and not ids: what nobody has any more goes with its days.';
comment on column rollup_props.event is 'Its name (site_texts); 0: page views.';
comment on column rollup_props.value is 'Keys and their values, as props_of gives them.';

create table sealed_days (
  site_key integer not null,
  span smallint not null check (span in (1, 7, 28)),
  bucket date not null,
  until timestamptz not null,
  ready boolean not null,
  targets integer,
  primary key (site_key, span, bucket)
);
comment on table sealed_days is
  'Blocks of days that rollup_values is right about, a block of 7 or 28 as long as each of its days is here.';
comment on column sealed_days.until is 'Visits that began later are not in it. The day''s end once that is over.';
comment on column sealed_days.ready is
  'False while its rows are being written: changes break it already, and reports don''t see it yet.';

comment on column sealed_days.targets is 'Which goals and funnels its rows know, as site_seals.targets; null: none.';

create table open_visits (
  site_key integer not null,
  day date not null,
  tier smallint not null,
  visitor_id uuid not null,
  started_at timestamptz not null,
  primary key (site_key, day, tier, visitor_id, started_at)
);
comment on table open_visits is
  'Visits that weren''t over when a day was sealed, and so aren''t in its rollups, nor any hit of theirs.';

create table site_seals (
  site_key integer primary key,
  until timestamptz,
  sealed_to date,
  named integer[] not null,
  targets integer not null default 0
);
comment on table site_seals is 'How far sealing has come with a site.';
comment on column site_seals.until is
  'The latest `until` that a day of the site was ever sealed to: what began later breaks no seal.';
comment on column site_seals.sealed_to is 'All days before are sealed for good; null: none known.';
comment on column site_seals.targets is 'Counts the changes to what the site''s goals and funnels mean.';
comment on column site_seals.named is
  'Up to which id the entries of site_profiles, site_places and site_origins have their values in site_texts.';
