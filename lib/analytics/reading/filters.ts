import type { Fragment, Sql } from '../../db.ts';
import { dimensionOf, edgeOf } from '../../visits/dimension-sql.ts';
import { DIMENSIONS, VALUE_LISTS } from '../../visits/dimensions.ts';
import type { Tier } from '../answers/schemas.ts';
import type { FilterValue } from './filter-text.ts';
import { type Range, unitOf } from './report-range.ts';
import { ofSite, textsOfTargets } from './targets.ts';

/** The dimensions that filters accept (docs/reports.md#filters). */
export const FILTER_DIMENSIONS = [...DIMENSIONS, 'page', 'entry_page', 'exit_page', 'goal'] as const;
export type FilterDimension = (typeof FILTER_DIMENSIONS)[number];

/** A filter by a dimension, or by the property `key` of page views and custom events. */
export type Filter = FilterValue & ({ dimension: FilterDimension } | { dimension: 'prop'; key: string });

/** What decides where a report reads its figures. */
interface Asked {
  range: Range;
  filters?: readonly Filter[] | undefined;
  /** If present, small groups are withheld. */
  narrowing?: object | undefined;
}

/** Whether a report must read single visits: rollups and seals can't be filtered and don't show small groups. */
export const asksForVisits = ({ filters = [], narrowing }: Omit<Asked, 'range'>): boolean =>
  filters.length > 0 || narrowing !== undefined;

/**
 * Whether a report can be computed from sealed days: it covers whole days and all visits of a tier or of all tiers, including small
 * groups.
 */
export const isSealable = (input: Asked): boolean => unitOf(input.range) === 'day' && !asksForVisits(input);

/** Restricts rows to the report's tier, if it has one. */
export const onlyTier = (sql: Sql, tier: Tier | undefined): Fragment =>
  tier === undefined ? sql`` : sql`and tier = ${tier}::smallint`;

/** Whether a filter keeps the visits that reached this goal, and no others. */
const isOfGoal = ({ dimension, operator, values }: Filter, goal: string): boolean =>
  dimension === 'goal' && operator === 'is' && values.length === 1 && values[0] === goal;

/** The filter that keeps the visits that reached this goal. */
export const ofGoal = (goal: string): Filter => ({ dimension: 'goal', operator: 'is', values: [goal] });

/** The filters of the visits towards a goal, whether they reach it or not (`others`), and of those that reach it (`reaching`). */
export function filtersTowards(
  goal: string,
  filters: readonly Filter[] = [],
): Record<'others' | 'reaching', readonly Filter[]> {
  const others = filters.filter((filter) => !isOfGoal(filter, goal));
  return { others, reaching: [...others, ofGoal(goal)] };
}

/** The filter's name in URLs, without `filter_`, and in `meta`. */
export const nameOf = (filter: Filter): string =>
  filter.dimension === 'prop' ? `prop_${filter.key}` : filter.dimension;

const OTHER_LISTS = {
  page: 'pages',
  entry_page: 'entry-pages',
  exit_page: 'exit-pages',
  goal: 'goals',
  prop: 'event-props',
} as const;

/** The report that lists what a filter names. */
export function listOf({ dimension }: Pick<Filter, 'dimension'>): string {
  if (dimension in OTHER_LISTS) return OTHER_LISTS[dimension as keyof typeof OTHER_LISTS];
  return VALUE_LISTS.find((list) => list.dimension === dimension)?.path ?? 'utm';
}

/** The report that shows each tier. */
export const TIER_LIST = 'overview';

/**
 * Conditions that keep the visits that match all filters; each begins with `and`. For a select from `visits` in a statement with a
 * `range` that has `site_key`. A negated filter keeps exactly the other visits, so that both add up to all.
 */
export const keepVisits = (sql: Sql, filters: readonly Filter[]): Fragment =>
  filters.reduce((all, filter) => sql`${all} and ${keepVisit(sql, filter)}`, sql``);

const keepVisit = (sql: Sql, filter: Filter): Fragment =>
  filter.operator === 'not'
    ? sql`${shows(sql, { ...filter, operator: 'is' })} is not true`
    : shows(sql, filter);

/** Whether the list of the filter's dimension has a row for the visit whose value matches. Costs the same for each visit, however many match. */
function shows(sql: Sql, filter: Filter): Fragment {
  const { dimension } = filter;
  switch (dimension) {
    case 'page': {
      const ids = matchingTexts(sql, filter);
      const few =
        filter.operator === 'is'
          ? sql`later_pages && (select array_agg(id) from site_texts
              where site_key = (select site_key from range) and value = any (${filter.values}::text[]))`
          : sql`true`;
      return sql`(${ids} @> entry_page or (${few} and ${hasHit(sql, sql`later_pages`, ids)}))`;
    }
    case 'entry_page':
      return sql`(${matchingTexts(sql, filter)} @> entry_page ${edgeOf(sql, 'entry').only})`;
    case 'exit_page': {
      const { page, only } = edgeOf(sql, 'exit');
      return sql`(${matchingTexts(sql, filter)} @> ${page} ${only})`;
    }
    case 'goal':
      return reachesGoal(sql, filter);
    case 'prop':
      return sql`(${brings(sql, sql`event_data`, filter)} or ${brings(sql, sql`page_data`, filter)})`;
    default: {
      const { values, id, only } = dimensionOf(sql, dimension);
      return sql`(${entriesThat(sql, values, matches(sql, sql`value`, filter))}[${id}] ${only})`;
    }
  }
}

/** Whether one of the hits whose data a column has brings a property that matches. */
const brings = (sql: Sql, column: Fragment, filter: FilterValue & { key: string }): Fragment => sql`(
  ${column} is not null and exists (
    select from jsonb_array_elements(${column}) as hit(data)
    where ${matches(sql, sql`hit.data -> 'props' ->> ${filter.key}::text`, filter)}))`;

/** For each id of a dictionary, whether its entry fulfils a condition: an array, in which a look-up is one step. */
const entriesThat = (sql: Sql, values: Fragment, condition: Fragment): Fragment => sql`(
  select array_agg(fitting.id is not null order by n)
  from generate_series(1, (select max(id) from ${values} entry)) as n
  left join (select distinct id from ${values} entry where ${condition}) fitting on fitting.id = n)`;

/** The ids of a relation with a column `id` as one multirange, in which each look-up takes a few steps. */
const idSet = (sql: Sql, from: Fragment): Fragment => sql`(
  select coalesce(range_agg(int4range(id, id + 1)), '{}') from ${from})`;

/** The ids of the site's texts that match, as one multirange. Reads all of its texts. */
export const matchingTexts = (sql: Sql, filter: FilterValue): Fragment =>
  idSet(
    sql,
    sql`site_texts where site_key = (select site_key from range) and id > 0 and ${matches(sql, sql`value`, filter)}`,
  );

/** Whether one of the ids is in `pairs`: milliseconds and id of each hit. */
const hasHit = (sql: Sql, pairs: Fragment, ids: Fragment): Fragment => sql`(${pairs} is not null and exists (
  select from (select generate_series(2, cardinality(${pairs}), 2) as position) hit where ${ids} @> ${pairs}[position]))`;

/** Goals are named by name or id. A visit reaches a goal as `reportGoals` counts. */
function reachesGoal(sql: Sql, filter: Filter): Fragment {
  const targets = sql`
    select id as target, kind, pattern from site_goals
    where ${ofSite(sql)} and (${matches(sql, sql`name`, filter)} or id::text = any (${filter.values}::text[]))`;
  const reached = (kind: 1 | 2): Fragment =>
    idSet(
      sql,
      sql`(select distinct text_id as id from (${textsOfTargets(sql, targets)}) text where kind = ${kind}::smallint) reached`,
    );
  return sql`(
    ${reached(1)} @> entry_page
    or ${hasHit(sql, sql`later_pages`, reached(1))}
    or ${hasHit(sql, sql`custom_events`, reached(2))})`;
}

/** What `contains` means, for a text alone. */
export const containing = (text: string): FilterValue => ({ operator: 'contains', values: [text] });

/** A text is one of the values, or contains one. */
export function matches(sql: Sql, text: Fragment, { operator, values }: FilterValue): Fragment {
  return operator === 'contains'
    ? sql`exists (
        select from unnest(${values}::text[]) as part(wanted)
        where position(lower(part.wanted) in lower(${text})) > 0)`
    : sql`${text} = any (${values}::text[])`;
}

/**
 * The condition on `path_id` for sums by page, which know no visit: there a filter by page chooses pages. Begins with `and`.
 */
export const keepPages = (sql: Sql, filters: readonly Filter[]): Fragment =>
  filters.reduce((all, filter) => {
    const isAmong = sql`${matchingTexts(sql, filter)} @> path_id`;
    return filter.operator === 'not' ? sql`${all} and not ${isAmong}` : sql`${all} and ${isAmong}`;
  }, sql``);
