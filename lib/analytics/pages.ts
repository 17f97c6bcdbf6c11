import type { ReportContext } from '../context.ts';
import type { Sql } from '../db.ts';
import { runComparedList } from './compare.ts';
import { containing, matchingTexts } from './filters.ts';
import type { Fragment } from './range.ts';
import { type ListInput, type ListReport, pageOfRows, type ReportParts } from './report.ts';
import type { PageSort } from './report-inputs.ts';
import type { PageItem } from './schemas.ts';
import { isSealable } from './sealed/blocks.ts';
import { countsOfHits, pageHits } from './sealed/hits.ts';
import { onlyLarge } from './small-groups.ts';
import { pagesWithin } from './visit-pages.ts';

export interface PagesInput extends ListInput {
  sort: PageSort;
}

/**
 * The paths that were viewed in the range. A visit counts for each path that it has, and a visitor once per path. Page views count at
 * their own time, so visits that began before the range and lasted into it are read too.
 *
 * Sums sealed days (`countsOf`). With filters, and for 24 hours, it scans the range's visits once (`keptVisits`), and its cost grows with their page views (n log n), because it sorts them to count distinct visits and
 * visitors.
 */
export async function reportPages(ctx: ReportContext, input: PagesInput): Promise<ListReport<PageItem>> {
  const { sql } = ctx;
  const order = {
    reach: sql`reach desc, hits desc`,
    visitors: sql`visitors desc, reach desc, hits desc`,
    visits: sql`visits desc, reach desc, hits desc`,
    pageviews: sql`hits desc, reach desc`,
  }[input.sort];
  return runComparedList<PageItem, PagesInput>(
    ctx,
    { ...input, imported: 'page' },
    { by: 'path', none: { visitors: 0, visits: 0, pageviews: 0, reach: 0 } },
    (asked, parts) => sql`
      with range as materialized (${parts.range})
      ${isSealable(asked) ? countsOfHits(sql, asked, parts.now, pageHits(sql)) : countVisits(sql, asked, parts)},
      top as (
        select *, visitors + coalesce(anonymous, 0) as reach
        from counts
        where ${rowsWanted(sql, asked, parts)}
        order by ${order}
        fetch first (${(asked.offset ?? 0) + asked.limit + 1}::integer) rows with ties
      )
      select text.value as path, visitors::float8, visits::float8, hits::float8 as pageviews, reach::float8
      from top
      join site_texts text on text.site_key = (select site_key from range) and text.id = top.value and text.id > 0
      order by ${order}, text.value collate "C"
      ${pageOfRows(sql, asked)}`,
  );
}

/** Which paths are wanted, by their ids, before they are sorted. */
function rowsWanted(sql: Sql, { search }: PagesInput, { listed }: ReportParts): Fragment {
  if (listed !== undefined) return isListed(sql, listed);
  return search === undefined ? sql`true` : sql`${matchingTexts(sql, containing(search))} @> value`;
}

/** Whether a path's id is that of a listed path. Uses the primary key of `site_texts`. */
const isListed = (sql: Sql, listed: Fragment): Fragment => sql`
  value = any (array(
    select id from ${listed} l join site_texts t on t.site_key = (select site_key from range) and t.value = l.name))`;

function countVisits(sql: Sql, input: PagesInput, { visits }: ReportParts): Fragment {
  const from = sql`(select from_at from range)`;
  const to = sql`(select to_at from range)`;
  const at = sql`visit_time(started_at, entry_ms)`;
  return sql`,
    -- Most visits have one page view: they are counted without being unpacked.
    viewed as (
      select row_number() over () as visit, visitor_id, counted, ${pagesWithin(sql, from, to)} as pages
      from (
        select visitor_id, counted, started_at, duration_ms, array[coalesce(entry_ms, 0), entry_page] || later_pages as pages
        from ${visits.kept('lasting')}
        where entry_page is not null and later_pages is not null
      ) v
    ),
    visits_of_paths as (
      select path_id, visit, visitor_id, counted, count(*) as hits
      from (
        select visit, visitor_id, counted, pages[generate_series(2, cardinality(pages), 2)] as path_id from viewed
      ) hit
      group by path_id, visit, visitor_id, counted
      union all
      select entry_page, null, visitor_id, counted, 1
      from ${visits.kept('lasting')}
      where entry_page is not null and later_pages is null and ${at} >= ${from} and ${at} < ${to}
    ),
    visitors as (
      select path_id as value, visitor_id, count(*) as kept, count(*) filter (where counted) as visits, sum(hits) as hits
      from visits_of_paths
      group by path_id, visitor_id
    ),
    counts as (
      select value, count(visitor_id) as visitors, sum(visits) as visits, sum(hits) as hits,
        coalesce(sum(hits) filter (where visitor_id is null), 0) as anonymous
      from visitors
      group by value ${onlyLarge(sql, input.narrowing, sizeOfPageVisitors(sql))}
    )`;
}

/** `sizeOfHits` for rows of visitors. */
const sizeOfPageVisitors = (sql: Sql): Fragment => sql`
  (count(visitor_id) + coalesce(sum(kept) filter (where visitor_id is null), 0))`;
