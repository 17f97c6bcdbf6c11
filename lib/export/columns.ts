import type * as v from 'valibot';
import type { Cell } from './csv.ts';

/** The path to a value in an item of a report. */
export type Column = readonly string[];

/** The columns of a report, from its items' schema. Nested objects are flattened, in their order, optional ones too. */
export function columnsOf(entries: v.ObjectEntries, path: Column = []): Column[] {
  return Object.entries(entries).flatMap(([name, schema]) => {
    const column = [...path, name];
    const inner: object = 'wrapped' in schema ? (schema.wrapped as object) : schema;
    return 'entries' in inner ? columnsOf(inner.entries as v.ObjectEntries, column) : [column];
  });
}

/** The value of one cell. A list becomes one cell of JSON. */
export const cellAt = (item: object, column: Column): Cell => {
  const value = column.reduce<unknown>(
    (part, name) => (part as Record<string, unknown> | undefined)?.[name],
    item,
  );
  if (Array.isArray(value)) return JSON.stringify(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
};
