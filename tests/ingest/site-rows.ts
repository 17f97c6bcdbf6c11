/** All folded rows of a site, from all tables, with values instead of the dictionaries' ids, so that two sites can be compared. */

import type { Sql } from '../../lib/db.ts';
import { OTHER_DIMENSIONS } from '../../lib/visits/dimensions.ts';
import { canonical } from '../oracle/visits.ts';

type Row = Record<string, unknown>;

/**
 * What isn't folded: what came, as long as it is kept; how much of it was new, which goes by the order in which it came; and how far values
 * were searched for and deleted.
 */
const RAW = ['events', 'dead_letters', 'new_values', 'known_properties', 'erased_values', 'value_ids'];
/** The time of folding doesn't depend on the events. */
const CLOCK = 'folded_at';
/** The name of a seal is drawn. */
const DRAWN = 'seal';

/** The dimensions whose values aren't texts but keys, steps, reasons and days. */
const KEYED: unknown[] = OTHER_DIMENSIONS.filter(({ blocks }) => !blocks).map(({ number }) => number);

interface Table {
  name: string;
  /** Columns of the table's primary key. */
  key: string[];
}

/** Each table whose key begins with the site, from the database's catalogue, so that new tables are compared too. */
export async function foldedTables(sql: Sql): Promise<Table[]> {
  const rows = await sql`
    select t.table_name as name, array(
      select k.column_name::text from information_schema.table_constraints c
      join information_schema.key_column_usage k using (constraint_schema, constraint_name)
      where c.table_schema = t.table_schema and c.table_name = t.table_name and c.constraint_type = 'PRIMARY KEY') as key
    from information_schema.tables t
    join information_schema.columns s using (table_schema, table_name)
    join pg_class p on p.relname = t.table_name and p.relnamespace = t.table_schema::regnamespace
      and p.relkind in ('r', 'p') and not p.relispartition
    where t.table_schema = 'public' and s.column_name = 'site_key'
    order by t.table_name`;
  return (rows as Table[]).filter(({ name }) => !RAW.includes(name));
}

/** The rows of each table in a fixed order. A row whose counters are zero counts as absent. */
export async function siteRows(sql: Sql, siteId: string): Promise<Record<string, string[]>> {
  const tables = await foldedTables(sql);
  const results = await sql.transaction(
    tables.map(
      ({ name }) => sql`
        select to_jsonb(t) - 'site_key' as row from ${sql.unsafe(name)} t
        where site_key = (select key from sites where id = ${siteId})`,
    ),
  );
  const stored = new Map(
    tables.map(({ name }, n) => [name, (results[n] ?? []).map(({ row }) => row as Row)]),
  );
  const dictionary = (name: string) => new Map((stored.get(name) ?? []).map(({ id, value }) => [id, value]));
  const byColumn: Record<string, Map<unknown, unknown>> = {
    consent_page: dictionary('site_texts'),
    entry_page: dictionary('site_texts'),
    value: dictionary('site_texts'),
    event: dictionary('site_texts'),
    profile_id: dictionary('site_profiles'),
    place_id: dictionary('site_places'),
    origin_id: dictionary('site_origins'),
  };
  const named = (column: string, value: unknown) =>
    typeof value === 'number' ? (byColumn[column]?.get(value) ?? value) : value;
  const hits = (pairs: unknown, data: unknown) => {
    const flat = (pairs ?? []) as number[];
    return flat
      .flatMap((ms, n) =>
        n % 2 === 0
          ? [[ms, named('entry_page', flat[n + 1]), (data as unknown[] | null)?.[n / 2] ?? null]]
          : [],
      )
      .map(canonical)
      .sort();
  };
  /** Turns arrays with one element per value into rows. */
  const unpacked = (
    row: Row,
    columns: readonly string[],
    said = (id: unknown) => (KEYED.includes(row.dimension) ? id : named('value', id)),
  ) => {
    const [first = '', ...others] = columns;
    return ((row[first] ?? []) as unknown[])
      .map((id, n) => [said(id), ...others.map((column) => (row[column] as unknown[])[n])])
      .map(canonical)
      .sort();
  };
  const saidOfValues = (row: Row): Row => ({
    ...Object.fromEntries(
      Object.entries(row)
        .filter(([, cell]) => !Array.isArray(cell))
        .map(([column, cell]) => [column, named(column, cell)]),
    ),
    values: unpacked(row, [
      'value',
      ...Object.keys(row).filter((column) => /^(hits|visits|visitors)_/.test(column)),
    ]),
    gaps: unpacked(row, ['gap_value', 'gap_tier', 'gap', 'returned', 'resumed']),
  });
  const saidOfJourneys = (row: Row): Row => {
    const path = (ids: unknown) =>
      String(ids)
        .split(' ')
        .map((id) => named('value', Number(id)));
    const journeys = Object.keys(row).filter((column) => /^(journeys|visits|visitors)_/.test(column));
    return {
      ...Object.fromEntries(Object.entries(row).filter(([, cell]) => !Array.isArray(cell))),
      most: row.most,
      journeys: unpacked(row, ['path', ...journeys], path),
      gaps: unpacked(row, ['gap_path', 'gap_tier', 'gap', 'returned'], path),
    };
  };
  const saidOfPaths = (row: Row): Row => ({
    ...Object.fromEntries(Object.entries(row).filter(([, cell]) => !Array.isArray(cell))),
    paths: unpacked(row, [
      'path_id',
      ...Object.keys(row).filter((column) => /^(measured|engaged_|scroll)/.test(column)),
    ]),
    ...('bin_path' in row && {
      bins: unpacked(row, ['bin_path', 'bin', 'told']),
      bands: unpacked(row, ['band_path', 'band', 'band_told']),
    }),
  });
  const loads = (vitals: unknown) => {
    const flat = (vitals ?? []) as unknown[];
    return flat
      .flatMap((ms, n) =>
        n % 7 === 0 ? [[ms, named('entry_page', flat[n + 1]), ...flat.slice(n + 2, n + 7)]] : [],
      )
      .map(canonical)
      .sort();
  };
  const said = ({ later_pages, custom_events, event_data, vitals, ...row }: Row): Row => ({
    ...Object.fromEntries(Object.entries(row).map(([column, value]) => [column, named(column, value)])),
    ...(later_pages !== undefined && {
      pages: hits(later_pages, null),
      events: hits(custom_events, event_data),
      vitals: loads(vitals),
    }),
  });
  const isNothing = (row: Row, key: readonly string[]) => {
    const counters = Object.entries(row).filter(
      ([column, n]) => !key.includes(column) && typeof n === 'number',
    );
    return key.length > 0 && counters.length > 0 && counters.every(([, n]) => n === 0);
  };
  return Object.fromEntries(
    tables.map(({ name, key }) => {
      // Hours (span 0) are deleted some time after their raw events.
      const rows = (stored.get(name) ?? []).filter((row) => row.span !== 0 && !isNothing(row, key));
      const isDictionary = key.includes('value') && rows.every(({ id }) => typeof id === 'number');
      return [
        name,
        rows
          .map(({ [CLOCK]: _, [DRAWN]: __, ...row }) => {
            if (isDictionary) return { ...row, id: undefined };
            if (Array.isArray(row.path_id)) return saidOfPaths(row);
            if (Array.isArray(row.path)) return saidOfJourneys(row);
            return Array.isArray(row.value) ? saidOfValues(row) : said(row);
          })
          .map(canonical)
          .sort(),
      ];
    }),
  );
}
