import type { Ports } from '../context.ts';
import { continueTelemetryDeletions } from './continue-deletions.ts';
import { expireTelemetry } from './expire-telemetry.ts';
import { sumMetrics } from './metrics/sum-metrics.ts';
import { rollUpSpans } from './roll-up-spans.ts';
import { sumReceipts } from './sum-receipts.ts';

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
