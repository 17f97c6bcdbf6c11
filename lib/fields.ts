/** Fields that many input and output schemas share. */
import * as v from 'valibot';
import { DomainError } from './errors.ts';

export const Id = v.pipe(v.string(), v.uuid());
export const Instant = v.pipe(v.string(), v.isoTimestamp());
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A whole number from 1 to `most`. */
export function oneTo(most: number) {
  const rule = `must be a whole number from 1 to ${most}`;
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(1, rule), v.maxValue(most, rule));
}

/** A schema with a description for the OpenAPI document. */
export const described = <Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description));

/** A name that people choose. */
export const Name = v.pipe(
  v.string(),
  v.description('White space around it is removed.'),
  v.trim(),
  v.minLength(1),
  v.maxLength(100),
);

/** When a key was last used. */
export const LastUsed = v.nullable(v.pipe(Instant, v.description('Exact to a minute.')));

/** Whether the date exists in the calendar. `Date` rolls 31 April over to 1 May, or returns no date. */
const isInstant = (text: string): boolean =>
  /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(text) &&
  new Date(text).toJSON()?.startsWith(text.slice(0, 19)) === true;

/** The end of a key or share in a request. `requireToCome` refuses an instant in the past. */
export const ExpiresAt = v.optional(
  v.pipe(
    v.string(),
    v.check(isInstant, 'must be an instant like 2026-12-31T23:00:00.000Z'),
    v.metadata({
      jsonSchema: {
        type: 'string',
        format: 'date-time',
        description: 'An instant in the future, in UTC. Default: valid until it is revoked.',
      },
    }),
  ),
);

/** The error for a field that breaks a rule which its schema can't know. */
export const invalidField = (path: string, message: string): DomainError =>
  new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', {
    details: [{ path, message }],
  });

/** Throws `VALIDATION_ERROR` for an `expiresAt` in the past. `now`: epoch milliseconds. */
export function requireToCome(expiresAt: string | undefined, now: number): void {
  if (expiresAt === undefined || Date.parse(expiresAt) > now) return;
  throw invalidField('expiresAt', 'must be in the future');
}

/** Whether a text is an origin as browsers write it, such as `https://api.example.com`: no path, no default port, no wildcard, lower case. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  // A host may have other signs, such as a semicolon, which mean something in a header.
  if (url === null || url.origin !== text || !/^https?:\/\/[\w.:[\]-]+$/.test(text)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost');
}

export const MAX_ORIGIN_LENGTH = 300;

export const OriginText = v.pipe(
  v.string(),
  v.maxLength(MAX_ORIGIN_LENGTH),
  v.check(isOrigin, 'must be an origin as https://api.example.com, or of http://localhost'),
);
