/** A real peer on this machine: the same page views to both, the same month in both, the same questions to both. */
import { startStack } from '../dev/stack.ts';
import type { BenchOptions } from './bench-options.ts';
import type { Benchmark } from './benchmark.ts';
import { compareReports } from './peers/compare-reports.ts';
import { compareTracking } from './peers/compare-tracking.ts';
import { startUmami } from './peers/start-umami.ts';
import { fillUmamiDatabase, makeUmamiDatabase, umamiBytes } from './peers/umami-database.ts';
import { printTable, times, whole } from './print-table.ts';
import { fillSite, SINCE_CRONS_MS } from './reports/fill-report-site.ts';
import { DAY_MS } from './reports/plan-day.ts';
import { sealDays } from './reports/seal-site.ts';
import { keptBytes, lessBytes, measureBytes } from './reports/table-bytes.ts';
import { connected, withService } from './reports/with-service.ts';
import { withDatabase } from './with-database.ts';

const EVENTS = 1_000_000;
const DAYS = 30;
const SECONDS = 20;

export const peers: Benchmark = {
  name: 'peers',
  summary: 'Umami from a folder (--umami DIR) and this service: page views, CPU, bytes and reports',
  run: async (options) => {
    const { umami: folder, database } = options;
    if (folder === undefined) {
      console.log(
        'peers: --umami DIR names the folder of a peer. bench/peers/README.md says how to build it.',
      );
      return;
    }
    await withService(database, (url) =>
      withDatabase(database, (umamiUrl) => measure({ url, umamiUrl, folder }, options)),
    );
  },
};

interface Targets {
  url: string;
  umamiUrl: string;
  folder: string;
}

async function measure({ url, umamiUrl, folder }: Targets, options: BenchOptions): Promise<void> {
  const now = Date.now();
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const traffic = { events: options.events ?? EVENTS, days: DAYS, now };
  await makeUmamiDatabase(folder, umamiUrl);
  const before = { ours: await connected(url, measureBytes), umami: await umamiBytes(umamiUrl) };
  const { siteId } = await connected(url, (sql) => fillSite(sql, traffic, tellProgress('stored')));
  await sealDays(url, now - SINCE_CRONS_MS);
  await fillUmamiDatabase(umamiUrl, traffic, tellProgress('stored in Umami'));
  const after = { ours: await connected(url, measureBytes), umami: await umamiBytes(umamiUrl) };

  const umami = await startUmami(folder, umamiUrl);
  try {
    const stack = await startStack({ database: { url }, redis: options.redis, schemaApplied: true });
    try {
      const pageviews = await compareReports({ stack, umami, siteId, days: DAYS, today });
      const grown = lessBytes(after.ours, before.ours);
      const [ours, theirs] = [
        (keptBytes(grown) + grown.raw) / pageviews,
        (after.umami - before.umami) / pageviews,
      ];
      printTable('Stored, with indexes', [
        {
          what: 'a page view',
          figure: `${whole(ours)} B`,
          baseline: `Umami ${whole(theirs)} B`,
          ratio: times(theirs / ours),
        },
      ]);
      await connected(umamiUrl, (umamiSql) =>
        compareTracking({
          ...{ stack, umami, umamiSql },
          databases: { ours: nameOf(url), umami: nameOf(umamiUrl) },
          seconds: options.seconds ?? SECONDS,
        }),
      );
    } finally {
      await stack.close();
    }
  } finally {
    await umami.close();
  }
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

function tellProgress(what: string): (done: number, days: number) => void {
  return (done, days) => {
    if (done % 10 === 0 || done === days) console.error(`  ${what}: day ${done} of ${days}`);
  };
}
