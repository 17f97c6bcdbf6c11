-- What backends send by OTLP: spans, log records and metric points, one partition a UTC day, and who sent them, kept
-- once. An environment has a number, as a site has, which leads every key. Trace ids are uuids and span ids bigints:
-- the same bits.

create table otlp_resources (
  id bigint not null,
  environment_key integer not null,
  last_day date not null,
  dropped_attributes integer not null,
  service text not null,
  schema_url text not null,
  attributes jsonb not null,
  primary key (environment_key, id)
);
create index otlp_resources_service on otlp_resources (environment_key, service);
comment on table otlp_resources is
  'Who sent it. An id is 64 bits of the content''s hash, so that writers need not agree on it.';
comment on column otlp_resources.service is 'Its `service.name`, or `unknown_service`, at most 256 characters.';
comment on column otlp_resources.last_day is
  'The last UTC day on which it sent something; what sent nothing that is still kept goes.';

create table otlp_scopes (
  id bigint not null,
  environment_key integer not null,
  last_day date not null,
  dropped_attributes integer not null,
  name text not null,
  version text not null,
  schema_url text not null,
  attributes jsonb not null,
  primary key (environment_key, id)
);
comment on table otlp_scopes is 'The library that made it; as otlp_resources.';

create table spans (
  trace_id uuid not null,
  span_id bigint not null,
  parent_span_id bigint,
  start_nano bigint not null,
  duration_nano bigint not null,
  resource_id bigint not null,
  scope_id bigint not null,
  environment_key integer not null,
  day date not null,
  kind smallint not null,
  status smallint not null,
  flags integer,
  name text not null,
  status_message text,
  attributes jsonb not null,
  events jsonb,
  links jsonb,
  rest jsonb,
  primary key (environment_key, trace_id, span_id, day)
)
partition by range (day);
create index spans_time on spans (environment_key, start_nano);
create index spans_errors on spans (environment_key, start_nano) where status = 2;
create index spans_terms on spans using gin (
  (array[(environment_key::bigint << 32) + start_nano / 600000000000]),
  attributes jsonb_path_ops
);
comment on index spans_terms is
  'Attributes, and the ten minutes of an environment: one look-up reads no other environment''s spans, nor other '
  'times''.';
comment on table spans is 'The first span of an id that came is the one that is kept.';
comment on column spans.start_nano is 'Nanoseconds since 1970, as all that is called nano.';
comment on column spans.day is 'The UTC day of its start.';
comment on column spans.kind is '0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer.';
comment on column spans.status is '0 unset, 1 ok, 2 error. status_message is null if empty.';
comment on column spans.events is 'As lib/otlp/rows.ts has them; null for none, as are links.';
comment on column spans.flags is 'The 32 bits as a signed integer; null for none is set.';
comment on column spans.rest is
  'What is seldom there: traceState, droppedAttributes, droppedEvents, droppedLinks; null for none.';

create table logs (
  time_nano bigint not null,
  hash bigint not null,
  observed_nano bigint not null,
  trace_id uuid,
  span_id bigint,
  resource_id bigint not null,
  scope_id bigint not null,
  environment_key integer not null,
  day date not null,
  severity smallint not null,
  severity_text text,
  event_name text,
  body jsonb,
  attributes jsonb not null,
  rest jsonb,
  primary key (environment_key, time_nano, hash, day)
)
partition by range (day);
create index logs_trace on logs (environment_key, trace_id) where trace_id is not null;
comment on table logs is 'Log records.';
comment on column logs.hash is
  '64 bits of the hash of its content, and of how many equal ones came before it in its request.';
comment on column logs.time_nano is 'When it happened; else when it was observed; else when it was received.';
comment on column logs.severity is '1 (trace) to 24 (fatal); 0 is unspecified.';
comment on column logs.body is 'Of any type; null for none.';
comment on column logs.rest is 'What is seldom there: flags, droppedAttributes; null for none.';

create table metric_series (
  id bigint not null,
  environment_key integer not null,
  last_day date not null,
  resource_id bigint not null,
  scope_id bigint not null,
  temporality smallint not null,
  monotonic boolean not null,
  type text not null,
  name text not null,
  unit text not null,
  description text not null,
  attributes jsonb not null,
  primary key (environment_key, id)
);
create index metric_series_name on metric_series (environment_key, name);
comment on table metric_series is
  'A metric of a resource and scope with the attributes of its points. Ids as of otlp_resources, of all but the '
  'description.';
comment on column metric_series.temporality is '0 unspecified (gauges and summaries), 1 delta, 2 cumulative.';
comment on column metric_series.type is 'gauge, sum, histogram, exponentialHistogram, summary.';

create table metric_points (
  series_id bigint not null,
  time_nano bigint not null,
  start_nano bigint not null,
  hash bigint not null,
  environment_key integer not null,
  day date not null,
  flags integer not null,
  value double precision,
  count bigint,
  sum double precision,
  min double precision,
  max double precision,
  distribution jsonb,
  exemplars jsonb,
  primary key (environment_key, series_id, time_nano, hash, day)
)
partition by range (day);
comment on column metric_points.start_nano is '0 where it is unknown.';
comment on column metric_points.hash is '64 bits of the hash of its content.';
comment on column metric_points.flags is 'Bit 0: nothing was recorded, the series ends here.';
comment on column metric_points.value is
  'Of a gauge or a sum; the other types have the next five, as lib/otlp/rows.ts has them.';

create table telemetry_receipts (
  received_at timestamptz not null,
  environment_key integer not null,
  items integer not null,
  signal text not null,
  service text not null
);
create index telemetry_receipts_time on telemetry_receipts (environment_key, received_at);
comment on table telemetry_receipts is
  'What was received in the last minutes, a row a request, signal and service; summed into telemetry_connections by '
  'a cron.';
comment on column telemetry_receipts.signal is 'traces, logs, metrics.';
comment on column telemetry_receipts.items is 'Spans, log records or points that were stored: repeats aren''t.';

create table telemetry_connections (
  environment_key integer not null,
  signal text not null,
  service text not null,
  last_received_at timestamptz not null,
  primary key (environment_key, signal, service)
);

create table telemetry_errors (
  environment_key integer not null,
  signal text not null,
  at timestamptz not null,
  status smallint not null,
  message text not null,
  primary key (environment_key, signal)
);
comment on table telemetry_errors is 'The last thing that a sender was told was wrong, a row a signal.';
comment on column telemetry_errors.status is 'The HTTP status; 200 for a partial success.';

create table metric_touched (
  series_id bigint not null,
  minute timestamptz not null,
  environment_key integer not null
);
create index metric_touched_series on metric_touched (environment_key, series_id, minute);
comment on table metric_touched is
  'Minutes of series whose points changed since they were summed; whatever reads sums reads their points too.';

-- The words of a body, lower case as they are, of other than texts those of its JSON; and its environment, as a word
-- that no text has, for a space is in it. Indexes are made without a search path: what is in one names nothing of
-- this schema.
create or replace function log_words(environment integer, body jsonb) returns tsvector
language sql immutable parallel safe as $$
  select to_tsvector('simple'::regconfig, coalesce(body #>> '{}', '')) || array_to_tsvector(array['environment ' || environment::text])
$$;

-- Attributes under their environment.
create or replace function log_terms(environment integer, attributes jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_build_object(environment::text, attributes)
$$;

create index logs_text on logs using gin (log_words(environment_key, body)) with (gin_pending_list_limit = 512);
create index logs_attributes on logs using gin (log_terms(environment_key, attributes) jsonb_path_ops)
with (gin_pending_list_limit = 512);
create index logs_severe on logs (environment_key, time_nano, hash) where severity >= 17;
comment on index logs_text is
  'One look-up reads no other environment''s records; so does logs_attributes. What waits to be added is short, for '
  'each look-up reads it.';
comment on index logs_severe is 'Errors: they are asked for most, and are rare.';

create table telemetry_deletions (
  key integer primary key,
  requested_at timestamptz not null,
  next_at timestamptz not null
);
create index telemetry_deletions_next on telemetry_deletions (next_at);
comment on table telemetry_deletions is 'Deleted environments of which rows may be left.';
comment on column telemetry_deletions.next_at is
  'When to look again: what was on its way as the environment was deleted may come later.';
