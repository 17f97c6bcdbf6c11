import type { ReportContext } from '../context.ts';
import { countPages, keepVisits } from './filters.ts';
import { type Fragment, looseBounds } from './range.ts';
import { type ListInput, type ListReport, onlyTier, pageOfRows, runList } from './report.ts';
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
  const { tier, filters = [] } = input;
  const isEntry = edge === 'entry';
  const page: Fragment = isEntry
    ? sql`entry_page`
    : sql`coalesce(later_pages[cardinality(later_pages)], entry_page)`;
  const only: Fragment = isEntry ? sql`and not continued and (tier > 1 or counted)` : sql`and tier > 1`;
  return runList<PageItem>(ctx, input, ({ range, now }) => {
    const { after, before } = looseBounds(input.range, now);
    return sql`
      with range as materialized (${range}),
      -- The offset keeps the arrays out of the sort.
      seen as (
        select ${page} as path_id, visitor_id, counted, ${countPages(sql, filters)} as pageviews
        from visits
        where site_key = (select site_key from range) and duration_ms >= 0
          and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
          and started_at >= (select from_at from range) and started_at < (select to_at from range)
          and entry_page is not null ${only} ${onlyTier(sql, tier)} ${keepVisits(sql, filters)}
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
      ${pageOfRows(sql, input)}`;
  });
}
