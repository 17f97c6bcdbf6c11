import type { Stack } from '../../dev/stack.ts';
import type { Sql } from '../../lib/db.ts';
import {
  type CpuTimes,
  databaseTimes,
  millisecondsBetween,
  treeTimes,
  workerdTimes,
} from '../cpu/process-cpu.ts';
import type { LoadJob } from '../load/load-job.ts';
import { type RunLoad, withLoad } from '../load/with-load.ts';
import { median } from '../median.ts';
import { perSecond, printTable, times } from '../print-table.ts';
import { awaitStored, createTrackedSite } from '../tracked-site.ts';
import type { Umami } from './start-umami.ts';
import { TRACKED_WEBSITE } from './umami-database.ts';

const ROUNDS = 5;
const CONNECTIONS = 20;
const WARM_UP_SECONDS = 4;

interface Tracked {
  stack: Stack;
  umami: Umami;
  /** Umami's database. */
  umamiSql: Sql;
  /** Names of both databases. */
  databases: { ours: string; umami: string };
  /** How long each gets page views, in all rounds. */
  seconds: number;
}

/** One of both, as a target of load. */
interface Target {
  job: Pick<LoadJob, 'url' | 'request' | 'status'>;
  /** Resolves as soon as that number is stored. Returns how many are. */
  stored(count: number): Promise<number>;
  server(): Promise<CpuTimes>;
  database(): Promise<CpuTimes>;
}

interface Round {
  perSecond: number;
  p99Ms: number;
  /** Milliseconds a page view, until all are stored. */
  serverMs: number;
  databaseMs: number;
}

/** Sends both the same kind of page views by turns. */
export async function compareTracking({
  stack,
  umami,
  umamiSql,
  databases,
  seconds,
}: Tracked): Promise<void> {
  const siteId = await createTrackedSite(stack.sql);
  const targets: Record<'ours' | 'umami', Target> = {
    ours: {
      job: { url: `${stack.baseUrl}/api/v1/track`, request: { siteIds: [siteId] }, status: 202 },
      stored: (count) => awaitStored(stack.sql, siteId, count),
      server: workerdTimes,
      database: () => databaseTimes(databases.ours),
    },
    umami: {
      job: { url: `${umami.baseUrl}/api/send`, request: { websiteId: TRACKED_WEBSITE }, status: 200 },
      stored: (count) => awaitUmami(umamiSql, count),
      server: () => treeTimes(umami.pid),
      database: () => databaseTimes(databases.umami),
    },
  };
  const rounds: Record<'ours' | 'umami', Round[]> = { ours: [], umami: [] };
  await withLoad(async (load) => {
    for (const target of Object.values(targets)) await runRound(load, target, WARM_UP_SECONDS);
    for (let round = 1; round <= ROUNDS; round++)
      for (const name of ['ours', 'umami'] as const) {
        const measured = await runRound(load, targets[name], seconds / ROUNDS);
        rounds[name].push(measured);
        console.error(`  round ${round} of ${ROUNDS}, ${name}: ${perSecond(measured.perSecond)}`);
      }
  });
  print(rounds);
}

async function runRound(load: RunLoad, target: Target, seconds: number): Promise<Round> {
  const stored = await target.stored(0);
  const before = [await target.server(), await target.database()] as const;
  const result = await load({ ...target.job, connections: CONNECTIONS, seconds });
  if (result.accepted === 0) throw new Error(`${target.job.url} accepted nothing`);
  await target.stored(stored + result.accepted);
  return {
    perSecond: result.accepted / result.seconds,
    p99Ms: result.p99Ms,
    serverMs: millisecondsBetween(before[0], await target.server()) / result.accepted,
    databaseMs: millisecondsBetween(before[1], await target.database()) / result.accepted,
  };
}

/** Umami answers after it stored an event, and answers bots likewise without storing: the rows are counted. */
async function awaitUmami(sql: Sql, count: number): Promise<number> {
  const [row] =
    await sql`select count(*)::int as count from website_event where website_id = ${TRACKED_WEBSITE}`;
  if (row?.count < count)
    throw new Error(`Umami accepted ${count - row?.count} page views more than it stored`);
  return row?.count;
}

function print(rounds: Record<'ours' | 'umami', Round[]>): void {
  const of = (name: 'ours' | 'umami', pick: (round: Round) => number): number =>
    median(rounds[name].map(pick));
  const row = (
    what: string,
    pick: (round: Round) => number,
    show: (value: number) => string,
    more?: true,
  ) => {
    const [own, other] = [of('ours', pick), of('umami', pick)];
    return {
      what,
      figure: show(own),
      baseline: `Umami ${show(other)}`,
      ratio: times(more ? own / other : other / own),
    };
  };
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  printTable(`Page views, ${CONNECTIONS} connections; medians of ${ROUNDS} rounds by turns`, [
    row('accepted', (round) => round.perSecond, perSecond, true),
    row('answered, 99th percentile', (round) => round.p99Ms, ms),
    row('CPU a page view, server', (round) => round.serverMs, ms),
    row('CPU a page view, PostgreSQL', (round) => round.databaseMs, ms),
    row('CPU a page view, both', (round) => round.serverMs + round.databaseMs, ms),
  ]);
}
