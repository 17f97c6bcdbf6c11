/** Filters with values that no kept visit of the site has (docs/reports.md#values-that-no-visit-has). */
import type { Fragment, Sql } from '../../db.ts';
import { dimensionOf } from '../../visits/dimension-sql.ts';
import { OTHER } from '../../visits/other-value.ts';
import { type Filter, type FilterDimension, nameOf } from './filters.ts';
import { ofSite } from './targets.ts';

/** A value that a filter names. */
export interface NamedValue {
  /** The filter's name, as in `meta.scope.filters`. */
  filter: string;
  value: string;
}

/** A relation `value` with what filters by a dimension can name, for a statement with `range`. */
export function valuesOf(sql: Sql, dimension: FilterDimension): Fragment {
  switch (dimension) {
    case 'page':
    case 'entry_page':
    case 'exit_page':
      return sql`(
        select value from site_texts
        where site_key = (select site_key from range) and id > 0 and (value like '/%' or value = ${OTHER}))`;
    case 'goal':
      return sql`(select unnest(array[name, id::text]) as value from site_goals where ${ofSite(sql)})`;
    default:
      return dimensionOf(sql, dimension).values;
  }
}

/**
 * Selects one row `unmatched`: the values of filters that the site doesn't have, or null. Properties are left out: they have no list of
 * values. A page is looked up by the primary key of `site_texts`; other values cost what their filter costs.
 */
export function selectUnmatched(sql: Sql, range: Fragment, filters: readonly Filter[]): Fragment {
  const unmatched = filters.flatMap((filter) => {
    const { dimension, operator, values } = filter;
    if (dimension === 'prop') return [];
    const isIt =
      operator === 'contains'
        ? sql`position(lower(asked.value) in lower(known.value)) > 0`
        : sql`known.value = asked.value`;
    return sql`
      select ${nameOf(filter)}::text as filter, asked.value
      from unnest(${values}::text[]) as asked(value)
      where not exists (select from ${valuesOf(sql, dimension)} known where ${isIt})`;
  });
  const none = sql`select null::text as filter, null::text as value where false`;
  const all = unmatched.reduce((list, one) => sql`${list} union all ${one}`, none);
  return sql`
    with range as materialized (${range})
    select jsonb_agg(jsonb_build_object('filter', filter, 'value', value)) as unmatched
    from (${all}) asked`;
}
