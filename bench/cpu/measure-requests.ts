/** Measures CPU time of a request in workerd, including the hops before it, and in PostgreSQL. */
import type { Stack } from '../../dev/stack.ts';
import { makePageView } from '../load/page-view.ts';
import { median } from '../median.ts';
import { printTable } from '../print-table.ts';
import { createTrackedSite } from '../tracked-site.ts';
import { runAll } from '../traffic-of-day.ts';
import { databaseTimes, millisecondsBetween, workerdTimes } from './process-cpu.ts';

const ROUNDS = 5;
const REQUESTS = 3000;
const WARM_UP = 1000;
const AT_ONCE = 8;

interface Target {
  what: string;
  status: number;
  send: () => Promise<{ status: number; text(): Promise<string> }>;
}

/** Milliseconds per request. */
interface Took {
  worker: number;
  database: number;
}

/** Messages go to an ingest function that does nothing, so that only the work of `track` is measured. */
export async function measureRequests(stack: Stack, databaseName: string): Promise<void> {
  const siteId = await createTrackedSite(stack.sql);
  const { fetch, call } = stack;
  const post = (path: string) => fetch(path, { method: 'POST', ...makePageView(siteId) });
  const get = (path: string) => fetch(path, { headers: makePageView(siteId).headers });
  const empty: Target = { what: 'empty Worker', status: 202, send: () => post('/api/empty') };
  const targets: Target[] = [
    { what: 'POST /api/v1/track', status: 202, send: () => post('/api/v1/track') },
    { what: 'GET /api/v1/policy', status: 200, send: () => get(`/api/v1/policy?site=${siteId}`) },
    {
      what: 'a policy, asked of sites',
      status: 200,
      send: () => call('sites', `/${siteId}`),
    },
  ];
  const all = [empty, ...targets];
  const took = new Map<Target, Took[]>(all.map((target) => [target, []]));
  for (const target of all) await request(target, WARM_UP);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [target, rounds] of took) rounds.push(await measure(target, databaseName));
    console.error(`  requests: round ${round} of ${ROUNDS}`);
  }
  const ms = (target: Target, of: keyof Took): string =>
    `${median((took.get(target) ?? []).map((round) => round[of])).toFixed(2)} ms`;
  printTable(
    `CPU of a request, ${REQUESTS} requests, medians of ${ROUNDS} rounds`,
    all.map((target) => ({
      what: target.what,
      figure: ms(target, 'worker'),
      baseline: ms(target, 'database'),
    })),
    { figure: 'workerd', baseline: 'PostgreSQL' },
  );
}

async function measure(target: Target, databaseName: string): Promise<Took> {
  const before = [await workerdTimes(), await databaseTimes(databaseName)] as const;
  await request(target, REQUESTS);
  return {
    worker: millisecondsBetween(before[0], await workerdTimes()) / REQUESTS,
    database: millisecondsBetween(before[1], await databaseTimes(databaseName)) / REQUESTS,
  };
}

async function request({ what, status, send }: Target, count: number): Promise<void> {
  await runAll(Array.from({ length: count }), AT_ONCE, async () => {
    const response = await send();
    await response.text();
    if (response.status !== status) throw new Error(`${what} is answered with ${response.status}`);
  });
}
