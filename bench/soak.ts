/** An hour of `npm start` under load: is everything stored, and what does its memory do? */
import { setTimeout as wait } from 'node:timers/promises';
import { connectDatabase } from '../lib/db.ts';
import { startNeon } from '../tooling/neon/start-neon.ts';
import type { Benchmark } from './benchmark.ts';
import { treeUse } from './cpu/process-cpu.ts';
import { startHost } from './host/start-host.ts';
import { makePageView } from './load/page-view.ts';
import { withLoad } from './load/with-load.ts';
import { printTable, times, whole } from './print-table.ts';
import { awaitStored, createTrackedSite } from './tracked-site.ts';
import { withDatabase } from './with-database.ts';

const MINUTES = 60;
const PER_SECOND = 50;
const CONNECTIONS = 20;
const MEBIBYTE = 1024 * 1024;
/** Functions are loaded and compiled in the first minutes. */
const WARM_MINUTES = 5;

export const soak: Benchmark = {
  name: 'soak',
  summary: '`npm start` under --rate page views a second for --minutes: what is stored, and its memory',
  onlyNamed: true,
  run: ({ database, minutes = MINUTES, rate = PER_SECOND }) =>
    withDatabase(database, async (url) => {
      const neon = await startNeon({ database: { url } });
      const sql = connectDatabase({ url: neon.url, endpoint: neon.endpoint });
      // The first start makes the tables.
      await (await startHost(url, 1)).close();
      const siteId = await createTrackedSite(sql);
      const begun = performance.now();
      const { origin, pid, close } = await startHost(url, 1);
      try {
        const firstMs = await untilFirstView(`${origin}/api/v1/track`, siteId, begun);
        const memory: number[] = [];
        let accepted = 1;
        await withLoad(async (load) => {
          for (let minute = 1; minute <= minutes; minute += 1) {
            const result = await load({
              ...{ url: `${origin}/api/v1/track`, request: { siteIds: [siteId] }, status: 202 },
              ...{ connections: CONNECTIONS, seconds: 60, perSecond: rate },
            });
            accepted += result.accepted;
            memory.push((await treeUse(pid)).memory / MEBIBYTE);
            console.error(
              `  minute ${minute}: ${whole(memory.at(-1) ?? 0)} MB, p99 ${result.p99Ms.toFixed(0)} ms, ` +
                `others ${JSON.stringify(result.others)}`,
            );
          }
        });
        const stored = await awaitStored(sql, siteId, accepted);
        const warm = memory[Math.min(WARM_MINUTES, memory.length) - 1] ?? 0;
        const last = memory.at(-1) ?? 0;
        printTable(`npm start for ${minutes} minutes, ${rate} page views a second`, [
          {
            what: 'first page view after the start',
            figure: `${(firstMs / 1000).toFixed(1)} s`,
            baseline: '',
            aim: 'at most 3 s',
          },
          {
            what: 'page views stored',
            figure: whole(stored),
            baseline: `${whole(accepted)} accepted`,
            aim: 'equal',
          },
          {
            what: 'memory without PostgreSQL, at the end',
            figure: `${whole(last)} MB`,
            baseline: `${whole(warm)} MB after ${Math.min(WARM_MINUTES, memory.length)} minutes`,
            ratio: times(last / warm, 2),
            aim: 'at most 1.2x',
          },
        ]);
      } finally {
        await close();
        await neon.close();
      }
    }),
};

/** Milliseconds until a page view was accepted. */
async function untilFirstView(url: string, siteId: string, begun: number): Promise<number> {
  const { headers, body } = makePageView(siteId);
  for (;;) {
    const { status } = await fetch(url, { method: 'POST', headers, body });
    if (status === 202) return performance.now() - begun;
    if (status < 500) throw new Error(`The first page view was answered ${status}.`);
    await wait(50);
  }
}
