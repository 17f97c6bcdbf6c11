import { type DomainError, notFound } from '../errors.ts';
import { type Role, viewersOnlyRead } from './site.ts';

/** What a statement answers that writes something of a site: the caller's role, and what was written, if anything was. */
export type Written<Row> = { role: Role } & (Row | { id: null });

/**
 * The row that was written. Throws `NOT_FOUND` without any (the site is nobody's or somebody else's), `FORBIDDEN` for
 * viewers, and else what `refused` makes, if nothing was written.
 */
export function requireWritten<Row extends { id: string }>(
  rows: readonly Written<Row>[],
  refused: () => DomainError,
): Row {
  const [row] = rows;
  if (row === undefined) throw notFound('site');
  if (row.role === 'viewer') throw viewersOnlyRead();
  if (row.id === null) throw refused();
  return row;
}
