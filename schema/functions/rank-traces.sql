-- Finds traces by their spans, the slowest or those with the most errors first.

-- Up to `page` traces among the newest `budget` spans that began in [from_nano, to_nano): {hits: [{traceId, spanId,
-- startNano}], examined, since, next: {value, startNano, traceId} | null}. They are ordered by the duration of their
-- longest matching span, which is the hit, or `by_errors` by the number of matching spans with status error; of equal
-- ones the newest hit comes first. `next` is passed as `before_*` to get the next page. `since` is the start of the
-- oldest of these spans if the range has more. Each page reads them anew, by spans_time, or by spans_errors for
-- errors: a few microseconds per span.
create or replace function rank_traces(
  environment integer, from_nano bigint, to_nano bigint, by_errors boolean, before_value bigint, before_nano bigint,
  before_trace uuid, page integer, budget integer, by_service text, by_operation text, by_status smallint,
  min_nano bigint, max_nano bigint, terms text[], resource_terms text[], pattern text
)
returns jsonb
language plpgsql stable as $$
declare
  path constant jsonpath := array_to_string(terms, '$')::jsonpath;
  resources constant bigint[] := resources_asked_for(environment, by_service, resource_terms);
  ranked jsonb;
begin
  with examined as materialized (
    select e.trace_id, e.span_id, e.start_nano, e.duration_nano, e.status,
      span_matches(e, resources, by_operation, by_status, min_nano, max_nano, path, pattern) as matches
    from (
      (
        select *
        from spans
        where by_status = 2
          and status = 2
          and environment_key = environment
          and day between day_of_nano(from_nano) and day_of_nano(to_nano - 1)
          and start_nano >= from_nano
          and start_nano < to_nano
        order by start_nano desc
        limit budget
      )
      union all
      (
        select *
        from spans
        where by_status is distinct from 2
          and environment_key = environment
          and day between day_of_nano(from_nano) and day_of_nano(to_nano - 1)
          and start_nano >= from_nano
          and start_nano < to_nano
        order by start_nano desc
        limit budget
      )
    ) e
  ),
  hit as (
    select distinct on (trace_id)
      trace_id, span_id, start_nano,
      case when by_errors then count(*) filter (where status = 2) over of_trace else duration_nano end as value
    from examined
    where matches
    window of_trace as (partition by trace_id)
    order by trace_id, by_errors and status = 2 desc, duration_nano desc, start_nano desc, span_id
  ),
  shown as (
    select *, row_number() over (order by value desc, start_nano desc, trace_id desc) as n
    from hit
    where before_nano is null or (value, start_nano, trace_id) < (before_value, before_nano, before_trace)
    order by n
    limit page + 1
  )
  select jsonb_build_object(
    'hits', coalesce(jsonb_agg(trace_hit(start_nano, trace_id, span_id) order by n) filter (where n <= page), '[]'),
    'examined', (select count(*) from examined),
    'since', (select min(start_nano)::text from examined having count(*) >= budget),
    'next', case when count(*) > page then (
      jsonb_agg(trace_hit(start_nano, trace_id, span_id) || jsonb_build_object('value', value::text)) filter (
        where n = page
      )
    ) -> 0 end
  )
  into ranked
  from shown;
  return ranked;
end
$$;
