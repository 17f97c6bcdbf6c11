import type { Ports } from './context.ts';
import type { Sql } from './db.ts';

/** The row of a statement that does a piece of a work. */
interface Batch {
  /** Rows. */
  deleted: number;
  /** Nothing is left. */
  finished: boolean;
}

/** Rows that one transaction deletes at most: it holds its locks for some tenths of a second. */
export const ROWS_A_BATCH = 5000;
/** How long a run goes on: the next one comes after 15 minutes. */
const RUN_MS = 20_000;

/**
 * Repeats a statement, each time as of the present instant, until nothing is left or time is up; the rest is for the next run.
 * Answers how many rows it deleted.
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
