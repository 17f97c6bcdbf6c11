import type { ReportContext } from '../context.ts';
import type { Sql } from '../db.ts';
import type { JourneyItem } from './behaviour-schemas.ts';
import { keptVisits } from './kept-visits.ts';
import type { Fragment } from './range.ts';
import { type ListInput, type ListReport, pageOfRows, runList } from './report.ts';

export interface JourneysInput extends ListInput {
  /** Journeys from the first view of this path on. */
  start?: string | undefined;
  /** Journeys up to the last view of this path. */
  end?: string | undefined;
}

const MAX_PAGES = 5;

/**
 * The paths that visits took: their first 5 pages, those from `start` on, or with `end` alone the last 5 before and with it.
 * Of visits at tiers 2 and 3 that began in the range. One that continues another after consent is a journey of its own, which
 * may start on the page where consent was given (specification, metric rule 5). A filter on pages keeps whole journeys.
 *
 * Scans the range's visits once (`keptVisits`) and grows with their page views, n log n, by the sort that puts paths together.
 */
export function reportJourneys(ctx: ReportContext, input: JourneysInput): Promise<ListReport<JourneyItem>> {
  const { sql } = ctx;
  const { limit, offset = 0 } = input;
  const { first, last, from, to } = boundsOf(sql, input);
  return runList<JourneyItem>(
    ctx,
    { ...input, tiers: [2, 3] },
    ({ range, now }) => sql`
      with range as materialized (${range})
      ${keptVisits(sql, input, { now, only: sql`and tier > 1 and entry_page is not null` })},
      -- The repeats of a page are left out, so that a place in the array is a step.
      walks as (
        select visitor_id, counted, pages
        from kept
        cross join lateral (select array[entry_ms, entry_page] || later_pages as flat) hits
        cross join lateral (
          select array_agg(flat[n] order by n) as pages
          from generate_series(2, cardinality(flat), 2) n
          where n = 2 or flat[n] <> flat[n - 2]
        ) steps
        where inside
      ),
      journeys as (
        select visitor_id, counted, pages[${from}:${to}] as pages
        from walks
        cross join lateral (select ${first} as first, ${last} as last) bounds
        where first <= last
      ),
      top as (
        select pages, count(*) as journeys, count(distinct visitor_id) as visitors, count(*) filter (where counted) as visits
        from journeys
        group by pages
        order by journeys desc, visitors desc
        fetch first (${offset + limit + 1}::integer) rows with ties
      )
      select names as pages, visitors::float8, visits::float8, journeys::float8
      from top
      cross join lateral (
        select array_agg(text.value order by step) as names
        from unnest(top.pages) with ordinality page(path_id, step)
        join site_texts text on text.site_key = (select site_key from range) and text.id = path_id and text.id > 0
      ) named
      order by top.journeys desc, top.visitors desc, names collate "C"
      ${pageOfRows(sql, input)}`,
  );
}

/** Where in `pages` a journey begins and ends, null for a visit that lacks the page; and the 5 pages of it that are told. */
function boundsOf(
  sql: Sql,
  { start, end }: JourneysInput,
): Record<'first' | 'last' | 'from' | 'to', Fragment> {
  const idOf = (path: string): Fragment =>
    sql`(select id from site_texts where site_key = (select site_key from range) and value = ${path})`;
  const isFromEnd = start === undefined && end !== undefined;
  return {
    first: start === undefined ? sql`1` : sql`array_position(pages, ${idOf(start)})`,
    last:
      end === undefined
        ? sql`cardinality(pages)`
        : sql`(select max(n) from generate_subscripts(pages, 1) n where pages[n] = ${idOf(end)})`,
    from: isFromEnd ? sql`greatest(first, last - ${MAX_PAGES - 1}::integer)` : sql`first`,
    to: isFromEnd ? sql`last` : sql`least(last, first + ${MAX_PAGES - 1}::integer)`,
  };
}
