/** Which values of a site's dictionaries anything names, found the slow and obvious way: by reading all rows of all tables. */

import type { Sql } from '../../lib/db.ts';
import { OTHER_DIMENSIONS } from '../../lib/visits/dimensions.ts';

export const DICTIONARIES = ['text', 'profile', 'place', 'origin'] as const;
export type Ids = Record<(typeof DICTIONARIES)[number], Set<number>>;
type Row = Record<string, unknown>;

const KEYED: unknown[] = OTHER_DIMENSIONS.filter(({ blocks, name }) => !blocks || name === 'total').map(
  ({ number }) => number,
);
const numbers = (cell: unknown) => ((cell ?? []) as (number | string)[]).map(Number);
const paths = (cell: unknown) => ((cell ?? []) as string[]).flatMap((path) => numbers(path.split(' ')));
/** The text of each pair of milliseconds and text. */
const seconds = (cell: unknown) => numbers(cell).filter((_, n) => n % 2 === 1);
/** The path of each page load of `visits.vitals`. */
const pathsOfLoads = (cell: unknown) => numbers(cell).filter((_, n) => n % 7 === 1);
const one = (cell: unknown) => (cell === null ? [] : [Number(cell)]);
const unlessKeyed = (read: (cell: unknown) => number[]) => (cell: unknown, row: Row) =>
  KEYED.includes(row.dimension) ? [] : read(cell);

type Reader = (cell: unknown, row: Row) => number[];
/** The columns that name values, by table; each with how ids are read from it. */
export const NAMING: Record<string, Record<string, { of: keyof Ids; read: Reader }>> = {
  events: {
    path_id: { of: 'text', read: one },
    name_id: { of: 'text', read: one },
    profile_id: { of: 'profile', read: one },
    place_id: { of: 'place', read: one },
    origin_id: { of: 'origin', read: one },
  },
  visits: {
    consent_page: { of: 'text', read: one },
    entry_page: { of: 'text', read: one },
    later_pages: { of: 'text', read: seconds },
    custom_events: { of: 'text', read: seconds },
    vitals: { of: 'text', read: pathsOfLoads },
    profile_id: { of: 'profile', read: one },
    place_id: { of: 'place', read: one },
    origin_id: { of: 'origin', read: one },
  },
  rollup_values: {
    value: { of: 'text', read: unlessKeyed(numbers) },
    gap_value: { of: 'text', read: unlessKeyed(numbers) },
  },
  filter_values: {
    value: { of: 'text', read: unlessKeyed(numbers) },
    gap_value: { of: 'text', read: unlessKeyed(numbers) },
  },
  rollup_revenue: { value: { of: 'text', read: unlessKeyed(one) } },
  rollup_journeys: { path: { of: 'text', read: paths }, gap_path: { of: 'text', read: paths } },
  // 0: properties of page views.
  rollup_props: { event: { of: 'text', read: (id) => one(id).filter((text) => text !== 0) } },
  rollup_engagement: { path_id: { of: 'text', read: numbers } },
  rollup_vitals: {
    path_id: { of: 'text', read: numbers },
    bin_path: { of: 'text', read: numbers },
    band_path: { of: 'text', read: numbers },
  },
};

/** Ids that tables of a site name; with `only`, those tables alone. */
export async function namedValues(sql: Sql, siteId: string, only = Object.keys(NAMING)): Promise<Ids> {
  const named: Ids = { text: new Set(), profile: new Set(), place: new Set(), origin: new Set() };
  for (const table of only) {
    const rows = await sql`
      select to_jsonb(t) as row from ${sql.unsafe(table)} t where site_key = (select key from sites where id = ${siteId})`;
    for (const { row } of rows)
      for (const [column, { of, read }] of Object.entries(NAMING[table] ?? {}))
        for (const id of read(row[column], row)) named[of].add(id);
  }
  return named;
}

/** Ids that the dictionaries of a site have. */
export async function knownValues(sql: Sql, siteId: string): Promise<Ids> {
  const ids = async (dictionary: string) => {
    const rows = await sql`
      select id from ${sql.unsafe(`site_${dictionary}s`)} where site_key = (select key from sites where id = ${siteId})`;
    return new Set(rows.map(({ id }) => id as number));
  };
  const [text, profile, place, origin] = await Promise.all(DICTIONARIES.map(ids));
  return { text, profile, place, origin } as Ids;
}

/** Texts that entries of the other dictionaries have. */
export async function textsOfEntries(sql: Sql, siteId: string): Promise<Set<number>> {
  const rows = await sql`
    select t.id from sites s join site_texts t on t.site_key = s.key
    where s.id = ${siteId} and exists (select from entry_values e where e.site_key = s.key and e.value = t.value)`;
  return new Set(rows.map(({ id }) => id as number));
}
