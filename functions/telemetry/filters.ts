import type { Context } from 'hono';
import type * as v from 'valibot';
import { invalid, showPath } from '../../lib/http/issues.ts';
import { readQuery } from '../../lib/http/read.ts';
import type { AttributeFilter } from '../../lib/telemetry/attribute-terms.ts';

const MAX_ATTRIBUTES = 8;

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
