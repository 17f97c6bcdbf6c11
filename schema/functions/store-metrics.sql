-- Storing a request of metrics (store-telemetry.sql).

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
