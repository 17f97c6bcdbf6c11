import type { ReportContext } from '../../context.ts';
import type { EngagementItem } from '../answers/measure-schemas.ts';
import { runComparedList } from '../reading/compare.ts';
import { type ListInput, type ListReport, pageOfRows } from '../reading/run-report.ts';
import { onlyLarge } from '../reading/small-groups.ts';
import { keepSums, pathOf, summedBlocks } from '../sums/summed-blocks.ts';

/** Of a page that wasn't measured. */
const NONE = {
  ...{ measured: 0, seconds: null, scrollDepth: null },
  ...{ scrolled25: 0, scrolled50: 0, scrolled75: 0, scrolled100: 0 },
};

/**
 * How long pages had attention and how far they were scrolled, by path: page views of tier 3 in the range. The only filter is the page.
 *
 * Reads the sums of the range by the primary key of `rollup_engagement`, a row for each block, with an element per path. A block covers
 * up to 28 days; at the ends of the range there are some dozens of smaller ones. Raw events give what came after the cron summed a block:
 * the page's old sum is subtracted and its new sum added.
 */
export function reportEngagement(ctx: ReportContext, input: ListInput): Promise<ListReport<EngagementItem>> {
  const { sql } = ctx;
  return runComparedList<EngagementItem>(
    ctx,
    { ...input, tiers: [3] },
    { by: 'path', none: NONE, isWhole: true },
    (asked, parts) => sql`
      with range as materialized (${parts.range}) ${summedBlocks(sql)},
      parts as (
        -- In the list of a select, several unnest give one row for each position, three times as fast as after "from".
        select unnest(e.path_id) as path_id, unnest(e.measured) as measured, unnest(e.engaged_ms) as engaged_ms,
          unnest(e.scroll_depth) as scroll_depth, unnest(e.scrolled_25) as scrolled_25, unnest(e.scrolled_50) as scrolled_50,
          unnest(e.scrolled_75) as scrolled_75, unnest(e.scrolled_100) as scrolled_100
        from blocks
        join rollup_engagement e using (span, starts_at)
        where e.site_key = (select site_key from range)
        union all
        select path_id, sign, sign * ms, sign * depth, sign * (depth >= 250)::integer, sign * (depth >= 500)::integer,
          sign * (depth >= 750)::integer, sign * (depth >= 1000)::integer
        from range
        cross join (
          select gap_from as after, gap_to as before, gap_from as since, '-infinity'::timestamptz as told_to from gaps
          union all
          select min(starts_at), max(ends_at), told_to, told_to from blocks where told_to is not null group by told_to
        ) part
        cross join lateral attention_of(site_key, after, before, since, told_to)
        cross join lateral (values (1, engaged_ms, scroll_depth), (-1, engaged_ms_before, scroll_depth_before)) signed(sign, ms, depth)
        where ms is not null
      ),
      sums as (
        select path_id, sum(measured) as measured, sum(engaged_ms) as engaged_ms, sum(scroll_depth) as scroll_depth,
          sum(scrolled_25) as scrolled_25, sum(scrolled_50) as scrolled_50, sum(scrolled_75) as scrolled_75,
          sum(scrolled_100) as scrolled_100
        from parts
        where ${keepSums(sql, asked, parts)}
        group by path_id ${onlyLarge(sql, asked.narrowing, sql`sum(measured)`)}
        order by sum(measured) desc
        fetch first (${(asked.offset ?? 0) + asked.limit + 1}::integer) rows with ties
      )
      select text.value as path, measured::float8, round(engaged_ms / (1000.0 * measured), 1)::float8 as seconds,
        round(scroll_depth / (10.0 * measured), 1)::float8 as "scrollDepth", scrolled_25::float8 as "scrolled25",
        scrolled_50::float8 as "scrolled50", scrolled_75::float8 as "scrolled75", scrolled_100::float8 as "scrolled100"
      from sums
      cross join lateral (${pathOf(sql)}) text
      order by measured desc, text.value collate "C"
      ${pageOfRows(sql, asked)}`,
  );
}
