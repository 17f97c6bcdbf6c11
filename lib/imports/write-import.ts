import type { Ports } from '../context.ts';
import { reach } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import type { ImportedData } from './imported-data.ts';
import { undoImport } from './undo-import.ts';

export interface WriteImportInput {
  /** A UUID. */
  siteId: string;
  data: ImportedData;
  /** Called after each part with the number of its rows. */
  onRows?: (rows: number) => void;
}

const REFUSALS = {
  own: 'The site has events of its own by one of these days: only days before its first event can be imported.',
  imported: 'Some of these days were imported before. Undo that import first.',
};

/**
 * Writes days that another tool counted into the rollups, all or nothing: reports see the import only when the last part is in
 * (schema/functions/imports.sql). One statement per part, whose cost grows with its rows.
 *
 * @returns the id of the import
 * @throws `NOT_FOUND`, `CONFLICT` if the site or another import has one of the days, `UNAVAILABLE`
 */
export async function writeImport(ctx: Ports, { siteId, data, onRows }: WriteImportInput): Promise<string> {
  const { sql } = ctx;
  const instant = new Date(ctx.now()).toISOString();
  const totals = data.days.map(({ day, visitors, visits, hits }) => [day, visitors, visits, hits]);
  const [begun] = await reach(sql`
    select import_id, refused from begin_import(${siteId}::uuid, ${data.source}, ${JSON.stringify(totals)}::jsonb,
      ${list(data.dimensions)}::text[], ${data.rows}::bigint, ${instant}::timestamptz)`);
  const { import_id: importId, refused } = begun as {
    import_id: string;
    refused: 'site' | 'own' | 'imported' | null;
  };
  if (refused === 'site') throw notFound('site');
  if (refused !== null) throw new DomainError('CONFLICT', REFUSALS[refused]);
  try {
    await addParts(ctx, siteId, importId, data, onRows);
    const [row] = await reach(
      sql`select finish_import(${siteId}::uuid, ${importId}::uuid, ${instant}::timestamptz) as done`,
    );
    if (row?.done !== true) throw new DomainError('CONFLICT', REFUSALS.own);
    return importId;
  } catch (error) {
    // If this fails too, the rest stays invisible, and the next import deletes it.
    await undoImport(ctx, { siteId, importId }).catch(() => {});
    throw error;
  }
}

async function addParts(
  { sql }: Ports,
  siteId: string,
  importId: string,
  { days, parts }: ImportedData,
  onRows: WriteImportInput['onRows'],
): Promise<void> {
  const dates = list(days.map(({ day }) => day));
  for (const part of parts()) {
    const [row] = await reach(sql`
      select add_import_values(${siteId}::uuid, ${importId}::uuid, ${part.dimension}, ${dates}::date[], ${JSON.stringify(part.texts)}::jsonb,
        ${list(part.dayPlaces)}::integer[], ${list(part.textPlaces)}::integer[], ${list(part.visitors)}::integer[],
        ${list(part.visits)}::integer[], ${list(part.hits)}::integer[]) as added`);
    if (row?.added !== true)
      throw new DomainError('CONFLICT', 'Another import of this site began in the meantime. Try again.');
    onRows?.(part.dayPlaces.length);
  }
}

/** Our own numbers, dates and names as a PostgreSQL array. The driver's own conversion would quote each item. */
const list = (items: readonly (number | string)[]): string => `{${items.join(',')}}`;
