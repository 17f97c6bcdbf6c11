import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { type Edge, edgeOf } from '../../visits/dimension-sql.ts';
import type { PageItem } from '../answers/schemas.ts';
import { runComparedList } from '../reading/compare.ts';
import type { GoalSort, PageSort } from '../reading/report-inputs.ts';
import {
  isFound,
  type ListInput,
  type ListReport,
  pageOfRows,
  type ReportParts,
} from '../reading/run-report.ts';
import { repeatsBy, type SharedVisits } from '../reading/shared-visits.ts';
import { onlyLarge, sizeOfVisitors } from '../reading/small-groups.ts';
import { countsOf, sealedValues } from '../sums/counts.ts';
import { isSummable } from '../sums/filter-clauses.ts';
import {
  conversionColumns,
  convertedOf,
  hasEnough,
  joinConverted,
  listConversions,
  NO_CONVERSIONS,
  withGoal,
} from './conversions.ts';

export interface EdgePagesInput extends ListInput {
  edge: Edge;
  /** By visits unless said otherwise. */
  sort?: PageSort | GoalSort | undefined;
}

/**
 * The pages on which visits began or ended. `pageviews` counts all page views of these visits. The end of a visit is known at tiers 2 and
 * 3 only. A continued visit began on another page. Cost: see `reportVisitValues`.
 */
export function reportEdgePages(
  ctx: ReportContext,
  { edge, sort = 'visits', ...others }: EdgePagesInput,
): Promise<ListReport<PageItem>> {
  const { sql } = ctx;
  const input = withGoal(others);
  const { page, only } = edgeOf(sql, edge);
  const converted = (visits: SharedVisits) => sql`
    select ${page} as value, reaches from ${visits.towardsGoal('begun')} where inside and entry_page is not null ${only}`;
  const first = {
    visits: sql``,
    visitors: sql`counts.visitors desc,`,
    pageviews: sql`counts.hits desc,`,
    reach: sql`visitors + coalesce(anonymous, 0) desc,`,
    conversions: sql`coalesce(converted.conversions, 0) desc,`,
    conversionRate: sql`"conversionRate" desc, conversions desc,`,
  }[sort];
  const list = runComparedList<PageItem>(
    ctx,
    { ...input, imported: edge === 'entry' ? 'entry_page' : 'exit_page' },
    {
      by: 'path',
      none: {
        visitors: 0,
        visits: 0,
        pageviews: 0,
        reach: 0,
        ...(input.goal !== undefined && NO_CONVERSIONS),
      },
    },
    (asked, parts) => sql`
      with range as materialized (${parts.range})
      ${isSummable(asked) ? countSealed(sql, asked, parts, edge) : countVisits(sql, asked, parts, edge)}
      ${convertedOf(sql, asked, {
        dimension: `${edge}_page`,
        visits: () => converted(isSummable(asked) ? parts.unsealed : parts.visits),
      })}
      select text.value as path, visitors::float8, visits::float8, hits::float8 as pageviews,
        (visitors + coalesce(anonymous, 0))::float8 as reach ${conversionColumns(sql, asked)}
      from counts
      ${joinConverted(sql, asked, sql`counts.value`)}
      join site_texts text on text.site_key = (select site_key from range) and text.id = counts.value and text.id > 0
      where ${isFound(sql, sql`text.value`, asked)} and ${hasEnough(sql, { sort }, parts)}
      order by ${first} counts.visits desc, counts.visitors desc, text.value collate "C"
      ${pageOfRows(sql, asked)}`,
  );
  return listConversions(input, list);
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
