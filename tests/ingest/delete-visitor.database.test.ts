/** After the deletion of a visitor, all rows and reports are those of a site to which this visitor never came. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportEdgePages } from '../../lib/analytics/lists/edge-pages.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import { reportEngagement } from '../../lib/analytics/measures/engagement.ts';
import { reportVitals } from '../../lib/analytics/measures/vitals.ts';
import { reportLive } from '../../lib/analytics/series/live.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { reportTimeseries } from '../../lib/analytics/series/timeseries.ts';
import { bury } from '../../lib/collection/bury.ts';
import { expireVisits } from '../../lib/collection/expire-visits.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import type { MemberContext } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import { DIMENSIONS } from '../../lib/visits/dimensions.ts';
import { rollupsOf } from '../oracle/rollups.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { ORACLE_RUNS } from '../oracle-runs.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite, makeSite } from './ingest-site.ts';
import { sortVisits, storedRollups, storedVisits } from './stored.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

const eraseVisitor = (sql: Sql, siteId: string, visitorId: string) =>
  sql`select delete_visitor(${siteId}::uuid, ${visitorId}::uuid)`;

/** The messages without those of the visitor. Refused events stay, because they don't say who sent them. */
const withoutVisitor = (messages: readonly TrackMessage[], visitorId: string): TrackMessage[] =>
  messages.flatMap((message) => {
    if (message.tier !== 3 || message.visitorId !== visitorId) return [message];
    const events = message.events.filter(({ type }) => type === 'dropped');
    return events.length === 0 ? [] : [{ ...message, events }];
  });

async function everyReport(ctx: MemberContext, siteId: string): Promise<unknown[]> {
  const input = { siteId, range: { period: '7d' as const } };
  const list = { ...input, limit: 100 };
  // One after the other, on one connection: each connection would plan every report by itself.
  const reports: unknown[] = [
    await reportOverview(ctx, input),
    await reportOverview(ctx, { siteId, range: { period: '24h' } }),
    await reportTimeseries(ctx, { ...input, interval: 'hour' }),
    await reportPages(ctx, { ...list, sort: 'reach' }),
    await reportEdgePages(ctx, { ...list, edge: 'entry' }),
    await reportEdgePages(ctx, { ...list, edge: 'exit' }),
    await reportLive(ctx, { siteId }),
    await reportEngagement(ctx, list),
    await reportVitals(ctx, list),
  ];
  for (const dimension of DIMENSIONS) reports.push(await reportVisitValues(ctx, { ...list, dimension }));
  return reports.map((report) => JSON.parse(JSON.stringify(report).replaceAll(siteId, 'SITE')) as unknown);
}

test('a deleted visitor never came', async () => {
  const { sql } = database();
  const drawn = streams(24).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(stream.messages(PLACEHOLDER)),
      which: fc.nat(),
      isSummed: fc.boolean(),
    }),
  );
  // Makes a partition before the first stream.
  await sql`select ensure_partition('events', '2026-03-01T00:00:00Z')`;
  await fc.assert(
    fc.asyncProperty(drawn, async ({ stream, batches, which, isSummed }) => {
      const { now, zone } = stream;
      const ids = stream
        .messages(PLACEHOLDER)
        .flatMap((m) => (m.tier === 3 && m.visitorId ? [m.visitorId] : []));
      const visitorId = ids[which % ids.length] ?? randomUUID();
      const [with_, without] = [await makeOwnedSite(sql, zone), await makeOwnedSite(sql, zone)];
      const fold = async (siteId: string, messages: readonly TrackMessage[]) => {
        await ingestMessages(
          { sql, now: () => now },
          messages.map((message) => ({ ...message, siteId })),
        );
      };
      for (const batch of batches) {
        await fold(with_.siteId, batch);
        await fold(without.siteId, withoutVisitor(batch, visitorId));
      }
      if (isSummed)
        await sql`select sum_measures_of(${with_.siteId}::uuid, ${new Date(now).toISOString()}::timestamptz)`;
      await eraseVisitor(sql, with_.siteId, visitorId);

      const events = distinctEvents(withoutVisitor(stream.messages(with_.siteId), visitorId));
      const visits = visitsOf(events);
      expect(sortVisits(await storedVisits(sql, with_.siteId))).toEqual(sortVisits(visits));
      expect(await storedRollups(sql, with_.siteId)).toEqual(rollupsOf(events, visits, zone));
      const reportsOf = ({ siteId, userId }: typeof with_) =>
        everyReport({ sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } }, siteId);
      expect(await reportsOf(with_)).toEqual(await reportsOf(without));
      const [left] = await sql`
        select count(*)::int as events from events join sites on sites.key = site_key
        where sites.id = ${with_.siteId} and tier = 3 and visitor_id = ${visitorId}`;
      expect(left?.events).toBe(0);
      const [nothing] = await sql`
        select (select count(*) from rollup_hours where site_key = key and tier = 3 and (pageviews, visits) = (0, 0))::int
          + (select count(*) from rollup_visitors where site_key = key and visitors <= 0)::int as rows
        from sites where id = ${with_.siteId}`;
      if (batches.length === 1) expect(nothing?.rows).toBe(0);

      // The visitor is new if they come again. Repeated events of other visitors are still recognised.
      for (const batch of batches) {
        await fold(with_.siteId, batch);
        await fold(without.siteId, batch);
      }
      expect(await storedRollups(sql, with_.siteId)).toEqual(await storedRollups(sql, without.siteId));
    }),
    { numRuns: ORACLE_RUNS, endOnFailure: true },
  );
}, 300_000);

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-11-21T12:30:00.000Z');

const viewOf = (siteId: string, visitorId: string, at: number, path = '/'): TrackMessage => ({
  version: 1,
  siteId,
  tier: 3,
  visitorId,
  continued: false,
  events: [{ type: 'pageview', id: randomUUID(), at, hostname: 'example.com', path, entry: true }],
});

test('attention and vitals stay in the sums once no raw event tells whose they were', async () => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const [visitorId, pageId] = [randomUUID(), randomUUID()];
  const at = NOW - 3 * HOUR_MS;
  const view = viewOf(siteId, visitorId, at);
  const events = view.events.map((event) => ({ ...event, pageId }) as (typeof view.events)[number]);
  const read = {
    type: 'engagement' as const,
    id: randomUUID(),
    at: at + 1,
    pageId,
    seconds: 4,
    scrollDepth: 80,
  };
  await ingestMessages({ sql, now: () => NOW }, [{ ...view, events: [...events, read] }]);
  const measured = async () => {
    const ctx: MemberContext = {
      sql,
      now: () => NOW,
      actor: { kind: 'session', sessionId: '', userId },
    };
    const { data } = await reportEngagement(ctx, { siteId, range: { period: '7d' }, limit: 10 });
    return data.map((item) => item.measured);
  };
  await maintainVisits({ sql, now: () => NOW + 3 * 24 * HOUR_MS });
  expect(await measured()).toEqual([1]);
  await maintainVisits({ sql, now: () => NOW + 4 * 24 * HOUR_MS });
  await eraseVisitor(sql, siteId, visitorId);
  expect(await measured()).toEqual([1]);
  await sql`select delete_site(${siteId}::uuid)`;
  const [left] = await sql`
    select count(*)::int as rows from rollup_blocks where site_key not in (select key from sites)`;
  expect(left?.rows).toBe(0);
});

test.each([
  ['are there', 0, []],
  [
    'are gone, those that only they knew stay counted',
    6 * 24 * HOUR_MS,
    [{ pageviews: 200, visits: 0, bounces: 0 }],
  ],
])('an endless visit, while raw events %s', async (_, later, hours) => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  const visitorId = randomUUID();
  const messages = Array.from({ length: 700 }, (_, n) => viewOf(siteId, visitorId, NOW + n, `/${n}`));
  for (let n = 0; n < 700; n += 50)
    await ingestMessages({ sql, now: () => NOW + 1000 }, messages.slice(n, n + 50));
  await maintainVisits({ sql, now: () => NOW + later });
  await eraseVisitor(sql, siteId, visitorId);
  expect(await storedVisits(sql, siteId)).toEqual([]);
  expect(await storedRollups(sql, siteId)).toMatchObject({ hours, visitors: [] });
});

test('a visitor whose first visits have expired', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql, 'Asia/Kathmandu');
  await sql`
    update sites set jurisdiction = 'NP', consent_mode = 'required', pre_consent_tier = 'counts', retention_months = 1
    where id = ${siteId}`;
  const [gone, stays] = [randomUUID(), randomUUID()];
  for (const days of [33, 32, 30, 2, 0]) {
    const at = NOW - days * 24 * HOUR_MS;
    await foldBatch(sql, [viewOf(siteId, gone, at), viewOf(siteId, stays, at + 1)], at);
  }
  await expireVisits({ sql, now: () => NOW });
  const { visitors } = await storedRollups(sql, siteId);
  const day = (days: number) => Date.parse('2026-11-20T18:15:00.000Z') - days * 24 * HOUR_MS;
  expect(visitors.filter(({ unit }) => unit === 'day')).toEqual([
    { unit: 'day', bucket: day(30), tier: 3, previous: null, visitors: 2 },
    { unit: 'day', bucket: day(2), tier: 3, previous: day(30), visitors: 2 },
    { unit: 'day', bucket: day(0), tier: 3, previous: day(2), visitors: 2 },
  ]);
  await eraseVisitor(sql, siteId, gone);
  expect((await storedRollups(sql, siteId)).visitors).toEqual(
    visitors.map((row) => ({ ...row, visitors: 1 })),
  );
  await eraseVisitor(sql, siteId, stays);
  expect(await storedRollups(sql, siteId)).toMatchObject({ hours: [], visitors: [] });
});

test('only this visitor of this site, and what could not be stored of it too', async () => {
  const { sql } = database();
  const [siteId, other] = [await makeSite(sql), await makeSite(sql)];
  const [visitorId, neighbour] = [randomUUID(), randomUUID()];
  for (const site of [siteId, other]) {
    await ingestMessages({ sql, now: () => NOW }, [
      viewOf(site, visitorId, NOW),
      viewOf(site, neighbour, NOW),
      { ...viewOf(site, visitorId, NOW), tier: 2 },
    ]);
    await bury(sql, [
      { body: { siteId: site, visitorId: visitorId.toUpperCase() }, reason: 'malformed' },
      { body: { siteId: site, visitorId: neighbour }, reason: 'malformed' },
    ]);
  }
  const letters = async (site: string) =>
    (await sql`select count(*)::int as n from dead_letters where site_id = ${site}`)[0]?.n;
  const before = [await storedVisits(sql, other), await storedRollups(sql, other)];
  await eraseVisitor(sql, siteId, visitorId);
  await eraseVisitor(sql, siteId, visitorId);
  await eraseVisitor(sql, randomUUID(), neighbour);
  const left = (await storedVisits(sql, siteId)).map((visit) => [visit.tier, visit.visitorId]);
  expect(left.sort()).toEqual([
    [2, visitorId],
    [3, neighbour],
  ]);
  expect([await letters(siteId), await letters(other)]).toEqual([1, 2]);
  expect([await storedVisits(sql, other), await storedRollups(sql, other)]).toEqual(before);
});

test('since when vitals are known is no time of a deleted visitor, who came between others', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  const now = Date.parse('2026-06-17T15:00:00.000Z');
  const page = { hostname: 'example.com', path: '/' };
  const visit = (hoursAgo: number, hasVitals: boolean): TrackMessage => {
    const at = now - hoursAgo * 3_600_000;
    const pageId = randomUUID();
    return {
      ...{ version: 1, siteId, tier: 3, visitorId: randomUUID(), continued: false },
      events: [
        { type: 'pageview', id: randomUUID(), at, ...page, pageId, entry: true },
        ...(hasVitals
          ? [{ type: 'vitals' as const, id: randomUUID(), at: at + 1000, ...page, pageId, lcp: 1200 }]
          : []),
      ],
    };
  };
  const [first, middle, last] = [visit(9, false), visit(6, true), visit(3, false)];
  await foldBatch(sql, [first, middle, last], now);
  const known = async () => {
    const [row] =
      await sql`select vitals_from from site_freshness join sites on key = site_key where id = ${siteId}`;
    return row?.vitals_from?.getTime() ?? null;
  };
  expect(await known()).toBe(now - 6 * 3_600_000);
  await eraseVisitor(sql, siteId, middle.visitorId ?? '');
  expect(await known()).toBeNull();
});
