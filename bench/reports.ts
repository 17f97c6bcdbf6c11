/** Measures every report over 90 days at several sizes, and a site's storage, beside Umami's tables and queries in the same run. */
import type { Benchmark } from './benchmark.ts';
import { compareClickHouse } from './reports/compare-clickhouse.ts';
import { measureFold, measureSize } from './reports/measure-reports.ts';
import { DAY_MS } from './reports/plan-day.ts';
import { printBytes, printReports, printSite } from './reports/print-reports.ts';

const EVENTS = 2_000_000;
/** Larger baselines take an hour to load. */
const MAX_BASELINE = 10_000_000;
/** Some days of a small site, to measure the storage of visits that were folded event by event. */
const FOLDED = { events: 60_000, days: 3 };

export const reports: Benchmark = {
  name: 'reports',
  summary:
    'every report over 90 days at several sizes (--sizes 2,10,50), and bytes an event, beside Umami; with --clickhouse DIR only twelve reports, beside ClickHouse',
  run: async ({ database, sizes, events = EVENTS, baseline = EVENTS, clickhouse }) => {
    if (baseline > MAX_BASELINE) throw new Error('--baseline takes 10 million events at most.');
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const now = today + DAY_MS / 2;
    const all = (sizes ?? [events]).toSorted((a, b) => a - b);
    if (clickhouse !== undefined) {
      for (const size of all) await compareClickHouse(database, clickhouse, { events: size, now });
      return;
    }

    const fold = await measureFold(database, { ...FOLDED, now });
    const measured = [];
    for (const size of all) {
      const result = await measureSize(database, { events: size, now }, size <= baseline);
      printSite(result, fold);
      printBytes(result, fold);
      measured.push(result);
    }
    printReports(measured);
  },
};
