-- Counts log records by time and severity.

-- How many records in [from_nano, to_nano) match what find_logs finds, by slots of `step_nano` since 1970 and
-- severity: {counts: [[slot, severity, records]], examined, uncounted, "uncountedSevere"}. Up to `budget` records are
-- looked at, newest first: by the primary key of logs, of severe ones by logs_severe, of a trace by logs_trace. If
-- that isn't all, `uncounted` is the time, as text, from which on back nothing was counted but severe records; of
-- these up to `budget` more are looked at, by logs_severe, and `uncountedSevere` says the same of them. So the cost
-- is bounded: under a microsecond a record, of texts and attributes more.
create or replace function count_logs(
  environment integer, from_nano bigint, to_nano bigint, step_nano bigint, budget integer, min_severity smallint,
  by_service text, by_text text, by_trace uuid, terms text[], resource_terms text[]
)
returns jsonb
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
declare
  words constant tsquery := log_query(by_text);
  resources constant bigint[] := resources_asked_for(environment, by_service, resource_terms);
  path constant jsonpath := array_to_string(terms, '$')::jsonpath;
  counts jsonb := '[]'::jsonb;
  severe_counts jsonb := '[]'::jsonb;
  examined integer := 0;
  severe_examined integer := 0;
  uncounted bigint;
  uncounted_severe bigint;
begin
  if environment is null then
    return null;
  end if;
  if resources = '{}' then
    return jsonb_build_object('counts', counts, 'examined', 0, 'uncounted', null, 'uncountedSevere', null);
  end if;

  if by_trace is not null then
    with traced as materialized (
      select time_nano, severity, log_matches(logs, min_severity, resources, words, path) as matches
      from logs
      where environment_key = environment
        and trace_id = by_trace
        and day between day_of_nano(from_nano) and day_of_nano(to_nano)
        and time_nano >= from_nano
        and time_nano < to_nano
    ),
    looked_at as materialized (select * from traced order by time_nano desc limit budget + 1),
    cell as (
      select time_nano / step_nano as slot, severity, count(*) as records
      from looked_at
      where matches
      group by slot, severity
    )
    select
      (select count(*) from looked_at), (select min(time_nano) from looked_at),
      (select coalesce(jsonb_agg(jsonb_build_array(slot, severity, records)), '[]'::jsonb) from cell)
    into examined, uncounted, counts;
  elsif min_severity is null or min_severity < 17 then
    with looked_at as materialized (
      select time_nano, severity, log_matches(logs, min_severity, resources, words, path) as matches
      from logs
      where environment_key = environment
        and day between day_of_nano(from_nano) and day_of_nano(to_nano)
        and time_nano >= from_nano
        and time_nano < to_nano
      order by time_nano desc
      limit budget + 1
    ),
    cell as (
      select time_nano / step_nano as slot, severity, count(*) as records
      from looked_at
      where matches
      group by slot, severity
    )
    select
      (select count(*) from looked_at), (select min(time_nano) from looked_at),
      (select coalesce(jsonb_agg(jsonb_build_array(slot, severity, records)), '[]'::jsonb) from cell)
    into examined, uncounted, counts;
  else
    examined := budget + 1;
    uncounted := to_nano;
  end if;
  if examined <= budget then
    return jsonb_build_object('counts', counts, 'examined', examined, 'uncounted', null, 'uncountedSevere', null);
  end if;
  if by_trace is not null then
    return jsonb_build_object(
      'counts', counts, 'examined', budget, 'uncounted', uncounted::text, 'uncountedSevere', uncounted::text
    );
  end if;

  -- The slot in which counting ended is counted whole here.
  with looked_at as materialized (
    select time_nano, severity, log_matches(logs, min_severity, resources, words, path) as matches
    from logs
    where environment_key = environment
      and severity >= 17
      and day between day_of_nano(from_nano) and day_of_nano(to_nano)
      and time_nano >= from_nano
      and time_nano < least(to_nano, (uncounted / step_nano + 1) * step_nano)
    order by time_nano desc
    limit budget + 1
  ),
  cell as (
    select time_nano / step_nano as slot, severity, count(*) as records
    from looked_at
    where matches
    group by slot, severity
  )
  select
    (select count(*) from looked_at), (select min(time_nano) from looked_at),
    (select coalesce(jsonb_agg(jsonb_build_array(slot, severity, records)), '[]'::jsonb) from cell)
  into severe_examined, uncounted_severe, severe_counts;
  -- Of slots that were counted in part, only the severe records of this count are kept.
  select coalesce(jsonb_agg(cell), '[]'::jsonb) || severe_counts
  into counts
  from jsonb_array_elements(counts) as cell
  where (cell ->> 0)::bigint > uncounted / step_nano;
  return jsonb_build_object(
    'counts', counts, 'examined',
    case when min_severity >= 17 then 0 else budget end + least(severe_examined, budget),
    'uncounted',
    case
      when min_severity < 17 or min_severity is null then uncounted
      when severe_examined > budget then uncounted_severe
    end::text,
    'uncountedSevere',
    case when severe_examined > budget then uncounted_severe::text end
  );
end
$$;
