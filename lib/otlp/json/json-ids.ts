import { INVALID_ID } from '../known-id.ts';
import { type Fields, stringOf } from './json-fields.ts';

const TRACE_ID = /^[0-9a-f]{32}$/i;
const SPAN_ID = /^[0-9a-f]{16}$/i;

/** Reads an id of `size` bytes (16 or 8): lower-case hexadecimal; empty if absent or all zero; `INVALID_ID` for anything else. */
export function idOf(fields: Fields, name: string, size: 16 | 8): string {
  const text = stringOf(fields, name);
  if (text === '') return '';
  if (!(size === 16 ? TRACE_ID : SPAN_ID).test(text)) return INVALID_ID;
  return /^0+$/.test(text) ? '' : text.toLowerCase();
}
