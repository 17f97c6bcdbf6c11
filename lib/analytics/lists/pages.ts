import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { PageItem } from '../answers/schemas.ts';
import { runComparedList } from '../reading/compare.ts';
import { containing, matchingTexts } from '../reading/filters.ts';
import { isAtOnce, repeatsBy } from '../reading/kept-visits.ts';
import type { PageSort } from '../reading/report-inputs.ts';
import { type ListInput, type ListReport, pageOfRows, type ReportParts } from '../reading/run-report.ts';
import { onlyLarge } from '../reading/small-groups.ts';
import { pagesWithin } from '../reading/visit-pages.ts';
import { isSealable } from '../sums/blocks.ts';
import { countsOfHits, pageHits } from '../sums/hits.ts';
import { isListed } from '../sums/listed-paths.ts';

export interface PagesInput extends ListInput {
  sort: PageSort;
}

/**
 * The paths that were viewed in the range. A visit counts for each path that it has, and a visitor once per path. Page views count at
 * their own time, so visits that began before the range and lasted into it are read too.
 *
 * Sums sealed days (`countsOf`). With filters, and for 24 hours, it reads the visits that it shares with other reports (`SharedVisits`), and
 * its cost grows with the page views of visits that have several.
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
  const unpacked = viewsOf(sql, sql`${visits.kept('lasting')} where not (inside and ${isAtOnce(sql)})`);
  return sql`,
    counts as (
      select value, sum(visitors) as visitors, sum(visits) as visits, sum(hits) as hits, sum(anonymous) as anonymous
      from (
        -- Most visits have one page view: they are counted without being unpacked.
        select id as value, identified as visitors, visits, views as hits, unknown as anonymous, unknown
        from ${visits.sums('path')} s
        union all
        select path_id, count(visitor_id) filter (where is_first), count(*) filter (where is_first and counted), count(*),
          count(*) - count(visitor_id), count(*) filter (where is_first and visitor_id is null)
        from (${unpacked}) v
        group by path_id
        union all
        select path_id, -repeats, 0, 0, 0, 0
        from (${repeatsBy(sql, sql`path_id`, sql`(${viewsOf(sql, visits.repeated('lasting'))}) v where is_first`)}) r
      ) part
      group by value ${onlyLarge(sql, input.narrowing, sql`sum(visitors) + sum(unknown)`)}
    )`;
}

/**
 * Selects the page views in the range of visits: `path_id, is_first, visitor_id, counted`. `is_first`: the visit has no earlier one of the
 * same path there. `visits` stands after `from`.
 */
const viewsOf = (sql: Sql, visits: Fragment): Fragment => sql`
  select path_id, visitor_id, counted,
    -- The array has milliseconds, too: what stands at its first position anyway needs no closer look.
    array_position(pages, path_id) = position
      or not exists (select from generate_series(2, position - 2, 2) as earlier where pages[earlier] = path_id) as is_first
  from (
    select visitor_id, counted, pages, position, pages[position] as path_id
    from (
      select visitor_id, counted, pages, generate_series(2, cardinality(pages), 2) as position
      from (
        select visitor_id, counted, case when whole then pages else ${pagesWithin(sql)} end as pages
        from (
          select visitor_id, counted, whole, started_at, array[coalesce(entry_ms, 0), entry_page] || later_pages as pages, entry_page
          from ${visits}
        ) v
        where entry_page is not null
      ) v
    ) v
    offset 0
  ) v
  offset 0`;
