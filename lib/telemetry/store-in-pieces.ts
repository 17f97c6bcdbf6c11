import { isCheckViolation } from '../db.ts';

/** Copies the object without empty values and zeros; undefined if nothing is left, as for most rows. */
export function leaveOutEmpty(
  fields: Record<string, string | number>,
): Record<string, string | number> | undefined {
  const kept = Object.entries(fields).filter(([, value]) => value !== '' && value !== 0);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Maximum number of items that one statement stores. Official exporters send up to 512 items at once, the Collector 8,192. */
const MAX_PIECE = 8192;
const MAX_TRIES = 5;

/** Calls `store` with all rows at once, or with one piece after the other if the whole text would fill a Worker's memory. */
export async function inPieces<Row>(
  rows: readonly Row[],
  store: (piece: Row[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += MAX_PIECE) {
    const piece = rows.slice(from, from + MAX_PIECE);
    await despiteNewDay(() => store(piece));
  }
}

/**
 * Tries again when another request has just created a day's partition: PostgreSQL commits before it notifies other connections. For a
 * moment a connection knows that the partition exists but can't route rows to it.
 */
async function despiteNewDay(store: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await store();
      return;
    } catch (error) {
      if (tries === MAX_TRIES || !isCheckViolation(error)) throw error;
    }
  }
}
