import { ROWS_A_BATCH, runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';

/** Visits that one piece of the search reads: some 50 ms. */
const VISITS_A_PIECE = 10_000;

/**
 * Deletes paths, names, sources, places and other values that nothing names any more (schema/functions/values.sql): those of visits that
 * retention deleted, and those of deleted visitors and imports, once it has searched whether anything else names them. The next run
 * continues where this one ends. Returns how many values it deleted.
 */
export async function expireValues(
  ports: Ports,
  { maxRows = ROWS_A_BATCH, maxVisits = VISITS_A_PIECE } = {},
): Promise<{ deletedValues: number }> {
  const { sql } = ports;
  const expired = await runBatches(ports, () => sql`select * from expire_values(${maxRows}::integer)`);
  const erased = await runBatches(
    ports,
    (instant) => sql`select * from search_values(${instant}::timestamptz, ${maxVisits}::integer)`,
  );
  return { deletedValues: expired.deletedRows + erased.deletedRows };
}
