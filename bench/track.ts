/** Accepted tracking requests, everything on, beside a Worker that does nothing behind the same hops. */
import { join } from 'node:path';
import { type Stack, startStack } from '../dev/stack.ts';
import type { Sql } from '../lib/db.ts';
import { type FunctionSpec, ROOT, readDeployment } from '../scripts/lib/deployment.ts';
import type { Benchmark } from './benchmark.ts';
import { withDatabase } from './database.ts';
import { withLoad } from './load/client.ts';
import type { LoadJob, LoadResult } from './load/job.ts';
import { median } from './median.ts';
import type { BenchOptions } from './options.ts';
import { percent, perSecond, printTable, times, whole } from './table.ts';

const CONNECTIONS = 20;
const ROUNDS = 5;
const SECONDS = 20;
const WARM_UP_SECONDS = 4;
/** Umami 3.1 over HTTP with as many connections on two cores of such a machine, in another run. */
const UMAMI_PER_SECOND = 130;

const TARGETS = { track: '/api/v1/track', empty: '/empty', reading: '/read' } as const;
type Target = keyof typeof TARGETS;
const NAMES = Object.keys(TARGETS) as Target[];

export const track: Benchmark = {
  name: 'track',
  summary: 'accepted page views a second against an empty Worker',
  run: (options) => withDatabase(options.database, (url) => measure(url, options)),
};

async function measure(databaseUrl: string, { redis, seconds = SECONDS }: BenchOptions): Promise<void> {
  const stack = await startStack({
    database: { url: databaseUrl },
    redis,
    functions: replaceDocs(readDeployment()),
  });
  try {
    const siteId = await createSite(stack.sql);
    const results = await withLoad(async (load) => {
      const round = (target: Target, length: number) =>
        runRound(stack, load, { ...job(stack, target, siteId), seconds: length });
      for (const target of NAMES) await round(target, WARM_UP_SECONDS);
      return runRounds((target) => round(target, seconds / ROUNDS));
    });
    report(results);
  } finally {
    await stack.close();
  }
}

/** The empty Worker takes the place of the gateway's catch-all, and so has the hops that tracking has. */
function replaceDocs(functions: FunctionSpec[]): FunctionSpec[] {
  const main = join(ROOT, 'bench/empty/index.ts');
  return functions.map((spec) => (spec.fn === 'docs' ? { ...spec, main } : spec));
}

async function createSite(sql: Sql): Promise<string> {
  const rows = await sql`
    with p as (insert into projects (name) values ('bench') returning id)
    insert into sites (project_id, domain, name, jurisdiction, consent_mode, pre_consent_tier, retention_months)
    select id, 'example.com', 'bench', 'US', 'regional', 'sessions', 25 from p
    returning id`;
  return (rows[0] as { id: string }).id;
}

const job = (stack: Stack, target: Target, siteId: string): Omit<LoadJob, 'seconds'> => ({
  url: `${stack.baseUrl}${TARGETS[target]}`,
  connections: CONNECTIONS,
  siteId,
});

/** The targets by turns, so that whatever else the machine does strikes all of them. */
async function runRounds(
  round: (target: Target) => Promise<LoadResult>,
): Promise<Record<Target, LoadResult[]>> {
  const results: Record<Target, LoadResult[]> = { track: [], empty: [], reading: [] };
  for (let n = 1; n <= ROUNDS; n++) {
    for (const target of NAMES) results[target].push(await round(target));
    const last = NAMES.map((target) => `${target} ${perSecond(rateOf(results[target].at(-1)))}`);
    console.error(`  round ${n} of ${ROUNDS}: ${last.join(', ')}`);
  }
  return results;
}

/** One round, and the wait until all that it had accepted is stored, so that no round works off another's queue. */
async function runRound(
  stack: Stack,
  load: (job: LoadJob) => Promise<LoadResult>,
  job: LoadJob,
): Promise<LoadResult> {
  const before = await countEvents(stack.sql);
  const result = await load(job);
  const startedAt = performance.now();
  const target = job.url.endsWith(TARGETS.track) ? result.accepted : 0;
  for (;;) {
    const now = await countEvents(stack.sql);
    if (now - before >= target) break;
    if (performance.now() - startedAt > 120_000) throw new Error('accepted events were not stored');
    await new Promise((r) => setTimeout(r, 100));
  }
  if (target > 0) console.error('  drained after', Math.round(performance.now() - startedAt), 'ms');
  return result;
}

async function countEvents(sql: Sql): Promise<number> {
  const rows = await sql`select count(*)::int as count from events`;
  return (rows[0] as { count: number }).count;
}

const rateOf = (result: LoadResult | undefined): number =>
  result === undefined ? 0 : result.accepted / result.seconds;

function report(results: Record<Target, LoadResult[]>): void {
  const [tracked, empty, reading] = NAMES.map((target) => median(results[target].map(rateOf))) as [
    number,
    number,
    number,
  ];
  const what = 'POST /api/v1/track';
  printTable(`Page views accepted with ${CONNECTIONS} connections, all on; medians of ${ROUNDS} rounds`, [
    {
      what,
      figure: perSecond(tracked),
      baseline: `empty Worker ${perSecond(empty)}`,
      ratio: percent(tracked / empty),
      aim: '>= 50 %',
    },
    {
      what,
      figure: perSecond(tracked),
      baseline: `empty Worker that reads JSON ${perSecond(reading)}`,
      ratio: percent(tracked / reading),
    },
    {
      what,
      figure: perSecond(tracked),
      baseline: `Umami 3.1, another run ${perSecond(UMAMI_PER_SECOND)}`,
      ratio: times(tracked / UMAMI_PER_SECOND),
      aim: '>= 10x',
    },
  ]);
  const others = NAMES.flatMap((target) => results[target].flatMap(({ others }) => Object.entries(others)));
  console.log(whole(others.length), JSON.stringify(others));
}
