/** Accepted tracking requests with everything enabled, beside a Worker that does nothing behind the same hops. */
import { join } from 'node:path';
import { type Stack, startStack } from '../dev/stack.ts';
import { type FunctionSpec, ROOT, readDeployment } from '../tooling/deployment.ts';
import type { BenchOptions } from './bench-options.ts';
import type { Benchmark } from './benchmark.ts';
import type { LoadResult } from './load/load-job.ts';
import { type RunLoad, withLoad } from './load/with-load.ts';
import { median } from './median.ts';
import { percent, perSecond, printTable, times, whole } from './print-table.ts';
import { awaitStored, createTrackedSite } from './tracked-site.ts';
import { withDatabase } from './with-database.ts';

const CONNECTIONS = 20;
const ROUNDS = 5;
const SECONDS = 20;
const WARM_UP_SECONDS = 4;
/** Umami 3.1 over HTTP with the same number of connections on two cores of a similar machine, in a separate run. */
const UMAMI_PER_SECOND = 130;

const PATHS = { track: '/api/v1/track', empty: '/api/empty', reading: '/api/read' };
type Target = keyof typeof PATHS;
const TARGETS = Object.keys(PATHS) as Target[];

interface Round extends LoadResult {
  /** Seconds from the last answer until all accepted events were stored. */
  storedAfter: number;
}

export const track: Benchmark = {
  name: 'track',
  summary: 'accepted page views a second beside an empty Worker in the same workerd',
  run: (options) => withDatabase(options.database, (url) => measure(url, options)),
};

async function measure(databaseUrl: string, { redis, seconds = SECONDS }: BenchOptions): Promise<void> {
  const functions = replaceDocs(readDeployment());
  const stack = await startStack({ database: { url: databaseUrl }, redis, functions });
  try {
    const siteId = await createTrackedSite(stack.sql);
    const rounds = await withLoad(async (load) => {
      const run = (target: Target, length: number) => runRound(stack, load, siteId, target, length);
      for (const target of TARGETS) await run(target, WARM_UP_SECONDS);
      return runRounds((target) => run(target, seconds / ROUNDS));
    });
    report(rounds);
  } finally {
    await stack.close();
  }
}

/** The empty Worker stands in for `docs`, which has `/api/*`, and so has the same hops as tracking. */
function replaceDocs(functions: FunctionSpec[]): FunctionSpec[] {
  const main = join(ROOT, 'bench/empty/index.ts');
  return functions.map((spec) => (spec.fn === 'docs' ? { ...spec, main } : spec));
}

/** Measures the targets in turns, so that other load on the machine affects all of them. */
async function runRounds(run: (target: Target) => Promise<Round>): Promise<Record<Target, Round[]>> {
  const rounds: Record<Target, Round[]> = { track: [], empty: [], reading: [] };
  for (let n = 1; n <= ROUNDS; n++) {
    const rates: string[] = [];
    for (const target of TARGETS) {
      const round = await run(target);
      rounds[target].push(round);
      rates.push(`${target} ${perSecond(rateOf(round))}`);
    }
    console.error(`  round ${n} of ${ROUNDS}: ${rates.join(', ')}`);
  }
  return rounds;
}

/** One round, and the wait until all events are stored, so that a round doesn't process the queue of another. */
async function runRound(
  stack: Stack,
  load: RunLoad,
  siteId: string,
  target: Target,
  seconds: number,
): Promise<Round> {
  const url = `${stack.baseUrl}${PATHS[target]}`;
  const stored = await awaitStored(stack.sql, siteId, 0);
  const result = await load({
    url,
    connections: CONNECTIONS,
    seconds,
    request: { siteIds: [siteId] },
    status: 202,
  });
  if (result.accepted === 0) throw new Error(`No request to ${PATHS[target]} was accepted.`);
  const endedAt = performance.now();
  if (target === 'track') await awaitStored(stack.sql, siteId, stored + result.accepted);
  return { ...result, storedAfter: (performance.now() - endedAt) / 1000 };
}

const rateOf = ({ accepted, seconds }: LoadResult): number => accepted / seconds;

function report(rounds: Record<Target, Round[]>): void {
  const rate = (target: Target): number => median(rounds[target].map(rateOf));
  const tracked = rate('track');
  const against = (baseline: string, target: Target, aim = '') => ({
    what: 'page views accepted',
    figure: perSecond(tracked),
    baseline: `${baseline} ${perSecond(rate(target))}`,
    ratio: percent(tracked / rate(target)),
    aim,
  });
  const others = TARGETS.flatMap((target) => rounds[target].flatMap((round) => Object.entries(round.others)));
  const failed = others.reduce((sum, [, count]) => sum + count, 0);
  printTable(
    `POST /api/v1/track, ${CONNECTIONS} connections, limits, policy, queue and storing on; medians of ${ROUNDS} rounds`,
    [
      against('empty Worker', 'empty', 'at least 50 %'),
      against('empty Worker that reads JSON', 'reading'),
      {
        what: 'page views accepted',
        figure: perSecond(tracked),
        baseline: `Umami 3.1, measured before, ${perSecond(UMAMI_PER_SECOND)}`,
        ratio: times(tracked / UMAMI_PER_SECOND),
        aim: 'at least 10x',
      },
      {
        what: 'seconds until all were stored',
        figure: median(rounds.track.map((round) => round.storedAfter)).toFixed(1),
        baseline: 'the queue gathers for up to 1',
      },
      {
        what: 'answers other than 202',
        figure: whole(failed),
        baseline: [...new Set(others.map(([answer]) => answer))].join(', '),
      },
    ],
  );
}
