import { ROWS_A_BATCH, runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';
import { sumMetrics } from './metrics/sum-metrics.ts';
import { rollUpSpans } from './roll-up-spans.ts';

/** They are small, and come with every request. */
const RECEIPTS_A_BATCH = 20_000;

/** Sums up receipts that are over 10 minutes old and deletes them (schema/functions/telemetry-receipts.sql). Repeats are free. */
const sumReceipts = (ports: Ports, { maxRows = RECEIPTS_A_BATCH } = {}) =>
  runBatches(
    ports,
    (instant) =>
      ports.sql`select * from sum_telemetry_receipts(${instant}::timestamptz, ${maxRows}::integer)`,
  );

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

/** One after the other, each bounded; each remembers by itself what is left of it, and costs a probe or two if that is nothing. */
const JOBS: readonly ((ports: Ports) => Promise<unknown>)[] = [
  sumReceipts,
  rollUpSpans,
  sumMetrics,
  expireTelemetry,
  continueTelemetryDeletions,
];

/** What telemetry needs every minute. One job that fails doesn't keep the others back. Throws what failed, together. */
export async function maintainTelemetry(ports: Ports): Promise<void> {
  const faults: unknown[] = [];
  for (const job of JOBS) await job(ports).catch((fault) => faults.push(fault));
  if (faults.length > 0) throw new AggregateError(faults, 'Telemetry’s upkeep could not do all of its work');
}
