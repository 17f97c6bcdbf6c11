import { ROWS_A_BATCH, runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';

const QUARTER_HOUR_MS = 15 * 60 * 1000;
const DAY_MS = 96 * QUARTER_HOUR_MS;
/** The quarter of an hour, in UTC, in which logs are looked through: a quiet one. */
const DAILY_MS = 3.75 * 60 * 60 * 1000;

/**
 * Deletes lines of audit logs after their time (`expire_audit` of the schema), in the run of each day's quarter hour from 03:45 UTC. What a
 * run leaves the next day's does. Returns how many lines it deleted.
 */
export async function expireAudit(
  ports: Ports,
  { maxRows = ROWS_A_BATCH } = {},
): Promise<{ deletedRows: number }> {
  const sinceDaily = (ports.now() - DAILY_MS) % DAY_MS;
  if (sinceDaily >= QUARTER_HOUR_MS) return { deletedRows: 0 };
  return runBatches(
    ports,
    (instant) => ports.sql`select * from expire_audit(${instant}::timestamptz, ${maxRows}::integer)`,
  );
}
