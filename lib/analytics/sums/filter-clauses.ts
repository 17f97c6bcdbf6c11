import type { Fragment, Sql } from '../../db.ts';
import type { Filter } from '../reading/filters.ts';
import { type Range, unitOf } from '../reading/report-range.ts';

/** A filter as `site_filters.clauses` has it (schema/migrations/0063-filters-by-goals.sql). */
export interface Clause {
  dimension: Filter['dimension'];
  /** Of a property. */
  key?: string;
  operator: Filter['operator'];
  wanted: string[];
}

/** The clauses of filters, sorted, so that the same filters have the same clauses. Goals are in them by name or id, as they were asked. */
export function clausesOf(filters: readonly Filter[]): Clause[] {
  const clauses = filters.map(
    (filter): Clause => ({
      dimension: filter.dimension,
      ...(filter.dimension === 'prop' && { key: filter.key }),
      operator: filter.operator,
      wanted: [...new Set(filter.values)].sort(),
    }),
  );
  const texts = new Map(clauses.map((clause) => [JSON.stringify(clause), clause]));
  return [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, clause]) => clause);
}

/** The id in `site_filters` of the filters, for a statement with `range`: a select of one value, by the index of clauses. */
export const selectFilter = (sql: Sql, filters: readonly Filter[]): Fragment => {
  const asked = sql`${JSON.stringify(clausesOf(filters))}::jsonb`;
  const hasGoal = filters.some(({ dimension }) => dimension === 'goal');
  return sql`
    select id
    from site_filters known cross join (
      select ${hasGoal ? sql`meant_clauses((select site_key from range), ${asked})` : asked} as clauses offset 0
    ) asked
    where site_key = (select site_key from range) and md5(known.clauses::text) = md5(asked.clauses::text)
      and known.clauses = asked.clauses`;
};

interface Asked {
  range: Range;
  /** If present, small groups are withheld. */
  narrowing?: object | undefined;
}

/** Whether a list of visits or of pages, or a total, can be computed from sealed days: it covers whole days, with small groups. */
export const isSummable = ({ range, narrowing }: Asked): boolean =>
  unitOf(range) === 'day' && narrowing === undefined;
