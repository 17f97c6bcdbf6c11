-- Alerts of sites and environments (docs/alerts.md), and the sums by minute that the alerts of a site read.

create table alert_rules (
  project_id uuid not null references projects on delete cascade,
  id uuid not null default gen_random_uuid(),
  site_id uuid references sites on delete cascade,
  environment_id uuid references environments on delete cascade,
  name text not null,
  metric text not null,
  subject jsonb not null,
  compare text not null check (compare in ('above', 'below', 'rose_by', 'fell_by', 'silent')),
  threshold double precision not null,
  for_minutes integer not null check (for_minutes between 1 and 1440),
  channels uuid[] not null,
  muted_until timestamptz,
  created_at timestamptz not null default now(),
  revision integer not null default 0,
  state text not null default 'ok' check (state in ('ok', 'firing', 'no_data', 'muted')),
  state_since timestamptz not null default now(),
  alarm_since timestamptz,
  calm_since timestamptz,
  value double precision,
  baseline double precision,
  reason text,
  evaluated_to timestamptz,
  primary key (project_id, id),
  check (num_nonnulls(site_id, environment_id) = 1)
);
create index alert_rules_site on alert_rules (site_id, created_at) where site_id is not null;
create index alert_rules_environment on alert_rules (environment_id, created_at) where environment_id is not null;
comment on table alert_rules is 'Alerts: a rule and its state. 50 of a site at most, and 50 of an environment.';
comment on column alert_rules.subject is
  'What the metric is of, as the API has it: goal, event, currency, filters; service, operation, severity, text, '
  'type, name, aggregation.';
comment on column alert_rules.threshold is 'Of rose_by and fell_by percent. Of silent 0.';
comment on column alert_rules.channels is 'Ids of channels of the project. A deleted channel may be left in it.';
comment on column alert_rules.revision is 'Counts the changes that people make to the rule.';
comment on column alert_rules.alarm_since is
  'Since when an alarm is open: channels have heard that it fires and not yet that it is over. Null: none is.';
comment on column alert_rules.calm_since is 'Since when the condition of an open alarm hasn''t held.';
comment on column alert_rules.value is 'At the last evaluation. Null: no data.';
comment on column alert_rules.baseline is
  'The mean of the same hours of the last four weeks, for rose_by and fell_by.';
comment on column alert_rules.reason is 'Why there is no data.';
comment on column alert_rules.evaluated_to is 'End of the last evaluated minute. Null: none was.';

create table alert_changes (
  project_id uuid not null,
  alert_id uuid not null,
  at timestamptz not null,
  state text not null check (state in ('ok', 'firing', 'no_data', 'muted')),
  message text check (message in ('firing', 'over')),
  value double precision,
  baseline double precision,
  threshold double precision not null,
  reason text,
  movers jsonb,
  primary key (project_id, alert_id, at),
  foreign key (project_id, alert_id) references alert_rules on delete cascade
);
create index alert_changes_at on alert_changes (at);
comment on table alert_changes is 'The history of alerts: each change of a state, once. Kept for 90 days.';
comment on column alert_changes.message is 'What channels heard of it. Null: nothing.';
comment on column alert_changes.movers is 'What changed most: [{dimension, value, change}], the most first.';

create table site_minutes (
  hour timestamptz not null,
  site_key integer not null,
  series smallint not null,
  tier smallint not null,
  name text not null,
  amounts bigint[] not null,
  primary key (site_key, series, hour, tier, name)
);
comment on table site_minutes is
  'What happened on watched sites, by minute: a row an hour, 60 amounts. Kept for 36 days. Counted by the fold from '
  'what it changes in visits, so that it depends on the set of events alone.';
comment on column site_minutes.hour is 'Of UTC.';
comment on column site_minutes.series is 'What is counted (moments_of).';
comment on column site_minutes.name is
  'Event, currency, key of the goal, source, channel, country, device, page or reason; or empty.';
comment on column site_minutes.amounts is 'Of minutes 0 to 59. Revenue in ten-thousandths of its currency.';

create table site_watches (
  site_key integer primary key,
  since timestamptz not null,
  wanted timestamptz not null,
  asked_at timestamptz not null,
  goals jsonb not null default '{}'
);
comment on table site_watches is 'Sites whose minutes are counted, because they have alerts or somebody tried one.';
comment on column site_watches.since is
  'site_minutes is whole from here on. fill_site_minutes moves it back to wanted.';
comment on column site_watches.asked_at is 'When somebody last made or tried an alert.';
comment on column site_watches.goals is 'Goals that changed since: from when on their visits are counted, by key.';
