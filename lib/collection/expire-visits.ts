import { ROWS_A_BATCH, runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** When days of policies end, in UTC: a quiet hour. */
const DAILY_MS = 3.5 * 60 * 60 * 1000;

/**
 * Deletes visits and rollups beyond each site's `retentionMonths` as of the last 03:30 UTC: daily, however often it is run. What
 * it doesn't reach, the next run does, also after one that was killed or didn't come (schema/functions/retention.sql, which tells
 * the cost). Answers how many rows it deleted, and how many partitions it dropped as a whole.
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
