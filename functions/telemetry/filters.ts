import type { Context } from 'hono';
import * as v from 'valibot';
import { MAX_CURSOR_LENGTH } from '../../lib/cursor.ts';
import { invalid, showPath } from '../../lib/http/issues.ts';
import { readQuery } from '../../lib/http/read.ts';
import type { AttributeFilter } from '../../lib/telemetry/attribute-terms.ts';

const DEFAULT_LIMIT = '10';
const MAX_ATTRIBUTES = 8;

export const limit = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100'),
    v.metadata({ jsonSchema: { type: 'integer', minimum: 1, maximum: 100 } }),
  ),
  DEFAULT_LIMIT,
);

export const cursorOf = (maxLength = MAX_CURSOR_LENGTH) =>
  v.optional(
    v.pipe(
      v.string(),
      v.description('`meta.nextCursor` of the page before, with everything else in the request the same.'),
      v.maxLength(maxLength),
    ),
  );

/** What every list takes. */
export const paging = { limit, cursor: cursorOf() };

const ATTRIBUTE = /^(attr|resource)\.([^\p{Cc}\p{Cs}]{1,256})$/u;

/** The query by a schema that takes others than those that are `known`: refuses them, but for `attr.<key>` and `resource.<key>`. */
export function readFilters<Schema extends v.GenericSchema>(
  c: Context,
  known: object,
  schema: Schema,
): v.InferOutput<Schema> {
  const others = [...new URL(c.req.url).searchParams.keys()].filter((name) => !Object.hasOwn(known, name));
  const unknown = others.filter((name) => !ATTRIBUTE.test(name));
  if (unknown.length > 0)
    throw invalid(
      unknown.slice(0, 1).map((name) => ({ path: showPath([name]), message: 'is not a known field' })),
    );
  if (others.length > MAX_ATTRIBUTES)
    throw invalid([{ path: '', message: `must ask for at most ${MAX_ATTRIBUTES} attributes` }]);
  return readQuery(c, schema);
}

/** The attributes that a query of `readFilters` asks for. */
export const attributesOf = (query: object, prefix: 'attr' | 'resource'): AttributeFilter =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const [, of, key] = ATTRIBUTE.exec(name) ?? [];
      return of === prefix && key !== undefined ? [[key, String(value)]] : [];
    }),
  );
