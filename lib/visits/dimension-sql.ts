/** How statements read dimensions of visits. */
import type { Fragment, Sql } from '../db.ts';
import { type Dictionary, type Dimension, VISIT_DIMENSIONS, type VisitDimension } from './dimensions.ts';

interface DimensionSql {
  /** A relation `id, value` with the shown value of each entry in the site's dictionary. Lists leave out null. */
  values: Fragment;
  dictionary: Dictionary;
  /** The column of a visit with the entry's id. */
  id: Fragment;
  /** The condition that a visit can have the dimension; empty or begins with `and`. `seal_hits` uses the same list. */
  only: Fragment;
}

/** A visit that counts came from elsewhere: it is neither continued nor an inner page view at tier 1. */
const canHave = (
  sql: Sql,
  { arrives, lowestTier }: Pick<VisitDimension, 'arrives' | 'lowestTier'>,
): Fragment =>
  arrives ? sql`and counted` : lowestTier === 1 ? sql`` : sql`and tier >= ${lowestTier}::smallint`;

/** How to read a dimension in a statement with `range`. */
export function dimensionOf(sql: Sql, dimension: Dimension): DimensionSql {
  const of: VisitDimension | undefined = VISIT_DIMENSIONS.find(({ name }) => name === dimension);
  if (of === undefined) throw new Error(`No dimension is called ${dimension}`);
  return {
    values: sql`(
      select id, value from entry_values
      where site_key = (select site_key from range) and dictionary = ${of.dictionary} and dimension = ${dimension})`,
    dictionary: of.dictionary,
    id: { profile: sql`profile_id`, place: sql`place_id`, origin: sql`origin_id` }[of.dictionary],
    only: canHave(sql, of),
  };
}

export type Edge = 'entry' | 'exit';

/** The column of a visit with the page on which it began or ended, and the condition that it has one, like `DimensionSql.only`. */
export function edgeOf(sql: Sql, edge: Edge): { page: Fragment; only: Fragment } {
  return edge === 'entry'
    ? { page: sql`entry_page`, only: canHave(sql, { arrives: true, lowestTier: 1 }) }
    : {
        page: sql`coalesce(later_pages[cardinality(later_pages)], entry_page)`,
        only: canHave(sql, { lowestTier: 2 }),
      };
}
