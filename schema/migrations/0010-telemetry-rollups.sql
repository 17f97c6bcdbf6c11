-- Spans summed by minute, service, operation and status. A request adds parts of what it stored; a cron sums parts to
-- minutes and hours at once (schema/functions/sum-spans.sql), so that requests don't wait for each other's rows. A
-- range is asked of parts and, for its whole hours, of hours, for the rest of minutes: each span is in one of parts
-- and minutes, and in hours if in minutes.

create table span_parts (
  minute timestamptz not null,
  environment_key integer not null,
  spans integer not null,
  last_nano bigint not null,
  duration_nano numeric not null,
  status smallint not null,
  entry boolean not null,
  service text not null,
  operation text not null,
  buckets smallint[] not null,
  counts integer[] not null
);
create index span_parts_minute on span_parts (environment_key, minute);
comment on column span_parts.minute is 'Of the spans'' starts.';
comment on column span_parts.last_nano is 'The start of the one that began last.';
comment on column span_parts.entry is
  'The service was entered here: of kind server or consumer, or without a parent.';
comment on column span_parts.operation is 'The spans'' name, its first 256 characters.';
comment on column span_parts.duration_nano is 'The sum.';
comment on column span_parts.buckets is
  'Latency buckets (latency_bucket) that hold spans, each once; counts says how many.';

create table span_minutes (
  like span_parts including comments,
  primary key (environment_key, minute, service, operation, entry, status)
);
comment on table span_minutes is 'As span_parts, one row for each; of few enough operations (sum_spans).';
create table span_hours (
  like span_parts including comments,
  primary key (environment_key, minute, service, operation, entry, status)
)
with (fillfactor = 60);
comment on table span_hours is 'The sum of span_minutes by hour, always; minute is the hour''s first.';

-- Metric points summed by series and minute, and by hour. A request notes which minutes it touched; a cron sums each
-- of them again from all of its points, and then its hour from all of its minutes, so that nothing depends on what
-- came first. What reads sums reads the points of touched minutes, and the minutes of touched hours
-- (lib/telemetry/metrics).

create table metric_minutes (
  series_id bigint not null,
  start_nano bigint not null,
  layout bigint not null,
  first_nano bigint not null,
  last_nano bigint not null,
  minute timestamptz not null,
  environment_key integer not null,
  day date not null,
  points integer not null,
  value double precision,
  first_value double precision,
  last_value double precision,
  min double precision,
  max double precision,
  count bigint,
  first_count bigint,
  last_count bigint,
  sum double precision,
  first_sum double precision,
  last_sum double precision,
  bounds double precision[],
  buckets bigint[],
  counts bigint[],
  last_buckets bigint[],
  last_counts bigint[],
  quantiles jsonb,
  primary key (environment_key, series_id, minute, start_nano, layout, day)
)
partition by range (day);
comment on table metric_minutes is
  'A row a stream: of a series, what has the same start, if it is cumulative, and the same bounds.';
comment on column metric_minutes.start_nano is 'Of what is cumulative; otherwise 0.';
comment on column metric_minutes.layout is 'A hash of bounds; 0 without any.';
comment on column metric_minutes.first_nano is 'When its first point is from; last_nano its last.';
comment on column metric_minutes.value is
  'Of gauges and delta sums the sum of values. Of what is cumulative, value, count, sum, buckets: what was reached '
  'before each reset.';
comment on column metric_minutes.last_value is
  'Of what is cumulative, and of gauges, as it was last; first_value: first. From first to last, resets added, it '
  'increased.';
comment on column metric_minutes.buckets is
  'Buckets (metric_buckets) that hold something, each once; counts says how much.';
comment on column metric_minutes.quantiles is 'Of a summary''s last point, as lib/otlp/rows.ts has them.';

create table metric_hours (
  like metric_minutes including all
)
partition by range (day);
comment on table metric_hours is 'As metric_minutes, of whole hours, whose minute is their first.';

create table metric_touched_hours (
  series_id bigint not null,
  hour timestamptz not null,
  environment_key integer not null
);
create index metric_touched_hours_series on metric_touched_hours (environment_key, series_id, hour);
comment on table metric_touched_hours is 'Hours of series whose minutes changed since they were summed.';

create table metric_seen (
  minute timestamptz not null,
  environment_key integer not null,
  name text not null,
  type text not null,
  unit text not null,
  service text not null,
  primary key (environment_key, name, type, unit, service)
);
comment on column metric_seen.minute is 'Of its last point, but for those of touched minutes.';

create table service_calls (
  minute timestamptz not null,
  environment_key integer not null,
  hourly boolean not null,
  calls integer not null,
  errors integer not null,
  duration_nano numeric not null,
  caller text not null,
  callee text not null,
  buckets smallint[] not null,
  counts integer[] not null,
  primary key (environment_key, hourly, minute, caller, callee)
);
comment on table service_calls is 'By minute of the entries'' starts, and, if hourly, the sum of these by hour.';
comment on column service_calls.errors is 'Entries with status error.';
comment on column service_calls.buckets is 'Of the entries'' durations, as span_parts has them.';

create table service_map_due (
  minute timestamptz not null,
  due_at timestamptz not null,
  environment_key integer not null,
  primary key (environment_key, minute)
);
create index service_map_due_at on service_map_due (due_at);
comment on table service_map_due is 'Minutes with spans that came since their calls were counted last.';
