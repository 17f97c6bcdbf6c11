create table rollup_hours (
  site_key integer not null,
  hour timestamptz not null,
  tier smallint not null,
  pageviews bigint not null,
  visits bigint not null,
  measured bigint not null,
  bounces bigint not null,
  duration_ms bigint not null,
  primary key (site_key, hour, tier)
);
comment on table rollup_hours is 'Totals by hour of the site''s zone and tier.';
comment on column rollup_hours.measured is
  'Counted consented visits: what bounces and duration_ms are measured over.';
comment on column rollup_hours.bounces is 'Measured visits with at most one page view and no custom event.';

create table rollup_visitors (
  site_key integer not null,
  unit text not null check (unit in ('hour', 'day')),
  bucket timestamptz not null,
  tier smallint not null,
  previous timestamptz not null,
  visitors bigint not null,
  primary key (site_key, unit, bucket, tier, previous)
);
comment on table rollup_visitors is
  'Visitors by the hour or day in which a visit began and the previous such hour or day of the same visitor. The '
  'distinct visitors of [a, b) are the sum over its buckets of those whose previous lies before a: exact, whatever '
  'the traffic.';
comment on column rollup_visitors.previous is '-infinity: none known. For hours also when over 48 hours before.';

create table dropped_days (
  site_key integer not null,
  day timestamptz not null,
  reason text not null,
  events bigint not null,
  primary key (site_key, day, reason)
);
comment on table dropped_days is
  'Events refused, by the site''s day and reason (bot, datacenter, spam, hostname, tier). Nothing about who sent '
  'them.';

create table site_freshness (
  site_key integer primary key,
  first_event_at timestamptz not null,
  last_event_at timestamptz not null,
  folded_at timestamptz not null
);
comment on table site_freshness is 'Since when a site is observed, and up to when its reports are folded.';
