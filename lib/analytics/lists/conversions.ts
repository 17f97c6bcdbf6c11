/** Conversions of a goal by the rows of a list (docs/counting.md#goals-by-row): `exact`, of tiers 2 and 3. */
import type { Fragment, Sql } from '../../db.ts';
import { notFound } from '../../errors.ts';
import { type Filter, filtersTowards } from '../reading/filters.ts';
import { FEWEST_FOR_RATES } from '../reading/report-inputs.ts';
import type { ListInput, ListReport, ReportParts } from '../reading/run-report.ts';
import { SMALLEST_GROUP } from '../reading/small-groups.ts';
import { ofSite } from '../reading/targets.ts';
import { exactVisitsOf, type SealedDimension, sealedValues } from '../sums/counts.ts';
import { isSummable } from '../sums/filter-clauses.ts';

/** The figures of a row, where a goal is named or filtered. `conversions` null: a share withholds it. */
interface Converted {
  conversions?: number | null | undefined;
  conversionRate?: number | null | undefined;
}

/** Of a row that the other range doesn't have. */
export const NO_CONVERSIONS = { exactVisits: 0, conversions: 0, conversionRate: null };

/** The input of a list with the goal that it names, or else the only one that a filter keeps. */
export function withGoal<Input extends ListInput>(input: Input): Input {
  const goal = input.goal ?? filteredGoal(input.filters ?? []);
  return goal === undefined ? input : { ...input, goal };
}

function filteredGoal(filters: readonly Filter[]): string | undefined {
  const named = filters.filter(({ dimension, operator }) => dimension === 'goal' && operator === 'is');
  const [only, ...more] = named.flatMap(({ values }) => values);
  return more.length === 0 ? only : undefined;
}

/**
 * Table `converted` (`value, exact, conversions`) for a statement with `range`: `visits` selects `value, reaches` from `towardsGoal`, once
 * for each visit and value. In a report of sealed days blocks have the others, by `dimension`. The fragment begins with a comma; empty without a goal.
 */
export function convertedOf(
  sql: Sql,
  asked: ListInput,
  { dimension, visits }: { dimension: SealedDimension; visits: () => Fragment },
): Fragment {
  const { goal } = asked;
  if (goal === undefined) return sql``;
  const { others, reaching } = filtersTowards(goal, asked.filters);
  const all = exactVisitsOf(sql, asked, sealedValues(sql, dimension, others));
  const converted = exactVisitsOf(sql, asked, sealedValues(sql, dimension, reaching));
  const ofBlocks = sql`
      union all
      select value, visits, 0 from (${all}) v
      union all
      select value, 0, visits from (${converted}) v`;
  return sql`,
    converted as materialized (
      select value, sum(exact) as exact, sum(conversions) as conversions
      from (
        select value, count(*) as exact, count(*) filter (where reaches) as conversions from (${visits()}) v group by value
        ${isSummable(asked) ? ofBlocks : sql``}
      ) part
      group by value
    ),
    known_goal as materialized (
      select exists (
        select from site_goals where ${ofSite(sql)} and (name = ${goal} or id::text = ${goal})) as is_known
    )`;
}

/** Joins `converted` with a relation that has `value`; empty without a goal. */
export const joinConverted = (sql: Sql, { goal }: ListInput, value: Fragment): Fragment =>
  goal === undefined ? sql`` : sql`left join converted on converted.value = ${value}`;

/** The columns of `Conversions` for a select with `joinConverted`, after others. A goal that the site doesn't have makes `conversions` null. */
export const conversionColumns = (sql: Sql, { goal }: ListInput): Fragment =>
  goal === undefined
    ? sql``
    : sql`, coalesce(converted.exact, 0)::float8 as "exactVisits",
        case when (select is_known from known_goal) then coalesce(converted.conversions, 0)::float8 end as conversions,
        case when converted.exact > 0
          then floor(100::float8 * converted.conversions / converted.exact * 10 + 0.5) / 10 end as "conversionRate"`;

/** The condition of rows that are sorted by their rates. Of the other range of a comparison, the rows that are listed are wanted. */
export const hasEnough = (
  sql: Sql,
  { sort }: { sort?: string | undefined },
  { listed }: ReportParts,
): Fragment =>
  sort === 'conversionRate' && listed === undefined ? sql`converted.exact >= ${FEWEST_FOR_RATES}` : sql`true`;

/**
 * Checks the goal that a list names, and withholds conversions of few visits from a share. Throws `NOT_FOUND` for a goal that the site
 * doesn't have.
 */
export async function listConversions<Item extends Converted & { previous?: Converted | null | undefined }>(
  input: ListInput,
  run: Promise<ListReport<Item>>,
): Promise<ListReport<Item>> {
  const list = await run;
  if (input.goal === undefined) return list;
  const isFiltered = filteredGoal(input.filters ?? []) === input.goal;
  if (!isFiltered && list.data.some(({ conversions }) => conversions === null)) throw notFound('goal');
  if (input.narrowing === undefined) return list;
  return {
    ...list,
    data: list.data.map((item) => ({
      ...withoutFew(item),
      ...(item.previous && { previous: withoutFew(item.previous) }),
    })),
  };
}

const withoutFew = <Figures extends Converted>(figures: Figures): Figures =>
  (figures.conversions ?? 0) >= SMALLEST_GROUP
    ? figures
    : { ...figures, conversions: null, conversionRate: null };
