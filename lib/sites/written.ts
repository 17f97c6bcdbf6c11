import type { DomainError } from '../errors.ts';
import { requireWritten as requireWrittenBy, type Written } from '../projects/project.ts';

export type { Written };

/**
 * The row that was written of a site. Throws `NOT_FOUND` without any (the site is nobody's or somebody else's), `FORBIDDEN`
 * for viewers, and else what `refused` makes, if nothing was written.
 */
export const requireWritten = <Row extends { id: string }>(
  rows: readonly Written<Row>[],
  refused: () => DomainError,
): Row => requireWrittenBy(rows, { what: 'site', refused });
