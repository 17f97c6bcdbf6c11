import type { Ports } from './context.ts';
import type { Sql } from './db.ts';

/** The row that a batched statement returns. */
interface Batch {
  /** Number of rows. */
  deleted: number;
  /** True when nothing is left to delete. */
  finished: boolean;
}

/** Maximum rows per transaction, which then holds its locks for some tenths of a second. */
export const ROWS_A_BATCH = 5000;
/** Maximum time of a run. The next run starts after 15 minutes. */
const RUN_MS = 20_000;

/**
 * Repeats a statement, each time with the present instant, until nothing is left or the time is up. The next run continues. Returns how
 * many rows were deleted.
 */
export async function runBatches(
  { now }: Ports,
  piece: (instant: string) => ReturnType<Sql>,
): Promise<{ deletedRows: number }> {
  const end = now() + RUN_MS;
  let deletedRows = 0;
  do {
    const [row] = await piece(new Date(now()).toISOString());
    const { deleted, finished } = row as Batch;
    deletedRows += deleted;
    if (finished) break;
  } while (now() < end);
  return { deletedRows };
}
