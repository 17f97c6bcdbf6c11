/**
 * Measures the slowest events that somebody can send to a site, beside an ordinary page view. Each is folded alone, in one session of
 * the database: driver, network and planning would cost all of them the same, and hide the difference.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { flatten } from '../lib/collection/fold-batch.ts';
import type { StoredEvent, TrackMessage } from '../lib/collection/track-message.ts';
import { connectDatabase } from '../lib/db.ts';
import { startNeon } from '../tooling/neon/start-neon.ts';
import { applySchema } from '../tooling/schema/apply-schema.ts';
import type { Benchmark } from './benchmark.ts';
import { sealHostileDays } from './hostile/seal-hostile-days.ts';
import { median } from './median.ts';
import { printTable, times, whole } from './print-table.ts';
import { DAY_MS, inBatches, makeBenchSite } from './traffic-of-day.ts';
import { withDatabase } from './with-database.ts';

const ROUNDS = 25;
const AIM = 5;
/** What a visit keeps (schema/functions/visits.sql). */
const KEPT_HITS = 500;
const KEPT_BYTES = 32_768;
const EVENTS_A_MESSAGE = 20;
const MESSAGES_A_BATCH = 100;
const MINUTE_MS = 60_000;
/** Visits of a day that the slowest new visit begins after. */
const EARLIER_VISITS = 20;

interface Bench {
  client: pg.ClientBase;
  siteId: string;
  /** Epoch milliseconds of the next event; each takes one. */
  at: number;
}

export const hostile: Benchmark = {
  name: 'hostile',
  summary: 'the slowest single events that an attacker can make, beside an ordinary page view',
  run: ({ database }) =>
    withDatabase(database, async (url) => {
      const neon = await startNeon({ database: { url } });
      try {
        await neon.withClient(applySchema);
        const sql = connectDatabase({ url: neon.url, endpoint: neon.endpoint });
        const { siteId } = await makeBenchSite(sql);
        const at = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
        await neon.withClient((client) => measure({ client, siteId, at }));
        await neon.withClient((client) => sealHostileDays(sql, client));
      } finally {
        await neon.close();
      }
    }),
};

/** Measures every kind in each round, so that a busy moment slows all of them. */
async function measure(bench: Bench): Promise<void> {
  const kinds = await prepare(bench);
  const ordinary = () => message(bench, randomUUID(), [pageview(bench)]);
  for (let n = 0; n < ROUNDS; n += 1) await fold(bench, ordinary());
  const baseline: Cost[] = [];
  const costs = kinds.map((): Cost[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    baseline.push(await fold(bench, ordinary()));
    for (const [n, { next }] of kinds.entries()) costs[n]?.push(await fold(bench, next()));
  }
  const usual = median(baseline.map(({ ms }) => ms));
  const log = median(baseline.map(({ bytes }) => bytes));
  const rows = kinds.map(({ what }, n) => {
    const ms = median((costs[n] ?? []).map((cost) => cost.ms));
    const bytes = median((costs[n] ?? []).map((cost) => cost.bytes));
    return { what, ms, bytes };
  });
  const slowest = Math.max(...rows.map(({ ms }) => ms));
  printTable(`One event, folded alone; medians of ${ROUNDS}. Log: bytes of PostgreSQL's write-ahead log`, [
    ...rows.map(({ what, ms, bytes }) => ({
      what,
      figure: `${ms.toFixed(1)} ms, log ${whole(bytes)}`,
      baseline: `page view of a new visitor: ${usual.toFixed(1)} ms, log ${whole(log)}`,
      ratio: times(ms / usual),
    })),
    {
      what: 'the slowest of these',
      figure: `${slowest.toFixed(1)} ms`,
      baseline: `page view of a new visitor: ${usual.toFixed(1)} ms`,
      ratio: times(slowest / usual),
      aim: `at most ${times(AIM, 0)}`,
    },
  ]);
}

interface Kind {
  what: string;
  next: () => TrackMessage;
}

/** Makes the visits that are as large as can be. */
async function prepare(bench: Bench): Promise<Kind[]> {
  const day = bench.at;
  const returning = randomUUID();
  for (let n = 0; n < EARLIER_VISITS; n += 1) {
    bench.at = day + n * 40 * MINUTE_MS;
    await grow(bench, returning, KEPT_HITS, KEPT_BYTES);
  }
  let begun = 0;
  // The other visits have a time of their own, in which nobody's visit ends.
  bench.at = day + 12 * 60 * MINUTE_MS;
  const [full, growing] = [randomUUID(), randomUUID()];
  await grow(bench, full, KEPT_HITS, KEPT_BYTES);
  await grow(bench, growing, KEPT_HITS - 2 * ROUNDS, KEPT_BYTES);
  const again = (what: string, event: () => StoredEvent): Kind => ({
    what: `${what} of a visit that has all it can`,
    next: () => message(bench, full, [event()]),
  });
  return [
    again('attention', () => attention(bench)),
    again('page view', () => pageview(bench)),
    again('event with 4 KB', () => custom(bench, 4000)),
    {
      what: 'one more kept event of a visit with 32 KB',
      next: () => message(bench, growing, [custom(bench, 60)]),
    },
    {
      what: `page view that begins a visit, after ${EARLIER_VISITS} full ones`,
      next: () => {
        const at = day + DAY_MS + begun * 31 * MINUTE_MS;
        begun += 1;
        return message(bench, returning, [{ ...pageview(bench), at }]);
      },
    },
    {
      what: 'a request of 20 events with 3 KB each',
      next: () =>
        message(
          bench,
          randomUUID(),
          Array.from({ length: EVENTS_A_MESSAGE }, () => custom(bench, 3000)),
        ),
    },
  ];
}

/** Gives a visit a number of page views and custom events, the latter with a number of bytes of properties together. */
async function grow(bench: Bench, visitorId: string, hits: number, bytes: number): Promise<void> {
  const pages = Array.from({ length: hits }, () => pageview(bench));
  const customs = Array.from({ length: hits }, () => custom(bench, Math.floor(bytes / hits)));
  const messages = inBatches([...pages, ...customs], EVENTS_A_MESSAGE).map((events) =>
    message(bench, visitorId, events),
  );
  for (const batch of inBatches(messages, MESSAGES_A_BATCH)) await ingest(bench, batch);
}

interface Cost {
  ms: number;
  bytes: number;
}

async function fold(bench: Bench, one: TrackMessage): Promise<Cost> {
  const before = await position(bench);
  const start = performance.now();
  await ingest(bench, [one]);
  const ms = performance.now() - start;
  return { ms, bytes: (await position(bench)) - before };
}

async function ingest({ client, at }: Bench, messages: readonly TrackMessage[]): Promise<void> {
  const events = messages.flatMap(flatten);
  const { rows } = await client.query<{ stored: number }>('select stored from ingest_events($1, $2)', [
    JSON.stringify(events),
    new Date(at + DAY_MS).toISOString(),
  ]);
  if (rows[0]?.stored !== events.length) throw new Error('an event was not stored');
}

/** How many bytes the server has written to its log. */
async function position({ client }: Bench): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  );
  return rows[0]?.bytes ?? 0;
}

const message = ({ siteId }: Bench, visitorId: string, events: StoredEvent[]): TrackMessage => ({
  ...{ version: 1, siteId, tier: 3, visitorId, continued: false },
  ...{ country: 'PT', device: 'desktop', browser: 'Firefox', os: 'Linux' },
  events,
});

function start(bench: Bench) {
  bench.at += 1;
  return { id: randomUUID(), at: bench.at };
}

const pageview = (bench: Bench): StoredEvent => ({
  ...{ type: 'pageview', ...start(bench), pageId: randomUUID() },
  ...{ hostname: 'localhost', path: `/${bench.at % 50}`, entry: true },
});

const attention = (bench: Bench): StoredEvent => ({
  ...{ type: 'engagement', ...start(bench), pageId: randomUUID(), seconds: 86_400, scrollDepth: 100 },
});

/** With properties of about that size, which can't be compressed, and the longest revenue. */
function custom(bench: Bench, bytes: number): StoredEvent {
  const texts = inBatches([...randomBytes(Math.max(1, Math.floor((bytes - 10) / 2))).toString('hex')], 500);
  const props = Object.fromEntries(texts.map((text, n) => [`k${n}`, text.join('')]));
  return {
    ...{ type: 'event', ...start(bench), hostname: 'localhost', path: '/', name: 'hostile', props },
    revenue: { amount: '123456789012.1234', currency: 'EUR' },
  };
}
