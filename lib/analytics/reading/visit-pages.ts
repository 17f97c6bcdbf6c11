/** The stored page views of a visit, for selects from `visits` or `kept`. A visit stores 500 at most. */
import type { Fragment, Sql } from '../../db.ts';

/** When a visit ended. */
export const endOfVisit = (sql: Sql): Fragment => sql`visit_time(started_at, duration_ms)`;

/** How many it has. */
export const countPages = (sql: Sql): Fragment =>
  sql`((entry_page is not null)::integer + coalesce(cardinality(later_pages), 0) / 2)`;

/** When they happened, as a relation `at`. */
const timesOfPages = (sql: Sql): Fragment => sql`(
  select started_at + ms * interval '1 millisecond' as at
  from (
    select coalesce(entry_ms, 0) as ms where entry_page is not null
    union all select ms from hits_of(later_pages)
  ) view)`;

/** How many happened in [from, to). Few visits cross the ends, and only those are unpacked. */
export const countPagesWithin = (sql: Sql, from: Fragment, to: Fragment): Fragment => sql`
  case
    when started_at >= ${from} and ${endOfVisit(sql)} < ${to} then ${countPages(sql)}
    when started_at >= ${to} or ${endOfVisit(sql)} < ${from} then 0
    else (select count(*)::integer from ${timesOfPages(sql)} view where at >= ${from} and at < ${to})
  end`;

/** When they happened, as an array. */
export const arrayOfTimes = (sql: Sql): Fragment => sql`array(select at from ${timesOfPages(sql)} view)`;

/**
 * The page views from the start of the range up to an instant, as pairs: milliseconds from the start of the visit, path. Null if there is
 * none. For a statement with `range` and a select from a relation that has the page views of the whole visit as `pages`.
 */
export const pagesWithin = (sql: Sql, to: Fragment): Fragment => sql`(
  select array_agg(value order by position)
  from (
    select value, position, first_value(value) over (partition by (position + 1) / 2 order by position) as ms
    from unnest(pages) with ordinality as item(value, position)
  ) item
  where started_at + ms * interval '1 millisecond' >= (select from_at from range)
    and started_at + ms * interval '1 millisecond' < ${to}
)`;
