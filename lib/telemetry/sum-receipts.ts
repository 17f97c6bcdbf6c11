import { type Batch, runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';

/** They are small, and come with every request. */
const RECEIPTS_A_BATCH = 20_000;

/** Sums up receipts that are over 10 minutes old and deletes them (schema/telemetry-receipts.sql). Repeats are free. */
export async function sumReceipts(ports: Ports, { maxRows = RECEIPTS_A_BATCH } = {}): Promise<void> {
  const { sql, now } = ports;
  await runBatches(ports, async () => {
    const [batch] = await sql`
      select * from sum_telemetry_receipts(${new Date(now()).toISOString()}::timestamptz, ${maxRows}::integer)`;
    return batch as Batch;
  });
}
