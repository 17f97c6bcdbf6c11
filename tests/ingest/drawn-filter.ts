import fc from 'fast-check';
import { FILTER_DIMENSIONS, type Filter, type FilterDimension } from '../../lib/analytics/reading/filters.ts';
import type { Dimension } from '../../lib/visits/dimensions.ts';
import { ORACLE_DIMENSIONS } from '../oracle/dimensions.ts';
import type { OracleGoal } from '../oracle/hits.ts';

/** The goals that filters use. */
export const GOALS: readonly [OracleGoal, OracleGoal] = [
  { id: '5f0c7a52-8d1e-4b39-a6c4-2e9b1d7f3a60', name: 'Signed up', event: 'signup' },
  { id: '8a3e6d14-0b7c-4f25-9e81-c5d2a4b6f038', name: 'Docs', page: '/docs/*' },
];

/** Values in streams that don't belong to a dimension. */
const VALUES: Record<Exclude<FilterDimension, Dimension>, [string, ...string[]]> = {
  page: ['/', '/pricing', 'doc'],
  entry_page: ['/', '/pricing', 'DOC'],
  exit_page: ['/', '/über'],
  goal: ['Signed up', 'Docs', GOALS[1].id, 'up'],
};

function valuesOf(dimension: FilterDimension): readonly string[] {
  if (dimension in VALUES) return VALUES[dimension as keyof typeof VALUES];
  const { values, filters = [] } = ORACLE_DIMENSIONS[dimension as Dimension];
  return [...values, ...filters];
}

/** Properties of the streams' custom events and page views, and one that none has. */
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  plan: ['pro', 'free', 'RO'],
  seats: ['3', '0'],
  author: ['Ana', 'bo'],
  nothing: ['pro'],
};

const drawnFrom = (values: readonly string[]) =>
  fc.record({
    operator: fc.constantFrom('is' as const, 'not' as const, 'contains' as const),
    values: fc.uniqueArray(fc.constantFrom(...values, 'nowhere'), { minLength: 1, maxLength: 2 }),
  });

/** What filters choose visits by: each dimension, and some properties. */
export const FILTERED = [
  ...FILTER_DIMENSIONS.map((dimension) => ({ dimension })),
  ...Object.keys(PROPERTIES).map((key) => ({ dimension: 'prop' as const, key })),
];

/** A random filter by a dimension or a property. */
export const drawnFilterBy = (by: (typeof FILTERED)[number]): fc.Arbitrary<Filter> =>
  drawnFrom('key' in by ? (PROPERTIES[by.key] ?? []) : valuesOf(by.dimension)).map((drawn) => ({
    ...by,
    ...drawn,
  }));

/** A random filter of a report. */
export const drawnFilter: fc.Arbitrary<Filter> = fc.constantFrom(...FILTERED).chain(drawnFilterBy);
