import type * as v from 'valibot';
import type { Cell } from './csv.ts';

/** A value within a report's items: the names that lead to it. */
export type Column = readonly string[];

/** The columns of a report from what its items are; objects within them are laid out flat, in their order. */
export function columnsOf(entries: v.ObjectEntries, path: Column = []): Column[] {
  return Object.entries(entries).flatMap(([name, schema]) => {
    const column = [...path, name];
    return 'entries' in schema ? columnsOf(schema.entries as v.ObjectEntries, column) : [column];
  });
}

/** A list within an item is one cell, as JSON. */
export const cellAt = (item: object, column: Column): Cell => {
  const value = column.reduce<unknown>(
    (part, name) => (part as Record<string, unknown> | undefined)?.[name],
    item,
  );
  if (Array.isArray(value)) return JSON.stringify(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
};
