-- Counts log records by time and severity.

-- Examines the newest `budget` + 1 records of [from_nano, to_nano); the extra one shows whether there are more.
-- Returns their number, the time of the oldest, and the matching ones as [[slot, severity, records]] by slots of
-- `step_nano`. Reads the primary key of logs; with `only_severe` the index logs_severe; for a trace logs_trace.
-- Planned per call.
create or replace function count_newest_logs(
  environment integer, from_nano bigint, to_nano bigint, step_nano bigint, budget integer, only_severe boolean,
  min_severity smallint, by_trace uuid, resources bigint[], words tsquery, path jsonpath, out examined integer,
  out oldest_nano bigint, out counts jsonb
)
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
begin
  with looked_at as materialized (
    select
      -- A trace has few records, which no index has in order: the sum keeps the primary key from being walked.
      case when by_trace is null then time_nano else time_nano + 0 end as time_nano,
      severity,
      log_matches(logs, min_severity, resources, words, path) as matches
    from logs
    where environment_key = environment
      and (by_trace is null or trace_id = by_trace)
      and (not only_severe or severity >= 17)
      and day between day_of_nano(from_nano) and day_of_nano(to_nano)
      and time_nano >= from_nano
      and time_nano < to_nano
    order by 1 desc
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
  into examined, oldest_nano, counts;
end
$$;

-- Counts the records in [from_nano, to_nano) that match as in find_logs, by slots of `step_nano` since 1970 and by
-- severity: {counts: [[slot, severity, records]], examined, uncounted, "uncountedSevere"}. Examines up to `budget`
-- records, newest first, by the primary key of logs; severe ones by logs_severe; those of a trace by logs_trace. If
-- there are more, `uncounted` is a time as text: before it only severe records are counted. Up to `budget` of these
-- are examined by logs_severe; before `uncountedSevere` they aren't counted either. The cost is bounded: under a
-- microsecond per record, more with a text or attributes.
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

  if by_trace is null and min_severity >= 17 then
    -- Only the severe ones are looked at, below.
    examined := budget + 1;
    uncounted := to_nano;
  else
    select newest.examined, newest.oldest_nano, newest.counts
    into examined, uncounted, counts
    from count_newest_logs(
      environment, from_nano, to_nano, step_nano, budget, false, min_severity, by_trace, resources, words, path
    ) newest;
  end if;
  if examined <= budget then
    return jsonb_build_object('counts', counts, 'examined', examined, 'uncounted', null, 'uncountedSevere', null);
  end if;
  if by_trace is not null then
    return jsonb_build_object(
      'counts', counts, 'examined', budget, 'uncounted', uncounted::text, 'uncountedSevere', uncounted::text
    );
  end if;

  -- The slot in which counting ended is counted here as a whole.
  select severe.examined, severe.oldest_nano, severe.counts
  into severe_examined, uncounted_severe, severe_counts
  from count_newest_logs(
    environment, from_nano,
    least(to_nano, (uncounted / step_nano + 1) * step_nano),
    step_nano, budget, true, min_severity, null, resources, words, path
  ) severe;
  -- A slot that was counted in part keeps only the severe records of this count.
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
