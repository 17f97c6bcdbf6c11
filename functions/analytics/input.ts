import type { Context } from 'hono';
import { siteIdOf } from '../../lib/http/read.ts';
import { filtersOf, rangeOf, tierOf } from './query.ts';

/** What every report is asked by: the site of the path, the range and the filter of the query. */
export const inputOf = (
  c: Context,
  query: Parameters<typeof rangeOf>[0] & Parameters<typeof filtersOf>[0],
) => ({
  siteId: siteIdOf(c),
  range: rangeOf(query),
  tier: tierOf(query),
  filters: filtersOf(query),
});
