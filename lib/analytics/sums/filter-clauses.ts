import type { Fragment, Sql } from '../../db.ts';
import { DIMENSIONS } from '../../visits/dimensions.ts';
import type { Filter } from '../reading/filters.ts';
import { type Range, unitOf } from '../reading/report-range.ts';

const SUMMED: readonly string[] = [...DIMENSIONS, 'page', 'entry_page', 'exit_page'];

/** A filter as `site_filters.clauses` has it (schema/migrations/0054-site-filters.sql). */
export interface Clause {
  dimension: string;
  operator: Filter['operator'];
  wanted: string[];
}

/**
 * The clauses that filters mean, sorted, so that the same filters have the same clauses. Undefined if sealed days can't be summed for
 * them: what a goal means may change, and properties are in no dictionary.
 */
export function clausesOf(filters: readonly Filter[]): Clause[] | undefined {
  if (filters.some(({ dimension }) => !SUMMED.includes(dimension))) return undefined;
  const clauses = filters.map(({ dimension, operator, values }) => ({
    ...{ dimension, operator },
    wanted: [...new Set(values)].sort(),
  }));
  const texts = new Map(clauses.map((clause) => [JSON.stringify(clause), clause]));
  return [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, clause]) => clause);
}

/** The id in `site_filters` of the filters, for a statement with `range`: a select of one value, by the index of clauses. */
export const selectFilter = (sql: Sql, filters: readonly Filter[]): Fragment => {
  const clauses = sql`${JSON.stringify(clausesOf(filters))}::jsonb`;
  return sql`
    select id from site_filters
    where site_key = (select site_key from range) and md5(clauses::text) = md5(${clauses}::text) and clauses = ${clauses}`;
};

interface Asked {
  range: Range;
  filters?: readonly Filter[] | undefined;
  /** If present, small groups are withheld. */
  narrowing?: object | undefined;
}

/**
 * Whether a list of visits or of pages, or a total, can be computed from sealed days: it covers whole days, with small groups, and its
 * filters can have sums.
 */
export const isSummable = ({ range, filters = [], narrowing }: Asked): boolean =>
  unitOf(range) === 'day' && narrowing === undefined && clausesOf(filters) !== undefined;
