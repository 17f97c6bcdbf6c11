/** `npm start` under page views, with one process and with two, beside the least that stores a page view with Node.js. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPort } from '../dev/free-port.ts';
import { connectDatabase, type Sql } from '../lib/db.ts';
import { ROOT } from '../tooling/deployment.ts';
import { startNeon } from '../tooling/neon/start-neon.ts';
import type { Benchmark } from './benchmark.ts';
import { databaseTimes, millisecondsBetween, treeUse, type Use } from './cpu/process-cpu.ts';
import { awaitAnswer, end, startHost } from './host/start-host.ts';
import type { LoadJob, LoadResult } from './load/load-job.ts';
import { type RunLoad, withLoad } from './load/with-load.ts';
import { median } from './median.ts';
import { startUmami } from './peers/start-umami.ts';
import { makeUmamiDatabase, TRACKED_WEBSITE } from './peers/umami-database.ts';
import { perSecond, printTable, type Row, times, whole } from './print-table.ts';
import { awaitStored, createTrackedSite } from './tracked-site.ts';
import { withDatabase } from './with-database.ts';

const ROUNDS = 5;
const SECONDS = 10;
const WARM_UP_SECONDS = 4;
const CONNECTIONS = 20;
const MEBIBYTE = 1024 * 1024;
interface Target {
  name: string;
  job: Pick<LoadJob, 'url' | 'request' | 'status'>;
  pid: number;
  /** Bytes at rest, with everything but PostgreSQL. */
  atRest: number;
  databaseName: string;
  /** Waits until that number of more page views are stored than before. */
  stored(count: number): Promise<void>;
  close(): Promise<void>;
}

interface Round extends LoadResult {
  ownMs: number;
  databaseMs: number;
}

export const host: Benchmark = {
  name: 'host',
  summary:
    'page views accepted by `npm start` with one and two processes, beside a bare Node.js server, and with --umami DIR beside Umami',
  run: ({ database, umami, seconds = SECONDS }) =>
    withDatabase(database, (peerUrl) =>
      withDatabase(database, (bareUrl) =>
        withDatabase(database, async (url) => {
          const neon = await startNeon({ database: { url } });
          const sql = connectDatabase({ url: neon.url, endpoint: neon.endpoint });
          const peers = [await startBare(bareUrl)];
          if (umami !== undefined) peers.push(await startPeer(umami, peerUrl));
          try {
            await withLoad(async (load) => {
              const one = await measuredHost(url, sql, 1);
              const rounds = await measure(load, [one, ...peers], seconds);
              await one.close();
              const two = await measuredHost(url, sql, 2);
              const again = await measure(load, [two, ...peers], seconds);
              await two.close();
              report({ one, two, peers }, { ...rounds, ...again });
            });
          } finally {
            for (const { close } of peers) await close();
            await neon.close();
          }
        }),
      ),
    ),
};

async function measure(load: RunLoad, targets: Target[], seconds: number): Promise<Record<string, Round[]>> {
  const rounds: Record<string, Round[]> = {};
  for (const target of targets) await runRound(load, target, WARM_UP_SECONDS);
  for (let n = 1; n <= ROUNDS; n += 1) {
    for (const target of targets) {
      const round = await runRound(load, target, seconds);
      rounds[target.name] = [...(rounds[target.name] ?? []), round];
      console.error(
        `  round ${n}: ${target.name} ${perSecond(round.accepted / round.seconds)}, p50 ${round.medianMs.toFixed(0)} ms, ` +
          `p99 ${round.p99Ms.toFixed(0)} ms, others ${JSON.stringify(round.others)}`,
      );
    }
  }
  return rounds;
}

async function runRound(load: RunLoad, target: Target, seconds: number): Promise<Round> {
  const before = { own: await treeUse(target.pid), database: await databaseTimes(target.databaseName) };
  const result = await load({ ...target.job, connections: CONNECTIONS, seconds });
  await target.stored(result.accepted);
  const after = { own: await treeUse(target.pid), database: await databaseTimes(target.databaseName) };
  return {
    ...result,
    ownMs: (after.own.cpuMs - before.own.cpuMs) / result.accepted,
    databaseMs: millisecondsBetween(before.database, after.database) / result.accepted,
  };
}

async function measuredHost(url: string, sql: Sql, processes: number): Promise<Target> {
  const { origin, pid, close } = await startHost(url, processes);
  await wait(5_000);
  const { memory }: Use = await treeUse(pid);
  const siteId = await createTrackedSite(sql);
  let total = 0;
  return {
    name: `${processes} process${processes === 1 ? '' : 'es'}`,
    job: { url: `${origin}/api/v1/track`, request: { siteIds: [siteId] }, status: 202 },
    pid,
    atRest: memory,
    databaseName: new URL(url).pathname.slice(1),
    stored: async (count) => {
      total += count;
      await awaitStored(sql, siteId, total);
    },
    close,
  };
}

async function startBare(url: string): Promise<Target> {
  const port = await findPort(0, 'port');
  const child = spawn(process.execPath, [join(ROOT, 'bench/host/bare-server.ts'), url, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await awaitAnswer(`http://127.0.0.1:${port}/`, child, 'POST');
  return {
    name: 'bare Node.js',
    job: { url: `http://127.0.0.1:${port}/`, request: { siteIds: [crypto.randomUUID()] }, status: 202 },
    pid: child.pid as number,
    atRest: 0,
    databaseName: new URL(url).pathname.slice(1),
    stored: async () => {},
    close: () => end(child),
  };
}

/** Umami answers after it stored a page view. */
async function startPeer(folder: string, url: string): Promise<Target> {
  await makeUmamiDatabase(folder, url);
  const { baseUrl, pid, close } = await startUmami(folder, url);
  return {
    name: 'Umami',
    job: { url: `${baseUrl}/api/send`, request: { websiteId: TRACKED_WEBSITE }, status: 200 },
    pid,
    atRest: 0,
    databaseName: new URL(url).pathname.slice(1),
    stored: async () => {},
    close,
  };
}

function report(
  { one, two, peers }: { one: Target; two: Target; peers: readonly Target[] },
  rounds: Record<string, Round[]>,
): void {
  const of = (target: Target, read: (round: Round) => number): number =>
    median((rounds[target.name] ?? []).map(read));
  const rate = (round: Round): number => round.accepted / round.seconds;
  const cpu = ({ ownMs, databaseMs }: Round): number => ownMs + databaseMs;
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  const ones = of(one, rate);
  const beside = (peer: Target): Row[] => [
    {
      what: 'one process',
      figure: perSecond(ones),
      baseline: `${peer.name} ${perSecond(of(peer, rate))}`,
      ratio: times(ones / of(peer, rate)),
      ...(peer.name === 'Umami' && { aim: 'at least 10x' }),
    },
    {
      what: 'CPU of a page view, server and database',
      figure: `${ms(of(one, ({ ownMs }) => ownMs))} + ${ms(of(one, ({ databaseMs }) => databaseMs))}`,
      baseline: `${peer.name} ${ms(of(peer, ({ ownMs }) => ownMs))} + ${ms(of(peer, ({ databaseMs }) => databaseMs))}`,
      ratio: times(of(one, cpu) / of(peer, cpu), 2),
      ...(peer.name === 'Umami' && { aim: 'at most 0.1x' }),
    },
    {
      what: '99th percentile',
      figure: ms(of(one, ({ p99Ms }) => p99Ms)),
      baseline: `${peer.name} ${ms(of(peer, ({ p99Ms }) => p99Ms))}, median ${ms(of(peer, ({ medianMs }) => medianMs))}`,
    },
  ];
  printTable(`Page views accepted by npm start, ${CONNECTIONS} connections; medians of ${ROUNDS} rounds`, [
    ...peers.flatMap(beside),
    {
      what: 'two processes',
      figure: perSecond(of(two, rate)),
      baseline: `one ${perSecond(ones)}`,
      ratio: times(of(two, rate) / ones),
      aim: 'at least 1.6x',
    },
    {
      what: 'memory at rest, one process and two',
      figure: `${whole(one.atRest / MEBIBYTE)} and ${whole(two.atRest / MEBIBYTE)} MB`,
      baseline: '',
      aim: 'at most 250 MB',
    },
  ]);
}
