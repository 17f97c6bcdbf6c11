import type { MemberContext } from '../context.ts';
import { looseBounds } from './range.ts';
import { type ListInput, onlyTier, runReport } from './report.ts';
import type { PageItem, Report } from './schemas.ts';

/** `reach`: visitors and anonymous-count page views (specification, "Analytics"). */
export type PageSort = 'reach' | 'pageviews';

export interface PagesInput extends ListInput {
  sort: PageSort;
}

/** Whether a path appeared earlier in a visit is looked up in the visit itself, which must not be long then. */
const SHORT_VISIT_PAGES = 64;

/**
 * The paths that were seen in the range. A visit counts for each path that it shows, its visitor once for all visits.
 * Page views count when they happened, so visits that began up to a day before are looked into as well.
 *
 * Scans the range's visits by the primary key of `visits`, in the partitions of its months, twice: once for the short
 * ones that lie in the range whole, once for the others, which are taken apart. It grows with the page views of the range,
 * n log n, by the sort that tells visitors apart.
 */
export async function reportPages(ctx: MemberContext, input: PagesInput): Promise<Report<PageItem[]>> {
  const { sql } = ctx;
  const { siteId, limit, sort, tier } = input;
  const order = sort === 'reach' ? sql`reach desc, pageviews desc` : sql`pageviews desc, reach desc`;
  const [from, to] = [sql`(select from_at from range)`, sql`(select to_at from range)`];
  const { rows, meta } = await runReport<PageItem>(ctx, input, ({ range, now }) => {
    const { after, before } = looseBounds(input.range, now);
    return sql`
      with range as materialized (${range}),
      seen as not materialized (
        select started_at, visitor_id, counted, page_ms, page_ids,
          started_at >= ${from} and started_at + duration_ms * interval '1 millisecond' < ${to}
            and cardinality(page_ids) <= ${SHORT_VISIT_PAGES} as simple
        from visits
        where site_id = ${siteId}::uuid and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
          and started_at >= ${from} - interval '1 day' and started_at < ${to}
          and page_ids is not null ${onlyTier(sql, tier)}
      ),
      hits as (
        select unnest(page_ids) as path_id, visitor_id, counted,
          array_position(page_ids, unnest(page_ids)) = generate_subscripts(page_ids, 1) as is_first
        from seen where simple
        union all
        select hit.path_id, visitor_id, counted, hit.nth = 1
        from seen cross join lateral (
          select page.path_id, row_number() over (partition by page.path_id) as nth
          from unnest(page_ids, page_ms) as page(path_id, ms)
          where started_at + page.ms * interval '1 millisecond' >= ${from}
            and started_at + page.ms * interval '1 millisecond' < ${to}
        ) hit
        where not simple
      ),
      top as (
        select path_id, count(*) as pageviews, count(*) filter (where counted and is_first) as visits,
          count(distinct visitor_id) as visitors,
          count(distinct visitor_id) + count(*) - count(visitor_id) as reach
        from hits
        group by path_id
        order by ${order}
        fetch first (${limit}::integer) rows with ties
      )
      select text.value as path, visitors::float8, visits::float8, pageviews::float8, reach::float8
      from top
      join site_texts text on text.site_id = ${siteId}::uuid and text.id = top.path_id
      order by ${order}, text.value collate "C"
      limit ${limit}::integer`;
  });
  return { data: rows, meta };
}
