import type { ReportContext } from '../context.ts';
import type { Sql } from '../db.ts';
import { keepPages, keepVisits } from './filters.ts';
import { type Fragment, inQuarters, looseBounds } from './range.ts';
import {
  type ListInput,
  type ListReport,
  onlyTier,
  pageOfRows,
  type ReportParts,
  runList,
} from './report.ts';
import type { PageItem } from './schemas.ts';
import { isSealable } from './sealed/blocks.ts';
import { countsOfHits, pageHits } from './sealed/hits.ts';
import { onlyLarge, sizeOfHits } from './small-groups.ts';

/** `reach`: visitors and anonymous-count page views (docs/counting.md#lists). */
export type PageSort = 'reach' | 'pageviews';

export interface PagesInput extends ListInput {
  sort: PageSort;
}

/**
 * The paths that were viewed in the range. A visit counts for each path that it has, and a visitor once per path. Page views count at
 * their own time, so visits that began up to a day before the range are read too.
 *
 * Sums sealed days (`countsOf`). With filters, and for 24 hours, it scans the range's visits once by the index `visits_quarters`, in the
 * partitions of its months, and its cost grows with their page views (n log n), because it sorts them to count distinct visits and
 * visitors.
 */
export async function reportPages(ctx: ReportContext, input: PagesInput): Promise<ListReport<PageItem>> {
  const { sql } = ctx;
  const { limit, offset = 0, sort } = input;
  const order = sort === 'reach' ? sql`reach desc, hits desc` : sql`hits desc, reach desc`;
  return runList<PageItem>(
    ctx,
    { ...input, imported: 'page' },
    (parts) => sql`
      with range as materialized (${parts.range})
      ${isSealable(input) ? countsOfHits(sql, input, parts.now, pageHits(sql)) : countVisits(sql, input, parts)},
      top as (
        select *, visitors + coalesce(anonymous, 0) as reach
        from counts
        order by ${order}
        fetch first (${offset + limit + 1}::integer) rows with ties
      )
      select text.value as path, visitors::float8, visits::float8, hits::float8 as pageviews, reach::float8
      from top
      join site_texts text on text.site_key = (select site_key from range) and text.id = top.value and text.id > 0
      order by ${order}, text.value collate "C"
      ${pageOfRows(sql, input)}`,
  );
}

function countVisits(sql: Sql, input: PagesInput, { now }: ReportParts): Fragment {
  const { tier, filters = [] } = input;
  const from = sql`(select from_at from range)`;
  const to = sql`(select to_at from range)`;
  const end = sql`visit_time(started_at, duration_ms)`;
  const { after, before } = looseBounds(input.range, now);
  return sql`,
    seen as (
      select row_number() over () as visit, visitor_id, counted,
        case when started_at >= ${from} and ${end} < ${to} then pages else ${pagesWithin(sql, from, to)} end as pages
      from (
        select visitor_id, counted, started_at, duration_ms, array[coalesce(entry_ms, 0), entry_page] || later_pages as pages
        from visits
        where site_key = (select site_key from range) and profile_id > 0
          and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
          and started_at >= ${from} - interval '1 day' and started_at < ${to}
          ${inQuarters(sql, sql`${from} - interval '1 day'`, to)}
          and (started_at >= ${from} or ${end} >= ${from})
          and entry_page is not null ${onlyTier(sql, tier)} ${keepVisits(sql, filters)}
      ) v
    ),
    hits as (
      select visit, visitor_id, counted, pages[generate_series(2, cardinality(pages), 2)] as path_id from seen
    ),
    counts as (
      select path_id as value, count(*) as hits, count(distinct visit) filter (where counted) as visits,
        count(distinct visitor_id) as visitors, count(*) - count(visitor_id) as anonymous
      from hits
      where true ${keepPages(sql, filters, sql`path_id`)}
      group by path_id ${onlyLarge(sql, input.narrowing, sizeOfHits(sql))}
    )`;
}

/** The part of a visit's `pages` (pairs: milliseconds from the start, path) in the range; null if there is none. */
function pagesWithin(sql: Sql, from: Fragment, to: Fragment): Fragment {
  return sql`(
    select array_agg(value order by position)
    from (
      select value, position, first_value(value) over (partition by (position + 1) / 2 order by position) as ms
      from unnest(pages) with ordinality as item(value, position)
    ) item
    where started_at + ms * interval '1 millisecond' >= ${from}
      and started_at + ms * interval '1 millisecond' < ${to}
  )`;
}
