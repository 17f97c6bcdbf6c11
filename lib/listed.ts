import { notFound } from './errors.ts';

/**
 * The rows that a `left join` found. Throws `NOT_FOUND` (of `what`) without any row, because then the parent doesn't exist; a row of nulls
 * means that the parent has no items.
 */
export function listed<Row extends { id: string }>(rows: readonly object[], what: string): Row[] {
  if (rows.length === 0) throw notFound(what);
  return (rows as (Row | { id: null })[]).filter((row): row is Row => row.id !== null);
}
