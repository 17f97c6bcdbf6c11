import type { ReportContext } from '../context.ts';
import type { Sql } from '../db.ts';
import { percentChange, ratio } from './figures.ts';
import { keptVisits } from './kept-visits.ts';
import { type Fragment, unitOf } from './range.ts';
import { onlyTier, type ReportInput, type ReportParts, runReport } from './report.ts';
import type { Overview, Report, Tier } from './schemas.ts';

interface TierTotals {
  tier: Tier;
  visitors: number;
  visits: number;
  pageviews: number;
  measured: number;
  bounces: number;
  duration_ms: number;
  previous_visitors: number;
  previous_visits: number;
  previous_pageviews: number;
}

/**
 * Totals of the range by tier, with those of the range before. Reads `rollup_hours` by its primary key, three rows an
 * hour, and the range's rows of `rollup_visitors` by its own: as many a bucket as there are earlier buckets of its
 * visitors, at most 400 days. So it grows with the range and not with the traffic, unless it is filtered.
 */
export async function reportOverview(ctx: ReportContext, input: ReportInput): Promise<Report<Overview>> {
  const isFiltered = (input.filters ?? []).length > 0;
  const { rows, meta } = await runReport<TierTotals>(ctx, { ...input, imported: 'totals' }, (parts) =>
    isFiltered ? totalsOfVisits(ctx.sql, input, parts) : totalsOfRollups(ctx.sql, input, parts),
  );
  return { data: toOverview(rows), meta };
}

function totalsOfRollups(sql: Sql, { range: asked, tier }: ReportInput, { range }: ReportParts): Fragment {
  return sql`
    with range as materialized (${range}),
    hours as (
      select tier,
        sum(visits) filter (where hour >= from_at) as visits,
        sum(pageviews) filter (where hour >= from_at) as pageviews,
        sum(measured) filter (where hour >= from_at) as measured,
        sum(bounces) filter (where hour >= from_at) as bounces,
        sum(duration_ms) filter (where hour >= from_at) as duration_ms,
        sum(visits) filter (where hour < from_at) as previous_visits,
        sum(pageviews) filter (where hour < from_at) as previous_pageviews
      from range
      join rollup_hours using (site_key)
      where hour >= previous_at and hour < to_at ${onlyTier(sql, tier)}
      group by tier
    ),
    visitors as (
      select tier,
        sum(visitors) filter (where bucket >= from_at) as visitors,
        sum(visitors) filter (where bucket < from_at) as previous_visitors
      from range
      join rollup_visitors using (site_key)
      where unit = ${unitOf(asked)} and bucket >= previous_at and bucket < to_at
        and previous < case when bucket >= from_at then from_at else previous_at end
        ${onlyTier(sql, tier)}
      group by tier
    )
    ${selectTotals(sql, sql`hours full join visitors using (tier)`)}`;
}

/** The same from the visits themselves: grows with those of both ranges. */
function totalsOfVisits(sql: Sql, input: ReportInput, { range, now }: ReportParts): Fragment {
  const present = sql`filter (where inside`;
  const before = sql`filter (where not inside and started_at >= previous_at`;
  const measured = sql`and counted and tier = 3`;
  return sql`
    with range as materialized (${range}) ${keptVisits(sql, input, { now, withPrevious: true })},
    visits as (
      select tier,
        count(*) ${present} and counted) as visits, count(*) ${before} and counted) as previous_visits,
        count(distinct visitor_id) ${present} and seen) as visitors,
        count(distinct visitor_id) ${before} and seen) as previous_visitors,
        count(*) ${present} ${measured}) as measured,
        count(*) ${present} ${measured} and custom_events is null and later_pages is null) as bounces,
        sum(duration_ms) ${present} ${measured}) as duration_ms
      from range cross join kept
      group by tier
    ),
    pages as (
      select tier,
        count(*) filter (where at >= from_at) as pageviews,
        count(*) filter (where at < from_at) as previous_pageviews
      from range cross join views
      where at >= previous_at and at < to_at
      group by tier
    )
    ${selectTotals(sql, sql`visits full join pages using (tier)`)}`;
}

function selectTotals(sql: Sql, from: Fragment): Fragment {
  return sql`
    select tier,
      coalesce(visitors, 0)::float8 as visitors, coalesce(visits, 0)::float8 as visits,
      coalesce(pageviews, 0)::float8 as pageviews, coalesce(measured, 0)::float8 as measured,
      coalesce(bounces, 0)::float8 as bounces, coalesce(duration_ms, 0)::float8 as duration_ms,
      coalesce(previous_visitors, 0)::float8 as previous_visitors,
      coalesce(previous_visits, 0)::float8 as previous_visits,
      coalesce(previous_pageviews, 0)::float8 as previous_pageviews
    from ${from}`;
}

function toOverview(rows: readonly TierTotals[]): Overview {
  const sum = (figure: Exclude<keyof TierTotals, 'tier'>) =>
    rows.reduce((total, row) => total + row[figure], 0);
  const at = (tier: Tier, figure: 'visitors' | 'visits' | 'pageviews') =>
    rows.find((row) => row.tier === tier)?.[figure] ?? 0;
  const byMethod = (figure: 'visits' | 'pageviews') => ({
    anonymousCounts: at(1, figure),
    anonymousSessions: at(2, figure),
    consented: at(3, figure),
  });
  return {
    visitors: sum('visitors'),
    visits: sum('visits'),
    pageviews: sum('pageviews'),
    bounceRate: ratio(100 * sum('bounces'), sum('measured')),
    avgDuration: ratio(sum('duration_ms') / 1000, sum('measured')),
    visitorsChange: percentChange(sum('previous_visitors'), sum('visitors')),
    visitsChange: percentChange(sum('previous_visits'), sum('visits')),
    pageviewsChange: percentChange(sum('previous_pageviews'), sum('pageviews')),
    tiers: {
      visits: byMethod('visits'),
      pageviews: byMethod('pageviews'),
      visitors: { anonymousSessions: at(2, 'visitors'), consented: at(3, 'visitors') },
    },
  };
}
