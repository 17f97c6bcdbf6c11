import { ROWS_A_BATCH, runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';

/**
 * Goes on deleting what was stored of deleted environments, telemetry and outcomes, the oldest deletion first. What it doesn't reach,
 * the next run does (schema/functions/telemetry-deletion.sql). Answers how many rows it deleted.
 */
export const continueTelemetryDeletions = (ports: Ports, { maxRows = ROWS_A_BATCH } = {}) =>
  runBatches(
    ports,
    (instant) =>
      ports.sql`select * from continue_telemetry_deletions(${instant}::timestamptz, ${maxRows}::integer)`,
  );
