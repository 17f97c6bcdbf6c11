import { type Batch, ROWS_A_BATCH, runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';

/**
 * Goes on deleting what was stored of deleted environments, telemetry and outcomes, the oldest deletion first. What it doesn't reach,
 * the next run does (schema/telemetry-deletion.sql). Answers how many rows it deleted.
 */
export async function continueTelemetryDeletions(
  ports: Ports,
  { maxRows = ROWS_A_BATCH } = {},
): Promise<{ deletedRows: number }> {
  const { sql, now } = ports;
  const deletedRows = await runBatches(ports, async () => {
    const [batch] = await sql`
      select * from continue_telemetry_deletions(${new Date(now()).toISOString()}::timestamptz, ${maxRows}::integer)`;
    return batch as Batch;
  });
  return { deletedRows };
}
