/** A month of demo traffic on a real PostgreSQL: its storage, and the time of its overview report at two sizes. */
import { reportOverview } from '../lib/analytics/series/overview.ts';
import { foldBatch } from '../lib/collection/fold-batch.ts';
import { maintainVisits } from '../lib/collection/maintain-visits.ts';
import { connectDatabase, type Sql } from '../lib/db.ts';
import { startNeon } from '../tooling/neon/start-neon.ts';
import { applySchema } from '../tooling/schema/apply-schema.ts';
import type { Benchmark } from './benchmark.ts';
import { median } from './median.ts';
import { printTable, times, whole } from './print-table.ts';
import { sealDays } from './reports/seal-site.ts';
import { keptBytes, lessBytes, measureBytes } from './reports/table-bytes.ts';
import {
  type BenchSite,
  countEvents,
  DAY_MS,
  inBatches,
  makeBenchSite,
  runAll,
  trafficOfDay,
} from './traffic-of-day.ts';
import { withDatabase } from './with-database.ts';

const DAYS = 30;
const EVENTS = 2_000_000;
const GROWTH = 5;
const MESSAGES_A_BATCH = 1000;
const RUNS = 31;
/** Umami 3.1 on PostgreSQL 15, 1.71 M events, 30 days, 2 cores: bytes per event, and milliseconds for its overview. */
const UMAMI = { bytesAnEvent: 1009, overviewMs: 2500 };

export const month: Benchmark = {
  name: 'month',
  summary: `${DAYS} days of demo traffic: bytes an event, and the overview at one size and at ${GROWTH} times that`,
  run: (options) =>
    withDatabase(options.database, async (url) => {
      const neon = await startNeon({ database: { url } });
      try {
        await neon.withClient(applySchema);
        const sql = connectDatabase({ url: neon.url, endpoint: neon.endpoint });
        const size = options.events ?? EVENTS;

        const empty = await measureBytes(sql);
        const small = await fill(sql, size);
        await sealDays(url, small.until);
        const bytes = lessBytes(await measureBytes(sql), empty);
        const all = (keptBytes(bytes) + bytes.raw) / small.events;
        const [{ raw, pageViews } = {}] = await sql`
          select (select count(*) from events)::float8 as raw, sum(pageviews)::float8 as "pageViews" from rollup_hours`;
        const aPageView = (sum: number): string => `${(sum / pageViews).toFixed(1)} B`;
        printTable(
          `Stored after ${DAYS} days of ${whole(small.events)} events, ${whole(pageViews)} of them page views, indexes included`,
          [
            {
              what: 'an event',
              figure: `${all.toFixed(1)} B`,
              baseline: `Umami, measured elsewhere: ${whole(UMAMI.bytesAnEvent)}`,
              ratio: times(UMAMI.bytesAnEvent / all),
              aim: 'under 120',
            },
            { what: 'a page view, of visits', figure: aPageView(bytes.visits) },
            { what: 'of rollups', figure: aPageView(bytes.rollups) },
            { what: 'of dictionaries and the rest', figure: aPageView(bytes.dictionaries + bytes.other) },
            { what: 'of all that is kept', figure: aPageView(keptBytes(bytes)) },
            { what: 'raw events, each', figure: `${(bytes.raw / raw).toFixed(1)} B` },
          ],
        );

        const smallMs = await time(sql, small.site);
        const large = await fill(sql, size * GROWTH);
        const [again, largeMs] = [await time(sql, small.site), await time(sql, large.site)];
        printTable(`overview over ${DAYS} days, median of ${RUNS}, through the driver`, [
          {
            what: `${whole(small.events)} events`,
            figure: `${smallMs.toFixed(1)} ms`,
            baseline: `Umami, 1.71 M events, measured elsewhere: ${whole(UMAMI.overviewMs)} ms`,
            ratio: times(UMAMI.overviewMs / smallMs),
            aim: 'under 50 ms',
          },
          {
            what: `${whole(large.events)} events`,
            figure: `${largeMs.toFixed(1)} ms`,
            baseline: `the smaller site, same moment: ${again.toFixed(1)} ms`,
            ratio: times(largeMs / again),
            aim: 'at most 1.5x',
          },
        ]);
      } finally {
        await neon.close();
      }
    }),
};

/** Folds a month day by day with each day's clock, so that raw events are dropped as in production. */
async function fill(sql: Sql, size: number): Promise<{ site: BenchSite; events: number; until: number }> {
  const site = await makeBenchSite(sql);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  let events = 0;
  for (let day = today - (DAYS - 1) * DAY_MS; day <= today; day += DAY_MS) {
    const messages = trafficOfDay(site.siteId, day, size / DAYS);
    const endOfDay = day + DAY_MS - 1;
    await runAll(inBatches(messages, MESSAGES_A_BATCH), 2, (batch) => foldBatch(sql, batch, endOfDay));
    await maintainVisits({ sql, now: () => endOfDay });
    // Runs what autovacuum would do later.
    await sql`vacuum visits`;
    events += countEvents(messages);
    console.error(`  ${whole(events)} of about ${whole(size)} events`);
  }
  return { site, events, until: today + DAY_MS };
}

/** Milliseconds of the report, including the round trip through the driver. */
async function time(sql: Sql, { siteId, userId }: BenchSite): Promise<number> {
  const ctx = { sql, now: Date.now, actor: { kind: 'session' as const, sessionId: '', userId } };
  const took: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    const { data } = await reportOverview(ctx, { siteId, range: { period: '30d' } });
    took.push(performance.now() - start);
    if (data.pageviews === 0 || data.visitors === 0) throw new Error('the overview shows nothing');
  }
  return median(took);
}
