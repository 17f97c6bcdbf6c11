/** Fills an environment with days of spans, log records and metric points, by the receiver's own verbs and its cron. */
import { demoSender } from '../../dev/demo/telemetry/fill-demo-backend.ts';
import type { IngestContext } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import { decodeLogs, decodeMetrics, decodeTraces } from '../../lib/otlp/index.ts';
import { maintainTelemetry } from '../../lib/telemetry/maintain-telemetry.ts';
import { storeLogs } from '../../lib/telemetry/store-logs.ts';
import { storeMetrics } from '../../lib/telemetry/store-metrics.ts';
import { storeTraces } from '../../lib/telemetry/store-traces.ts';
import type { Fill } from './fill-size.ts';
import { makeSignals, type Range, SIGNALS, type SignalName } from './made-signals.ts';
import type { Pieces } from './pieces.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const ITEMS_A_REQUEST = 1000;
/** Exporters send a point of each series a minute. */
const POINTS_A_DAY = 1440;

/** The number of series that send that number of points a day. */
export const seriesOf = (signals: number): number => Math.ceil(signals / POINTS_A_DAY);

export async function fillSignals(
  sql: Sql,
  { size, until, projectId }: Fill & { projectId: string },
  pieces: Pieces,
): Promise<void> {
  const { signals, signalDays } = size;
  await pieces.once('environment', 0, () => [
    sql`insert into environments (project_id, name) values (${projectId}, 'production') on conflict do nothing`,
  ]);
  const [environment] =
    await sql`select id from environments where project_id = ${projectId} and name = 'production'`;
  const ctx = await demoSender(sql, { projectId, environmentId: environment?.id });
  const hours = signalDays * 24;
  const total = signals * signalDays;
  const timeOf = (n: number): number => until - signalDays * DAY_MS + (n * DAY_MS) / signals;
  for (let hour = 0; hour < hours; hour += 1) {
    const ended = until - (hours - 1 - hour) * HOUR_MS;
    const at = { ...ctx, now: () => ended };
    const [from, to] = [Math.floor((total * hour) / hours), Math.floor((total * (hour + 1)) / hours)];
    for (const signal of SIGNALS)
      await pieces.repeatable(`${signal}, hour ${hour}`, to - from, async () => {
        for (let first = from; first < to; first += ITEMS_A_REQUEST) {
          const items = { from: first, to: Math.min(to, first + ITEMS_A_REQUEST), timeOf };
          await storeSignals(at, signal, items, seriesOf(signals));
        }
      });
    await pieces.repeatable(`sums, hour ${hour}`, 0, () => maintainTelemetry({ sql, now: () => ended }));
  }
}

/** Stores a request as the receiver does. What is stored already isn't stored again. Throws if something is refused. */
export async function storeSignals(
  ctx: IngestContext,
  signal: SignalName,
  items: Range,
  series: number,
): Promise<void> {
  const body = new TextEncoder().encode(JSON.stringify(makeSignals(signal, items, series)));
  const sized = { bytes: body.byteLength };
  const refused =
    signal === 'traces'
      ? await storeTraces(ctx, { ...decodeTraces(body, 'json'), ...sized })
      : signal === 'logs'
        ? await storeLogs(ctx, { ...decodeLogs(body, 'json'), ...sized })
        : await storeMetrics(ctx, { ...decodeMetrics(body, 'json'), ...sized });
  if (refused) throw new Error(`The service refused ${signal}: ${JSON.stringify(refused)}`);
}
