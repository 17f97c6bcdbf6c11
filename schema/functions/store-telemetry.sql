-- Storing a request. `batch` is what lib/otlp/rows.ts says, and `days` are the UTC days that its rows lie in. All
-- rows are written in the order of their keys, so that requests which bear the same ones wait and don't deadlock.
--
-- Each function stores all of a request and answers null, or stores none of it and answers why: an object says which
-- quota has no room (admit_telemetry), or has the indexes of spans that are known already (repeated_spans). A resource
-- or scope that is null was left out, with all that refers to it.

-- How many attributes the sender left out of a resource or scope, or as many as the column holds: senders have 32 bits
-- without a sign.
create or replace function dropped_count(doc jsonb) returns integer
language sql immutable parallel safe as $$
  select least((doc ->> 'droppedAttributes')::bigint, 2147483647)::integer
$$;

-- The name of a resource's service.
create or replace function service_of(doc jsonb) returns text
language sql immutable parallel safe as $$
  select left(coalesce(nullif(doc -> 'attributes' ->> 'service.name', ''), 'unknown_service'), 256)
$$;

-- Resources or scopes of a request by their place, with their ids.
create or replace function with_ids(docs jsonb) returns table (place integer, id bigint, doc jsonb)
language sql immutable parallel safe as $$
  select (n - 1)::integer, telemetry_hash(doc::text), doc
  from jsonb_array_elements(docs) with ordinality as listed(doc, n)
  where doc <> 'null'
$$;

-- The request's resources by their index, kept once; written at most once a day each.
create or replace function store_resources(environment integer, resources jsonb, today date)
returns table (place integer, id bigint, service text)
language sql as $$
  with resource as (select *, service_of(doc) as service from with_ids(resources)),
  kept as (
    insert into otlp_resources (environment_key, id, last_day, service, attributes, schema_url, dropped_attributes)
    select distinct on (resource.id) environment,
      resource.id, today, resource.service, doc -> 'attributes', doc ->> 'schemaUrl', dropped_count(doc)
    from resource
    where coalesce(
      (select o.last_day from otlp_resources o where o.environment_key = environment and o.id = resource.id),
      '-infinity'
    ) < today
    order by resource.id
    on conflict (environment_key, id) do update set last_day = excluded.last_day
  )
  select place, id, service
  from resource
$$;

create or replace function store_scopes(environment integer, scopes jsonb, today date)
returns table (place integer, id bigint)
language sql as $$
  with scope as (select * from with_ids(scopes)),
  kept as (
    insert into otlp_scopes (environment_key, id, last_day, name, version, attributes, schema_url, dropped_attributes)
    select distinct on (scope.id) environment,
      scope.id, today, doc ->> 'name', doc ->> 'version', doc -> 'attributes', doc ->> 'schemaUrl', dropped_count(doc)
    from scope
    where coalesce(
      (select o.last_day from otlp_scopes o where o.environment_key = environment and o.id = scope.id),
      '-infinity'
    ) < today
    order by scope.id
    on conflict (environment_key, id) do update set last_day = excluded.last_day
  )
  select place, id
  from scope
$$;

-- The indexes of a request's spans that are known already, stored or earlier in the request; and in `others` those of
-- them that have other content than the one that came first. By the primary key of `spans`.
create or replace function repeated_spans(environment integer, batch jsonb) returns jsonb
language sql stable as $$
  with span as (
    select
      span.*, doc, n - 1 as place, day_of_nano("startNano") as day, row_number() over same_ids as nth,
      first_value(doc) over same_ids as first_doc
    from jsonb_array_elements(batch -> 'spans') with ordinality as listed(doc, n)
    cross join lateral jsonb_to_record(doc) as span (
      "traceId" uuid, "spanId" text, "parentSpanId" text, "startNano" bigint, "durationNano" bigint, resource integer,
      scope integer, kind smallint, "statusCode" smallint, flags integer, name text, "statusMessage" text,
      attributes jsonb, events jsonb, links jsonb, rest jsonb
    )
    window same_ids as (partition by "traceId", "spanId", day_of_nano("startNano") order by n)
  ),
  known as (
    select
      place,
      case
        when stored.trace_id is null then doc = first_doc
        else (
          stored.start_nano, stored.duration_nano, stored.resource_id, stored.scope_id, stored.kind, stored.status,
          stored.parent_span_id, stored.flags, stored.name, stored.status_message, stored.attributes, stored.events,
          stored.links, stored.rest
        ) is not distinct from (
          "startNano", "durationNano",
          telemetry_hash((batch -> 'resources' -> span.resource)::text),
          telemetry_hash((batch -> 'scopes' -> span.scope)::text),
          span.kind, "statusCode", span_id_of("parentSpanId"), span.flags, span.name, "statusMessage",
          span.attributes, span.events, span.links, span.rest
        )
      end as is_same
    from span
    left join lateral (
      select *
      from spans
      where environment_key = environment
        and trace_id = "traceId"
        and span_id = span_id_of("spanId")
        and spans.day = span.day
      limit 1
    ) stored on true
    where nth > 1 or stored.trace_id is not null
  )
  select case
    when batch ? 'bytes' then jsonb_build_object(
      'known', coalesce(jsonb_agg(place), '[]'), 'others',
      coalesce(jsonb_agg(place) filter (where not is_same), '[]')
    )
    -- Without its size a request is of the last release's code, which wants the list alone.
    else coalesce(jsonb_agg(place), '[]')
  end
  from known
$$;

-- Stores all spans of a request with their sums. Repeats are rare, and looking for them first costs as much as the
-- index.
drop function if exists store_spans(integer, jsonb, date[], timestamptz);
create or replace function store_spans(environment integer, batch jsonb, days date[], instant timestamptz)
returns jsonb
language plpgsql as $$
declare
  today constant date := (instant at time zone 'UTC')::date;
  admitted record;
begin
  perform ensure_telemetry_day('spans', day) from unnest(days) as day;
  select * into admitted from admit_telemetry(environment, batch, today);
  if admitted.beyond is not null then
    return admitted.beyond;
  end if;
  with resource as materialized (select * from store_resources(environment, batch -> 'resources', today)),
  scope as materialized (select * from store_scopes(environment, batch -> 'scopes', today)),
  stored as (
    insert into spans (
      environment_key, day, trace_id, span_id, parent_span_id, start_nano, duration_nano, resource_id, scope_id, kind,
      status, flags, name, status_message, attributes, events, links, rest
    )
    select
      environment, day_of_nano("startNano"), "traceId", span_id_of("spanId"), span_id_of("parentSpanId"), "startNano",
      "durationNano", resource.id, scope.id, kind, "statusCode", flags, name, "statusMessage", attributes, events,
      links, rest
    from jsonb_to_recordset(batch -> 'spans') as span (
      "traceId" uuid, "spanId" text, "parentSpanId" text, "startNano" bigint, "durationNano" bigint, resource integer,
      scope integer, kind smallint, "statusCode" smallint, flags integer, name text, "statusMessage" text,
      attributes jsonb, events jsonb, links jsonb, rest jsonb
    )
    join resource on resource.place = span.resource
    join scope on scope.place = span.scope
    order by "traceId", "spanId"
  ),
  part as (
    select part.*, service
    from jsonb_to_recordset(batch -> 'parts') as part (
      minute bigint, resource integer, operation text, entry boolean, status smallint, spans integer,
      "lastNano" bigint, "durationNano" numeric, buckets smallint[], counts integer[]
    )
    join resource on resource.place = part.resource
  ),
  summed as (
    insert into span_parts (
      environment_key, minute, service, operation, entry, status, spans, last_nano, duration_nano, buckets, counts
    )
    select
      environment, to_timestamp(minute), service, operation, entry, status, spans, "lastNano", "durationNano",
      buckets, counts
    from part
  )
  insert into telemetry_receipts (environment_key, received_at, signal, service, items, last_nano)
  select
    environment, instant, 'traces', service,
    coalesce((select sum(spans) from part where part.service = resource.service), 0),
    (select max("lastNano") from part where part.service = resource.service)
  from resource
  group by service;
  perform count_telemetry(
    environment, admitted.project, today, (batch ->> 'bytes')::bigint, 0, admitted.new_services, admitted.new_keys
  );
  if batch ? 'errors' then
    perform note_span_errors(environment, batch, instant);
  end if;
  perform note_observed(
    environment, 'traces',
    array(select distinct minute / 60 from jsonb_to_recordset(batch -> 'parts') as part(minute bigint))
  );
  return null;
exception when unique_violation then
  return repeated_spans(environment, batch);
end
$$;

-- The hash of a record's content, without its time; and that of the record: of equal ones of a request each is one,
-- by their order. A clock of milliseconds makes such.
create or replace function log_content(resource bigint, scope bigint, doc jsonb) returns bigint
language sql immutable parallel safe as $$
  select telemetry_hash(concat_ws(' ', resource, scope, doc - 'resource' - 'scope' - 'storedNano'))
$$;

create or replace function log_hash(content bigint, twin bigint) returns bigint
language sql immutable parallel safe as $$
  select case twin when 1 then content else telemetry_hash(content || ' ' || twin) end
$$;

drop function if exists store_logs(integer, jsonb, date[], timestamptz);
create or replace function store_logs(environment integer, batch jsonb, days date[], instant timestamptz)
returns jsonb
language plpgsql as $$
declare
  today constant date := (instant at time zone 'UTC')::date;
  admitted record;
  kept record;
begin
  perform ensure_telemetry_day('logs', day) from unnest(days) as day;
  select * into admitted from admit_telemetry(environment, batch, today);
  if admitted.beyond is not null then
    return admitted.beyond;
  end if;
  with resource as materialized (select * from store_resources(environment, batch -> 'resources', today)),
  scope as materialized (select * from store_scopes(environment, batch -> 'scopes', today)),
  record as (
    select
      log.*, resource.id as resource_id, resource.service, scope.id as scope_id,
      log_content(resource.id, scope.id, doc) as content, n
    from jsonb_array_elements(batch -> 'logs') with ordinality as listed(doc, n)
    cross join lateral jsonb_to_record(doc) as log(
      "storedNano" bigint, "observedNano" bigint, resource integer, scope integer, "severityNumber" smallint,
      "severityText" text, "eventName" text, body jsonb, attributes jsonb, "traceId" uuid, "spanId" text, rest jsonb,
      untimed boolean
    )
    join resource on resource.place = log.resource
    join scope on scope.place = log.scope
  ),
  numbered as (
    select *, log_hash(content, row_number() over (partition by content order by n)) as hash from record
  ),
  stored as (
    insert into logs (
      environment_key, day, time_nano, hash, observed_nano, trace_id, span_id, resource_id, scope_id, severity,
      severity_text, event_name, body, attributes, rest
    )
    select
      environment, day_of_nano("storedNano"), "storedNano", hash, "observedNano", "traceId", span_id_of("spanId"),
      resource_id, scope_id, "severityNumber", nullif("severityText", ''), nullif("eventName", ''),
      nullif(body, 'null'), attributes, rest
    from numbered
    -- Without a time of its own a record is known again for ten minutes, as long as senders try.
    where not untimed
      or not exists (
        select from logs earlier
        where earlier.environment_key = environment
          and earlier.hash = numbered.hash
          and earlier.time_nano between numbered."storedNano" - 600000000000 and numbered."storedNano"
      )
    order by "storedNano", hash
    on conflict do nothing
    returning resource_id, time_nano, hash
  ),
  received as (
    select sender.service, count(*) as items, max(time_nano) as last_nano
    from stored join (select distinct id, service from resource) sender on sender.id = stored.resource_id
    group by sender.service
  ),
  receipt as (
    insert into telemetry_receipts (environment_key, received_at, signal, service, items, last_nano)
    select environment, instant, 'logs', sender.service, coalesce(items, 0), last_nano
    from (select distinct service from resource) sender left join received using (service)
  )
  select array_agg(time_nano) as nanos, array_agg(hash) as hashes into kept from stored where batch ? 'errors';
  if kept.nanos is not null then
    perform note_log_errors(environment, batch, kept.nanos, kept.hashes, instant);
  end if;
  perform count_telemetry(
    environment, admitted.project, today, (batch ->> 'bytes')::bigint, 0, admitted.new_services, admitted.new_keys
  );
  perform note_observed(
    environment, 'logs',
    array(
      select distinct "storedNano" / 60000000000
      from jsonb_to_recordset(batch -> 'logs') as log("storedNano" bigint)
    )
  );
  return null;
end
$$;
