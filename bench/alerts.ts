/** The round of every minute at size: what ten alerts of each site cost, and what counting minutes adds to the fold. `bench -- fill` fills. */
import * as v from 'valibot';
import { CreateSiteAlert } from '../lib/alerts/alert-schemas.ts';
import { createAlert } from '../lib/alerts/alerts.ts';
import { evaluateAlerts } from '../lib/alerts/evaluate-alerts.ts';
import { foldBatch } from '../lib/collection/fold-batch.ts';
import type { Sql } from '../lib/db.ts';
import { createGoal } from '../lib/goals/goal-definitions.ts';
import type { Benchmark } from './benchmark.ts';
import { median } from './median.ts';
import { printTable, times, whole } from './print-table.ts';
import { contextOf } from './reports/report-questions.ts';
import { connected } from './reports/with-service.ts';
import { type FilledSite, readFill, readSites } from './scale/fill-size.ts';
import { databaseOn } from './scale/filled-database.ts';
import { watchMachine } from './scale/watch-machine.ts';
import { countEvents, DAY_MS, inBatches, makeBenchSite, trafficOfDay } from './traffic-of-day.ts';

const ROUNDS = 10;
const GOAL = 'Read the first of the articles';
const MINUTE_MS = 60_000;
/** Of the fold: events of a site, and messages of a batch. */
const FOLDED = { rounds: 5, events: 10_000, messages: 100 };

/** The ten alerts of a site: each kind of sum, three of them beside the same hours of four weeks. */
const rulesOf = (goalId: string): readonly Record<string, unknown>[] => [
  { metric: 'visits', compare: 'above', threshold: 1, forMinutes: 10 },
  { metric: 'visits', compare: 'rose_by', threshold: 200, forMinutes: 60 },
  { metric: 'visits', compare: 'below', threshold: 1, forMinutes: 60, filters: { country: 'DE,US' } },
  { metric: 'visits', compare: 'above', threshold: 100, forMinutes: 30, filters: { device: '!mobile' } },
  { metric: 'pageviews', compare: 'fell_by', threshold: 80, forMinutes: 60 },
  { metric: 'pageviews', compare: 'silent', threshold: 0, forMinutes: 60 },
  { metric: 'visitors_now', compare: 'above', threshold: 200, forMinutes: 5 },
  { metric: 'conversion_rate', compare: 'fell_by', threshold: 50, forMinutes: 1440, goalId },
  { metric: 'events', compare: 'below', threshold: 1, forMinutes: 1440 },
  { metric: 'dropped', compare: 'above', threshold: 1000, forMinutes: 60 },
];

export const alerts: Benchmark = {
  name: 'alerts',
  summary: 'the round of ten alerts on each site of --into, and the fold of a watched site',
  onlyNamed: true,
  run: ({ database, into }) =>
    connected(databaseOn(database, into), async (sql) => {
      const { databaseCpuMs } = await watchMachine(sql);
      const { size, until } = await readFill(sql);
      const sites = await readSites(sql);
      const events = size.site + size.sites * size.each;
      await measureRounds({ sql, databaseCpuMs }, { sites, events, days: size.days, now: until });
      await measureFold({ sql, databaseCpuMs });
    }),
};

interface Bench {
  sql: Sql;
  databaseCpuMs: () => Promise<number>;
}

interface Cost {
  /** CPU milliseconds of the database and of this process. */
  cpuMs: number;
  ms: number;
}

async function costOf({ databaseCpuMs }: Bench, work: () => Promise<unknown>): Promise<Cost> {
  const [database, own, begun] = [await databaseCpuMs(), process.cpuUsage(), performance.now()];
  await work();
  const ms = performance.now() - begun;
  const used = process.cpuUsage(own);
  return { cpuMs: (await databaseCpuMs()) - database + (used.user + used.system) / 1000, ms };
}

async function measureRounds(
  bench: Bench,
  { sites, events, days, now }: { sites: readonly FilledSite[]; events: number; days: number; now: number },
): Promise<void> {
  const { sql } = bench;
  // What an earlier run made.
  await sql`delete from alert_rules`;
  await sql`delete from site_watches`;
  await sql`truncate site_minutes`;
  await sql`delete from site_goals where name = ${GOAL}`;
  let rules = 0;
  const watching = await costOf(bench, async () => {
    for (const { siteId, userId } of sites) {
      const ctx = contextOf(sql, { siteId, userId, now });
      const goal = await createGoal(ctx, {
        siteId,
        name: GOAL,
        page: '/articles/1',
      });
      for (const rule of rulesOf(goal.id)) {
        const input = v.parse(CreateSiteAlert, { name: `Alert ${rules}`, ...rule, siteId, channels: [] });
        await createAlert(ctx, input);
        rules += 1;
      }
    }
  });
  console.error(`  ${whole(rules)} alerts made`);
  const filling = await costOf(bench, async () => {
    for (let more = true; more; ) {
      const [row] = await sql`select fill_site_minutes() as filled`;
      more = row?.filled === true;
    }
  });
  await sql`vacuum analyze`;
  console.error('  minutes of 36 days counted back');
  const rounds: Cost[] = [];
  let changes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(
      await costOf(bench, async () => {
        const done = await evaluateAlerts({ sql, now: () => now + round * MINUTE_MS });
        if (done.evaluated !== rules) throw new Error(`${done.evaluated} of ${rules} alerts were evaluated`);
        changes += done.changes;
      }),
    );
  }
  const [{ unknown, minutes } = {}] = await sql`
    select (select count(*)::int from alert_rules where state = 'no_data') as unknown,
      (select pg_total_relation_size('site_minutes')::float8) as minutes`;
  const cpuMs = median(rounds.map((cost) => cost.cpuMs));
  printTable(
    `${whole(rules)} alerts of ${sites.length} sites with ${whole(events)} events in ${days} days, median of ${ROUNDS} rounds`,
    [
      {
        what: 'a round, CPU of database and function',
        figure: `${whole(cpuMs)} ms`,
        aim: 'at most 5,000 ms',
      },
      { what: 'the first round', figure: `${whole(rounds[0]?.cpuMs ?? 0)} ms` },
      {
        what: 'a round, on the clock',
        figure: `${whole(median(rounds.map(({ ms }) => ms)))} ms`,
        aim: 'under 30 s',
      },
      { what: 'changes of state in all rounds', figure: whole(changes) },
      { what: 'alerts without data at the end', figure: whole(unknown) },
      { what: 'making an alert', figure: `${(watching.cpuMs / rules).toFixed(1)} ms` },
      { what: 'counting a site back, 36 days', figure: `${whole(filling.cpuMs / sites.length)} ms` },
      { what: 'minutes of a site, stored', figure: `${whole(minutes / sites.length / 1024)} KiB` },
    ],
  );
}

/** The same traffic folded into a site that is watched, and into one that isn't, by turns. */
async function measureFold(bench: Bench): Promise<void> {
  const { sql } = bench;
  const now = Date.now();
  const taken: { watched: number[]; other: number[] } = { watched: [], other: [] };
  let events = 0;
  for (let round = 0; round < FOLDED.rounds; round += 1)
    for (const which of ['other', 'watched'] as const) {
      const { siteId } = await makeBenchSite(sql);
      const instant = new Date(now - 2 * DAY_MS).toISOString();
      if (which === 'watched') await sql`select watch_site(${siteId}::uuid, ${instant}::timestamptz)`;
      const today = Math.floor(now / DAY_MS) * DAY_MS;
      const batches = inBatches(trafficOfDay(siteId, today - DAY_MS, FOLDED.events), FOLDED.messages);
      const { cpuMs } = await costOf(bench, async () => {
        for (const batch of batches) await foldBatch(sql, batch, now);
      });
      taken[which].push(cpuMs);
      events = countEvents(batches.flat());
      console.error(`  folded: ${which}, round ${round + 1} of ${FOLDED.rounds}`);
    }
  const [watched, other] = [median(taken.watched), median(taken.other)];
  const figure = (cpuMs: number): string => `${((cpuMs / events) * 1000).toFixed(0)} µs`;
  printTable(
    `Folding ${whole(events)} events, median of ${FOLDED.rounds} by turns, CPU of database and function`,
    [
      {
        what: 'an event of a site with alerts',
        figure: figure(watched),
        baseline: `of one without: ${figure(other)}`,
        ratio: times(watched / other),
      },
    ],
  );
}
