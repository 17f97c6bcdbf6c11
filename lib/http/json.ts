import { DomainError } from '../errors.ts';
import { showPath } from '../rules.ts';
import { invalid } from './issues.ts';

const MAX_DEPTH = 16;
const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** Names that reach an object's prototype if code copies them carelessly. None of our fields has such a name. */
export const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export interface JsonOptions {
  /** Accepts deep nesting and prototype names too, for a caller that calls `refuseHostile` itself or copies no keys. */
  keepHostile?: boolean;
  /** Accepts NUL and lone surrogates, for a caller that repairs such text itself. The database can't store either. */
  keepIllFormedText?: boolean;
}

/**
 * Parses UTF-8 JSON. Throws `VALIDATION_ERROR` for broken UTF-8, broken JSON, deep nesting, prototype names and text that the database
 * can't store.
 */
export function parseJson(bytes: Uint8Array, options: JsonOptions = {}): unknown {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(bytes));
  } catch {
    // The parser's own error quotes the body, and the log must not hold bodies.
    throw new DomainError('VALIDATION_ERROR', 'The body is not JSON in UTF-8.');
  }
  if (options.keepHostile !== true) refuseHostile(value, [], options.keepIllFormedText === true);
  return value;
}

/** Throws `VALIDATION_ERROR` for NUL and lone surrogates. `path` is the path to the text. */
export function requireStorable(text: string, path: readonly unknown[]): void {
  if (text.isWellFormed() && !text.includes('\0')) return;
  throw invalid([{ path: showPath(path), message: 'must be well-formed text without NUL' }]);
}

/** Throws `VALIDATION_ERROR` for deep nesting, prototype names and, unless `keepText`, text that the database can't store. */
export function refuseHostile(value: unknown, path: readonly unknown[] = [], keepText = false): void {
  if (typeof value === 'string' && !keepText) requireStorable(value, path);
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= MAX_DEPTH)
    throw invalid([{ path: showPath(path), message: `must not be nested deeper than ${MAX_DEPTH}` }]);
  for (const [key, item] of Object.entries(value)) {
    const itemPath = [...path, key];
    if (FORBIDDEN.has(key)) throw invalid([{ path: showPath(itemPath), message: 'is not a known field' }]);
    if (!keepText) requireStorable(key, itemPath);
    refuseHostile(item, itemPath, keepText);
  }
}
