import type { ReportContext } from '../context.ts';
import type { Sql } from '../db.ts';
import { runComparedList } from './compare.ts';
import { containing, matchingTexts } from './filters.ts';
import { groupedVisits, visitorsOf } from './kept-visits.ts';
import { isListed } from './listed-paths.ts';
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
 * Sums sealed days (`countsOf`). With filters, and for 24 hours, it reads the visits that it shares with other reports (`SharedVisits`), and
 * its cost grows with their page views, which it groups by path and visit.
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
  if (listed !== undefined) return sql`value ${isListed(sql, listed)}`;
  return search === undefined ? sql`true` : sql`${matchingTexts(sql, containing(search))} @> value`;
}

function countVisits(sql: Sql, input: PagesInput, { visits }: ReportParts): Fragment {
  const from = sql`(select from_at from range)`;
  const to = sql`(select to_at from range)`;
  const at = sql`visit_time(started_at, entry_ms)`;
  return sql`,
    -- Most visits have one page view: they are counted without being unpacked.
    viewed as (
      select row_number() over () as visit, visitor_id, repeat_id, alone, counted, ${pagesWithin(sql, from, to)} as pages
      from (
        select visitor_id, repeat_id, alone, counted, started_at, duration_ms, array[coalesce(entry_ms, 0), entry_page] || later_pages as pages
        from ${visits.kept('lasting')}
        where entry_page is not null and later_pages is not null
      ) v
    ),
    visits_of_paths as (
      select path_id, visit, repeat_id, alone, counted, unknown, count(*) as views
      from (
        select visit, repeat_id, alone, counted, visitor_id is null as unknown,
          pages[generate_series(2, cardinality(pages), 2)] as path_id
        from viewed
      ) hit
      group by path_id, visit, repeat_id, alone, counted, unknown
    ),
    visitors as (
      select value, repeat_id, sum(visits) as visits, sum(views) as views, sum(alone) as alone, sum(unknown) as unknown,
        sum(anonymous) as anonymous
      from (
        select entry_page as value, ${groupedVisits(sql)}, count(*) filter (where visitor_id is null) as anonymous
        from ${visits.kept('lasting')}
        where entry_page is not null and later_pages is null and ${at} >= ${from} and ${at} < ${to}
        group by entry_page, repeat_id
        union all
        select path_id, repeat_id, count(*) filter (where counted), sum(views), count(*) filter (where alone),
          count(*) filter (where unknown), coalesce(sum(views) filter (where unknown), 0)
        from visits_of_paths
        group by path_id, repeat_id
      ) v
      group by value, repeat_id
    ),
    counts as (
      select value, ${visitorsOf(sql)} as visitors, sum(visits) as visits, sum(views) as hits, sum(anonymous) as anonymous
      from visitors
      group by value ${onlyLarge(sql, input.narrowing, sql`${visitorsOf(sql)} + sum(unknown)`)}
    )`;
}
