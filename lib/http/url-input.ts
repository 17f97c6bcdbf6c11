/** Reads a typed input from a URL's text. The schema alone decides how each text is read. */
import type * as v from 'valibot';
import { showPath } from '../rules.ts';
import { invalid } from './issues.ts';
import { FORBIDDEN, requireStorable } from './json.ts';

/** A strict object with a route's input: one entry per path parameter and per parameter of the query or field of the body. */
export type InputSchema = v.GenericSchema & { readonly entries: v.ObjectEntries };

/** Entries that are objects have one parameter per field, with this prefix: `filters.country` is `filter_country` in a URL. */
export const PREFIXES: Readonly<Record<string, string>> = {
  filters: 'filter_',
  attributes: 'attr.',
  resource: 'resource.',
};

/** How a parameter's text is read. */
export type TextKind = 'text' | 'number' | 'boolean' | 'list' | 'fields';

interface AnySchema {
  type: string;
  wrapped?: AnySchema;
  options?: readonly unknown[];
  entries?: v.ObjectEntries;
}

/** What an optional schema wraps; a piped one is like the schema that it begins with. */
function unwrap(schema: v.GenericSchema): AnySchema {
  let inner: AnySchema = schema;
  while (inner.wrapped !== undefined) inner = inner.wrapped;
  return inner;
}

/** How the text of an entry is read. Optional and piped schemas count as the schema that they wrap. */
export function kindOf(schema: v.GenericSchema): TextKind {
  const inner = unwrap(schema);
  switch (inner.type) {
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'list';
    case 'strict_object':
    case 'loose_object':
    case 'record':
      return 'fields';
    case 'picklist':
      return typeof inner.options?.[0] === 'number' ? 'number' : 'text';
    default:
      return 'text';
  }
}

/** Accepts exactly one spelling of each number. Other text stays text, and the schema then refuses it. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{0,5}[1-9])?$/;

function typedValue(kind: TextKind, text: string): unknown {
  if (kind === 'number') return NUMBER.test(text) ? Number(text) : text;
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return kind === 'list' ? text.split(',') : text;
}

/**
 * The parameters of a query as fields of the input, unchecked. Unknown names stay, so that the schema refuses them; an input of a page for
 * people is an object that isn't strict, and goes without them. Throws `VALIDATION_ERROR` for a repeated parameter and for text that the database can't
 * store.
 */
export function readParameters(schema: InputSchema, query: URLSearchParams): Record<string, unknown> {
  const input: Record<string, unknown> = Object.create(null);
  const prefixes = Object.entries(PREFIXES).filter(([field]) => field in schema.entries);
  const seen = new Set<string>();
  for (const [name, text] of query) {
    if (schema.type === 'object' && !Object.hasOwn(schema.entries, name)) continue;
    if (seen.has(name)) throw invalid([{ path: showPath([name]), message: 'must not be repeated' }]);
    seen.add(name);
    if (FORBIDDEN.has(name)) throw invalid([{ path: name, message: 'is not a known field' }]);
    requireStorable(text, [name]);
    const [field, prefix] = prefixes.find(([, start]) => name.startsWith(start)) ?? [];
    if (field === undefined || prefix === undefined) {
      const entry = Object.hasOwn(schema.entries, name)
        ? (schema.entries[name] as v.GenericSchema)
        : undefined;
      const kind = entry === undefined ? 'text' : kindOf(entry);
      if (kind === 'fields') throw invalid([{ path: name, message: 'is not a known field' }]);
      input[name] = typedValue(kind, text);
      continue;
    }
    input[field] ??= Object.create(null);
    const fields = input[field] as Record<string, unknown>;
    const key = name.slice(prefix.length);
    if (FORBIDDEN.has(key)) throw invalid([{ path: showPath([name]), message: 'is not a known field' }]);
    fields[key] = typedValue(kindOfField(schema.entries[field] as v.GenericSchema, key), text);
  }
  return input;
}

function kindOfField(schema: v.GenericSchema, key: string): TextKind {
  const entries = entriesOf(schema);
  return entries !== undefined && Object.hasOwn(entries, key)
    ? kindOf(entries[key] as v.GenericSchema)
    : 'text';
}

/** The fields of an entry that is an object; undefined for other entries, and for a record, because a record's names are free. */
export const entriesOf = (schema: v.GenericSchema): v.ObjectEntries | undefined => unwrap(schema).entries;

/** The path of an input field as its URL parameter: `['filters', 'country']` is `filter_country`. */
export function parameterPath(keys: readonly unknown[]): readonly unknown[] {
  const [field, key, ...rest] = keys;
  const prefix = PREFIXES[String(field)];
  return prefix === undefined || key === undefined ? keys : [`${prefix}${String(key)}`, ...rest];
}
