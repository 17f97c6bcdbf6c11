import pg from 'pg';
import type { Answer } from '../endpoint/serve.ts';

/** The request can't be understood; PostgreSQL was not asked. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** No connection to PostgreSQL could be had, or it was lost before the answer came. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach';
}

/** What the driver copies from an error's body to its `NeonDbError`. */
const FIELDS = [
  'code',
  'detail',
  'hint',
  'position',
  'internalPosition',
  'internalQuery',
  'severity',
  'where',
  'table',
  'column',
  'schema',
  'dataType',
  'constraint',
  'file',
  'line',
  'routine',
] as const;

/**
 * An error as the driver expects it: what PostgreSQL reports is a 400 with all its fields, a database out of reach a
 * 503 (of which the driver makes a `NeonDbError` without a code). Anything else is thrown on: it is a defect.
 */
export function failureAnswer(error: unknown): Answer {
  if (error instanceof pg.DatabaseError) {
    const fields = FIELDS.map((field) => [field, error[field] ?? null]);
    return answer(400, { message: error.message, ...Object.fromEntries(fields) });
  }
  if (error instanceof BadRequest) return answer(400, { message: error.message, code: '' });
  if (error instanceof OutOfReach) return answer(503, { message: error.message });
  throw error;
}

export const tooLarge = (what: 'request' | 'response', maxBytes: number): Answer =>
  answer(what === 'request' ? 413 : 507, { message: `${what} is too large (max is ${maxBytes} bytes)` });

export const wrongPassword = (): Answer =>
  answer(400, {
    message: 'password authentication failed: use the connection string that this endpoint was started with',
    code: '28P01',
    severity: 'FATAL',
  });

export const unknownPath = (): Answer => answer(404, { message: 'the endpoint is POST /sql' });

const answer = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });
