/** Sends what another tool counted, piece by piece, to whatever takes imports: the API, or the verbs themselves. */

import type { ImportedData, ImportedDimension, ValueRow } from '../visits/imported-data.ts';
import { MAX_PIECE_ROWS } from './import-limits.ts';
import type { AddImportPiece, BeginImport, Import, ImportDetail, ImportRoom } from './schemas.ts';

/** One site, as the routes of imports offer it. */
export interface ImportTarget {
  list: () => Promise<ImportRoom>;
  get: (importId: string) => Promise<ImportDetail>;
  begin: (begin: Omit<BeginImport, 'siteId'>) => Promise<Import>;
  add: (importId: string, piece: Piece) => Promise<void>;
  finish: (importId: string, pieces: number) => Promise<Import>;
  undo: (importId: string) => Promise<void>;
}

export type Piece = Omit<AddImportPiece, 'siteId' | 'importId'>;

/** Less than a body may have (docs/limits.md#requests), with room for the rest of it. */
const MAX_PIECE_BYTES = 60 * 1024;
const encoder = new TextEncoder();

/** The pieces of an import, the same each time: totals, then one dimension after the other. */
export function* piecesOf(data: ImportedData): Iterable<Piece> {
  let number = 0;
  const days = data.days.map(({ day, visitors, visits, hits }): [string, number, number, number] => [
    day,
    visitors,
    visits,
    hits,
  ]);
  for (const part of cut(days)) yield { number: ++number, days: part };
  for (const [dimension, values] of byDimension(data))
    for (const part of cut(values)) yield { number: ++number, dimension, values: part };
}

function* byDimension(data: ImportedData): Iterable<[ImportedDimension, ValueRow[]]> {
  let [dimension, values]: [ImportedDimension | undefined, ValueRow[]] = [undefined, []];
  for (const [name, row] of data.values()) {
    if (name !== dimension) {
      if (dimension !== undefined) yield [dimension, values];
      [dimension, values] = [name, []];
    }
    values.push(row);
  }
  if (dimension !== undefined) yield [dimension, values];
}

function* cut<Row>(rows: readonly Row[]): Iterable<Row[]> {
  let [part, bytes]: [Row[], number] = [[], 0];
  for (const row of rows) {
    const more = encoder.encode(JSON.stringify(row)).length + 1;
    if (part.length === MAX_PIECE_ROWS || bytes + more > MAX_PIECE_BYTES) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(row);
    bytes += more;
  }
  if (part.length > 0) yield part;
}

/** A hash of all pieces, by which an import that was broken off is found again. */
async function hashOf({
  source,
  dimensions,
  ...data
}: ImportedData): Promise<{ hash: string; pieces: number }> {
  let bytes = encoder.encode(JSON.stringify([source, dimensions]));
  let pieces = 0;
  for (const piece of piecesOf({ source, dimensions, ...data })) {
    const text = encoder.encode(JSON.stringify(piece));
    const whole = new Uint8Array(bytes.length + text.length);
    whole.set(bytes);
    whole.set(text, bytes.length);
    bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
    pieces += 1;
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return { hash: [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''), pieces };
}

/**
 * Sends an import and finishes it. If the same one was broken off before, it goes on where that stopped. `onRows` gets the number of rows of
 * each piece that is stored.
 *
 * @throws the errors of the target
 */
export async function sendImport(
  target: ImportTarget,
  data: ImportedData,
  onRows: (rows: number) => void = () => {},
): Promise<Import> {
  const { hash, pieces } = await hashOf(data);
  const begun = await target.begin({
    source: data.source,
    dimensions: [...data.dimensions],
    contentHash: hash,
  });
  for (const piece of piecesOf(data)) {
    if (piece.number > begun.pieces) await target.add(begun.id, piece);
    onRows((piece.days ?? piece.values ?? []).length);
  }
  return target.finish(begun.id, pieces);
}

/** The first of these days that an import of the site has already; undefined if all are free. */
export async function findTakenDay(
  target: Pick<ImportTarget, 'get'>,
  imports: readonly Import[],
  days: readonly { day: string }[],
): Promise<string | undefined> {
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  const near = imports.filter(
    ({ state, from, to }) => state === 'done' && from !== null && to !== null && from <= last && to >= first,
  );
  const taken = new Set(
    (await Promise.all(near.map(({ id }) => target.get(id)))).flatMap(({ dates }) => dates),
  );
  return days.find(({ day }) => taken.has(day))?.day;
}
