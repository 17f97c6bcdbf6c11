import type { Context } from 'hono';
import * as v from 'valibot';
import { notFound } from '../errors.ts';
import { idFrom } from '../id-from.ts';
import { check, invalid } from './issues.ts';
import { type JsonOptions, parseJson } from './json.ts';
import { requireMediaType } from './media-type.ts';
import { MAX_BODY_BYTES, readBody } from './read-body.ts';
import { type InputSchema, parameterPath, readParameters } from './url-input.ts';

export interface BodyOptions extends JsonOptions {
  /** Media types that the JSON may have. */
  accept?: readonly string[];
  maxBytes?: number;
}

/** The request's JSON body, unchecked. Throws `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE` or `VALIDATION_ERROR`. */
export async function readJsonValue(
  c: Context,
  { accept = ['application/json'], maxBytes = MAX_BODY_BYTES, ...options }: BodyOptions = {},
): Promise<Record<string, unknown>> {
  requireMediaType(c.req.raw.headers, accept);
  const value = parseJson(await readBody(c.req.raw, maxBytes), options);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ path: '', message: 'must be an object' }]);
  }
  return value as Record<string, unknown>;
}

/** The request's JSON body, checked by a schema: a strict object whose strings and lists are all bounded. */
export async function readJson<Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
  options?: BodyOptions,
): Promise<v.InferOutput<Schema>> {
  return check(schema, await readJsonValue(c, options));
}

/** The request's query. The URL is parsed only if it has one. */
export const queryOf = (c: Context): URLSearchParams =>
  c.req.url.includes('?') ? new URL(c.req.url).searchParams : new URLSearchParams();

/** Reads the query as fields of a typed input, checked, together with the ids of the path. Refuses repeated and unknown parameters. */
export const readQuery = <Schema extends InputSchema>(
  c: Context,
  schema: Schema,
  ids: Readonly<Record<string, string>> = {},
): v.InferOutput<Schema> => check(schema, withIds(readParameters(schema, queryOf(c)), ids), parameterPath);

/** Joins the fields of the query or body with ids that are already known. Refuses fields that repeat one of the ids. */
export function withIds(
  fields: Record<string, unknown>,
  ids: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const again = Object.keys(ids).find((name) => name in fields);
  if (again !== undefined) throw invalid([{ path: again, message: 'is not a known field' }]);
  return { ...fields, ...ids };
}

/** The query of endpoints without one. */
export const NoQuery = v.strictObject({});

/** For endpoints without a query: refuses every parameter. */
export function refuseQuery(c: Context): void {
  if (c.req.url.includes('?')) readQuery(c, NoQuery);
}

/** An id in the path. A malformed id gets the same `NOT_FOUND` as an unknown one. */
export function readId(c: Context, parameter: string, what: string): string {
  const id = idFrom(c.req.param(parameter));
  if (id === undefined) throw notFound(what);
  return id;
}
