/** Fields that many boundaries have. */
import * as v from 'valibot';
import { DomainError } from './errors.ts';

export const Id = v.pipe(v.string(), v.uuid());
export const Instant = v.pipe(v.string(), v.isoTimestamp());
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A field of a document with what it says of it. */
export const told = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description));

/** What people call a thing of theirs. */
export const Name = v.pipe(
  v.string(),
  v.description('White space around it is cut.'),
  v.trim(),
  v.minLength(1),
  v.maxLength(100),
);

/** Of keys, which say so themselves. */
export const LastUsed = v.nullable(v.pipe(Instant, v.description('Exact to a minute.')));

/** One that the calendar has: others roll over into the next month, or are none. */
const isInstant = (text: string): boolean =>
  /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(text) &&
  new Date(text).toJSON()?.startsWith(text.slice(0, 19)) === true;

/** When something ends by itself, in a request; `requireToCome` refuses what has passed. */
export const ExpiresAt = v.optional(
  v.pipe(
    v.string(),
    v.check(isInstant, 'must be an instant like 2026-12-31T23:00:00.000Z'),
    v.metadata({
      jsonSchema: {
        type: 'string',
        format: 'date-time',
        description: 'In UTC, and to come. Default: it stays until it is revoked.',
      },
    }),
  ),
);

/** Throws `VALIDATION_ERROR` for an `expiresAt` that has passed. `now`: epoch milliseconds. */
export function requireToCome(expiresAt: string | undefined, now: number): void {
  if (expiresAt === undefined || Date.parse(expiresAt) > now) return;
  throw new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', {
    details: [{ path: 'expiresAt', message: 'must be in the future' }],
  });
}
