import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { JourneyItem } from '../answers/behaviour-schemas.ts';
import { isSealable } from '../reading/filters.ts';
import {
  type ListInput,
  type ListReport,
  pageOfRows,
  type ReportParts,
  runList,
} from '../reading/run-report.ts';
import { onlyLarge, sizeOfVisits } from '../reading/small-groups.ts';
import { topJourneys } from '../sums/sealed-journeys.ts';

export interface JourneysInput extends ListInput {
  /** Journeys that start with the first view of this path. */
  start?: string | undefined;
  /** Journeys that end with the last view of this path. */
  end?: string | undefined;
}

const MAX_PAGES = 5;

/**
 * The journeys of visits at tiers 2 and 3 that began in the range: their first 5 pages, or the first 5 from `start` on, or with `end`
 * only the last 5 up to it. A visit that continues another one after consent is a separate journey, which may start on the page where
 * consent was given (docs/counting.md#journeys).
 *
 * Sums sealed days (`topJourneys`). With `start` or `end`, with filters, and for 24 hours, it scans the range's visits once by the index
 * `visits_quarters`, and its cost grows with the page views of visits that have the requested pages (n log n), because it sorts the
 * journeys.
 */
export function reportJourneys(ctx: ReportContext, input: JourneysInput): Promise<ListReport<JourneyItem>> {
  const { sql } = ctx;
  const { start, end } = input;
  const isWhole = start === undefined && end === undefined;
  return runList<JourneyItem>(
    ctx,
    { ...input, tiers: [2, 3] },
    (parts) => sql`
      with range as materialized (${parts.range})
      ${isWhole && isSealable(input) ? topJourneys(sql, input, parts.now) : countVisits(sql, input, parts)}
      select names as pages, visitors::float8, visits::float8, journeys::float8
      from top
      cross join lateral (
        select array_agg(text.value order by step) as names
        from unnest(string_to_array(top.path, ' ')::integer[]) with ordinality page(path_id, step)
        join site_texts text on text.site_key = (select site_key from range) and text.id = path_id and text.id > 0
      ) named
      order by top.journeys desc, top.visitors desc, names collate "C"
      ${pageOfRows(sql, input)}`,
  );
}

function countVisits(sql: Sql, input: JourneysInput, { visits }: ReportParts): Fragment {
  const { start, end, limit, offset = 0 } = input;
  const { first, last, from, to } = boundsOf(sql, input);
  const has = (path: string | undefined): Fragment =>
    path === undefined
      ? sql``
      : sql`and (consent_page = ${idOf(sql, path)} or entry_page = ${idOf(sql, path)} or ${idOf(sql, path)} = any (later_pages))`;
  return sql`,
    -- The repeats of a page are left out, so that each element of the array is a step.
    walks as (
      select visitor_id, counted, (
          select array_agg(flat[n] order by n)
          from generate_series(2, cardinality(flat), 2) n
          where n = 2 or flat[n] <> flat[n - 2]
        ) as pages
      from (
        select visitor_id, counted, array[0, coalesce(consent_page, entry_page)]
          || case when consent_page is not null and entry_page is not null then array[0, entry_page] end || later_pages as flat
        from ${visits.kept('begun')}
        where inside and tier > 1 and coalesce(consent_page, entry_page) is not null ${has(start)} ${has(end)}
        offset 0
      ) v
      offset 0
    ),
    journeys as (
      select visitor_id, counted, array_to_string(pages[${from}:${to}], ' ') as path
      from walks
      cross join lateral (select ${first} as first, ${last} as last) bounds
      where first <= last
    ),
    top as (
      select path, count(*) as journeys, count(distinct visitor_id) as visitors, count(*) filter (where counted) as visits
      from journeys
      group by path ${onlyLarge(sql, input.narrowing, sizeOfVisits(sql))}
      order by journeys desc, visitors desc
      fetch first (${offset + limit + 1}::integer) rows with ties
    )`;
}

const idOf = (sql: Sql, path: string): Fragment =>
  sql`(select id from site_texts where site_key = (select site_key from range) and value = ${path})`;

/** The positions in `pages` at which a journey begins and ends, and its 5 shown pages. Null for a visit without the page. */
function boundsOf(
  sql: Sql,
  { start, end }: JourneysInput,
): Record<'first' | 'last' | 'from' | 'to', Fragment> {
  const isFromEnd = start === undefined && end !== undefined;
  return {
    first: start === undefined ? sql`1` : sql`array_position(pages, ${idOf(sql, start)})`,
    last:
      end === undefined
        ? sql`cardinality(pages)`
        : sql`(select max(n) from generate_subscripts(pages, 1) n where pages[n] = ${idOf(sql, end)})`,
    from: isFromEnd ? sql`greatest(first, last - ${MAX_PAGES - 1}::integer)` : sql`first`,
    to: isFromEnd ? sql`last` : sql`least(last, first + ${MAX_PAGES - 1}::integer)`,
  };
}
