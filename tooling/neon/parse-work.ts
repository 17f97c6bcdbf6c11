import type { IncomingHttpHeaders } from 'node:http';
import { BadRequest } from './neon-errors.ts';
import { parameterText } from './parameter-text.ts';

export interface Statement {
  query: string;
  params: (string | null)[];
  /** Rows are arrays of column values instead of objects. */
  arrayMode: boolean;
}

/** One statement, or several in a transaction that `begin` opens. */
export type Work =
  | { kind: 'single'; statement: Statement }
  | { kind: 'batch'; begin: string; statements: Statement[] };

/** PostgreSQL stores the number of parameters in 16 bits. */
const MAX_PARAMETERS = 65_535;

const ISOLATION_LEVELS = new Map([
  ['ReadUncommitted', 'read uncommitted'],
  ['ReadCommitted', 'read committed'],
  ['RepeatableRead', 'repeatable read'],
  ['Serializable', 'serializable'],
]);

/** Parses a request of the driver: `{query, params}` or `{queries: [...]}`, and its `Neon-*` headers. Throws `BadRequest`. */
export function parseWork(body: string, headers: IncomingHttpHeaders): Work {
  if (headers['neon-raw-text-output'] !== 'true') {
    throw new BadRequest('only Neon-Raw-Text-Output: true is spoken here');
  }
  const arrayMode = headers['neon-array-mode'] === 'true';
  const payload = parseJson(body);
  if (!isObject(payload)) throw malformed('not an object');
  if (!('queries' in payload)) return { kind: 'single', statement: parseStatement(payload, arrayMode) };
  if (!Array.isArray(payload.queries)) throw malformed('queries is not an array');
  return {
    kind: 'batch',
    begin: beginStatement(headers),
    statements: payload.queries.map((query) => parseStatement(query, arrayMode)),
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw malformed('not JSON');
  }
}

function parseStatement(value: unknown, arrayMode: boolean): Statement {
  if (!isObject(value) || typeof value.query !== 'string') throw malformed('query is not a string');
  const { query, params: given = [] } = value;
  if (!Array.isArray(given)) throw malformed('params is not an array');
  if (given.length > MAX_PARAMETERS) throw malformed(`more than ${MAX_PARAMETERS} params`);
  const params = given.map(parameterText);
  // The wire protocol ends a statement at its first NUL, and lone surrogates of JSON have no UTF-8 form.
  if (query.includes('\0')) throw malformed('query holds a NUL');
  if (!query.isWellFormed() || !params.every((text) => text?.isWellFormed() ?? true)) {
    throw malformed('lone surrogate');
  }
  return { query, params, arrayMode: typeof value.arrayMode === 'boolean' ? value.arrayMode : arrayMode };
}

function beginStatement(headers: IncomingHttpHeaders): string {
  const level = headers['neon-batch-isolation-level'];
  const isolation = level === undefined ? undefined : ISOLATION_LEVELS.get(String(level));
  if (level !== undefined && isolation === undefined) throw new BadRequest('invalid isolation level');
  return [
    'begin',
    isolation && `isolation level ${isolation}`,
    headers['neon-batch-read-only'] === 'true' && 'read only',
    headers['neon-batch-deferrable'] === 'true' && 'deferrable',
  ]
    .filter(Boolean)
    .join(' ');
}

const malformed = (reason: string): BadRequest =>
  new BadRequest(`could not parse the HTTP request body: ${reason}`);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
