import type { Context } from 'hono';
import * as v from 'valibot';
import { notFound } from '../errors.ts';
import { check, invalid, showPath } from './issues.ts';
import { type JsonOptions, parseJson, requireStorable } from './json.ts';
import { requireMediaType } from './media-type.ts';
import { MAX_BODY_BYTES, readBody } from './read-body.ts';

export interface BodyOptions extends JsonOptions {
  /** Media types that may carry the JSON. */
  accept?: readonly string[];
  maxBytes?: number;
}

/**
 * The request's JSON body, checked. Throws `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE` or `VALIDATION_ERROR`.
 * Schemas are strict objects with every string and list bounded.
 */
export async function readJson<Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
  { accept = ['application/json'], maxBytes = MAX_BODY_BYTES, ...options }: BodyOptions = {},
): Promise<v.InferOutput<Schema>> {
  requireMediaType(c.req.raw.headers, accept);
  const value = parseJson(await readBody(c.req.raw, maxBytes), options);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ path: '', message: 'must be an object' }]);
  }
  return check(schema, value);
}

/** The query, checked. Repeated parameters are refused, and unknown ones by the schema, a strict object of strings. */
export function readQuery<Schema extends v.GenericSchema>(c: Context, schema: Schema): v.InferOutput<Schema> {
  const query: Record<string, string> = Object.create(null);
  if (!c.req.url.includes('?')) return check(schema, query);
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (name in query) throw invalid([{ path: showPath([name]), message: 'must not be repeated' }]);
    requireStorable(value, [name]);
    query[name] = value;
  }
  return check(schema, query);
}

/** For endpoints that take no query: every parameter is refused. */
export const NoQuery = v.strictObject({});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id in the path. One that can't be an id is like one that nobody has: `NOT_FOUND`. */
export function readId(c: Context, parameter: string, what: string): string {
  const value = c.req.param(parameter);
  if (value === undefined || !UUID.test(value)) throw notFound(what);
  return value.toLowerCase();
}

/** The site that the path names. */
export const siteIdOf = (c: Context): string => readId(c, 'siteId', 'site');
