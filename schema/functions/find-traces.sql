-- Finds traces by their spans, newest first.

-- Returns whether one of the values matches `pattern`, which is as for `ilike`.
create or replace function attribute_texts_match(attributes jsonb, pattern text) returns boolean
language sql immutable parallel safe as $$
  select exists (select from jsonb_each_text(attributes) as attribute where value ilike pattern)
$$;

-- Returns whether an exception among the events has a type or a message that matches `pattern`.
create or replace function exception_texts_match(events jsonb, pattern text) returns boolean
language sql immutable parallel safe as $$
  select exists (
    select
    from jsonb_array_elements(events) as event
    where event #>> '{attributes,exception.type}' ilike pattern
      or event #>> '{attributes,exception.message}' ilike pattern
  )
$$;

-- Returns whether a span matches; a null argument matches any span. Inlined where it is used.
create or replace function span_matches(
  span spans, resources bigint[], by_operation text, by_status smallint, min_nano bigint, max_nano bigint,
  terms jsonpath, pattern text
)
returns boolean
language sql immutable parallel safe as $$
  select (resources is null or span.resource_id = any (resources))
    and (by_operation is null or left(span.name, 256) = by_operation)
    and (by_status is null or span.status = by_status)
    and (min_nano is null or span.duration_nano >= min_nano)
    and (max_nano is null or span.duration_nano <= max_nano)
    and (terms is null or span.attributes @@ terms)
    and (
      pattern is null
        or span.name ilike pattern
        or span.status_message ilike pattern
        or attribute_texts_match(span.attributes, pattern)
        or (span.events is not null and exception_texts_match(span.events, pattern))
    )
$$;

-- Returns whether an hour may have spans of the service, operation and status with a duration between the buckets; a
-- null argument matches any. Uses the primary key of span_hours. Parts that aren't summed yet may have any spans.
create or replace function hour_may_have_spans(
  environment integer, hour_start timestamptz, by_service text, by_operation text, by_status smallint,
  min_bucket smallint, max_bucket smallint
)
returns boolean
language plpgsql stable as $$
begin
  return exists (
    select
    from span_hours
    where environment_key = environment
      and minute = hour_start
      and (by_service is null or service = by_service)
      and (by_operation is null or operation in (by_operation, other_operations()))
      and (by_status is null or status = by_status)
      and (min_bucket is null or min_bucket <= any (buckets))
      and (max_bucket is null or max_bucket >= any (buckets))
  )
    or exists (
      select
      from span_parts
      where environment_key = environment and minute >= hour_start and minute < hour_start + interval '1 hour'
    );
end
$$;

-- The minutes of an hour, in nanoseconds, that may have spans as hour_may_have_spans says. By the primary key of
-- span_minutes.
create or replace function minutes_with_spans(
  environment integer, hour_start timestamptz, by_service text, by_operation text, by_status smallint,
  min_bucket smallint, max_bucket smallint
)
returns bigint[]
language plpgsql stable as $$
begin
  return array(
    select distinct (extract(epoch from minute) * 1000000000)::bigint
    from (
      select minute
      from span_minutes
      where environment_key = environment
        and minute >= hour_start
        and minute < hour_start + interval '1 hour'
        and (by_service is null or service = by_service)
        and (by_operation is null or operation in (by_operation, other_operations()))
        and (by_status is null or status = by_status)
        and (min_bucket is null or min_bucket <= any (buckets))
        and (max_bucket is null or max_bucket >= any (buckets))
      union all
      select minute
      from span_parts
      where environment_key = environment and minute >= hour_start and minute < hour_start + interval '1 hour'
    ) matching
  );
end
$$;

-- Opens a cursor over the spans from `low` to (at_nano, at_trace, at_span), newest first, each with whether it
-- matches. Uses spans_time, or spans_errors for errors. With `is_looking_up` it reads only the spans of ten minutes
-- that have the attributes, by spans_terms.
create or replace function open_spans(
  environment integer, low bigint, at_nano bigint, at_trace uuid, at_span bigint, is_looking_up boolean,
  resources bigint[], by_operation text, by_status smallint, min_nano bigint, max_nano bigint, path jsonpath,
  pattern text
)
returns refcursor
language plpgsql stable as $$
declare
  term_key constant bigint := (environment::bigint << 32) + low / 600000000000;
  spans_left refcursor;
begin
  if is_looking_up then
    open spans_left for
      with hit as materialized (
        select
          trace_id, span_id, start_nano,
          span_matches(spans, resources, by_operation, by_status, min_nano, max_nano, null, pattern) as matches
        from spans
        where environment_key = environment
          and day = day_of_nano(low)
          and array[(environment_key::bigint << 32) + start_nano / 600000000000] @> array[term_key]
          and attributes @@ path
      )
      select *
      from hit
      where start_nano >= low
        and start_nano <= at_nano
        and (start_nano < at_nano or (trace_id, span_id) < (at_trace, at_span))
      order by start_nano desc, trace_id desc, span_id desc;
  elsif by_status = 2 then
    open spans_left for
      select
        trace_id, span_id, start_nano,
        span_matches(spans, resources, by_operation, null, min_nano, max_nano, path, pattern) as matches
      from spans
      where environment_key = environment
        and day = day_of_nano(low)
        and status = 2
        and start_nano >= low
        and start_nano <= at_nano
        and (start_nano < at_nano or (trace_id, span_id) < (at_trace, at_span))
      order by start_nano desc, trace_id desc, span_id desc;
  else
    open spans_left for
      select
        trace_id, span_id, start_nano,
        span_matches(spans, resources, by_operation, by_status, min_nano, max_nano, path, pattern) as matches
      from spans
      where environment_key = environment
        and day = day_of_nano(low)
        and start_nano >= low
        and start_nano <= at_nano
        and (start_nano < at_nano or (trace_id, span_id) < (at_trace, at_span))
      order by start_nano desc, trace_id desc, span_id desc;
  end if;
  return spans_left;
end
$$;

-- Returns whether an earlier page listed a trace: the trace then has a matching span at (before_nano, before_trace,
-- before_span) or later. Uses the primary key of spans.
create or replace function was_listed(
  environment integer, trace uuid, low bigint, to_nano bigint, before_nano bigint, before_trace uuid,
  before_span bigint, resources bigint[], by_operation text, by_status smallint, min_nano bigint, max_nano bigint,
  path jsonpath, pattern text
)
returns boolean
language plpgsql stable as $$
begin
  return before_nano is not null
    and exists (
      select
      from spans earlier
      where environment_key = environment
        and trace_id = trace
        and day >= day_of_nano(low)
        and day <= day_of_nano(to_nano)
        and start_nano < to_nano
        and start_nano >= before_nano
        and (start_nano > before_nano or (trace_id, span_id) >= (before_trace, before_span))
        and span_matches(earlier, resources, by_operation, by_status, min_nano, max_nano, path, pattern)
    );
end
$$;

-- The stretches of an hour that may have matching spans: their beginnings and their length, in nanoseconds. None if
-- the sums show that no span can match; minutes where there are sums by minute; ten minutes for attributes.
create or replace function stretches_with_spans(
  environment integer, hour bigint, by_service text, by_operation text, by_status smallint, min_nano bigint,
  max_nano bigint, has_terms boolean, out lows bigint[], out step bigint
)
language plpgsql stable as $$
declare
  hour_nano constant bigint := 3600000000000;
  hour_start constant timestamptz := to_timestamp(hour * 3600);
  min_bucket constant smallint := latency_bucket(min_nano);
  max_bucket constant smallint := latency_bucket(max_nano);
begin
  if not hour_may_have_spans(
    environment, hour_start, by_service, by_operation, by_status, min_bucket, max_bucket
  )
  then
    lows := '{}';
  elsif has_terms then
    step := hour_nano / 6;
    lows := array(select generate_series(hour * hour_nano, (hour + 1) * hour_nano - 1, step));
  elsif by_status is distinct from 2
    and (coalesce(by_service, by_operation) is not null or coalesce(by_status, min_nano, max_nano) is not null)
  then
    step := hour_nano / 60;
    lows := minutes_with_spans(environment, hour_start, by_service, by_operation, by_status, min_bucket, max_bucket);
  else
    step := hour_nano;
    lows := array[hour * hour_nano];
  end if;
end
$$;

-- Whether an hour has a span with the attributes, by spans_terms: one look-up instead of one for each ten minutes. It
-- counts, since the planner would look for a first one in another index.
create or replace function hour_has_attributes(environment integer, hour bigint, path jsonpath) returns boolean
language plpgsql stable as $$
begin
  return 0 < (
    select count(*)
    from spans
    where environment_key = environment
      and day = day_of_nano(hour * 3600000000000)
      and array[(environment_key::bigint << 32) + start_nano / 600000000000]
        && array(select (environment::bigint << 32) + hour * 6 + n from generate_series(0, 5) as n)
      and attributes @@ path
  );
end
$$;

-- Reads spans from `low` to (at_nano, at_trace, at_span), newest first, and sets these three to the last span that it
-- read. Adds traces with a matching span to `hits` and `listed`, or to `shown_before` if an earlier page listed them.
-- `is_full`: the page is full or `budget` is spent, and there are more. Attributes are looked up in their index only
-- after `walked_first` spans, because frequent ones are found sooner without it.
create or replace function walk_spans(
  environment integer, low bigint, to_nano bigint, before_nano bigint, before_trace uuid, before_span bigint,
  page integer, budget integer, resources bigint[], by_operation text, by_status smallint, min_nano bigint,
  max_nano bigint, path jsonpath, pattern text, inout at_nano bigint, inout at_trace uuid, inout at_span bigint,
  inout examined integer, inout hits jsonb[], inout listed uuid[], inout shown_before uuid[], out is_full boolean
)
language plpgsql stable as $$
declare
  walked_first constant integer := budget / 10;
  spans_left refcursor;
  is_looking_up boolean;
  next_nano bigint;
  next_trace uuid;
  next_span bigint;
  matches boolean;
begin
  is_full := false;
  loop
    is_looking_up := path is not null and examined >= walked_first;
    spans_left := open_spans(
      environment, low, at_nano, at_trace, at_span, is_looking_up, resources, by_operation, by_status,
      min_nano, max_nano, path, pattern
    );
    loop
      fetch spans_left into next_trace, next_span, next_nano, matches;
      exit when not found;
      is_full := cardinality(hits) = page or examined = budget;
      exit when is_full;
      examined := examined + 1;
      at_nano := next_nano;
      at_trace := next_trace;
      at_span := next_span;
      if matches and next_trace <> all (listed) and next_trace <> all (shown_before) then
        if not was_listed(
          environment, next_trace, low, to_nano, before_nano, before_trace, before_span, resources, by_operation,
          by_status, min_nano, max_nano, path, pattern
        )
        then
          listed := listed || next_trace;
          hits := hits || trace_hit(next_nano, next_trace, next_span);
          -- Traces beyond the limit are looked up again: cheaper than a long list.
        elsif cardinality(shown_before) < 200 then
          shown_before := shown_before || next_trace;
        end if;
      end if;
      exit when path is not null and not is_looking_up and examined >= walked_first;
    end loop;
    close spans_left;
    exit when is_full or is_looking_up or path is null or examined < walked_first;
  end loop;
end
$$;

create or replace function trace_hit(start_nano bigint, trace_id uuid, span_id bigint) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_build_object(
    'traceId', trace_id_text(trace_id), 'spanId', span_id_text(span_id), 'startNano', start_nano::text
  )
$$;

-- Finds up to `page` traces with a matching span that began in [from_nano, to_nano), ordered by their newest matching
-- span, newest first: {hits: [{traceId, spanId, startNano}], examined, next: {startNano, traceId, spanId} | null}.
-- `next` is passed as `before_*` to get the next page; a trace is on one page only. `terms` are the pieces of a
-- jsonpath predicate; the path's root is put between them.
--
-- It goes back hour by hour and skips hours whose sums (schema/migrations/0010-telemetry-rollups.sql) have no spans of
-- the service, operation, status and duration; within an hour it skips minutes in the same way. It reads the others by
-- spans_time, or by spans_errors for errors. Attributes that are rare among the newest tenth of `budget` spans are
-- looked up in spans_terms, ten minutes at a time. Stops after `budget` spans; `next` then says where to continue. So
-- the cost is bounded: a few microseconds per span.
create or replace function find_traces(
  environment integer, from_nano bigint, to_nano bigint, before_nano bigint, before_trace uuid, before_span bigint,
  page integer, budget integer, by_service text, by_operation text, by_status smallint, min_nano bigint,
  max_nano bigint, terms text[], resource_terms text[], pattern text
)
returns jsonb
language plpgsql stable as $$
declare
  hour_nano constant bigint := 3600000000000;
  path constant jsonpath := array_to_string(terms, '$')::jsonpath;
  resources constant bigint[] := resources_asked_for(environment, by_service, resource_terms);
  -- All spans that are greater than or equal to this one, by time and then by ids, were examined.
  at_nano bigint := least(coalesce(before_nano, to_nano), to_nano);
  at_trace uuid := coalesce(before_trace, '00000000-0000-0000-0000-000000000000');
  at_span bigint := coalesce(before_span, 0);
  hour bigint;
  lows bigint[];
  step bigint;
  low bigint;
  high bigint;
  examined integer := 0;
  is_full boolean;
  hits jsonb[] := '{}'::jsonb[];
  listed uuid[] := '{}'::uuid[];
  shown_before uuid[] := '{}'::uuid[];
begin
  if environment is null then
    return null;
  end if;
  if resources = '{}' then
    return jsonb_build_object('hits', '[]'::jsonb, 'examined', 0, 'next', null);
  end if;

  for hour in select generate_series(at_nano / hour_nano, from_nano / hour_nano, -1) loop
    -- From this number on attributes are looked up (walk_spans).
    continue when path is not null and examined >= budget / 10 and not hour_has_attributes(environment, hour, path);
    select *
    into lows, step
    from stretches_with_spans(
      environment, hour, by_service, by_operation, by_status, min_nano, max_nano, terms is not null
    );
    for low in select unnest(lows) order by 1 desc loop
      high := low + step;
      if high <= at_nano then
        at_nano := high;
        at_trace := '00000000-0000-0000-0000-000000000000';
        at_span := 0;
      end if;
      low := greatest(low, from_nano);
      continue when low > at_nano;
      select *
      into at_nano, at_trace, at_span, examined, hits, listed, shown_before, is_full
      from walk_spans(
        environment, low, to_nano, before_nano, before_trace, before_span, page, budget, resources, by_operation,
        by_status, min_nano, max_nano, path, pattern, at_nano, at_trace, at_span, examined, hits, listed, shown_before
      );
      if is_full then
        return jsonb_build_object(
          'hits', to_jsonb(hits), 'examined', examined, 'next', trace_hit(at_nano, at_trace, at_span)
        );
      end if;
    end loop;
  end loop;
  return jsonb_build_object('hits', to_jsonb(hits), 'examined', examined, 'next', null);
end
$$;
