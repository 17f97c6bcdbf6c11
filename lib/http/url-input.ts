/** Reads a typed input from a URL's text. The schema alone says what the text stands for. */
import type * as v from 'valibot';
import { invalid, showPath } from './issues.ts';
import { FORBIDDEN, requireStorable } from './json.ts';

/** A strict object of a route's input: one entry for each path parameter and each parameter of the query or field of the body. */
export type InputSchema = v.GenericSchema & { readonly entries: v.ObjectEntries };

/**
 * Entries that are objects take one parameter for each of their fields, named by this prefix and the field: `filters.country` is
 * `filter_country` in a URL.
 */
export const PREFIXES: Readonly<Record<string, string>> = {
  filters: 'filter_',
  attributes: 'attr.',
  resource: 'resource.',
};

/** What a parameter's text stands for. */
export type TextKind = 'text' | 'number' | 'boolean' | 'list' | 'fields';

interface AnySchema {
  type: string;
  wrapped?: AnySchema;
  options?: readonly unknown[];
  literal?: unknown;
}

/** What the text of an entry stands for. Optional and piped schemas are what they wrap. */
export function kindOf(schema: v.GenericSchema): TextKind {
  let inner = schema as unknown as AnySchema;
  while (inner.wrapped !== undefined) inner = inner.wrapped;
  switch (inner.type) {
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'list';
    case 'strict_object':
    case 'record':
      return 'fields';
    case 'picklist':
      return typeof inner.options?.[0] === 'number' ? 'number' : 'text';
    default:
      return 'text';
  }
}

/** One way to write each number. Other text stays text, which the schema then refuses as no number. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{0,5}[1-9])?$/;

function typedValue(kind: TextKind, text: string): unknown {
  if (kind === 'number') return NUMBER.test(text) ? Number(text) : text;
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return kind === 'list' ? text.split(',') : text;
}

/**
 * The parameters of a query as fields of the input, not yet checked. Names that the schema doesn't know stay, so that it refuses them.
 * Throws `VALIDATION_ERROR` for a repeated parameter and for text that the database can't hold.
 */
export function readParameters(schema: InputSchema, query: URLSearchParams): Record<string, unknown> {
  const input: Record<string, unknown> = Object.create(null);
  const prefixes = Object.entries(PREFIXES).filter(([field]) => field in schema.entries);
  const seen = new Set<string>();
  for (const [name, text] of query) {
    if (seen.has(name)) throw invalid([{ path: showPath([name]), message: 'must not be repeated' }]);
    seen.add(name);
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

/** The fields of an entry that is an object; undefined for any other, and for a record, whose names are free. */
export function entriesOf(schema: v.GenericSchema): v.ObjectEntries | undefined {
  let inner = schema as unknown as AnySchema & { entries?: v.ObjectEntries };
  while (inner.wrapped !== undefined) inner = inner.wrapped;
  return inner.entries;
}

/** A field of the input as its parameter in a URL is called: `['filters', 'country']` is `filter_country`. */
export function parameterPath(keys: readonly unknown[]): readonly unknown[] {
  const [field, key, ...rest] = keys;
  const prefix = PREFIXES[String(field)];
  return prefix === undefined || key === undefined ? keys : [`${prefix}${String(key)}`, ...rest];
}
