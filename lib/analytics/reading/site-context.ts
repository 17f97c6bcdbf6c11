import type { Fragment, Sql } from '../../db.ts';

/**
 * Selects what a report of a site covers: one `ContextRow`, or no row if `range` has none. Reads the range's rows of `rollup_hours`,
 * `dropped_days`, `other_days` and `imported_days` by their primary keys, at most three per hour and some per day.
 */
export function selectContext(sql: Sql, range: Fragment, now: string): Fragment {
  return sql`
    with range as materialized (${range}),
    ${importedOf(sql)},
    -- An imported day stands at its first hour and was observed whole.
    hours as (
      select (count(distinct hour) + coalesce((select sum(hours - 1) from imported where visits > 0 or pageviews > 0), 0))::integer
          as observed_units,
        array_agg(distinct tier order by tier) as tiers
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
    ),
    beyond as (${othersOf(sql, sql`range`)})
    select timezone, from_at, to_at, coalesce(observed_units, 0) as observed_units, tiers, dropped, other,
      ceil(extract(epoch from least(to_at, present.hour + interval '1 hour') - from_at) / 3600)::integer as elapsed_units,
      ${firstEventAt(sql, sql`range.site_key`)} as first_event_at, last_event_at, folded_at, vitals_from,
      (${importedRanges(sql)}) as imported
    from range
    cross join local_hour(${now}::timestamptz, timezone) as present(hour)
    cross join hours
    cross join dropped
    cross join beyond
    left join site_freshness using (site_key)`;
}

/**
 * Selects what the days of a relation `site_key, from_at, to_at, timezone` count as `(other)`: one object, or null. Uses the primary key.
 */
export const othersOf = (sql: Sql, days: Fragment): Fragment => sql`
  select jsonb_object_agg(kind, events) as other
  from (
    select kind, sum(events) as events
    from ${days} days join other_days using (site_key)
    where day >= local_day(from_at, timezone) and day < to_at
    group by kind
  ) o`;

/** Table `imported` for a statement with `range`: the imported days of the range. Uses the primary key of `imported_days`. */
const importedOf = (sql: Sql): Fragment => sql`
  imported as (
    select import_id, source, dimensions, day, hours, visits, pageviews
    from range
    join imported_days d using (site_key)
    join site_imports i using (site_key)
    where i.id = d.import_id and i.finished_at is not null and d.starts_at >= from_at and d.starts_at < to_at
      and d.day between (from_at at time zone timezone)::date and (to_at at time zone timezone)::date
  )`;

const importedRanges = (sql: Sql): Fragment => sql`
  select jsonb_agg(jsonb_build_object('source', source, 'from', first, 'to', last, 'dimensions', dimensions) order by first, source)
  from (
    select source, dimensions, min(day) as first, max(day) as last from imported group by import_id, source, dimensions
  ) i`;

/**
 * The time of the first event, or the start of the first imported day if it is earlier, for a select with `site_freshness`. Uses primary
 * keys.
 */
export const firstEventAt = (sql: Sql, siteKey: Fragment): Fragment => sql`
  least(first_event_at, (
    select d.starts_at from imported_days d join site_imports i on i.site_key = d.site_key and i.id = d.import_id
    where d.site_key = ${siteKey} and i.finished_at is not null order by d.day limit 1))`;
