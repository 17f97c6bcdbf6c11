import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { dimensionOf } from '../../visits/dimension-sql.ts';
import type { Dimension } from '../../visits/dimensions.ts';
import type { ValueItem } from '../answers/schemas.ts';
import { runComparedList } from '../reading/compare.ts';
import type { GoalSort, ValueSort } from '../reading/report-inputs.ts';
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

export interface VisitValuesInput extends ListInput {
  dimension: Dimension;
  /** By visits unless said otherwise. */
  sort?: ValueSort | GoalSort | undefined;
}

/**
 * The values of a dimension in the range's visits. `pageviews` counts all page views of visits with the value. Sums sealed days
 * (`countsOf`), with filters those that are summed for them. Of other days, and for 24 hours, it reads sums by the entries of its dictionary, which it shares
 * with other reports (`SharedVisits`), and its cost grows with the visits of those who came several times.
 */
export async function reportVisitValues(
  ctx: ReportContext,
  { dimension: name, sort = 'visits', ...others }: VisitValuesInput,
): Promise<ListReport<ValueItem>> {
  const { sql } = ctx;
  const input = withGoal(others);
  const first = {
    visits: sql``,
    visitors: sql`counts.visitors desc,`,
    pageviews: sql`counts.hits desc,`,
    conversions: sql`coalesce(converted.conversions, 0) desc,`,
    conversionRate: sql`"conversionRate" desc, conversions desc,`,
  }[sort];
  const { id, only } = dimensionOf(sql, name);
  const converted = (visits: SharedVisits) => sql`
    select ${numberOf(sql, id)} as value, reaches from ${visits.towardsGoal('begun')} where inside ${only}`;
  const list = runComparedList<ValueItem>(
    ctx,
    name === 'os' ? input : { ...input, imported: name },
    {
      by: 'value',
      none: { visitors: 0, visits: 0, pageviews: 0, ...(input.goal !== undefined && NO_CONVERSIONS) },
    },
    (asked, parts) => sql`
      with range as materialized (${parts.range}) ${numberNames(sql, name)}
      ${isSummable(asked) ? countSealed(sql, asked, parts, name) : countVisits(sql, asked, parts, name)}
      ${convertedOf(sql, asked, {
        dimension: name,
        visits: () => converted(isSummable(asked) ? parts.unsealed : parts.visits),
      })}
      select shown.name as value, visitors::float8, visits::float8, hits::float8 as pageviews ${conversionColumns(sql, asked)}
      from counts
      ${joinConverted(sql, asked, sql`counts.value`)}
      ${joinNames(sql)}
      where ${isFound(sql, sql`shown.name`, asked)} and ${hasEnough(sql, { sort }, parts)}
      order by ${first} counts.visits desc, counts.visitors desc, 1
      ${pageOfRows(sql, asked)}`,
  );
  return listConversions(input, list);
}

function countSealed(sql: Sql, input: ListInput, { unsealed }: ReportParts, name: Dimension): Fragment {
  const { dictionary, id, only } = dimensionOf(sql, name);
  return countsOf(sql, input, {
    rows: sealedValues(sql, name, input.filters),
    sums: sql`
      select ${numberOf(sql, sql`id`)} as value, identified as visitors, visits, views, anonymous
      from ${unsealed.sums(dictionary)} s
      where true ${only}`,
    again: sql`
      select ${numberOf(sql, id)} as value, tier, visitor_id, started_at as at
      from ${unsealed.repeated('begun')} where inside and seen ${only}`,
    had: sql`
      select ${numberOf(sql, id)} as value, tier, visitor_id, started_at as at
      from earlier where started_at >= (select from_at from range) ${only}`,
  });
}

function countVisits(sql: Sql, input: ListInput, { visits }: ReportParts, name: Dimension): Fragment {
  const { dictionary, id, only } = dimensionOf(sql, name);
  const again = sql`(
    select ${numberOf(sql, id)} as value, visitor_id from ${visits.repeated('begun')} where inside and seen ${only}) v`;
  return sql`,
    counts as (
      select value, sum(visitors) as visitors, sum(visits) as visits, sum(views) as hits
      from (
        select ${numberOf(sql, sql`id`)} as value, identified as visitors, visits, views, unknown
        from ${visits.sums(dictionary)} s
        where true ${only}
        union all
        select value, -repeats, 0, 0, 0 from (${repeatsBy(sql, sql`value`, again)}) r
      ) v
      where value <> 0
      group by value ${onlyLarge(sql, input.narrowing, sizeOfVisitors(sql))}
    )`;
}

/** The number of an entry's value, in a statement with `numberNames`. */
const numberOf = (sql: Sql, entry: Fragment): Fragment => sql`(select by_id from numbers)[${entry}]`;

/** Joins the `counts` of numbers with what they number, as `shown` (`name`): texts of the site, or below 0 `names` of `numberNames`. */
export const joinNames = (sql: Sql): Fragment => sql`
      join lateral (
        select value collate "C" as name from site_texts
        where counts.value > 0 and site_key = (select site_key from range) and id = counts.value and id > 0
        union all
        select name from names where counts.value < 0 and names.value = counts.value
      ) shown on true`;

/**
 * Numbers the values that a dictionary has as `site_texts` does, or below 0 what isn't in there yet, so that a visit finds its
 * own in an array by its id: with 0 for ids that are gone and without nulls, so finding is one step. A join for each visit takes
 * twenty times as long where it is planned badly. Tables `names` (`name, value`) and `numbers` (`by_id`); the fragment begins with a comma.
 */
export function numberNames(sql: Sql, name: Dimension): Fragment {
  const { values } = dimensionOf(sql, name);
  return sql`,
    entries as materialized (select id, value collate "C" as name from ${values} entry),
    names as materialized (
      select name, coalesce(text.id, -row_number() over ()::integer) as value
      from (select distinct name from entries where name is not null) d
      left join site_texts text on text.site_key = (select site_key from range) and text.value = name
    ),
    numbers as materialized (
      select array_agg(coalesce(names.value, 0) order by id) as by_id
      from generate_series(1, (select max(id) from entries)) as id left join entries using (id) left join names using (name)
    )`;
}
