import type { MemberContext } from '../context.ts';
import { type Fragment, looseBounds } from './range.ts';
import { type ListInput, onlyTier, runReport } from './report.ts';
import type { Report, ValueItem } from './schemas.ts';

export interface ValuesOf {
  /** The column, of `visits` or of its `site_profiles`. */
  column: Fragment;
  /** What its null is called. */
  unknown: string;
  /** Which visits have the value; begins with `and`. */
  only: Fragment;
}

/**
 * The values that a column of the range's visits has. Page views are all those of the visits with the value. Scans the
 * visits by the index `visits_time`, in the partitions of the range's months, and grows with them, n log n, by the
 * sort that tells visitors apart.
 */
export async function reportVisitValues(
  ctx: MemberContext,
  input: ListInput,
  { column, unknown, only }: ValuesOf,
): Promise<Report<ValueItem[]>> {
  const { sql } = ctx;
  const { limit, tier } = input;
  const { rows, meta } = await runReport<ValueItem>(ctx, input, ({ range, now }) => {
    const { after, before } = looseBounds(input.range, now);
    return sql`
      with range as materialized (${range}),
      -- The offset keeps the arrays out of the sort.
      seen as (
        select coalesce(${column}, ${unknown}) collate "C" as value, visitor_id, counted,
          (entry_page is not null)::integer + coalesce(cardinality(later_pages), 0) / 2 as pageviews
        from visits
        left join site_profiles on site_profiles.site_key = (select site_key from range) and id > 0 and id = profile_id
        where visits.site_key = (select site_key from range) and duration_ms >= 0
          and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
          and started_at >= (select from_at from range) and started_at < (select to_at from range)
          and (entry_page is not null or custom_events is not null) ${only} ${onlyTier(sql, tier)}
        offset 0
      )
      select value, count(distinct visitor_id)::float8 as visitors,
        (count(*) filter (where counted))::float8 as visits, sum(pageviews)::float8 as pageviews
      from seen
      group by value
      order by visits desc, visitors desc, value
      limit ${limit}::integer`;
  });
  return { data: rows, meta };
}
