import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { type Edge, edgeOf } from '../../visits/dimension-sql.ts';
import type { PageItem } from '../answers/schemas.ts';
import { runComparedList } from '../reading/compare.ts';
import type { PageSort } from '../reading/report-inputs.ts';
import {
  isFound,
  type ListInput,
  type ListReport,
  pageOfRows,
  type ReportParts,
} from '../reading/run-report.ts';
import { repeatsBy } from '../reading/shared-visits.ts';
import { onlyLarge, sizeOfVisitors } from '../reading/small-groups.ts';
import { countsOf, sealedValues } from '../sums/counts.ts';
import { isSummable } from '../sums/filter-clauses.ts';

export interface EdgePagesInput extends ListInput {
  edge: Edge;
  /** By visits unless said otherwise. */
  sort?: PageSort | undefined;
}

/**
 * The pages on which visits began or ended. `pageviews` counts all page views of these visits. The end of a visit is known at tiers 2 and
 * 3 only. A continued visit began on another page. Cost: see `reportVisitValues`.
 */
export function reportEdgePages(
  ctx: ReportContext,
  { edge, sort = 'visits', ...input }: EdgePagesInput,
): Promise<ListReport<PageItem>> {
  const { sql } = ctx;
  const first = {
    visits: sql``,
    visitors: sql`counts.visitors desc,`,
    pageviews: sql`counts.hits desc,`,
    reach: sql`visitors + coalesce(anonymous, 0) desc,`,
  }[sort];
  return runComparedList<PageItem>(
    ctx,
    { ...input, imported: edge === 'entry' ? 'entry_page' : 'exit_page' },
    { by: 'path', none: { visitors: 0, visits: 0, pageviews: 0, reach: 0 } },
    (asked, parts) => sql`
      with range as materialized (${parts.range})
      ${isSummable(asked) ? countSealed(sql, asked, parts, edge) : countVisits(sql, asked, parts, edge)}
      select text.value as path, visitors::float8, visits::float8, hits::float8 as pageviews,
        (visitors + coalesce(anonymous, 0))::float8 as reach
      from counts
      join site_texts text on text.site_key = (select site_key from range) and text.id = counts.value and text.id > 0
      where ${isFound(sql, sql`text.value`, asked)}
      order by ${first} counts.visits desc, counts.visitors desc, text.value collate "C"
      ${pageOfRows(sql, asked)}`,
  );
}

function countSealed(sql: Sql, input: ListInput, { unsealed }: ReportParts, edge: Edge): Fragment {
  const { page, only } = edgeOf(sql, edge);
  return countsOf(sql, input, {
    rows: sealedValues(sql, `${edge}_page`, input.filters),
    sums: sql`select id as value, identified as visitors, visits, views, anonymous from ${unsealed.sums(edge)} s`,
    again: sql`
      select ${page} as value, tier, visitor_id, started_at as at
      from ${unsealed.repeated('begun')} where inside and entry_page is not null ${only}`,
    had: sql`
      select ${page} as value, tier, visitor_id, started_at as at
      from earlier where started_at >= (select from_at from range) and entry_page is not null ${only}`,
  });
}

function countVisits(sql: Sql, input: ListInput, { visits }: ReportParts, edge: Edge): Fragment {
  const { page, only } = edgeOf(sql, edge);
  const again = sql`(
    select ${page} as value, visitor_id from ${visits.repeated('begun')} where inside and entry_page is not null ${only}) v`;
  return sql`,
    counts as (
      select value, sum(visitors) as visitors, sum(visits) as visits, sum(views) as hits, sum(anonymous) as anonymous
      from (
        select id as value, identified as visitors, visits, views, anonymous, unknown from ${visits.sums(edge)} s
        union all
        select value, -repeats, 0, 0, 0, 0 from (${repeatsBy(sql, sql`value`, again)}) r
      ) v
      group by value ${onlyLarge(sql, input.narrowing, sizeOfVisitors(sql))}
    )`;
}
