import type { Fragment, Sql } from '../../db.ts';
import type { ReportParts } from '../reading/run-report.ts';

/**
 * The table `hits` for a statement with `range` (the fragment begins with a comma): the custom events in the range of the visits that a
 * report keeps, each with its instant (`at`), its name (`text_id`) and its properties and revenue (`data`). An event that a server sent outside of any visit
 * has no `visitor_id`. `only` is a further condition on visits and begins with `and`.
 */
export function eventHits(sql: Sql, { visits }: ReportParts, only: Fragment = sql``): Fragment {
  return sql`,
    hits as (
      select visit, visitor_id, counted, at, event.text_id, event.data
      from range
      cross join (
        select row_number() over () as visit, case when seen then visitor_id end as visitor_id, counted, started_at,
          custom_events, event_data
        from ${visits.kept('lasting')}
        where custom_events is not null ${only}
      ) v
      cross join lateral events_of(custom_events, event_data) event
      cross join lateral (select started_at + event.ms * interval '1 millisecond' as at) moment
      where at >= from_at and at < to_at
    )`;
}
