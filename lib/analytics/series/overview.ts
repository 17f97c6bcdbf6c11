import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { Overview, Report, Tier } from '../answers/schemas.ts';
import { runCompared } from '../reading/compare.ts';
import { percentChange, ratio } from '../reading/figures.ts';
import { asksForVisits, onlyTier } from '../reading/filters.ts';
import { selectVisits } from '../reading/kept-visits.ts';
import { type Range, unitOf } from '../reading/report-range.ts';
import type { ReportInput, ReportParts } from '../reading/run-report.ts';
import { repeatsBy, visitTables } from '../reading/shared-visits.ts';
import { SMALLEST_GROUP } from '../reading/small-groups.ts';
import { countPagesWithin } from '../reading/visit-pages.ts';
import { isSummable } from '../sums/filter-clauses.ts';
import { totalsOfFilter } from '../sums/filter-totals.ts';

type Counted = 'visitors' | 'visits' | 'pageviews';

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
 * Totals of the range by tier, with those of the range before. Reads `rollup_hours` by its primary key, three rows per hour, and the
 * range's rows of `rollup_visitors` by its primary key: a bucket has a row for each earlier bucket of its visitors, of at most 400 days.
 * So without filters the cost grows with the range and not with the traffic. With filters it reads what is summed for them of sealed days,
 * and the visits of other days.
 */
export async function reportOverview(ctx: ReportContext, input: ReportInput): Promise<Report<Overview>> {
  const { rows, meta, before } = await runCompared<TierTotals, ReportInput>(
    ctx,
    { ...input, imported: 'totals' },
    (asked, parts) =>
      !asksForVisits(asked)
        ? totalsOfRollups(ctx.sql, asked, parts)
        : isSummable(asked)
          ? totalsOfSums(ctx.sql, asked, parts)
          : totalsOfVisits(ctx.sql, asked, parts),
  );
  const shown = (all: readonly TierTotals[]): readonly TierTotals[] =>
    input.narrowing === undefined ? all : withoutSmallParts(all);
  const { tiers, ...totals } = toOverview(shown(rows));
  const isWhole = input.narrowing === undefined || TIERS.every((tier) => isLarge(rows, tier));
  return {
    data: {
      ...totals,
      ...(isWhole && { tiers }),
      ...(before !== undefined && compareWith(before && shown(before), totals)),
    },
    meta,
  };
}

/** The figures of the compared range, and the changes since. A range that is withheld counts as empty in these. */
function compareWith(before: readonly TierTotals[] | null, totals: Pick<Overview, Counted>) {
  const { visitors, visits, pageviews, bounceRate, avgDuration } = toOverview(before ?? []);
  return {
    visitorsChange: percentChange(visitors, totals.visitors),
    visitsChange: percentChange(visits, totals.visits),
    pageviewsChange: percentChange(pageviews, totals.pageviews),
    previous: before && { visitors, visits, pageviews, bounceRate, avgDuration },
  };
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
      select tier, ${visitorsOfBoth(sql)}
      from range
      join rollup_visitors using (site_key)
      where ${inBothRanges(sql, asked)} ${onlyTier(sql, tier)}
      group by tier
    )
    ${selectTotals(sql, sql`hours full join visitors using (tier)`)}`;
}

/** Distinct visitors of a range and of the one before it, from the rows of `rollup_visitors` that `inBothRanges` keeps. */
export const visitorsOfBoth = (sql: Sql): Fragment => sql`
  sum(visitors) filter (where bucket >= from_at) as visitors,
  sum(visitors) filter (where bucket < from_at) as previous_visitors`;

/** The condition on `rollup_visitors`, after `where`: a visitor counts in each of the two ranges by the first bucket there. */
export const inBothRanges = (sql: Sql, asked: Range): Fragment => sql`
  unit = ${unitOf(asked)} and bucket >= previous_at and bucket < to_at
    and previous < case when bucket >= from_at then from_at else previous_at end`;

/** The same totals for filters, from what is summed for them of both ranges and from the visits since. */
function totalsOfSums(sql: Sql, input: ReportInput, { range, now, unsealed }: ReportParts): Fragment {
  const of = { blocks: sql`blocks`, by: 'tier' } as const;
  const before = visitTables(sql).unsealed;
  const previous = totalsOfFilter(sql, input, { unsealed: before }, of);
  return sql`
    with range as materialized (${range}),
    totals as (${totalsOfFilter(sql, input, { unsealed }, of)}),
    previous_totals as (
      with range as materialized (
        select site_key, timezone, previous_at as from_at, from_at as to_at, previous_at from range
      )
      ${before.tables({ ...input, isPrevious: true }, now)}
      select tier, visitors as previous_visitors, visits as previous_visits, pageviews as previous_pageviews
      from (${previous}) t
    )
    ${selectTotals(sql, sql`totals full join previous_totals using (tier)`)}`;
}

/** The same totals from the visits. The cost grows with the visits of both ranges; those of the one before are read by this report alone. */
function totalsOfVisits(sql: Sql, input: ReportInput, { range, now, visits }: ReportParts): Fragment {
  const [previous, from, to] = [
    sql`(select previous_at from range)`,
    sql`(select from_at from range)`,
    sql`(select to_at from range)`,
  ];
  const isMeasured = sql`inside and counted and tier = 3`;
  return sql`
    with range as materialized (${range}),
    present as (
      select tier, count(*) filter (where inside and counted) as visits, count(visitor_id) filter (where inside and seen) as identified,
        sum(case when whole then views else ${countPagesWithin(sql, from, to)} end) as pageviews,
        count(*) filter (where ${isMeasured}) as measured,
        count(*) filter (where ${isMeasured} and is_bounce(later_pages, custom_events, event_data)) as bounces,
        sum(duration_ms) filter (where ${isMeasured}) as duration_ms
      from ${visits.kept('lasting')}
      group by tier
    ),
    before as (
      select tier, visitor_id, bool_or(inside and seen) as came, count(*) filter (where inside and counted) as visits,
        sum(${countPagesWithin(sql, previous, from)}) as pageviews
      from (${selectVisits(sql, input, now, { which: 'lasting', of: 'previous' })}) v
      group by tier, visitor_id
    ),
    again as (${repeatsBy(sql, sql`tier`, sql`${visits.repeated('lasting')} where inside and seen`)}),
    totals as (
      select tier, visits, identified - coalesce(repeats, 0) as visitors, pageviews, measured, bounces, duration_ms
      from present left join again using (tier)
    ),
    previous_totals as (
      select tier, sum(visits) as previous_visits, count(visitor_id) filter (where came) as previous_visitors,
        sum(pageviews) as previous_pageviews
      from before
      group by tier
    )
    ${selectTotals(sql, sql`totals full join previous_totals using (tier)`)}`;
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

const TIERS: readonly Tier[] = [1, 2, 3];

/** The number of people in a tier's visits; see `sizeOfVisits`. */
const sizeOf = (tier: Tier, visits: number, visitors: number): number =>
  tier === 1 ? visits : Math.min(visits, visitors);

const isLarge = (rows: readonly TierTotals[], of: Tier): boolean =>
  rows.some(({ tier, visits, visitors }) => tier === of && sizeOf(tier, visits, visitors) >= SMALLEST_GROUP);

/** The totals without small groups: a small previous range counts as empty, and few consented visits count as not measured. */
function withoutSmallParts(rows: readonly TierTotals[]): TierTotals[] {
  const before = rows.reduce(
    (sum, row) => sum + sizeOf(row.tier, row.previous_visits, row.previous_visitors),
    0,
  );
  const none = { previous_visitors: 0, previous_visits: 0, previous_pageviews: 0 };
  return rows.map((row) => ({
    ...row,
    ...(before < SMALLEST_GROUP && none),
    ...(!isLarge([row], 3) && { measured: 0, bounces: 0, duration_ms: 0 }),
  }));
}

function toOverview(rows: readonly TierTotals[]): Required<Omit<Overview, 'previous'>> {
  const sum = (figure: Exclude<keyof TierTotals, 'tier'>) =>
    rows.reduce((total, row) => total + row[figure], 0);
  const at = (tier: Tier, figure: Counted) => rows.find((row) => row.tier === tier)?.[figure] ?? 0;
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
