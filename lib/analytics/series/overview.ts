import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { Overview, Report, Tier } from '../answers/schemas.ts';
import { runCompared } from '../reading/compare.ts';
import { meanOf, percentChange } from '../reading/figures.ts';
import { asksForVisits, onlyTier } from '../reading/filters.ts';
import { type Range, unitOf } from '../reading/report-range.ts';
import type { ReportInput, ReportParts } from '../reading/run-report.ts';
import { repeatsBy } from '../reading/shared-visits.ts';
import { SMALLEST_GROUP } from '../reading/small-groups.ts';
import { countPagesWithin } from '../reading/visit-pages.ts';
import { endOfUnits, totalsOfCutUnit } from '../sums/cut-ranges.ts';
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
}

/**
 * Totals of the range by tier, and how they changed: against the range of `compare`, or else the same length just before. Reads
 * `rollup_hours` by its primary key, three rows per hour, and the range's rows of `rollup_visitors` by its primary key: a bucket has a row
 * for each earlier bucket of its visitors, of at most 400 days. So without filters the cost grows with the range and not with the traffic,
 * but for the part of a day where the other range ends (`totalsOfCutUnit`). With filters it reads what is summed for them of sealed days,
 * and the visits of other days.
 */
export async function reportOverview(ctx: ReportContext, input: ReportInput): Promise<Report<Overview>> {
  const { rows, meta, before, unknown } = await runCompared<TierTotals, ReportInput>(
    ctx,
    { ...input, compare: input.compare ?? 'previous', imported: 'totals' },
    (asked, parts) =>
      !asksForVisits(asked)
        ? totalsOfRollups(ctx.sql, asked, parts)
        : isSummable(asked)
          ? totalsOfSums(ctx.sql, asked, parts)
          : totalsOfVisits(ctx.sql, parts),
    { isAsked: input.compare !== undefined },
  );
  const shown = (all: readonly TierTotals[]): readonly TierTotals[] =>
    input.narrowing === undefined ? all : withoutFewMeasured(all);
  const totals = totalsOf(shown(rows));
  const previous = before && totalsOf(shown(before));
  const changeOf = (figure: Counted): number | null =>
    unknown !== undefined || !previous ? null : percentChange(previous[figure], totals[figure]);
  const isWhole = input.narrowing === undefined || TIERS.every((tier) => isLarge(rows, tier));
  const { comparison, ...described } = meta;
  return {
    data: {
      ...totals,
      visitorsChange: changeOf('visitors'),
      visitsChange: changeOf('visits'),
      pageviewsChange: changeOf('pageviews'),
      ...(isWhole && { tiers: tiersOf(rows) }),
      ...(input.compare !== undefined && { previous }),
    },
    meta: {
      ...described,
      coverage: {
        ...described.coverage,
        measured: measuredOf(shown(rows)),
        ...(unknown !== undefined && { changesUnknown: unknown }),
      },
      ...(input.compare !== undefined && { comparison }),
    },
  };
}

function totalsOfRollups(sql: Sql, input: ReportInput, { range, now }: ReportParts): Fragment {
  const { range: asked, tier } = input;
  const cut =
    asked.elapsedOf &&
    sql`
      union all
      select tier, visits, visitors, pageviews, measured, bounces, duration_ms from (${totalsOfCutUnit(sql, input, now)}) c`;
  return sql`
    with range as materialized (select *, ${endOfUnits(sql, asked)} as units_end from (${range}) r),
    parts as (
      select tier, visits, 0 as visitors, pageviews, measured, bounces, duration_ms
      from range
      join rollup_hours using (site_key)
      where hour >= from_at and hour < units_end ${onlyTier(sql, tier)}
      union all
      select tier, 0, visitors, 0, 0, 0, 0
      from range
      join rollup_visitors using (site_key)
      where ${visitorsWithin(sql, asked, sql`units_end`)} ${onlyTier(sql, tier)}
      ${cut ?? sql``}
    )
    select tier, ${totalsAsNumbers(sql)}
    from (
      select tier, sum(visitors) as visitors, sum(visits) as visits, sum(pageviews) as pageviews, sum(measured) as measured,
        sum(bounces) as bounces, sum(duration_ms) as duration_ms
      from parts
      group by tier
    ) totals`;
}

/** The condition on `rollup_visitors`, after `where`, for a row `from_at`: of these rows `visitors` are distinct up to `end`. */
export const visitorsWithin = (sql: Sql, asked: Range, end: Fragment): Fragment =>
  sql`unit = ${unitOf(asked)} and bucket >= from_at and bucket < ${end} and previous < from_at`;

/** The same totals for filters, from what is summed for them and from the visits since. */
const totalsOfSums = (sql: Sql, input: ReportInput, { range, unsealed }: ReportParts): Fragment => sql`
    with range as materialized (${range})
    select tier, ${totalsAsNumbers(sql)}
    from (${totalsOfFilter(sql, input, { unsealed }, { blocks: sql`blocks`, by: 'tier' })}) totals`;

/** The same totals from the visits. The cost grows with the visits of the range. */
function totalsOfVisits(sql: Sql, { range, visits }: ReportParts): Fragment {
  const [from, to] = [sql`(select from_at from range)`, sql`(select to_at from range)`];
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
    again as (${repeatsBy(sql, sql`tier`, sql`${visits.repeated('lasting')} where inside and seen`)})
    select tier, ${totalsAsNumbers(sql)}
    from (
      select tier, visits, identified - coalesce(repeats, 0) as visitors, pageviews, measured, bounces, duration_ms
      from present left join again using (tier)
    ) totals`;
}

const totalsAsNumbers = (sql: Sql): Fragment => sql`
      coalesce(visitors, 0)::float8 as visitors, coalesce(visits, 0)::float8 as visits,
      coalesce(pageviews, 0)::float8 as pageviews, coalesce(measured, 0)::float8 as measured,
      coalesce(bounces, 0)::float8 as bounces, coalesce(duration_ms, 0)::float8 as duration_ms`;

const TIERS: readonly Tier[] = [1, 2, 3];

/** The number of people in a tier's visits; see `sizeOfVisits`. */
const isLarge = (rows: readonly TierTotals[], of: Tier): boolean =>
  rows.some(
    ({ tier, visits, visitors }) =>
      tier === of && (tier === 1 ? visits : Math.min(visits, visitors)) >= SMALLEST_GROUP,
  );

/** Few consented visits count as not measured. */
const withoutFewMeasured = (rows: readonly TierTotals[]): TierTotals[] =>
  rows.map((row) => (isLarge([row], 3) ? row : { ...row, measured: 0, bounces: 0, duration_ms: 0 }));

const sumOf = (rows: readonly TierTotals[], figure: Exclude<keyof TierTotals, 'tier'>): number =>
  rows.reduce((total, row) => total + row[figure], 0);

const measuredOf = (rows: readonly TierTotals[]): number => sumOf(rows, 'measured');

function totalsOf(rows: readonly TierTotals[]) {
  const measured = measuredOf(rows);
  return {
    visitors: sumOf(rows, 'visitors'),
    visits: sumOf(rows, 'visits'),
    pageviews: sumOf(rows, 'pageviews'),
    bounceRate: meanOf(100 * sumOf(rows, 'bounces'), measured),
    avgDuration: meanOf(sumOf(rows, 'duration_ms') / 1000, measured),
  };
}

function tiersOf(rows: readonly TierTotals[]): NonNullable<Overview['tiers']> {
  const at = (tier: Tier, figure: Counted) => rows.find((row) => row.tier === tier)?.[figure] ?? 0;
  const byMethod = (figure: 'visits' | 'pageviews') => ({
    anonymousCounts: at(1, figure),
    anonymousSessions: at(2, figure),
    consented: at(3, figure),
  });
  return {
    visits: byMethod('visits'),
    pageviews: byMethod('pageviews'),
    visitors: { anonymousSessions: at(2, 'visitors'), consented: at(3, 'visitors') },
  };
}
