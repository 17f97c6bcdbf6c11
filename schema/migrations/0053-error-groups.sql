-- Errors of backends in groups: failed spans, exceptions, and log records from severity ERROR on
-- (docs/errors.md#groups). A request adds parts of what it stored; a cron sums parts to groups and hours at once
-- (schema/functions/sum-errors.sql), so that requests don't wait for each other's rows.

create table error_parts (
  id bigint not null,
  first_nano bigint not null,
  last_nano bigint not null,
  received_at timestamptz not null,
  hour timestamptz not null,
  environment_key integer not null,
  occurrences integer not null,
  service text not null,
  release text not null,
  type text not null,
  cause text not null,
  location text not null,
  template text not null,
  examples jsonb not null
);
create index error_parts_hour on error_parts (environment_key, hour);
comment on column error_parts.id is
  'The group: 64 bits of the hash of service, type, cause, location and template.';
comment on column error_parts.hour is 'Of the beginnings of the spans, or of the times of the records.';
comment on column error_parts.release is '`service.version`; empty if it is unknown.';

create table error_groups (
  id bigint not null,
  first_nano bigint not null,
  last_nano bigint not null,
  resolved_nano bigint,
  noted_at timestamptz not null,
  returned_at timestamptz,
  environment_key integer not null,
  last_day date not null,
  state text not null,
  service text not null,
  type text not null,
  cause text not null,
  location text not null,
  template text not null,
  first_release text not null,
  last_release text not null,
  examples jsonb not null,
  primary key (environment_key, id)
);
create index error_groups_noted on error_groups (environment_key, noted_at);
create index error_groups_returned on error_groups (environment_key, returned_at) where returned_at is not null;
comment on table error_groups is
  'At most 1,000 for each environment; id 0 has what came beyond. No text of a visitor: see docs/errors.md#groups.';
comment on column error_groups.state is 'open, resolved, ignored, returned.';
comment on column error_groups.resolved_nano is 'When a person resolved it last. What happens later returns it.';
comment on column error_groups.noted_at is 'When the group was made, by the service''s clock; returned_at likewise.';
comment on column error_groups.last_day is 'The UTC day of last_nano.';
comment on column error_groups.examples is
  'The newest 20, each of another trace: time in nanoseconds, trace and span; a record without a trace has its time.';

create table error_hours (
  id bigint not null,
  hour timestamptz not null,
  environment_key integer not null,
  occurrences integer not null,
  release text not null,
  primary key (environment_key, id, hour, release)
)
with (fillfactor = 80);
comment on table error_hours is
  'How often a group occurred, by hour and release: at most 20 releases an hour, then `(other)`.';
