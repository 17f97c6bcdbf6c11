/** Compares folding at once with queueing everything: response time of a page view, and the handling of a burst on one site. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Stack, startStack } from '../dev/stack.ts';
import { type FunctionSpec, ROOT, readDeployment } from '../tooling/deployment.ts';
import type { BenchOptions } from './bench-options.ts';
import type { Benchmark } from './benchmark.ts';
import type { LoadResult } from './load/load-job.ts';
import { makePageView } from './load/page-view.ts';
import { withLoad } from './load/with-load.ts';
import { median, quantile } from './median.ts';
import { percent, perSecond, printTable } from './print-table.ts';
import { awaitStored, createTrackedSite } from './tracked-site.ts';
import { withDatabase } from './with-database.ts';

const ROUNDS = 5;
const SECONDS = 20;
const CONNECTIONS = 20;
/** An isolate folds nearly all messages of this load at once; rarely four arrive together. */
const CALM_PER_SECOND = 10;

/** One of the compared ways, running. */
interface Side {
  stack: Stack;
  siteId: string;
  /** Page views so far. */
  sent: number;
}

type Way = 'folded' | 'queued';
const WAYS: readonly Way[] = ['folded', 'queued'];

interface Round {
  rate: number;
  medianMs: number;
  p99Ms: number;
  /** Number of messages that went through the queue. */
  queuedShare: number;
  /** Seconds from the last answer until all events were stored. */
  storedAfter: number;
}

export const delivery: Benchmark = {
  name: 'delivery',
  summary: 'page views folded at once beside the queue for all: answers in a calm, and a burst on one site',
  run: (options) =>
    withDatabase(options.database, (folded) =>
      withDatabase(options.database, (queued) => measure({ folded, queued }, options)),
    ),
};

async function measure(databases: Record<Way, string>, options: BenchOptions): Promise<void> {
  const stacks: Stack[] = [];
  try {
    const sides = await Promise.all(
      WAYS.map(async (way) => {
        const database = { url: databases[way] };
        const stack = await startStack({ database, redis: options.redis, functions: functionsOf(way) });
        stacks.push(stack);
        return { way, stack, siteId: await createTrackedSite(stack.sql), sent: 0 };
      }),
    );
    const seconds = (options.seconds ?? SECONDS) / ROUNDS / 2;
    const [calm, burst] = [emptyRounds(), emptyRounds()];
    await withLoad(async (load) => {
      for (let n = 0; n <= ROUNDS; n += 1) {
        for (const side of sides) {
          if (side.way === 'folded') await untilFolded(side);
          const few = await runRound(side, (to) => sendCalmly(to, seconds));
          const many = await runRound(side, ({ stack: { baseUrl }, siteId }) =>
            load({
              url: `${baseUrl}/api/v1/track`,
              connections: CONNECTIONS,
              seconds,
              request: { siteIds: [siteId] },
              status: 202,
            }),
          );
          // The first round is a warm-up.
          if (n === 0) continue;
          calm[side.way].push(few);
          burst[side.way].push(many);
        }
        console.error(`  round ${n} of ${ROUNDS}`);
      }
    });
    report(`A calm: ${CALM_PER_SECOND} page views a second on one site`, calm);
    report(`A burst: ${CONNECTIONS} connections as fast as they are answered, on one site`, burst);
  } finally {
    for (const stack of stacks) await stack.close();
  }
}

const emptyRounds = (): Record<Way, Round[]> => ({ folded: [], queued: [] });

/** Starts all functions, with an ingest function that counts. To use only the queue, `track` is bound to a Worker that refuses messages. */
function functionsOf(way: Way): FunctionSpec[] {
  return readDeployment().map((spec) => {
    if (spec.fn === 'ingest') return { ...spec, main: join(ROOT, 'bench/tally/index.ts') };
    if (spec.fn !== 'track' || way === 'folded') return spec;
    const services = spec.services.map((bound) =>
      bound.binding === 'INGEST' ? { binding: 'INGEST', service: 'vendor-analytics' } : bound,
    );
    return { ...spec, services };
  });
}

async function tallyOf(stack: Stack): Promise<Record<Way, number>> {
  return JSON.parse(await (await stack.call('ingest', '/tally')).text());
}

/** Sends page views until one is folded at once, that is, until the pause after an earlier burst is over. */
async function untilFolded(side: Side): Promise<void> {
  const { stack, siteId } = side;
  const { folded } = await tallyOf(stack);
  while ((await tallyOf(stack)).folded === folded) {
    const response = await stack.fetch('/api/v1/track', { method: 'POST', ...makePageView(siteId) });
    side.sent += 1;
    await response.text();
    if (response.status !== 202) throw new Error(`a page view is answered with ${response.status}`);
  }
}

type Answers = Pick<LoadResult, 'accepted' | 'medianMs' | 'p99Ms' | 'seconds'>;

async function runRound(side: Side, send: (side: Side) => Promise<Answers>): Promise<Round> {
  const { stack, siteId } = side;
  await awaitStored(stack.sql, siteId, side.sent);
  const before = await tallyOf(stack);
  const { accepted, medianMs, p99Ms, seconds } = await send(side);
  const endedAt = performance.now();
  side.sent += accepted;
  await awaitStored(stack.sql, siteId, side.sent);
  const storedAfter = (performance.now() - endedAt) / 1000;
  const after = await tallyOf(stack);
  const queued = after.queued - before.queued;
  const queuedShare = queued / (queued + after.folded - before.folded);
  return { rate: accepted / seconds, medianMs, p99Ms, queuedShare, storedAfter };
}

/** Page views at random times, as from independent visitors. */
async function sendCalmly({ stack, siteId }: Side, seconds: number): Promise<Answers> {
  const took: number[] = [];
  const send = async (): Promise<void> => {
    const startedAt = performance.now();
    const response = await stack.fetch('/api/v1/track', { method: 'POST', ...makePageView(siteId) });
    await response.text();
    if (response.status === 202) took.push(performance.now() - startedAt);
  };
  const sent: Promise<void>[] = [];
  for (let n = 0; n < seconds * CALM_PER_SECOND; n += 1) {
    await wait((-Math.log(1 - Math.random()) * 1000) / CALM_PER_SECOND);
    sent.push(send());
  }
  await Promise.all(sent);
  return { accepted: took.length, medianMs: median(took), p99Ms: quantile(took, 0.99), seconds };
}

function report(title: string, rounds: Record<Way, Round[]>): void {
  const of = (way: Way, figure: (round: Round) => number): number => median(rounds[way].map(figure));
  const row = (what: string, figure: (round: Round) => number, show: (value: number) => string) => ({
    what,
    figure: show(of('folded', figure)),
    ratio: show(of('queued', figure)),
  });
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const seconds = (value: number): string => `${value.toFixed(1)} s`;
  printTable(
    `${title}; medians of ${ROUNDS} rounds`,
    [
      row('answered', ({ rate }) => rate, perSecond),
      row('p50', ({ medianMs }) => medianMs, ms),
      row('p99', ({ p99Ms }) => p99Ms, ms),
      row('went to the queue', ({ queuedShare }) => queuedShare, percent),
      row('stored after the last answer', ({ storedAfter }) => storedAfter, seconds),
    ],
    { figure: 'at once', ratio: 'queue for all' },
  );
}
