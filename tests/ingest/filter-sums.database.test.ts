/** Reports with filters are the same with and without sums of what the filters keep, also when events come late and visitors are erased. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { answerReports } from '../../lib/analytics/answer-reports.ts';
import { reportEdgePages } from '../../lib/analytics/lists/edge-pages.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import { type Filter, ofGoal } from '../../lib/analytics/reading/filters.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { reportTimeseries } from '../../lib/analytics/series/timeseries.ts';
import { clausesOf } from '../../lib/analytics/sums/filter-clauses.ts';
import { sumFilters } from '../../lib/analytics/sums/sum-filters.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import { TrackMessage } from '../../lib/collection/track-message.ts';
import type { MemberContext } from '../../lib/context.ts';
import { createCursors } from '../../lib/cursor.ts';
import { connectDatabase, type Sql } from '../../lib/db.ts';
import { DIMENSIONS } from '../../lib/visits/dimensions.ts';
import { ENDS, ZONES } from '../oracle/streams.ts';
import { assertUntil, ORACLE_RUNS } from '../oracle-runs.ts';
import { addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { drawnFilter, GOALS } from './drawn-filter.ts';
import { makeOwnedSite, retireSites } from './ingest-site.ts';
import { asMessage, drawnRange, drawnVisits, readRange } from './months.ts';

const database = useDatabase();

/** Sums up all days that are sealed for good; returns how many blocks of 28 days the filters have then. */
async function sumUp(sql: Sql, siteId: string, filters: readonly Filter[]): Promise<number> {
  if (filters.length === 0) return 0;
  const [known] = await sql`
    insert into site_filters as known (site_key, clauses, asked_on)
    select key, meant_clauses(key, ${JSON.stringify(clausesOf(filters))}::jsonb), current_date from sites where id = ${siteId}
    on conflict (site_key, md5(clauses::text)) do update set asked_on = current_date
    returning site_key, id`;
  for (const {
    day,
  } of await sql`select day::text from days_of_filter(${known?.site_key}, ${known?.id}, 400)`)
    expect(await sql`select seal_filter(${known?.site_key}, ${known?.id}, ${day}::date) as done`).toEqual([
      { done: true },
    ]);
  const [blocks] = await sql`
    select count(*)::integer as large from filter_seals where site_key = ${known?.site_key} and filter = ${known?.id} and span = 28`;
  return blocks?.large;
}

test('reports with filters don’t depend on sums', async () => {
  const { sql } = database();
  const drawn = fc.record({
    now: fc.constantFrom(...ENDS),
    zone: fc.constantFrom(...ZONES),
    visits: drawnVisits(10, 120),
    late: drawnVisits(0, 4),
    ranges: fc.array(drawnRange, { minLength: 2, maxLength: 2 }),
    tier: fc.constantFrom(undefined, undefined, 1 as const, 2 as const, 3 as const),
    filters: fc.array(drawnFilter, { minLength: 1, maxLength: 2 }),
    // Lists have the conversions of a goal by row, beside the other filters.
    named: fc.option(
      fc.record({ goal: fc.constantFrom(...GOALS), isFilter: fc.boolean(), isAlone: fc.boolean() }),
    ),
    interval: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
  });
  let merged = 0;
  await assertUntil(
    () => merged > 0,
    fc.asyncProperty(drawn, async ({ now, zone, visits, late, ranges, tier, interval, ...asking }) => {
      const { named } = asking;
      const goal = named?.goal.name;
      const others = named?.isAlone ? [] : asking.filters;
      const reaching = goal === undefined ? [] : [...others, ofGoal(goal)];
      const filters = named?.isFilter ? reaching : others;
      await retireSites(sql);
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
      const reports = async () => {
        const all: unknown[] = [];
        for (const [n, drawnOne] of ranges.entries()) {
          const asked = { siteId, range: readRange(drawnOne, now, zone).asked, tier, filters };
          const list = { ...asked, goal, limit: 100 };
          for (const dimension of DIMENSIONS.filter((_, index) => index % ranges.length === n))
            all.push((await reportVisitValues(ctx, { ...list, dimension })).data);
          all.push([
            (await reportPages(ctx, { ...list, sort: 'reach' })).data,
            (await reportEdgePages(ctx, { ...list, edge: 'entry', compare: 'previous' })).data,
            (await reportEdgePages(ctx, { ...list, edge: 'exit' })).data,
            (await reportOverview(ctx, { ...asked, compare: 'year' })).data,
            (await reportTimeseries(ctx, { ...asked, interval, compare: 'previous' })).data,
          ]);
        }
        return all;
      };
      const unsummed = async () => {
        await sql`delete from filter_seals where site_key = (select key from sites where id = ${siteId})`;
        return reports();
      };
      const fold = (some: typeof visits) =>
        foldBatch(
          sql,
          some.map((visit) => asMessage(visit, now, siteId)),
          now,
        );

      for (const goal of GOALS) await addGoal(sql, siteId, goal);
      await fold(visits);
      await sealVisits(ctx, { timeMs: 60_000 });
      const plain = await reports();
      for (const some of [others, reaching]) merged += await sumUp(sql, siteId, some);
      expect(await reports()).toEqual(plain);

      await fold(late);
      const broken = await reports();
      await sealVisits(ctx, { timeMs: 60_000 });
      expect(await reports()).toEqual(broken);
      for (const some of [others, reaching]) await sumUp(sql, siteId, some);
      expect(await reports()).toEqual(broken);

      const [visitor] = await sql`
        select visitor_id from visits where site_key = (select key from sites where id = ${siteId}) and tier = 3 limit 1`;
      if (visitor !== undefined) await sql`select delete_visitor(${siteId}, ${visitor.visitor_id})`;
      await sql`
        update site_goals set kind = 1, pattern = '/pricing' where site_id = ${siteId} and name = 'Signed up'`;
      const changed = await reports();
      expect(await unsummed()).toEqual(changed);
    }),
    { numRuns: Math.ceil(ORACLE_RUNS / 10), endOnFailure: true },
  );
}, 600_000);

/** With the rights of a function. */
const as = (fn: 'analytics' | 'ingest'): Sql =>
  connectDatabase({ url: database().neon.urlOf(`vendor_${fn}`), endpoint: database().neon.endpoint });

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-03-20T12:00:00Z');
const DESKTOP: Filter = { dimension: 'device', operator: 'is', values: ['desktop'] };

/** A site with a visit of each of `people` on each of the 14 days before today; two of three people have a desktop. */
async function visitedSite(sql: Sql, people = 3) {
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const ctx: MemberContext = { sql, now: () => NOW, actor: { kind: 'session', sessionId: '', userId } };
  const messages = Array.from({ length: 14 * people }, (_, n) =>
    v.parse(TrackMessage, {
      ...{ version: 1, siteId, tier: 3, continued: false, device: n % 3 === 0 ? 'mobile' : 'desktop' },
      visitorId: `00000000-0000-4000-8000-${String(n % people).padStart(12, '0')}`,
      events: [
        {
          ...{
            type: 'pageview',
            id: randomUUID(),
            at: NOW - (1 + Math.floor(n / people)) * DAY_MS + n * 1000,
          },
          ...{ hostname: 'example.com', path: '/', entry: true },
        },
      ],
    }),
  );
  await foldBatch(sql, messages, NOW);
  await sealVisits(ctx, { timeMs: 60_000 });
  return { siteId, ctx, list: { siteId, range: { period: '30d' as const }, filters: [DESKTOP], limit: 10 } };
}

/** As if the site had many visits: only this decides whether its filters are worth sums. */
const manyVisits = (sql: Sql, siteId: string) => sql`
  insert into rollup_hours (site_key, hour, tier, pageviews, visits, measured, bounces, duration_ms)
  select key, ${new Date(NOW - DAY_MS / 2).toISOString()}, 1, 9000, 9000, 0, 0, 0 from sites where id = ${siteId}`;

const filtersOf = (sql: Sql, siteId: string) => sql`
  select clauses, asked_days, kept, round(share::numeric, 2)::float8 as share, size > 0 as sized,
    (select count(*)::integer from filter_seals s where s.filter = f.id and s.span = 1) as days
  from site_filters f where site_key = (select key from sites where id = ${siteId}) order by asked_days desc, clauses::text`;

test('days that are summed for filters aren’t read again', async () => {
  const { sql } = database();
  const { siteId, ctx, list } = await visitedSite(sql);
  const before = await reportPages(ctx, { ...list, sort: 'reach' });
  expect(before.data).toEqual([{ path: '/', visitors: 2, visits: 28, pageviews: 28, reach: 2 }]);
  await sumUp(sql, siteId, [DESKTOP]);
  await sql`delete from visits where site_key = (select key from sites where id = ${siteId})`;
  const after = await reportPages(ctx, { ...list, sort: 'reach' });
  expect(after.data).toEqual(before.data);
  const { data } = await reportOverview(ctx, { ...list });
  expect(data).toMatchObject({ visitors: 2, visits: 28, pageviews: 28, bounceRate: 100, avgDuration: 0 });
});

test('what is asked is summed after the answer, for sites with many visits', async () => {
  const { sql } = database();
  const { siteId, ctx, list } = await visitedSite(sql);
  const ask = async (now: number, asker = ctx) => {
    const works: Promise<unknown>[] = [];
    const own = {
      ...asker,
      sql: as('analytics'),
      now: () => now,
      afterwards: (work: Promise<unknown>) => void works.push(work),
    };
    try {
      await reportPages(own, { ...list, sort: 'reach' });
    } finally {
      await Promise.all(works);
    }
  };
  await ask(NOW);
  expect(await filtersOf(sql, siteId)).toEqual([]);

  await manyVisits(sql, siteId);
  const stranger = { ...ctx, actor: (await visitedSite(sql)).ctx.actor };
  await expect(ask(NOW + 60 * 60_000, stranger)).rejects.toThrow('No such site');
  expect(await filtersOf(sql, siteId)).toEqual([]);
  await ask(NOW + 60 * 60_000);
  const clauses = [{ dimension: 'device', operator: 'is', wanted: ['desktop'] }];
  const asked = { clauses, asked_days: 1, kept: true, share: 0.67, sized: true, days: 14 };
  expect(await filtersOf(sql, siteId)).toEqual([asked]);
  await ask(NOW + 2 * 60 * 60_000);
  expect(await filtersOf(sql, siteId)).toEqual([asked]);
  await ask(NOW + DAY_MS);
  expect(await filtersOf(sql, siteId)).toMatchObject([{ asked_days: 2 }]);
});

test('a report that isn’t answered in time is summed up and asked again, for sites with many visits', async () => {
  const { sql, fetch, neon } = database();
  const { siteId, ctx, list } = await visitedSite(sql);
  const before = await reportPages(ctx, { ...list, sort: 'reach' });
  let asked = 0;
  /** The first question meets its deadline. */
  const late: typeof fetch = (url, init) => {
    if (!String(init?.body).includes('begin_question')) return fetch(url, init);
    asked += 1;
    return asked === 1
      ? Promise.reject(new DOMException('It took too long.', 'TimeoutError'))
      : fetch(url, init);
  };
  const address = { url: neon.urlOf('vendor_analytics'), endpoint: neon.endpoint };
  const own = { ...ctx, sql: connectDatabase({ ...address, fetch: late }) };
  const ask = () => reportPages(own, { ...list, sort: 'reach' });
  await expect(ask()).rejects.toThrow('ask for a shorter range');
  expect([asked, await filtersOf(sql, siteId)]).toEqual([1, []]);

  await manyVisits(sql, siteId);
  asked = 0;
  expect((await ask()).data).toEqual(before.data);
  expect(asked).toBe(2);
  expect(await filtersOf(sql, siteId)).toMatchObject([{ asked_days: 1, days: 14 }]);
});

test('reports of one request, which have one instant, are summed up for 20 seconds', async () => {
  const { sql } = database();
  const { siteId, ctx, list } = await visitedSite(sql);
  await manyVisits(sql, siteId);
  let passed = 0;
  const works: Promise<unknown>[] = [];
  const own = {
    ...{ ...ctx, sql: as('analytics'), cursors: createCursors('c'.repeat(32)) },
    now: () => NOW + 3000 * passed++,
    afterwards: (work: Promise<unknown>) => void works.push(work),
  };
  const common = { ...list, tier: undefined };
  await answerReports(own, { common, reports: [{ name: 'pages', report: 'pages', input: common }] });
  await Promise.all(works);
  expect(await filtersOf(sql, siteId)).toMatchObject([{ days: 6 }]);
});

test('the cron sums up the commonest values, keeps what spares most, and forgets what nobody asks for', async () => {
  const { sql } = database();
  const { siteId } = await visitedSite(sql);
  await manyVisits(sql, siteId);
  const sums = async (now: number) => {
    await sumFilters({ sql: as('ingest'), now: () => now }, { timeMs: 600_000 });
    return filtersOf(sql, siteId);
  };
  const first = await sums(NOW);
  const named = (value: string) => (row: object) => JSON.stringify(row).includes(`"${value}"`);
  expect(first.filter(named('desktop'))).toMatchObject([{ share: 0.67, asked_days: 0 }]);
  expect(first.filter(named('mobile'))).toMatchObject([{ share: 0.33, asked_days: 0 }]);
  // The sums of a site with three visits a day are larger than a tenth of its visits.
  expect(first.map(({ kept, days }) => [kept, days])).toEqual(first.map(() => [false, 0]));

  await sql`
    update site_filters set size = case when clauses::text like '%desktop%' then 0.09 else 1 end
    where site_key = (select key from sites where id = ${siteId})`;
  const second = await sums(NOW + 60_000);
  expect(second.filter(({ kept }) => kept)).toMatchObject([{ days: 14 }]);

  // A month later nobody has asked, and the site has few visits.
  expect(await sums(NOW + 40 * DAY_MS)).toEqual([]);
  expect(
    await sql`select 1 from filter_values where site_key = (select key from sites where id = ${siteId})`,
  ).toEqual([]);
}, 300_000);

test('a late event while a day is being summed up', async () => {
  const { sql, server } = database();
  const { siteId, ctx, list } = await visitedSite(sql);
  const [{ site_key: key, id } = {}] = await sql`
    insert into site_filters (site_key, clauses, asked_on)
    select key, ${JSON.stringify(clausesOf([DESKTOP]))}::jsonb, current_date from sites where id = ${siteId}
    returning site_key, id`;
  const late = v.parse(TrackMessage, {
    ...{ version: 1, siteId, tier: 3, continued: false, device: 'desktop' },
    visitorId: '00000000-0000-4000-8000-000000000099',
    events: [
      {
        ...{ type: 'pageview', id: randomUUID(), at: NOW - 3 * DAY_MS, hostname: 'example.com' },
        ...{ path: '/late', entry: true },
      },
    ],
  });
  const day = new Date(NOW - 3 * DAY_MS).toISOString().slice(0, 10);
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query('select seal_filter($1, $2, $3::date) as done', [key, id, day]);
    expect(rows).toEqual([{ done: true }]);
    // Another call leaves the site to the first one.
    expect(await sql`select seal_filter(${key}, ${id}, ${day}::date) as done`).toEqual([{ done: false }]);
    await foldBatch(sql, [late], NOW);
    await client.query('commit');
  } finally {
    await client.end();
  }
  const { data } = await reportPages(ctx, { ...list, sort: 'reach' });
  expect(data).toMatchObject([
    { path: '/', visits: 28 },
    { path: '/late', visits: 1 },
  ]);
});
