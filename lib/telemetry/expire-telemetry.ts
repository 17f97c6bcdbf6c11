import { ROWS_A_BATCH, runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';

/**
 * Drops days of telemetry that no environment keeps, and deletes what some environments keep shorter (schema/functions/telemetry-retention.sql,
 * which tells the cost): once a UTC day for each, and within a minute after its retention was changed. What it doesn't reach, the
 * next run does, also after one that was killed. Answers how many rows it deleted, partitions aside.
 */
export async function expireTelemetry(
  ports: Ports,
  { maxRows = ROWS_A_BATCH } = {},
): Promise<{ deletedRows: number }> {
  const { sql, now } = ports;
  const instant = new Date(now()).toISOString();
  const drop = () => sql`select drop_telemetry_days(${instant}::timestamptz) as dropped`;
  while ((await drop())[0]?.dropped);
  return runBatches(
    ports,
    () => sql`select * from expire_telemetry(${instant}::timestamptz, ${maxRows}::integer)`,
  );
}
