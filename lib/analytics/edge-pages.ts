import type { ReportContext } from '../context.ts';
import { countPages } from './filters.ts';
import { begunInRange } from './kept-visits.ts';
import type { Fragment } from './range.ts';
import { type ListInput, type ListReport, pageOfRows, runList } from './report.ts';
import type { PageItem } from './schemas.ts';

export type Edge = 'entry' | 'exit';

/**
 * The pages on which visits began or ended. Page views are all those of these visits. Where a visit ended is known at tiers
 * 2 and 3 alone; a continued visit began elsewhere. Cost: see `reportVisitValues`.
 */
export function reportEdgePages(
  ctx: ReportContext,
  input: ListInput,
  edge: Edge,
): Promise<ListReport<PageItem>> {
  const { sql } = ctx;
  const { filters = [] } = input;
  const isEntry = edge === 'entry';
  const page: Fragment = isEntry
    ? sql`entry_page`
    : sql`coalesce(later_pages[cardinality(later_pages)], entry_page)`;
  const only: Fragment = isEntry ? sql`and not continued and (tier > 1 or counted)` : sql`and tier > 1`;
  return runList<PageItem>(
    ctx,
    { ...input, imported: isEntry ? 'entry_page' : 'exit_page' },
    ({ range, now }) => sql`
      with range as materialized (${range}),
      -- The offset keeps the arrays out of the sort.
      seen as (
        select ${page} as path_id, visitor_id, counted, ${countPages(sql, filters)} as pageviews
        from visits
        where ${begunInRange(sql, input, now)} and entry_page is not null ${only}
        offset 0
      ),
      counts as (
        select path_id, count(distinct visitor_id) as visitors, count(*) filter (where counted) as visits,
          sum(pageviews) as pageviews, sum(pageviews) filter (where visitor_id is null) as anonymous
        from seen
        group by path_id
      )
      select text.value as path, visitors::float8, visits::float8, pageviews::float8,
        (visitors + coalesce(anonymous, 0))::float8 as reach
      from counts
      join site_texts text on text.site_key = (select site_key from range) and text.id = counts.path_id and text.id > 0
      order by visits desc, visitors desc, text.value collate "C"
      ${pageOfRows(sql, input)}`,
  );
}
