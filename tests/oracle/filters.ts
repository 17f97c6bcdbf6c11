/** Which visits a filter keeps, by the words of docs/reports.md#filters. */

import type { Filter } from '../../lib/analytics/reading/filters.ts';
import type { Dimension } from '../../lib/visits/dimensions.ts';
import { ORACLE_DIMENSIONS } from './dimensions.ts';
import { hitsOf, type OracleGoal } from './hits.ts';
import type { OracleVisit } from './visits.ts';

/** A negated filter keeps exactly the visits that it doesn't keep without the negation. */
export function keeps(visit: OracleVisit, filter: Filter, goals: readonly OracleGoal[]): boolean {
  if (filter.operator === 'not') return !keeps(visit, { ...filter, operator: 'is' }, goals);
  if (filter.dimension === 'goal')
    return goals
      .filter((goal) => hitsOf(visit, goal).length > 0)
      .some(({ name, id }) => matches(name, filter) || filter.values.includes(id));
  return shownOf(visit, filter).some((value) => matches(value, filter));
}

/** Whether a value is one of the filter's, or contains one. */
export function matches(value: string, { operator, values }: Filter): boolean {
  if (operator === 'contains')
    return values.some((wanted) => value.toLowerCase().includes(wanted.toLowerCase()));
  return values.includes(value) === (operator === 'is');
}

/** The rows that a visit has in the list of a dimension. */
function shownOf(visit: OracleVisit, filter: Filter): string[] {
  const { pages, pageProps, events, counted, tier } = visit;
  const { dimension } = filter;
  switch (dimension) {
    case 'page':
      return pages.map(({ text }) => text);
    // Somebody came to it: a continued visit and an inner page view of tier 1 began elsewhere.
    case 'entry_page':
      return counted ? pages.slice(0, 1).map(({ text }) => text) : [];
    // Tier 1 knows no end.
    case 'exit_page':
      return tier === 1 ? [] : pages.slice(-1).map(({ text }) => text);
    case 'prop':
      return [...events, ...pageProps].flatMap(({ data }) => propertyOf(data, filter.key));
    case 'goal':
      throw new Error('A goal has a name and an id.');
    default: {
      const value = listedValue(visit, dimension);
      return value === null ? [] : [value];
    }
  }
}

function propertyOf(data: string | null, key: string): string[] {
  const { props = {} } = JSON.parse(data ?? '{}') as { props?: Record<string, unknown> };
  return Object.hasOwn(props, key) ? [String(props[key])] : [];
}

/** What the list of a dimension shows for the visit; null if it has no row for it. */
export function listedValue(visit: OracleVisit, dimension: Dimension): string | null {
  const { lowestTier, arrives = false, absent = null } = ORACLE_DIMENSIONS[dimension];
  if (visit.tier < lowestTier || (arrives && !visit.counted)) return null;
  return visit.values[dimension] ?? absent;
}
