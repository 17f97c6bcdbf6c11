import { runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';

/** They are small, and come with every request. */
const RECEIPTS_A_BATCH = 20_000;

/** Sums up receipts that are over 10 minutes old and deletes them (schema/functions/telemetry-receipts.sql). Repeats are free. */
export const sumReceipts = (ports: Ports, { maxRows = RECEIPTS_A_BATCH } = {}) =>
  runBatches(
    ports,
    (instant) =>
      ports.sql`select * from sum_telemetry_receipts(${instant}::timestamptz, ${maxRows}::integer)`,
  );
