import type { Ports } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';

/**
 * Removes exactly the rows of an import (schema/functions/imports.sql, `undo_import`). The cost grows with the import's rows. Deleting
 * unused texts also reads the site's rollups of values.
 *
 * @throws `NOT_FOUND`, `UNAVAILABLE`
 */
export async function undoImport(
  { sql, now }: Ports,
  { siteId, importId }: { siteId: string; importId: string },
): Promise<void> {
  const instant = new Date(now()).toISOString();
  const [row] = await reach(
    sql`select undo_import(${siteId}::uuid, ${importId}::uuid, ${instant}::timestamptz) as undone`,
  );
  if (row?.undone !== true) throw notFound('import');
}
