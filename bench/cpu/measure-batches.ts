/**
 * Measures CPU time in workerd and PostgreSQL of messages that are folded at once and of queue batches by size, and the bytes that they
 * write.
 */
import type { Stack } from '../../dev/stack.ts';
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import { printTable, type Row, whole } from '../print-table.ts';
import { countEvents, DAY_MS, inBatches, makeBenchSite, runAll, trafficOfDay } from '../traffic-of-day.ts';
import { databaseTimes, millisecondsBetween, workerdTimes } from './process-cpu.ts';

const SITES = 8;
const CONSUMERS = 2;
const MESSAGES_AT_ONCE = 2000;
/** Number of messages for each batch size. */
const SIZES: readonly { size: number; messages: number }[] = [
  { size: 1, messages: 2000 },
  { size: 10, messages: 10_000 },
  { size: 100, messages: 50_000 },
];

interface Measured {
  events: number;
  batches: number;
  /** Total milliseconds. */
  worker: number;
  database: number;
  /** Bytes of the write-ahead log. */
  bytesWritten: number;
}

/** `ingest` folds into the database of that name; `empty` has a consumer that does nothing. */
export async function measureBatches(ingest: Stack, empty: Stack, databaseName: string): Promise<void> {
  const atOnce = inBatches(await makeMessages(ingest, MESSAGES_AT_ONCE), 1);
  const unfolded = await measure(empty, databaseName, atOnce, fold);
  const rows = [
    asRow('1 message at once', await measure(ingest, databaseName, atOnce, fold), unfolded.worker),
  ];
  console.error('  at once');
  for (const { size, messages } of SIZES) {
    const batches = inBatches(await makeMessages(ingest, messages), size);
    const idle = await measure(empty, databaseName, batches, consume);
    const folded = await measure(ingest, databaseName, batches, consume);
    rows.push(asRow(`a batch of ${size}`, folded, idle.worker));
    console.error(`  batches of ${size}`);
  }
  printTable('CPU of storing demo traffic, and bytes of write-ahead log', rows, {
    figure: 'workerd',
    baseline: 'workerd, empty Worker',
    ratio: 'PostgreSQL',
    aim: 'an event',
  });
}

/** Yesterday's messages of new sites, ordered by time, as in one queue. */
async function makeMessages(stack: Stack, count: number): Promise<TrackMessage[]> {
  const yesterday = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
  const sites = await Promise.all(Array.from({ length: SITES }, () => makeBenchSite(stack.sql)));
  return sites
    .flatMap(({ siteId }) => trafficOfDay(siteId, yesterday, (count * 1.5) / SITES))
    .sort((a, b) => startOf(a) - startOf(b))
    .slice(0, count);
}

const startOf = ({ events }: TrackMessage): number => events[0]?.at ?? 0;

type Store = (stack: Stack, batch: TrackMessage[]) => Promise<void>;

const consume: Store = async (stack, batch) => {
  const { outcome, retryBatch } = await stack.queue('ingest', 'vendor-events', batch);
  if (outcome !== 'ok' || retryBatch.retry) throw new Error('the consumer refused a batch');
};

/** Calls the binding as `track` does. */
const fold: Store = async (stack, batch) => {
  const { status } = await stack.call('ingest', '/', {
    method: 'POST',
    body: JSON.stringify(batch),
  });
  if (status !== 204) throw new Error(`ingest answered ${status} for messages`);
};

async function measure(
  stack: Stack,
  databaseName: string,
  batches: TrackMessage[][],
  store: Store,
): Promise<Measured> {
  const before = [await workerdTimes(), await databaseTimes(databaseName), await logPosition(stack)] as const;
  await runAll(batches, CONSUMERS, (batch) => store(stack, batch));
  const after = [await workerdTimes(), await databaseTimes(databaseName), await logPosition(stack)] as const;
  return {
    events: countEvents(batches.flat()),
    batches: batches.length,
    worker: millisecondsBetween(before[0], after[0]),
    database: millisecondsBetween(before[1], after[1]),
    bytesWritten: after[2] - before[2],
  };
}

/** Bytes of the server's write-ahead log so far. Other writers on the server count too. */
async function logPosition({ sql }: Stack): Promise<number> {
  const [row] = await sql`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`;
  return row?.bytes;
}

function asRow(what: string, folded: Measured, idleMs: number): Row {
  const { batches, events, worker, database, bytesWritten } = folded;
  return {
    what,
    figure: `${(worker / batches).toFixed(2)} ms`,
    baseline: `${(idleMs / batches).toFixed(2)} ms`,
    ratio: `${(database / batches).toFixed(2)} ms`,
    aim: `${(database / events).toFixed(3)} ms, ${whole(bytesWritten / events)} B`,
  };
}
