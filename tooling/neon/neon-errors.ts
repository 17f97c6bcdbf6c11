import pg from 'pg';
import type { Answer } from '../endpoint/serve.ts';

/** The request is invalid; it was not sent to PostgreSQL. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** No connection to PostgreSQL was possible, or it broke before the answer. */
export class OutOfReach extends Error {
  override readonly name = 'OutOfReach';
}

/** The fields that the driver copies from an error's body to its `NeonDbError`. */
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
 * An error in the form that the driver expects: an error of PostgreSQL is a 400 with all its fields, an unreachable database a 503 (a
 * `NeonDbError` without a code). Any other error is a defect and is thrown on.
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
