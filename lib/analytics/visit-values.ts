import type { ReportContext } from '../context.ts';
import type { Sql } from '../db.ts';
import { type Dimension, dimensionOf } from './dimensions.ts';
import { countPages } from './filters.ts';
import { begunInRange } from './kept-visits.ts';
import type { Fragment } from './range.ts';
import { type ListInput, type ListReport, pageOfRows, runList } from './report.ts';
import type { ValueItem } from './schemas.ts';

/**
 * The values that a dimension has among the range's visits. Page views are all those of the visits with the value. Scans
 * the visits by the index `visits_time`, in the partitions of the range's months, and grows with them, n log n, by the
 * sort that tells visitors apart.
 */
export async function reportVisitValues(
  ctx: ReportContext,
  input: ListInput,
  name: Dimension,
): Promise<ListReport<ValueItem>> {
  const { sql } = ctx;
  const { filters = [] } = input;
  const { id, only } = dimensionOf(sql, name);
  return runList<ValueItem>(
    ctx,
    name === 'os' ? input : { ...input, imported: name },
    ({ range, now }) => sql`
      with range as materialized (${range}),
      ${numberNames(sql, name)}
      -- The offset keeps the arrays out of the sort.
      seen as (
        select (select by_id from numbers)[${id}] as value, visitor_id, counted,
          ${countPages(sql, filters)} as pageviews
        from visits
        where ${begunInRange(sql, input, now)} and is_seen(counted, continued, entry_page, custom_events) ${only}
        offset 0
      ),
      counts as (
        select value, count(distinct visitor_id)::float8 as visitors,
          (count(*) filter (where counted))::float8 as visits, sum(pageviews)::float8 as pageviews
        from seen
        where value is not null
        group by value
      )
      select name as value, visitors, visits, pageviews
      from counts join names on number = value
      order by visits desc, visitors desc, 1
      ${pageOfRows(sql, input)}`,
  );
}

/**
 * Numbers the names that a dictionary has, so that a visit finds its own in an array by its id (ids have no gaps) and visits
 * are sorted by small integers. A join for each visit takes twenty times as long where it is planned badly.
 */
function numberNames(sql: Sql, name: Dimension): Fragment {
  const { table, shown } = dimensionOf(sql, name);
  return sql`
    entries as materialized (
      select id, ${shown} collate "C" as name from ${table} where site_key = (select site_key from range) and id > 0
    ),
    names as materialized (
      select name, row_number() over ()::integer as number from (select distinct name from entries where name is not null) d
    ),
    numbers as materialized (
      select array_agg(number order by id) as by_id from entries left join names using (name)
    ),`;
}
