/** Readers for the cells of a table. Each throws the `problem` of the broken rule. */

import { cleanUrl } from '../../collection/page-address.ts';
import { tidyText } from '../../collection/tidy-text.ts';
import { isDate } from '../../dates.ts';
import { isCountry } from '../../privacy/countries.ts';
import type { Row } from './read-table.ts';

/** The maximum of PostgreSQL's integer, which rollups use. */
export const MAX_COUNT = 2_147_483_647;
const MAX_TEXT_LENGTH = 2048;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROLS = /[\u0000-\u001f\u007f]/;

export function readCount(row: Row, column: string): number {
  const text = row.get(column);
  const count = Number(text);
  if (!/^\d{1,10}$/.test(text) || count > MAX_COUNT)
    throw row.problem(`must be a whole number from 0 to ${MAX_COUNT}`, column);
  return count;
}

/** A date such as `2026-11-21`. */
export function readDate(row: Row, column: string): string {
  const text = row.get(column);
  if (!isDate(text)) throw row.problem('must be a date like 2026-11-21, of the years 2000 to 2099', column);
  return text;
}

export function readText(row: Row, column: string): string {
  const text = row.get(column);
  if (text.length > MAX_TEXT_LENGTH)
    throw row.problem(`must have at most ${MAX_TEXT_LENGTH} characters`, column);
  if (CONTROLS.test(text)) throw row.problem('must not have control characters', column);
  return text;
}

/** Like `readText`, but cut as the tracker would cut it; undefined for an empty text. */
export const readLabel = (row: Row, column: string, max: number): string | undefined =>
  tidyText(readText(row, column), max);

/** A page's path as the tracker would store it. */
export function readPath(row: Row, column: string): string {
  const text = readText(row, column);
  const path = text.startsWith('/') ? cleanUrl(`https://example.com${text}`)?.path : undefined;
  if (path === undefined) throw row.problem('must be a path that begins with /', column);
  return path;
}

/** ISO 3166-1 alpha-2; undefined if unknown. */
export function readCountry(row: Row, column: string): string | undefined {
  const text = readText(row, column);
  if (text !== '' && !/^[A-Z][A-Z\d]$/.test(text))
    throw row.problem('must be a code of ISO 3166-1 alpha-2 like PT', column);
  return isCountry(text) ? text : undefined;
}
