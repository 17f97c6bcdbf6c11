import type { MemberContext } from '../context.ts';
import type { Sql } from '../db.ts';
import { type Fragment, looseBounds } from './range.ts';
import { type ListInput, onlyTier, runReport } from './report.ts';
import type { Report, ValueItem } from './schemas.ts';

export interface ValuesOf {
  /** The column, and whose it is: the visit's own, or that of the profile it shares with others. */
  column: Fragment;
  of: 'visits' | 'site_profiles';
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
  { column, of, unknown, only }: ValuesOf,
): Promise<Report<ValueItem[]>> {
  const { sql } = ctx;
  const { limit, tier } = input;
  const name = sql`coalesce(${column}, ${unknown}) collate "C"`;
  const { rows, meta } = await runReport<ValueItem>(ctx, input, ({ range, now }) => {
    const { after, before } = looseBounds(input.range, now);
    return sql`
      with range as materialized (${range}),
      ${of === 'visits' ? sql`` : numberNames(sql, name)}
      -- The offset keeps the arrays out of the sort.
      seen as (
        select ${of === 'visits' ? name : sql`(select by_profile from numbers)[profile_id]`} as value, visitor_id, counted,
          (entry_page is not null)::integer + coalesce(cardinality(later_pages), 0) / 2 as pageviews
        from visits
        where site_key = (select site_key from range) and duration_ms >= 0
          and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
          and started_at >= (select from_at from range) and started_at < (select to_at from range)
          and (entry_page is not null or custom_events is not null) ${only} ${onlyTier(sql, tier)}
        offset 0
      ),
      counts as (
        select value, count(distinct visitor_id)::float8 as visitors,
          (count(*) filter (where counted))::float8 as visits, sum(pageviews)::float8 as pageviews
        from seen
        group by value
      )
      select ${of === 'visits' ? sql`value` : sql`name as value`}, visitors, visits, pageviews
      from counts ${of === 'visits' ? sql`` : sql`join names on number = value`}
      order by visits desc, visitors desc, 1
      limit ${limit}::integer`;
  });
  return { data: rows, meta };
}

/**
 * Numbers the names that profiles have, so that a visit finds its own in an array by its profile (whose ids have no gaps)
 * and visits are sorted by small integers. A join for each visit takes twenty times as long where it is planned badly.
 */
const numberNames = (sql: Sql, name: Fragment): Fragment => sql`
  names as materialized (
    select name, row_number() over ()::integer as number
    from (
      select distinct ${name} as name from site_profiles where site_key = (select site_key from range) and id > 0
    ) d
  ),
  numbers as materialized (
    select array_agg(number order by id) as by_profile
    from site_profiles join names on name = ${name}
    where site_key = (select site_key from range) and id > 0
  ),`;
