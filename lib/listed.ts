import { notFound } from './errors.ts';

/**
 * What a `left join` found of something. Throws `NOT_FOUND` (of `what`) without any row, since that isn't there then; one row of
 * nulls says that it has nothing.
 */
export function listed<Row extends { id: string }>(rows: readonly object[], what: string): Row[] {
  if (rows.length === 0) throw notFound(what);
  return (rows as (Row | { id: null })[]).filter((row): row is Row => row.id !== null);
}
