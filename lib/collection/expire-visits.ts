import { ROWS_A_BATCH, runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The hour of the day, in UTC, from which retention is applied: a quiet one. */
const DAILY_MS = 3.5 * 60 * 60 * 1000;

/**
 * Deletes visits and rollups older than each site's `retentionMonths`, as of the last 03:30 UTC: once a day, however often it runs.
 * The next run continues where this one ends or was killed. schema/functions/expire-visits.sql states the cost. Returns how many rows
 * it deleted and how many whole partitions it dropped.
 */
export async function expireVisits(
  ports: Ports,
  { maxRows = ROWS_A_BATCH } = {},
): Promise<{ deletedRows: number; droppedPartitions: number }> {
  const { sql, now } = ports;
  const instant = new Date(Math.floor((now() - DAILY_MS) / DAY_MS) * DAY_MS + DAILY_MS).toISOString();
  let droppedPartitions = 0;
  const drop = () => sql`select drop_expired_visits(${instant}::timestamptz) as dropped`;
  while ((await drop())[0]?.dropped) droppedPartitions += 1;
  const piece = () => sql`select * from expire_visits(${instant}::timestamptz, ${maxRows}::integer)`;
  return { ...(await runBatches(ports, piece)), droppedPartitions };
}
