-- Spans summed by minute, service, operation and status. A request adds parts of what it stored; a cron sums parts to minutes
-- and hours at once (schema/sum-spans.sql), so that requests don't wait for each other's rows. A range is asked of parts and, for
-- its whole hours, of hours, for the rest of minutes: each span is in one of parts and minutes, and in hours if in minutes.

create table if not exists span_parts (
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
create index if not exists span_parts_minute on span_parts (environment_key, minute);
comment on column span_parts.minute is 'Of the spans'' starts.';
comment on column span_parts.last_nano is 'The start of the one that began last.';
comment on column span_parts.entry is 'The service was entered here: of kind server or consumer, or without a parent.';
comment on column span_parts.operation is 'The spans'' name, its first 256 characters.';
comment on column span_parts.duration_nano is 'The sum.';
comment on column span_parts.buckets is 'Latency buckets (latency_bucket) that hold spans, each once; counts says how many.';

create table if not exists span_minutes (like span_parts including comments,
  primary key (environment_key, minute, service, operation, entry, status));
comment on table span_minutes is 'As span_parts, one row for each; of few enough operations (sum_spans).';
create table if not exists span_hours (like span_parts including comments,
  primary key (environment_key, minute, service, operation, entry, status)) with (fillfactor = 60);
comment on table span_hours is 'The sum of span_minutes by hour, always; minute is the hour''s first.';

-- Buckets of a duration: 8 to each doubling, so that the middle of one is within 4.5 % of all that it holds. 0: below 1 ns.
create or replace function latency_bucket(duration_nano bigint) returns smallint
language sql immutable parallel safe as $$
  select case when duration_nano < 1 then 0 else 1 + floor(8 * ln(duration_nano::double precision) / ln(2::double precision)) end::smallint
$$;

-- The middle of a bucket in nanoseconds.
create or replace function latency_of_bucket(bucket smallint) returns double precision
language sql immutable parallel safe as $$
  select case when bucket = 0 then 0 else power(2::double precision, (bucket - 0.5) / 8) end
$$;

-- An instant as JavaScript writes it.
create or replace function iso_of_nano(nano bigint) returns text
language sql stable strict parallel safe as $$
  select to_char(to_timestamp(nano / 1000000 / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
