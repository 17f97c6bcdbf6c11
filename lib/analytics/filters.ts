import type { Sql } from '../db.ts';
import { DIMENSIONS, type Dimension, dimensionOf, VALUE_LISTS } from './dimensions.ts';
import type { Fragment } from './range.ts';
import { ofSite, targetsByText } from './targets.ts';

/** The dimensions that filters accept (docs/reports.md#filters). */
export const FILTER_DIMENSIONS = [...DIMENSIONS, 'page', 'entry_page', 'exit_page', 'goal'] as const;
export type FilterDimension = (typeof FILTER_DIMENSIONS)[number];

const OTHER_LISTS = {
  page: 'pages',
  entry_page: 'entry-pages',
  exit_page: 'exit-pages',
  goal: 'goals',
} as const;

/** The report that lists the values of a dimension. */
export function listOf(dimension: FilterDimension): string {
  if (dimension in OTHER_LISTS) return OTHER_LISTS[dimension as keyof typeof OTHER_LISTS];
  return VALUE_LISTS.find((list) => list.dimension === dimension)?.path ?? 'utm';
}

/** The report that shows each tier. */
export const TIER_LIST = 'overview';

/** `is`: equals one of the values. `not`: equals none of them. `contains`: contains one of them, in upper or lower case. */
export interface Filter {
  dimension: FilterDimension;
  operator: 'is' | 'not' | 'contains';
  values: readonly string[];
}

/**
 * Conditions that keep the visits that match all filters; each begins with `and`. For a select from `visits` in a statement with a
 * `range` that has `site_key`. A page filter keeps visits with at least one matching page view; `keepPages` keeps the page views
 * themselves.
 */
export function keepVisits(sql: Sql, filters: readonly Filter[], judging?: Judging): Fragment {
  return filters.reduce((all, filter) => sql`${all} ${keepVisit(sql, filter, judging)}`, sql``);
}

/** `each`: the condition is checked for every visit, so the look-up of an id must not cost more if there are many ids. */
type Judging = 'each' | undefined;

function keepVisit(sql: Sql, filter: Filter, judging: Judging): Fragment {
  const { dimension } = filter;
  switch (dimension) {
    case 'page':
      return sql`and (${countPages(sql, [filter])}) > 0`;
    case 'entry_page':
      return sql`and entry_page = any (${matchingPages(sql, filter)})`;
    case 'exit_page':
      return sql`and coalesce(later_pages[cardinality(later_pages)], entry_page) = any (${matchingPages(sql, filter)})`;
    case 'goal':
      return keepByGoal(sql, filter);
    default:
      return keepByDictionary(sql, dimension, filter, judging);
  }
}

/** Ids of the paths that a filter keeps, as an array. */
function matchingPages(sql: Sql, filter: Filter): Fragment {
  return sql`array(
    select id from site_texts
    where site_key = (select site_key from range) and id > 0 and ${matches(sql, sql`value`, filter)})`;
}

/** Keeps ids whose shown value matches. A visit without a value matches no value, so a `not` filter keeps it. */
function keepByDictionary(sql: Sql, dimension: Dimension, filter: Filter, judging: Judging): Fragment {
  const { values, id, only } = dimensionOf(sql, dimension);
  const ids = sql`select id from ${values} entry where ${matches(sql, sql`value`, filter)}`;
  const isAmong = judging === 'each' ? sql`and ${id} in (${ids})` : sql`and ${id} = any (array(${ids}))`;
  return filter.operator === 'not' ? isAmong : sql`${isAmong} ${only}`;
}

/** Goals are named by name or id. Keeps visits that reached one of them, or with `not` none of them, as `reportGoals` counts. */
function keepByGoal(sql: Sql, filter: Filter): Fragment {
  const { operator, values } = filter;
  const meant = matches(sql, sql`name`, operator === 'not' ? { ...filter, operator: 'is' } : filter);
  const targets = sql`
    select id as target, kind, pattern from site_goals
    where ${ofSite(sql)} and (${meant} or id::text = any (${values}::text[]))`;
  const isTarget = (kind: '1' | '2', id: Fragment) =>
    sql`(${targetsByText(sql, targets)}) -> (${`${kind} `}::text || ${id}) is not null`;
  const reached = sql`(
    ${isTarget('1', sql`entry_page`)}
    or exists (select from hits_of(later_pages) where ${isTarget('1', sql`text_id`)})
    or exists (select from hits_of(custom_events) where ${isTarget('2', sql`text_id`)}))`;
  return operator === 'not' ? sql`and ${reached} is not true` : sql`and ${reached}`;
}

function matches(sql: Sql, value: Fragment, { operator, values }: Filter): Fragment {
  switch (operator) {
    case 'is':
      return sql`${value} = any (${values}::text[])`;
    case 'not':
      return sql`(${value} = any (${values}::text[])) is not true`;
    case 'contains':
      return sql`exists (
        select from unnest(${values}::text[]) as part(wanted)
        where position(lower(part.wanted) in lower(${value})) > 0)`;
  }
}

/** How many page views of a visit a report counts; see `keepPages`. */
export function countPages(sql: Sql, filters: readonly Filter[]): Fragment {
  if (filters.every(({ dimension }) => dimension !== 'page'))
    return sql`(entry_page is not null)::integer + coalesce(cardinality(later_pages), 0) / 2`;
  return sql`(
    select count(*)::integer
    from unnest(array[entry_ms, entry_page] || later_pages) with ordinality as item(path_id, position)
    where position % 2 = 0 and entry_page is not null ${keepPages(sql, filters, sql`item.path_id`)})`;
}

/** The page views that a report counts: all page views of a kept visit or, with filters on pages, the matching ones. */
export function keepPages(sql: Sql, filters: readonly Filter[], path: Fragment): Fragment {
  return filters
    .filter(({ dimension }) => dimension === 'page')
    .reduce((all, filter) => sql`${all} and ${path} = any (${matchingPages(sql, filter)})`, sql``);
}
