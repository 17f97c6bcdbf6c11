import { ROWS_A_BATCH, runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';
import type { CronJobs } from '../cron-runs.ts';
import { sumErrors } from './errors/sum-errors.ts';
import { sumMetrics } from './metrics/sum-metrics.ts';
import { rollUpSpans } from './roll-up-spans.ts';

/** Receipts are small, and every request adds some. */
const RECEIPTS_A_BATCH = 20_000;

/** Sums receipts that are over 10 minutes old and deletes them (schema/functions/telemetry-receipts.sql). Safe to repeat. */
const sumReceipts = (ports: Ports, { maxRows = RECEIPTS_A_BATCH } = {}) =>
  runBatches(
    ports,
    (instant) =>
      ports.sql`select * from sum_telemetry_receipts(${instant}::timestamptz, ${maxRows}::integer)`,
  );

/**
 * Drops days of telemetry that no environment keeps, and deletes rows of environments with a shorter retention
 * (schema/functions/telemetry-retention.sql has the cost). Each environment is handled once a UTC day, and within a minute after its
 * retention changed. The next run continues unfinished work, also after a crash. Returns the number of deleted rows, without dropped
 * partitions.
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

/**
 * Continues to delete telemetry and outcomes of deleted environments, oldest deletion first (schema/functions/telemetry-deletion.sql).
 * The next run continues unfinished work. Returns the number of deleted rows.
 */
export const continueTelemetryDeletions = (ports: Ports, { maxRows = ROWS_A_BATCH } = {}) =>
  runBatches(
    ports,
    (instant) =>
      ports.sql`select * from continue_telemetry_deletions(${instant}::timestamptz, ${maxRows}::integer)`,
  );

/** Run every minute, one after the other, each bounded. Each stores its own progress; without work it costs one or two probes. */
export const TELEMETRY_JOBS = {
  sumReceipts,
  rollUpSpans,
  sumErrors,
  sumMetrics,
  expireTelemetry,
  continueTelemetryDeletions,
} satisfies CronJobs;

/** Runs all these jobs. A failing job doesn't stop the other jobs. Throws all failures together. */
export async function maintainTelemetry(ports: Ports): Promise<void> {
  const faults: unknown[] = [];
  for (const job of Object.values(TELEMETRY_JOBS)) await job(ports).catch((fault) => faults.push(fault));
  if (faults.length > 0) throw new AggregateError(faults, 'Telemetry’s upkeep could not do all of its work');
}
