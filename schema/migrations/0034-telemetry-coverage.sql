-- What the coverage of answers about telemetry is made of (schema/functions/telemetry-coverage.sql).

create table otlp_hours (
  hour timestamptz not null,
  environment_key integer not null,
  minutes bigint not null,
  signal text not null,
  primary key (environment_key, signal, hour)
)
with (fillfactor = 60);
comment on table otlp_hours is 'In which minutes something happened that was received, by its own time.';
comment on column otlp_hours.minutes is 'Bit n: the hour''s minute n, from 0.';
comment on column otlp_hours.signal is 'traces, logs, metrics.';

create table otlp_dropped (
  hour timestamptz not null,
  environment_key integer not null,
  items bigint not null,
  signal text not null,
  reason text not null,
  primary key (environment_key, signal, hour, reason)
);
comment on table otlp_dropped is 'What was received in an hour and not stored.';
comment on column otlp_dropped.signal is 'traces, logs, metrics, outcomes.';
comment on column otlp_dropped.reason is 'As lib/otlp/drop-reason.ts has it.';
