-- How much telemetry a project may store, and what was counted of it (schema/functions/telemetry-quotas.sql).

create table telemetry_quotas (
  project_id uuid unique nulls not distinct references projects on delete cascade,
  bytes_a_day bigint check (bytes_a_day >= 0),
  series bigint check (series >= 0),
  services bigint check (services >= 0),
  attribute_keys bigint check (attribute_keys >= 0),
  check (project_id is not null or num_nulls(bytes_a_day, series, services, attribute_keys) = 0)
);
comment on table telemetry_quotas is
  'Quotas that the operator set. The row without a project has those of all projects; null in another row: as there.';
comment on column telemetry_quotas.bytes_a_day is 'Bytes of requests, inflated, of a UTC day.';
insert into telemetry_quotas (project_id, bytes_a_day, series, services, attribute_keys)
values (null, 20000000000, 100000, 1000, 10000);

create table telemetry_usage (
  project_id uuid not null references projects on delete cascade,
  slot smallint not null,
  day date not null,
  bytes bigint not null,
  primary key (project_id, slot)
)
with (fillfactor = 50);
comment on table telemetry_usage is
  'Bytes that a project stored today. It has several rows, so that requests rarely wait for each other.';
comment on column telemetry_usage.day is 'The UTC day of bytes; of another day there are none.';

create table telemetry_counts (
  environment_key integer not null,
  slot smallint not null,
  series bigint not null,
  services bigint not null,
  attribute_keys bigint not null,
  primary key (environment_key, slot)
)
with (fillfactor = 50);
comment on table telemetry_counts is
  'How many series, services and attribute keys an environment has: the sum of its rows. A request adds to one of '
  'them, a cron sets slot -1 so that the sum is what the tables hold.';

create table otlp_names (
  hash bigint not null,
  environment_key integer not null,
  last_day date not null,
  kind smallint not null check (kind in (1, 2)),
  primary key (environment_key, kind, hash)
);
comment on table otlp_names is 'Services and attribute keys that an environment has, by a hash of their name.';
comment on column otlp_names.kind is '1 a service, 2 a key of attributes.';
comment on column otlp_names.last_day is 'The last UTC day on which it was sent.';
