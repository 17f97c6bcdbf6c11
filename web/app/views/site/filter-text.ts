import { type Dimension, type Filter, type KnownDimension, propertyOf } from '../../state/site-query.ts';
import { words } from '../../words/index.ts';
import { showValue } from './panels.ts';

/** A property by its key, a dimension in the reader’s words. */
export const nameOf = (dimension: Dimension): string =>
  propertyOf(dimension) ?? words.filters.dimensions[dimension as KnownDimension];

/** The values of a filter as people read them. */
export const valuesOf = ({ dimension, values }: Filter): string =>
  values.map((value) => showValue(dimension, value)).join(` ${words.filters.or} `);

/** Country is Portugal or Spain. */
export const textOf = (filter: Filter): string =>
  `${nameOf(filter.dimension)} ${words.filters.operators[filter.operator]} ${valuesOf(filter)}`;
