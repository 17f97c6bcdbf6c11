import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { dimensionOf, edgeOf } from '../../visits/dimension-sql.ts';
import { isDimension } from '../../visits/dimensions.ts';
import type { QualityItem } from '../answers/schemas.ts';
import { ratio } from '../reading/figures.ts';
import type { QualityBy, QualitySort } from '../reading/report-inputs.ts';
import { isFound, type ListInput, type ListReport, pageOfRows, runList } from '../reading/run-report.ts';

export interface VisitQualityQuestion extends ListInput {
  by: QualityBy;
  /** Only groups of as many visits. */
  minVisits: number;
  sort: QualitySort;
}

interface Row {
  value: string;
  visits: number;
  pageviews: number;
  measured: number;
  bounces: number;
  duration_ms: number;
}

/**
 * How good the visits of each value are: how many bounce and how long they last. Scans the range's visits once (`SharedVisits`), unpacks
 * their hits only for `page`, and looks up the name of each group.
 *
 * @throws `NOT_FOUND` for a site that the caller may not see, `UNAVAILABLE`
 */
export async function reportVisitQuality(
  ctx: ReportContext,
  { by, minVisits, sort, ...input }: VisitQualityQuestion,
): Promise<ListReport<QualityItem>> {
  const { sql } = ctx;
  const { id, only, from, names } = groupsOf(sql, by);
  const isMeasured = sql`where counted and tier = 3`;
  const first = {
    visits: sql``,
    bounceRate: sql`bounces / nullif(measured, 0) desc nulls last,`,
    avgDuration: sql`duration_ms / nullif(measured, 0) desc nulls last,`,
  }[sort];
  const { data, ...report } = await runList<Row>(
    ctx,
    input,
    ({ range, visits }) => sql`
      with range as materialized (${range}),
      by_id as materialized (
        select id, count(*) filter (where counted) as visits, sum(views) as pageviews, count(*) filter (${isMeasured}) as measured,
          count(*) filter (${isMeasured} and is_bounce(later_pages, custom_events, event_data)) as bounces,
          sum(duration_ms) filter (${isMeasured}) as duration_ms
        from (select *, ${id} as id from ${visits.kept('begun')} v ${from} where inside and seen ${only}) v
        group by id
      ),
      by_value as (
        select name.value collate "C" as value, sum(visits) as visits, sum(pageviews) as pageviews, sum(measured) as measured,
          sum(bounces) as bounces, coalesce(sum(duration_ms), 0) as duration_ms
        from by_id join ${names} name using (id)
        where name.value is not null and ${isFound(sql, sql`name.value`, input)}
        group by name.value
      )
      select value, visits::float8, pageviews::float8, measured::float8, bounces::float8, duration_ms::float8
      from by_value where visits >= ${Math.max(1, minVisits)}::integer
      order by ${first} by_value.visits desc, value
      ${pageOfRows(sql, input)}`,
  );
  return { ...report, data: data.map(itemOf) };
}

function itemOf({ value, visits, pageviews, measured, bounces, duration_ms }: Row): QualityItem {
  return {
    ...{ value, visits, pageviews, measured },
    bounceRate: measured === 0 ? null : ratio(100 * bounces, measured),
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
