/** What a percentile of a histogram with many series costs over a day, and what a metric's points take. */
import { demoSender } from '../dev/demo/telemetry/fill-demo-backend.ts';
import type { Sql } from '../lib/db.ts';
import { readMetric } from '../lib/telemetry/metrics/read-metric.ts';
import { sumMetrics } from '../lib/telemetry/metrics/sum-metrics.ts';
import type { TelemetryContext } from '../lib/telemetry/query-telemetry.ts';
import { addIngestKey } from '../tests/security/session.ts';
import { createTenant } from '../tests/security/tenant.ts';
import type { Benchmark } from './benchmark.ts';
import { median } from './median.ts';
import { printTable, whole } from './print-table.ts';
import { connected, withService } from './reports/with-service.ts';
import { storeSignals } from './scale/fill-signals.ts';
import { measureTables } from './scale/table-sizes.ts';
import { watchMachine } from './scale/watch-machine.ts';

/** A third of them is of the histogram. */
const SERIES = 696;
const MINUTES = 1440;
const MINUTE_MS = 60_000;
const MINUTES_A_PIECE = 30;
const ROUNDS = 5;

export const metrics: Benchmark = {
  name: 'metrics',
  summary: 'percentiles of a histogram over a day, by sums of hours and of minutes; bytes a point',
  run: ({ database }) =>
    withService(database, (url) =>
      connected(url, async (sql) => {
        const { ctx, ids } = await fill(sql);
        await measureBytes(sql);
        await measurePercentiles(ctx, ids);
      }),
    ),
};

/** A day of points, a minute of all series after the other, summed as the cron does each half an hour. */
async function fill(sql: Sql) {
  const { userId, projectId } = await createTenant(sql);
  const { environmentId } = await addIngestKey(sql, projectId);
  const ids = { projectId, environmentId };
  const sender = await demoSender(sql, ids);
  const until = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const timeOf = (n: number): number => until - (MINUTES - Math.floor(n / SERIES)) * MINUTE_MS;
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const now = () => timeOf(minute * SERIES) + MINUTE_MS;
    const items = { from: minute * SERIES, to: (minute + 1) * SERIES, timeOf };
    await storeSignals({ ...sender, now }, 'metrics', items, SERIES);
    if (minute % MINUTES_A_PIECE === 0) {
      await sumMetrics({ sql, now });
      // As autovacuum does meanwhile: here a day passes in minutes.
      await sql`vacuum metric_touched, metric_touched_hours`;
    }
  }
  await sumMetrics({ sql, now: () => until });
  console.error(`  ${whole(MINUTES * SERIES)} points stored`);
  const actor = { kind: 'session', sessionId: '', userId } as const;
  return { ctx: { sql, now: () => until, actor } satisfies TelemetryContext, ids };
}

async function measureBytes(sql: Sql): Promise<void> {
  await sql`vacuum analyze`;
  const tables = (await measureTables(sql)).filter(({ name }) => name.startsWith('metric_'));
  const bytesOf = (all: typeof tables): number =>
    all.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0) / (MINUTES * SERIES);
  printTable('Bytes a metric point', [
    ...tables.map((table) => ({ what: table.name, figure: whole(bytesOf([table])) })),
    { what: 'all in', figure: whole(bytesOf(tables)), aim: 'at most 350' },
  ]);
}

type Asked = Pick<Parameters<typeof readMetric>[1], 'projectId' | 'environmentId'>;

async function measurePercentiles(ctx: TelemetryContext, ids: Asked): Promise<void> {
  const { databaseCpuMs } = await watchMachine(ctx.sql);
  const ask = (interval: '5m' | '1h') =>
    readMetric(ctx, {
      ...ids,
      ...{ name: 'http.server.request.duration', aggregation: 'p95', groupBy: ['service'], period: '24h' },
      ...{ interval, attributes: {}, resource: {} },
    });
  const taken: Record<'5m' | '1h', number[]> = { '5m': [], '1h': [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const interval of ['5m', '1h'] as const) {
      const before = await databaseCpuMs();
      await ask(interval);
      taken[interval].push((await databaseCpuMs()) - before);
    }
  const cells = (SERIES / 3) * MINUTES;
  const each = (interval: '5m' | '1h'): number => (1000 * median(taken[interval])) / cells;
  printTable(`p95 of ${whole(SERIES / 3)} series over a day, CPU of PostgreSQL`, [
    {
      what: 'by the hour',
      figure: `${whole(median(taken['1h']))} ms, ${each('1h').toFixed(2)} µs a minute and series`,
      baseline: `every five minutes: ${whole(median(taken['5m']))} ms, ${each('5m').toFixed(2)} µs`,
      ratio: (each('1h') / each('5m')).toFixed(2),
      aim: 'at most 1 µs',
    },
  ]);
}
