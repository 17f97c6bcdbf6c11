import { OTHER_DIMENSIONS, VISIT_DIMENSIONS } from '../../../../lib/visits/dimensions.ts';
import { type Dimension, type Filter, type KnownDimension, propertyOf } from '../../state/site-query.ts';
import { words } from '../../words/index.ts';
import { showValue } from './panels.ts';

/** A dimension in the reader’s words. */
export const wordOf = (dimension: KnownDimension): string =>
  dimension === 'privacy_tier' ? words.filters.tier : words.dimensions[dimension].filter;

/** A property by its key, a dimension in the reader’s words. */
export const nameOf = (dimension: Dimension): string =>
  propertyOf(dimension) ?? wordOf(dimension as KnownDimension);

/** Whom a filter by the dimension leaves out. Undefined: nobody. */
export function leavesOut(dimension: string): string | undefined {
  const of = [...VISIT_DIMENSIONS, ...OTHER_DIMENSIONS].find(({ name }) => name === dimension);
  const tier = of !== undefined && 'lowestTier' in of ? of.lowestTier : 1;
  return tier === 1 ? undefined : words.filters.leavesOut[tier];
}

/** The values of a filter as people read them. */
export const valuesOf = ({ dimension, values }: Filter): string =>
  values.map((value) => showValue(dimension, value)).join(` ${words.filters.or} `);

/** Country is Portugal or Spain. */
export const textOf = (filter: Filter): string =>
  `${nameOf(filter.dimension)} ${words.filters.operators[filter.operator]} ${valuesOf(filter)}`;
