import { isCheckViolation } from '../db.ts';

/** Without what is empty or 0; undefined if nothing is left, which is what most rows have. */
export function leaveOutEmpty(
  fields: Record<string, string | number>,
): Record<string, string | number> | undefined {
  const kept = Object.entries(fields).filter(([, value]) => value !== '' && value !== 0);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** A piece of a request that one statement stores. Official exporters send up to 512 items at once, the Collector 8,192. */
const MAX_PIECE = 8192;
const MAX_TRIES = 5;

/** Calls `store` with the rows, all at once, or one after the other in pieces that a Worker's memory holds as text too. */
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
 * Another request may have made a day's partition this very moment: PostgreSQL commits before it tells other connections, so that
 * one sees the partition and doesn't find it for its rows. It does the next time.
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
