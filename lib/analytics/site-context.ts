import type { Sql } from '../db.ts';
import type { Fragment } from './range.ts';

/**
 * Selects what a report of a site covers: one `ContextRow`, or none without a range. Reads the range's rows of
 * `rollup_hours` and `dropped_days` by their primary keys, at most three an hour and three a day.
 */
export function selectContext(sql: Sql, range: Fragment, now: string): Fragment {
  return sql`
    with range as materialized (${range}),
    hours as (
      select count(distinct hour)::integer as observed_units, array_agg(distinct tier order by tier) as tiers
      from range
      join rollup_hours using (site_key)
      where hour >= from_at and hour < to_at and (pageviews > 0 or visits > 0)
    ),
    dropped as (
      select jsonb_object_agg(reason, events) as dropped
      from (
        select reason, sum(events) as events
        from range
        join dropped_days using (site_key)
        where day >= local_day(from_at, timezone) and day < to_at
        group by reason
      ) d
    )
    select timezone, from_at, to_at, observed_units, tiers, dropped,
      ceil(extract(epoch from least(to_at, present.hour + interval '1 hour') - from_at) / 3600)::integer as elapsed_units,
      first_event_at, last_event_at, folded_at
    from range
    cross join local_hour(${now}::timestamptz, timezone) as present(hour)
    cross join hours
    cross join dropped
    left join site_freshness using (site_key)`;
}
