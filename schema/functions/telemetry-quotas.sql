-- Quotas of telemetry by project (docs/telemetry.md#quotas). A request checks the quotas before it writes, and counts
-- after it: a project can exceed a quota only by the requests that run at the same time.

-- The quotas of a project: its own, else those of all projects. By the unique index.
create or replace function quotas_of(project uuid)
returns table (bytes_a_day bigint, series bigint, services bigint, attribute_keys bigint)
language sql stable as $$
  select
    coalesce(own.bytes_a_day, general.bytes_a_day),
    coalesce(own.series, general.series),
    coalesce(own.services, general.services),
    coalesce(own.attribute_keys, general.attribute_keys)
  from telemetry_quotas general left join telemetry_quotas own on own.project_id = project
  where general.project_id is null
$$;

-- What a project has, and its bytes of a UTC day. By primary keys: up to 16 rows, and up to 17 an environment.
create or replace function telemetry_used(project uuid, today date)
returns table (bytes bigint, series bigint, services bigint, attribute_keys bigint)
language sql stable as $$
  select
    (select coalesce(sum(u.bytes), 0) from telemetry_usage u where u.project_id = project and u.day = today)::bigint,
    coalesce(sum(c.series), 0)::bigint, coalesce(sum(c.services), 0)::bigint,
    coalesce(sum(c.attribute_keys), 0)::bigint
  from environments e join telemetry_counts c on c.environment_key = e.key
  where e.project_id = project
$$;

-- The services (kind 1) and attribute keys (kind 2) of a request, each with the index of its resource or key there.
-- Inlined where it is used.
create or replace function telemetry_names(batch jsonb) returns table (kind smallint, hash bigint, place bigint)
language sql stable parallel safe as $$
  select 1::smallint, telemetry_hash(service_of(doc)), n - 1
  from jsonb_array_elements(batch -> 'resources') with ordinality as listed(doc, n)
  where doc <> 'null'
  union all
  select 2::smallint, telemetry_hash(name), n - 1
  from jsonb_array_elements_text(batch -> 'keys') with ordinality as listed(name, n)
$$;

-- Checks whether a request fits into the quotas of its project. If it does, notes the request's services and attribute
-- keys, and returns how many of them are new. If not, notes nothing, and `beyond` names the quota and the indexes of
-- the resources or keys beyond it. A name costs one look-up, and one write a day.
create or replace function admit_telemetry(
  environment integer, batch jsonb, today date, out beyond jsonb, out project uuid, out max_series bigint,
  out series_left bigint, out new_services bigint, out new_keys bigint
)
language plpgsql as $$
declare
  quotas record;
  used record;
begin
  -- Without its size a request is of the last release's code, which knows no quotas.
  select project_id into project from environments where key = environment and batch ? 'bytes';
  if project is null then
    return;
  end if;
  select * into quotas from quotas_of(project);
  select * into used from telemetry_used(project, today);
  max_series := quotas.series;
  series_left := quotas.series - used.series;
  if used.bytes >= quotas.bytes_a_day then
    beyond := jsonb_build_object('quota', 'bytesPerDay', 'limit', quotas.bytes_a_day);
    return;
  end if;
  with named as materialized (select * from telemetry_names(batch)),
  seen as materialized (
    select
      kind, hash, min(place) as place,
      (
        select o.last_day
        from otlp_names o
        where o.environment_key = environment and o.kind = named.kind and o.hash = named.hash
      ) as last_day
    from named
    group by kind, hash
  ),
  fresh as (
    select
      kind, hash,
      row_number() over (
        partition by kind order by place
      ) > case kind
        when 1 then quotas.services - used.services
        else quotas.attribute_keys - used.attribute_keys
      end as is_beyond
    from seen
    where last_day is null
  ),
  kept as (
    insert into otlp_names (environment_key, kind, hash, last_day)
    select environment, kind, hash, today
    from seen
    where coalesce(last_day, '-infinity') < today and not exists (select from fresh where is_beyond)
    order by kind, hash
    on conflict (environment_key, kind, hash) do update set last_day = excluded.last_day
    returning kind, xmax = 0 as is_new
  )
  select
    count(*) filter (where is_new and kind = 1),
    count(*) filter (where is_new and kind = 2),
    (
      select jsonb_build_object(
        'quota',
        case kind when 1 then 'services' else 'attributeKeys' end,
        'limit',
        case kind when 1 then quotas.services else quotas.attribute_keys end,
        'places', jsonb_agg(place order by place)
      )
      from named join fresh using (kind, hash)
      where is_beyond
      group by kind
      order by kind
      limit 1
    )
  into new_services, new_keys, beyond
  from kept;
end
$$;

-- Counts what a request stored. The count is spread over several rows; each connection writes to one that others
-- seldom use.
create or replace function count_telemetry(
  environment integer, project uuid, today date, new_bytes bigint, new_series bigint, new_services bigint,
  new_keys bigint
)
returns void
language plpgsql as $$
declare
  own_slot constant smallint := pg_backend_pid() % 16;
begin
  if project is null then
    return;
  end if;
  insert into telemetry_usage as u (project_id, slot, day, bytes)
  values (project, own_slot, today, new_bytes)
  on conflict (
    project_id, slot
  ) do update set
    bytes = case when u.day < excluded.day then 0 else u.bytes end + excluded.bytes,
    day = greatest(u.day, excluded.day);
  if new_series + new_services + new_keys > 0 then
    insert into telemetry_counts as c (environment_key, slot, series, services, attribute_keys)
    values (environment, own_slot, new_series, new_services, new_keys)
    on conflict (
      environment_key, slot
    ) do update set
      series = c.series + excluded.series,
      services = c.services + excluded.services,
      attribute_keys = c.attribute_keys + excluded.attribute_keys;
  end if;
end
$$;

-- Corrects the counts of an environment after rows were deleted. Reads the keys of the environment's series and names
-- in the same snapshot as the counts, so rows that requests add meanwhile are in neither.
create or replace function recount_telemetry(environment integer) returns void
language sql as $$
  insert into telemetry_counts as c (environment_key, slot, series, services, attribute_keys)
  select environment, -1, held.series - counted.series, held.services - counted.services, held.keys - counted.keys
  from (
    select
      (select count(*) from metric_series where environment_key = environment) as series,
      (select count(*) from otlp_names where environment_key = environment and kind = 1) as services,
      (select count(*) from otlp_names where environment_key = environment and kind = 2) as keys
  ) held
  cross join (
    select
      coalesce(sum(series), 0) as series, coalesce(sum(services), 0) as services,
      coalesce(sum(attribute_keys), 0) as keys
    from telemetry_counts
    where environment_key = environment
  ) counted
  where (held.series, held.services, held.keys) <> (counted.series, counted.services, counted.keys)
  on conflict (
    environment_key, slot
  ) do update set
    series = c.series + excluded.series,
    services = c.services + excluded.services,
    attribute_keys = c.attribute_keys + excluded.attribute_keys
$$;
