/** Measures the way from the queue to folded rollups, beside storing the same rows without folding. */
import { startStack } from '../dev/stack.ts';
import { flatten } from '../lib/collection/fold-batch.ts';
import type { TrackMessage } from '../lib/collection/track-message.ts';
import type { Benchmark } from './benchmark.ts';
import { median } from './median.ts';
import { percent, perSecond, printTable } from './print-table.ts';
import { countEvents, DAY_MS, inBatches, makeBenchSite, runAll, trafficOfDay } from './traffic-of-day.ts';
import { withDatabase } from './with-database.ts';

const ROUNDS = 5;
const EVENTS = 200_000;
const SITES = 8;
const CONSUMERS = 6;
/** Maximum number of messages that Cloudflare Queues delivers at once. */
const MESSAGES_A_BATCH = 100;

export const fold: Benchmark = {
  name: 'fold',
  summary: 'queue batches of demo traffic, stored and folded by the ingest Worker on a real PostgreSQL',
  run: (options) =>
    withDatabase(options.database, async (url) => {
      const stack = await startStack({ database: { url }, redis: options.redis });
      try {
        const yesterday = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
        const share = (options.events ?? EVENTS) / ROUNDS / SITES;
        await stack.sql`create table plain (row jsonb)`;
        const folded: number[] = [];
        const plain: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const sites = await Promise.all(Array.from({ length: SITES }, () => makeBenchSite(stack.sql)));
          const batches = interleave(
            sites.map(({ siteId }) => inBatches(trafficOfDay(siteId, yesterday, share), MESSAGES_A_BATCH)),
          );
          folded.push(
            await rate(batches, async (batch) => {
              const { outcome, retryBatch } = await stack.queue('ingest', 'vendor-events', batch);
              if (outcome !== 'ok' || retryBatch.retry) throw new Error('the ingest Worker refused a batch');
            }),
          );
          plain.push(await rate(batches, (batch) => insertPlain(stack.sql, batch)));
          console.error(`  round ${round + 1} of ${ROUNDS}`);
        }
        const stored = median(folded);
        printTable(
          `Stored events, ${MESSAGES_A_BATCH} messages a batch, ${CONSUMERS} consumers, ${SITES} sites`,
          [
            {
              what: 'events, visits and rollups',
              figure: perSecond(stored),
              baseline: `plain inserts, no index: ${perSecond(median(plain))}`,
              ratio: percent(stored / median(plain)),
              aim: 'over 10,000/s',
            },
          ],
        );
      } finally {
        await stack.close();
      }
    }),
};

type Batch = TrackMessage[];

/** Batches of all sites in turns, as from one queue. */
const interleave = (bySite: Batch[][]): Batch[] =>
  Array.from({ length: Math.max(...bySite.map(({ length }) => length)) }, (_, n) =>
    bySite.flatMap((batches) => batches.slice(n, n + 1)),
  ).flat();

/** Events per second. */
async function rate(batches: readonly Batch[], store: (batch: Batch) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await runAll(batches, CONSUMERS, store);
  return countEvents(batches.flat()) / ((performance.now() - start) / 1000);
}

/** Inserts the same rows with one statement into one table without an index, through the same driver. */
const insertPlain = (sql: Awaited<ReturnType<typeof startStack>>['sql'], batch: Batch) =>
  sql`insert into plain select value from jsonb_array_elements(${JSON.stringify(batch.flatMap(flatten))}::jsonb)`;
