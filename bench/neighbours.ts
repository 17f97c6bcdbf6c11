/**
 * How long one tenant's overview takes while another asks its worst questions and gives them up. The same questions without a bound, as the
 * operator asks them, show what the bound is worth.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { answerReports } from '../lib/analytics/answer-reports.ts';
import { ReportBatch } from '../lib/analytics/report-batch.ts';
import { reportNamed } from '../lib/analytics/reports.ts';
import { reportOverview } from '../lib/analytics/series/overview.ts';
import { foldBatch } from '../lib/collection/fold-batch.ts';
import type { ReaderActor, ReportContext } from '../lib/context.ts';
import { createCursors } from '../lib/cursor.ts';
import { connectDatabase, type Sql } from '../lib/db.ts';
import { check } from '../lib/http/issues.ts';
import { REPORTS_OF_PERSON } from '../lib/http/question-limits.ts';
import { type Neon, startNeon } from '../tooling/neon/start-neon.ts';
import { applySchema } from '../tooling/schema/apply-schema.ts';
import type { Benchmark } from './benchmark.ts';
import { quantile } from './median.ts';
import { printTable, times, whole } from './print-table.ts';
import { type BenchSite, DAY_MS, inBatches, makeBenchSite, runAll, trafficOfDay } from './traffic-of-day.ts';
import { withDatabase } from './with-database.ts';

const DAYS = 30;
const EVENTS = 300_000;
const MESSAGES_A_BATCH = 1000;
const RUNS = 60;
const PAUSE_MS = 50;
const AIM = 2;
/** Questions that the other tenant begins at the same time, and when it gives each up. */
const AT_ONCE = 15;
const PATIENCE_MS = 500;
/** It asks as often as the limit of reports lets it: 16 reports, their comparisons and their range are 33. */
const EVERY_MS = (REPORTS_OF_PERSON.windowSeconds * 1000) / (REPORTS_OF_PERSON.quota / 33);
/** A question that is given up goes on; before the next figure all of them must be over. */
const QUIET_MS = 200;

/** Reads each visit of the range for every report, also for the range before. */
const WORST = {
  period: '30d',
  compare: 'previous',
  filters: { page: '~a', source: '!nobody', country: '!AQ' },
  report: [
    ...['overview', 'timeseries', 'pages', 'entry-pages', 'exit-pages', 'sources', 'channels', 'countries'],
    ...['regions', 'cities', 'devices', 'browsers', 'languages', 'hostnames', 'heatmap', 'utm_source'],
  ],
};

export const neighbours: Benchmark = {
  name: 'neighbours',
  summary: 'a tenant’s overview while another tenant asks its worst questions and gives them up',
  run: ({ database, events = EVENTS }) =>
    withDatabase(database, async (url) => {
      // Each tenant has connections of its own, as other isolates have: the bound is the database's, not a pool's.
      const [own, other] = await Promise.all([1, 2].map(() => startNeon({ database: { url } })));
      if (own === undefined || other === undefined) throw new Error('no database');
      try {
        await own.withClient(applySchema);
        await measure(own, other, events);
      } finally {
        await Promise.all([own.close(), other.close()]);
      }
    }),
};

const sqlOf = ({ url, endpoint }: Neon, deadlineMs?: number): Sql =>
  connectDatabase({ url, endpoint, deadlineMs });

async function measure(own: Neon, other: Neon, events: number): Promise<void> {
  const sql = sqlOf(own);
  const [small, large] = [await makeBenchSite(sql), await makeBenchSite(sql)];
  await fill(sql, small, 10_000);
  await fill(sql, large, events);
  await sql`vacuum analyze visits`;
  const ask = () => timeOverview(sql, small);
  await ask();
  const quiet = await ask();
  const asPerson: ReaderActor = { kind: 'session', sessionId: '', userId: large.userId };
  const bounded = await besideWorst(other, large, asPerson, ask);
  await untilQuiet(sql);
  const unbounded = await besideWorst(other, large, { kind: 'operator' }, ask);
  await untilQuiet(sql);
  const again = await ask();
  const row = (what: string, took: readonly number[]) => ({
    what,
    figure: `median ${quantile(took, 0.5).toFixed(1)} ms, p95 ${quantile(took, 0.95).toFixed(1)} ms`,
    baseline: `quiet: p95 ${quantile(quiet, 0.95).toFixed(1)} ms`,
    ratio: times(quantile(took, 0.95) / quantile(quiet, 0.95)),
  });
  printTable(
    `overview of a small site, ${RUNS} times, while ${AT_ONCE} questions over ${whole(events)} events`,
    [
      { ...row('of one person run', bounded), aim: `at most ${times(AIM, 0)}` },
      row('without a bound run', unbounded),
      row('none runs any more', again),
    ],
  );
}

async function fill(sql: Sql, { siteId }: BenchSite, events: number): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (let day = today - (DAYS - 1) * DAY_MS; day < today; day += DAY_MS) {
    const messages = trafficOfDay(siteId, day, events / DAYS);
    await runAll(inBatches(messages, MESSAGES_A_BATCH), 2, (batch) =>
      foldBatch(sql, batch, day + DAY_MS - 1),
    );
  }
}

async function timeOverview(sql: Sql, { siteId, userId }: BenchSite): Promise<number[]> {
  const ctx: ReportContext = { sql, now: Date.now, actor: { kind: 'session', sessionId: '', userId } };
  const took: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    await reportOverview(ctx, { siteId, range: { period: '30d' } });
    took.push(performance.now() - start);
    await wait(PAUSE_MS);
  }
  return took;
}

/** Runs `ask` while the worst questions are asked: some at once, then as often as a limit lets them. */
async function besideWorst(
  neon: Neon,
  { siteId }: BenchSite,
  actor: ReaderActor,
  ask: () => Promise<number[]>,
): Promise<number[]> {
  const impatient = sqlOf(neon, PATIENCE_MS);
  const ctx = { sql: impatient, now: Date.now, actor, cursors: createCursors('c'.repeat(32)) };
  const { common, reports } = check(ReportBatch, { siteId, ...WORST });
  const asked = reports.map(({ name, report, fields }) => ({
    ...{ name, report },
    input: check(reportNamed(report).input, fields) as object,
  }));
  let isOver = false;
  const askWorst = () => answerReports(ctx, { common, reports: asked }).catch(() => undefined);
  const working = Array.from({ length: AT_ONCE }, askWorst);
  const goOn = async (): Promise<void> => {
    while (!isOver) {
      await wait(EVERY_MS);
      working.push(askWorst());
    }
  };
  const going = goOn();
  await wait(PATIENCE_MS);
  const took = await ask();
  isOver = true;
  await going;
  await Promise.all(working);
  return took;
}

/** Waits until the database runs nothing else. */
async function untilQuiet(sql: Sql): Promise<void> {
  for (let running = 1; running > 0; ) {
    const [row] = await sql`
      select count(*)::int as running from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    running = row?.running as number;
    await wait(QUIET_MS);
  }
}
