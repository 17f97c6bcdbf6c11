-- Storing a request. `batch` is what lib/otlp/rows.ts says, and `days` are the UTC days that its rows lie in. All
-- rows are written in the order of their keys, so that requests which bear the same ones wait and don't deadlock.
--
-- Each function stores all of a request and answers null, or stores none of it and answers why: an object says which
-- quota has no room (admit_telemetry), or has the places of spans that are known already (repeated_spans). A resource
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

-- The request's resources by their place, kept once; written at most once a day each.
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

-- The places of a request's spans that are known already, stored or earlier in the request; and in `others` those of
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
  perform note_observed(
    environment, 'traces',
    array(select distinct minute / 60 from jsonb_to_recordset(batch -> 'parts') as part(minute bigint))
  );
  return null;
exception when unique_violation then
  return repeated_spans(environment, batch);
end
$$;

drop function if exists store_logs(integer, jsonb, date[], timestamptz);
create or replace function store_logs(environment integer, batch jsonb, days date[], instant timestamptz)
returns jsonb
language plpgsql as $$
declare
  today constant date := (instant at time zone 'UTC')::date;
  admitted record;
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
      telemetry_hash(concat_ws(' ', resource.id, scope.id, doc - 'resource' - 'scope' - 'storedNano')) as content
    from jsonb_array_elements(batch -> 'logs') as listed(doc)
    cross join lateral jsonb_to_record(doc) as log(
      "storedNano" bigint, "observedNano" bigint, resource integer, scope integer, "severityNumber" smallint,
      "severityText" text, "eventName" text, body jsonb, attributes jsonb, "traceId" uuid, "spanId" text, rest jsonb,
      untimed boolean
    )
    join resource on resource.place = log.resource
    join scope on scope.place = log.scope
  ),
  numbered as (
    -- Of equal records of a request each is one: a clock of milliseconds makes such.
    select *, case twin when 1 then content else telemetry_hash(content || ' ' || twin) end as hash
    from (select *, row_number() over (partition by content) as twin from record) twins
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
        select
        from logs earlier
        where earlier.environment_key = environment
          and earlier.hash = numbered.hash
          and earlier.time_nano between numbered."storedNano" - 600000000000 and numbered."storedNano"
      )
    order by "storedNano", hash
    on conflict do nothing
    returning resource_id, time_nano
  ),
  received as (
    select sender.service, count(*) as items, max(time_nano) as last_nano
    from stored join (select distinct id, service from resource) sender on sender.id = stored.resource_id
    group by sender.service
  )
  insert into telemetry_receipts (environment_key, received_at, signal, service, items, last_nano)
  select environment, instant, 'logs', sender.service, coalesce(items, 0), last_nano
  from (select distinct service from resource) sender left join received using (service);
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

-- The points of a request, each with its index and what its series is.
create or replace function points_of(batch jsonb)
returns table (
  index bigint, series_id bigint, hash bigint, resource_id bigint, service text, scope_id bigint, name text,
  unit text, description text, type text, temporality smallint, monotonic boolean, attributes jsonb,
  start_nano bigint, time_nano bigint, flags bigint, value double precision, count bigint, sum double precision,
  min double precision, max double precision, distribution jsonb, exemplars jsonb
)
language sql stable as $$
  with resource as materialized (select place, id, service_of(doc) as service from with_ids(batch -> 'resources')),
  scope as materialized (select place, id from with_ids(batch -> 'scopes')),
  metric as materialized (
    select (n - 1)::integer as place, metric.*, resource.id as resource_id, resource.service, scope.id as scope_id
    from jsonb_array_elements(batch -> 'metrics') with ordinality as listed(doc, n)
    cross join lateral jsonb_to_record(doc) as metric (
      name text, unit text, description text, type text, temporality smallint, monotonic boolean, resource integer,
      scope integer
    )
    join resource on resource.place = metric.resource
    join scope on scope.place = metric.scope
  )
  select
    n - 1,
    telemetry_hash(
      concat_ws(
        ' ', metric.resource_id, metric.scope_id, metric.type, metric.temporality, metric.monotonic,
        jsonb_build_array(metric.name, metric.unit, point.attributes)
      )
    ),
    telemetry_hash((doc - 'metric' - 'attributes')::text),
    metric.resource_id, metric.service, metric.scope_id, metric.name, metric.unit, metric.description, metric.type,
    metric.temporality, metric.monotonic, point.attributes, "startNano", "timeNano", flags, value, count,
    coalesce(point.sum, metric_rest_of(doc -> 'value', value)),
    min, max, nullif(distribution, 'null'), nullif(exemplars, '[]')
  from jsonb_array_elements(batch -> 'points') with ordinality as listed(doc, n)
  cross join lateral jsonb_to_record(doc) as point(
    metric integer, attributes jsonb, "startNano" bigint, "timeNano" bigint, flags bigint, value double precision,
    count bigint, sum double precision, min double precision, max double precision, distribution jsonb,
    exemplars jsonb
  )
  join metric on metric.place = point.metric
$$;

-- Stores the points of a request with their series and receipts, if it has at most `series_left` new series.
-- Otherwise returns the indexes of the points whose series are beyond.
create or replace function write_metrics(
  environment integer, batch jsonb, services text[], today date, instant timestamptz, series_left bigint,
  out new_series bigint, out beyond jsonb
)
language plpgsql as $$
begin
  with sent as materialized (select * from points_of(batch)),
  seen as materialized (
    select
      series_id, min(index) as first_index,
      (select o.last_day from metric_series o where o.environment_key = environment and o.id = series_id) as last_day
    from sent
    group by series_id
  ),
  crowded as (
    select series_id
    from (
      select series_id, row_number() over (order by first_index) > series_left as is_beyond
      from seen
      where last_day is null
    ) fresh
    where is_beyond
  ),
  point as (select * from sent where not exists (select from crowded)),
  series as (
    insert into metric_series (
      environment_key, id, last_day, resource_id, scope_id, temporality, monotonic, type, name, unit, description,
      attributes
    )
    select distinct on (series_id) environment,
      series_id, today, resource_id, scope_id, temporality, monotonic, type, name, unit, description, attributes
    from point join seen using (series_id)
    where coalesce(last_day, '-infinity') < today
    order by series_id
    on conflict (environment_key, id) do update set last_day = excluded.last_day, description = excluded.description
    returning xmax = 0 as is_new
  ),
  stored as (
    insert into metric_points (
      environment_key, day, series_id, time_nano, start_nano, hash, flags, value, count, sum, min, max, distribution,
      exemplars
    )
    select
      environment, day_of_nano(time_nano), series_id, time_nano, start_nano, hash, flags::bit(32)::integer, value,
      count, sum, min, max, distribution, exemplars
    from point
    order by series_id, time_nano, hash
    on conflict do nothing
    returning series_id, time_nano
  ),
  touched as (
    insert into metric_touched (environment_key, series_id, minute)
    select distinct environment, series_id, to_timestamp(time_nano / 60000000000 * 60)
    from stored
  ),
  received as (
    insert into telemetry_receipts (environment_key, received_at, signal, service, items, last_nano)
    select environment, instant, 'metrics', sender.service, coalesce(items, 0), last_nano
    from unnest(services) as sender(service)
    left join (
      select series.service, count(*) as items, max(time_nano) as last_nano
      from stored join (select distinct series_id, service from point) series using (series_id)
      group by series.service
    ) stored_points using (service)
    where not exists (select from crowded)
  )
  select
    (select count(*) from series where is_new),
    (select jsonb_agg(index order by index) from sent join crowded using (series_id))
  into new_series, beyond;
end
$$;

-- Series beyond the quota are answered by the places of their points.
drop function if exists store_metrics(integer, jsonb, date[], timestamptz);
create or replace function store_metrics(environment integer, batch jsonb, days date[], instant timestamptz)
returns jsonb
language plpgsql as $$
declare
  today constant date := (instant at time zone 'UTC')::date;
  admitted record;
  services text[];
  written record;
begin
  perform ensure_telemetry_day('metric_points', day) from unnest(days) as day;
  select * into admitted from admit_telemetry(environment, batch, today);
  if admitted.beyond is not null then
    return admitted.beyond;
  end if;
  select array_agg(distinct service) into services from store_resources(environment, batch -> 'resources', today);
  perform store_scopes(environment, batch -> 'scopes', today);
  select * into written from write_metrics(environment, batch, services, today, instant, admitted.series_left);
  perform count_telemetry(
    environment, admitted.project, today,
    case when written.beyond is null then (batch ->> 'bytes')::bigint else 0 end,
    written.new_series, admitted.new_services, admitted.new_keys
  );
  if written.beyond is not null then
    return jsonb_build_object('quota', 'series', 'limit', admitted.max_series, 'places', written.beyond);
  end if;
  perform note_observed(
    environment, 'metrics',
    array(
      select distinct "timeNano" / 60000000000
      from jsonb_to_recordset(batch -> 'points') as point("timeNano" bigint)
    )
  );
  return null;
end
$$;
