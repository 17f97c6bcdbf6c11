import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { PageItem } from '../answers/schemas.ts';
import { runComparedList } from '../reading/compare.ts';
import { containing, matchingTexts } from '../reading/filters.ts';
import type { GoalSort, PageSort } from '../reading/report-inputs.ts';
import { type ListInput, type ListReport, pageOfRows, type ReportParts } from '../reading/run-report.ts';
import { isAtOnce, repeatsBy, type SharedVisits } from '../reading/shared-visits.ts';
import { onlyLarge } from '../reading/small-groups.ts';
import { pagesWithin } from '../reading/visit-pages.ts';
import { countsOf, sealedValues } from '../sums/counts.ts';
import { isSummable } from '../sums/filter-clauses.ts';
import { isListed } from '../sums/listed-paths.ts';
import {
  conversionColumns,
  convertedOf,
  hasEnough,
  joinConverted,
  listConversions,
  NO_CONVERSIONS,
  withGoal,
} from './conversions.ts';

export interface PagesInput extends ListInput {
  sort: PageSort | GoalSort;
}

/**
 * The paths that were viewed in the range. A visit counts for each path that it has, and a visitor once per path. Page views count at
 * their own time, so visits that began before the range and lasted into it are read too.
 *
 * Sums sealed days (`countsOf`), with filters those that are summed for them. Of other days, and for 24 hours, it reads the visits that it
 * shares with other reports (`SharedVisits`), and its cost grows with the page views of visits that have several.
 */
export async function reportPages(ctx: ReportContext, asksFor: PagesInput): Promise<ListReport<PageItem>> {
  const { sql } = ctx;
  const input = withGoal(asksFor);
  const order = {
    reach: sql`reach desc, hits desc`,
    visitors: sql`visitors desc, reach desc, hits desc`,
    visits: sql`visits desc, reach desc, hits desc`,
    pageviews: sql`hits desc, reach desc`,
    conversions: sql`conversions desc, reach desc, hits desc`,
    conversionRate: sql`"conversionRate" desc, conversions desc, reach desc, hits desc`,
  }[input.sort];
  const list = runComparedList<PageItem, PagesInput>(
    ctx,
    { ...input, imported: 'page' },
    {
      by: 'path',
      none: {
        visitors: 0,
        visits: 0,
        pageviews: 0,
        reach: 0,
        ...(input.goal !== undefined && NO_CONVERSIONS),
      },
    },
    (asked, parts) => sql`
      with range as materialized (${parts.range})
      ${isSummable(asked) ? countSealed(sql, asked, parts) : countVisits(sql, asked, parts)}
      ${convertedOf(sql, asked, {
        dimension: 'page',
        visits: () =>
          isSummable(asked)
            ? convertedPages(sql, parts.unsealed, WINDOW(sql))
            : convertedPages(sql, parts.visits),
      })},
      top as (
        select counts.*, visitors + coalesce(anonymous, 0) as reach ${conversionColumns(sql, asked)}
        from counts
        ${joinConverted(sql, asked, sql`counts.value`)}
        where ${rowsWanted(sql, asked, parts)} and ${hasEnough(sql, input, parts)}
        order by ${order}
        fetch first (${(asked.offset ?? 0) + asked.limit + 1}::integer) rows with ties
      )
      select text.value as path, visitors::float8, visits::float8, hits::float8 as pageviews, reach::float8
        ${asked.goal === undefined ? sql`` : sql`, "exactVisits", conversions, "conversionRate"`}
      from top
      join site_texts text on text.site_key = (select site_key from range) and text.id = top.value and text.id > 0
      order by ${order}, text.value collate "C"
      ${pageOfRows(sql, asked)}`,
  );
  return listConversions(input, list);
}

/** The paths that visits on the way to a goal have in the range, once each; with a window, those that they first have in it. */
const convertedPages = (sql: Sql, visits: SharedVisits, window?: Window): Fragment => sql`
  select path_id as value, reaches
  from (${viewsOf(sql, visits.towardsGoal('lasting'), window, sql`, reaches`)}) v
  where is_first`;

/** Which paths are wanted, by their ids, before they are sorted. */
function rowsWanted(sql: Sql, { search }: PagesInput, { listed }: ReportParts): Fragment {
  if (listed !== undefined) return sql`counts.value ${isListed(sql, listed)}`;
  return search === undefined ? sql`true` : sql`${matchingTexts(sql, containing(search))} @> counts.value`;
}

/** The visits whose page views are counted one by one. Most visits have one page view: they are counted without being unpacked. */
const notAtOnce = (sql: Sql): Fragment => sql`where not (inside and ${isAtOnce(sql)})`;

interface Window {
  from: Fragment;
  to: Fragment;
}

/** The window of days that a visit without a seal is about. */
const WINDOW = (sql: Sql): Window => ({ from: sql`x`, to: sql`y` });

function countSealed(sql: Sql, input: PagesInput, { unsealed }: ReportParts): Fragment {
  const window = WINDOW(sql);
  return countsOf(sql, input, {
    rows: sealedValues(sql, 'page', input.filters),
    sums: sql`
      select id as value, identified as visitors, visits, views as hits, anonymous from ${unsealed.sums('path')} s
      union all
      select path_id, count(visitor_id) filter (where is_first), count(*) filter (where is_first and counted), count(*),
        count(*) - count(visitor_id)
      from (${viewsOf(sql, sql`${unsealed.kept('lasting')} ${notAtOnce(sql)}`, window)}) v
      group by path_id`,
    again: sql`
      select path_id as value, tier, visitor_id, at
      from (${viewsOf(sql, unsealed.repeated('lasting'), window)}) v where is_first`,
    had: sql`
      select value, tier, visitor_id, at
      from (
        select tier, visitor_id, pages[position] as value, started_at + pages[position - 1] * interval '1 millisecond' as at
        from (
          select *, generate_series(2, cardinality(pages), 2) as position
          from (
            select tier, visitor_id, started_at, array[coalesce(entry_ms, 0), entry_page] || later_pages as pages
            from earlier where entry_page is not null
          ) v
        ) v
      ) page
      where at >= (select from_at from range)`,
  });
}

function countVisits(sql: Sql, input: PagesInput, { visits }: ReportParts): Fragment {
  const unpacked = viewsOf(sql, sql`${visits.kept('lasting')} ${notAtOnce(sql)}`);
  return sql`,
    counts as (
      select value, sum(visitors) as visitors, sum(visits) as visits, sum(hits) as hits, sum(anonymous) as anonymous
      from (
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
 * Selects the page views in the range of visits: `path_id, at, is_first, visitor_id, tier, counted`. `is_first`: the visit has no earlier
 * one of the same path there. `visits` stands after `from`. With a window, only page views in it; `is_first` is about the range still. `more`: further
 * columns of visits, after a comma.
 */
function viewsOf(sql: Sql, visits: Fragment, window?: Window, more: Fragment = sql``): Fragment {
  const { from, to } = window ?? {
    from: sql`(select from_at from range)`,
    to: sql`(select to_at from range)`,
  };
  return sql`
    select path_id, visitor_id, tier, counted, at ${more},
      -- The array has milliseconds, too: what stands at its first position anyway needs no closer look.
      array_position(pages, path_id) = position
        or not exists (select from generate_series(2, position - 2, 2) as earlier where pages[earlier] = path_id) as is_first
    from (
      select visitor_id, tier, counted, whole, since, pages, position, pages[position] as path_id,
        started_at + pages[position - 1] * interval '1 millisecond' as at ${more}
      from (
        select visitor_id, tier, counted, whole, since, started_at, pages, generate_series(2, cardinality(pages), 2) as position ${more}
        from (
          select visitor_id, tier, counted, whole, since, started_at, case when whole then pages else ${pagesWithin(sql, sql`until`)} end as pages
            ${more}
          from (
            select visitor_id, tier, counted, whole, started_at, entry_page, ${from} as since, ${to} as until ${more},
              array[coalesce(entry_ms, 0), entry_page] || later_pages as pages
            from ${visits}
          ) v
          where entry_page is not null
        ) v
      ) v
      offset 0
    ) v
    ${window === undefined ? sql`` : sql`where whole or at >= since`}
    offset 0`;
}
