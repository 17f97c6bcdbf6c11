import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { dimensionOf, edgeOf } from '../../visits/dimension-sql.ts';
import { DIMENSIONS, type Dimension } from '../../visits/dimensions.ts';
import { ratio } from '../reading/figures.ts';
import { keepVisits } from '../reading/filters.ts';
import { type ListInput, type ListReport, pageOfRows, runList } from '../reading/run-report.ts';

/** By what visits are grouped: a dimension, the page on which they began or ended, or each page that they saw. */
export const QUALITY_BY = [...DIMENSIONS, 'page', 'entry_page', 'exit_page'] as const;
export type QualityBy = (typeof QUALITY_BY)[number];

export interface VisitQualityInput extends ListInput {
  by: QualityBy;
  /** Only groups of as many visits. */
  minVisits: number;
  /** The name or id of a goal: then only tiers 2 and 3 count, where page views and events belong to visits. */
  goal?: string | undefined;
  /** `rate`: the share of conversions with a goal, of bounces without. */
  sort: 'visits' | 'conversions' | 'rate';
}

/** A group of visits. Rates are percent with one decimal; null: no visit that tells. */
export type QualityItem = { value: string; visits: number } & (
  | { conversions: number; conversionRate: number | null }
  | {
      pageviews: number;
      /** Consented visits. Only these have `bounceRate` and `avgDuration` (seconds). */
      measured: number;
      bounceRate: number | null;
      avgDuration: number | null;
    }
);

interface Row {
  value: string;
  visits: number;
  pageviews: number;
  measured: number;
  bounces: number;
  duration_ms: number;
  conversions: number;
}

/**
 * How good the visits of each value are: how many bounce and how long they last, or how many reach a goal. Scans the range's visits once
 * (`SharedVisits`), unpacks their hits only for a goal and for `page`, and looks up the name of each group.
 *
 * @throws `NOT_FOUND` for a site that the caller may not see, `UNAVAILABLE`
 */
export async function reportVisitQuality(
  ctx: ReportContext,
  { by, minVisits, goal, sort, ...input }: VisitQualityInput,
): Promise<ListReport<QualityItem>> {
  const { sql } = ctx;
  const { id, only, from, names } = groupsOf(sql, by);
  const reached =
    goal === undefined
      ? sql`false`
      : sql`(true ${keepVisits(sql, [{ dimension: 'goal', operator: 'is', values: [goal] }])})`;
  const ofTiers = goal === undefined ? sql`` : sql`and tier > 1`;
  const isMeasured = sql`where counted and tier = 3`;
  const rate = goal === undefined ? sql`bounces / nullif(measured, 0)` : sql`conversions / nullif(visits, 0)`;
  const first = {
    visits: sql``,
    conversions: sql`by_value.conversions desc,`,
    rate: sql`${rate} desc nulls last,`,
  }[sort];
  const { data, ...report } = await runList<Row>(
    ctx,
    { ...input, ...(goal !== undefined && { tiers: [2, 3] as const }) },
    ({ range, visits }) => sql`
      with range as materialized (${range}),
      by_id as materialized (
        select id, count(*) filter (where counted) as visits, sum(views) as pageviews, count(*) filter (${isMeasured}) as measured,
          count(*) filter (${isMeasured} and is_bounce(later_pages, custom_events, event_data)) as bounces,
          sum(duration_ms) filter (${isMeasured}) as duration_ms, count(*) filter (where counted and reached) as conversions
        from (
          select *, ${id} as id, ${reached} as reached from ${visits.kept('begun')} v ${from} where inside and seen ${only} ${ofTiers}
        ) v
        group by id
      ),
      by_value as (
        select name.value collate "C" as value, sum(visits) as visits, sum(pageviews) as pageviews, sum(measured) as measured,
          sum(bounces) as bounces, coalesce(sum(duration_ms), 0) as duration_ms, sum(conversions) as conversions
        from by_id join ${names} name using (id)
        where name.value is not null
        group by name.value
      )
      select value, visits::float8, pageviews::float8, measured::float8, bounces::float8, duration_ms::float8, conversions::float8
      from by_value where visits >= ${Math.max(1, minVisits)}::integer
      order by ${first} by_value.visits desc, value
      ${pageOfRows(sql, input)}`,
  );
  return { ...report, data: data.map((row) => itemOf(row, goal)) };
}

function itemOf(
  { value, visits, pageviews, measured, bounces, duration_ms, conversions }: Row,
  goal: string | undefined,
): QualityItem {
  const percent = (part: number, of: number): number | null => (of === 0 ? null : ratio(100 * part, of));
  if (goal !== undefined) return { value, visits, conversions, conversionRate: percent(conversions, visits) };
  return {
    ...{ value, visits, pageviews, measured, bounceRate: percent(bounces, measured) },
    avgDuration: measured === 0 ? null : ratio(duration_ms / 1000, measured),
  };
}

interface Groups {
  /** The group's id in a row of visits. */
  id: Fragment;
  /** The condition that a visit has one; empty or begins with `and`. */
  only: Fragment;
  /** What is joined to the visits for it. */
  from: Fragment;
  /** A relation `id, value`. */
  names: Fragment;
}

function groupsOf(sql: Sql, by: QualityBy): Groups {
  if (isDimension(by)) {
    const { id, only, values } = dimensionOf(sql, by);
    return { id, only, from: sql``, names: values };
  }
  const names = sql`(select id, value from site_texts where site_key = (select site_key from range) and id > 0)`;
  if (by === 'page')
    return {
      ...{ id: sql`viewed.page_id`, only: sql``, names },
      from: sql`cross join lateral (
        select entry_page as page_id where entry_page is not null union select text_id from hits_of(later_pages)) viewed`,
    };
  const { page, only } = edgeOf(sql, by === 'entry_page' ? 'entry' : 'exit');
  return { id: page, only: sql`and entry_page is not null ${only}`, from: sql``, names };
}

const isDimension = (by: QualityBy): by is Dimension => DIMENSIONS.some((name) => name === by);
