import { clausesOf } from '../../lib/analytics/sums/filter-clauses.ts';
import { sumFilter } from '../../lib/analytics/sums/sum-filters.ts';
import type { Sql } from '../../lib/db.ts';
import { median } from '../median.ts';
import { printLines, whole } from '../print-table.ts';
import { type ClickHouse, type Filter, fillClickHouse, openClickHouse, statementsOf } from './clickhouse.ts';
import { DAYS, type FilledSite, fillSite, SINCE_CRONS_MS, type TrafficOptions } from './fill-report-site.ts';
import { DAY_MS } from './plan-day.ts';
import { is, twelveReports } from './report-questions.ts';
import { sealDays } from './seal-site.ts';
import { connected, withService } from './with-service.ts';

const ROUNDS = 5;
/** As long as it takes. */
const SUMMING_MS = 3_600_000;

const FILTERS: readonly (Filter | undefined)[] = [
  undefined,
  { dimension: 'country', value: 'SE' },
  { dimension: 'country', value: 'DE' },
  { dimension: 'browser', value: 'Chrome' },
  { dimension: 'device', value: 'desktop' },
  { dimension: 'page', value: '/articles/1' },
];

/** A page of twelve reports here and in ClickHouse, by turns, with one filter after the other: before and after it has sums of its own. */
export function compareClickHouse(server: string, folder: string, traffic: TrafficOptions): Promise<void> {
  return withService(server, async (url) => {
    const clickHouse = await openClickHouse(folder);
    try {
      const site = await connected(url, (sql) => fillSite(sql, traffic));
      console.error(`  ${whole(site.events)} events stored`);
      await connected(url, (sql) => fillClickHouse(sql, clickHouse, traffic));
      console.error('  stored in ClickHouse');
      await sealDays(url, traffic.now - SINCE_CRONS_MS);
      console.error('  sealed');
      const lines = await connected(url, async (sql) => {
        const all = [];
        for (const filter of FILTERS) {
          const { name, ask } = twelveReports(
            sql,
            site,
            filter === undefined ? [] : [is(filter.dimension, filter.value)],
          );
          all.push(await measure({ name, ask, clickHouse, filter, site }));
          console.error(`  ${all.at(-1)?.join(' ')}`);
          if (filter === undefined) continue;
          const clauses = clausesOf([is(filter.dimension, filter.value)]);
          const begun = performance.now();
          await sumFilter(
            { sql, now: () => site.now, actor: { kind: 'operator' } },
            { siteId: site.siteId, clauses, timeMs: SUMMING_MS },
          );
          const seconds = ((performance.now() - begun) / 1000).toFixed(0);
          all.push(await measure({ name: `${name}, summed in ${seconds} s`, ask, clickHouse, filter, site }));
          console.error(`  ${all.at(-1)?.join(' ')}`);
        }
        return all;
      });
      const heads = ['', 'visits kept', 'here', 'ClickHouse, uniq', 'ratio', 'uniqExact', 'ratio'];
      const sizes = await connected(url, sizesOf);
      for (const { clauses, part } of sizes)
        console.error(`  sums of ${clauses} take ${(100 * part).toFixed(1)} % of what the visits take`);
      printLines(
        `${whole(site.events)} events in 90 days, milliseconds; medians of ${ROUNDS}, by turns`,
        [heads, ...lines],
        (at) => at > 0,
      );
    } finally {
      await clickHouse.close();
    }
  });
}

/** What the sums of each filter take, as a part of what the visits take. */
async function sizesOf(sql: Sql): Promise<{ clauses: string; part: number }[]> {
  const rows = await sql`
    select clauses::text,
      (select sum(pg_column_size(v)) from filter_values v where v.site_key = f.site_key and v.filter = f.id)::float8
        / (select sum(pg_column_size(v)) from visits v where v.site_key = f.site_key) as part
    from site_filters f order by 2 desc`;
  return rows as { clauses: string; part: number }[];
}

interface Measured {
  name: string;
  ask: () => Promise<unknown>;
  clickHouse: ClickHouse;
  filter: Filter | undefined;
  site: FilledSite;
}

/** A line of the table. */
async function measure({ name, ask, clickHouse, filter, site }: Measured): Promise<string[]> {
  const from = new Date(Math.floor(site.now / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ');
  const askClickHouse = (unique: 'uniq' | 'uniqExact', kept: Filter | undefined): string[] =>
    statementsOf({ from, kept, unique }).map(clickHouse.ask);
  const visitsOf = ([totals = '']: string[]): number =>
    Number((JSON.parse(totals) as Record<string, number>)['count()']);
  const share = visitsOf(askClickHouse('uniq', filter)) / visitsOf(askClickHouse('uniq', undefined));
  await ask();
  const taken: { here: number[]; uniq: number[]; uniqExact: number[] } = {
    here: [],
    uniq: [],
    uniqExact: [],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    taken.here.push(await timed(ask));
    for (const unique of ['uniq', 'uniqExact'] as const)
      taken[unique].push(await timed(() => askClickHouse(unique, filter)));
  }
  const [here, uniq, exact] = [taken.here, taken.uniq, taken.uniqExact].map(median) as [
    number,
    number,
    number,
  ];
  return [
    name,
    `${(share * 100).toFixed(1)} %`,
    whole(here),
    whole(uniq),
    (here / uniq).toFixed(2),
    whole(exact),
    (here / exact).toFixed(2),
  ];
}

async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
