import type { Ports } from './context.ts';

/** What one statement did of a work that is done piece by piece. */
export interface Batch {
  /** Rows. */
  deleted: number;
  /** Nothing is left. */
  finished: boolean;
}

/** Rows that one transaction deletes at most: it holds its locks for some tenths of a second. */
export const ROWS_A_BATCH = 5000;
/** How long a run goes on: the next one comes after 15 minutes. */
const RUN_MS = 20_000;

/** Repeats until nothing is left or time is up; the rest is for the next run. Answers how many rows it deleted. */
export async function runBatches({ now }: Ports, batch: () => Promise<Batch>): Promise<number> {
  const end = now() + RUN_MS;
  let total = 0;
  do {
    const { deleted, finished } = await batch();
    total += deleted;
    if (finished) return total;
  } while (now() < end);
  return total;
}
