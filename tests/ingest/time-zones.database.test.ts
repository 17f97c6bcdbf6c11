/** A site whose time zone was changed equals one that was made with the new zone (docs/sites.md#change-the-time-zone). */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportEngagement } from '../../lib/analytics/measures/engagement.ts';
import { reportVitals } from '../../lib/analytics/measures/vitals.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { reportTimeseries } from '../../lib/analytics/series/timeseries.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { StoredEvent, TrackMessage } from '../../lib/collection/track-message.ts';
import type { MemberContext } from '../../lib/context.ts';
import { changeZone, changeZones } from '../../lib/sites/change-zones.ts';
import { overviewOf, pagesOf, timeseriesOf, type World } from '../oracle/reports.ts';
import { deliveries, streams, ZONES } from '../oracle/streams.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { assertUntil, ORACLE_RUNS } from '../oracle-runs.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite, makeSite, retireSites } from './ingest-site.ts';
import { deliverAndSeal, drawnSeals } from './seal-days.ts';
import { siteRows } from './site-rows.ts';
import { sumMeasures } from './sum-measures.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';
const DAY_MS = 86_400_000;

/** Far to the east and to the west: 24 hours lie between two of them. */
const FAR = ['Pacific/Kiritimati', 'Pacific/Honolulu', 'Asia/Kathmandu', 'Europe/Lisbon'] as const;

/**
 * What was refused is known by its day alone, and stays with the date. A site that sealed earlier knows longer which days may change, and has
 * texts from earlier days.
 */
const ELSEWISE = ['dropped_days', 'other_days', 'site_seals', 'site_texts'];

test('reports are right at once, and all rows are those of a site made with the zone', async () => {
  const { sql } = database();
  let moved = 0;
  const drawn = streams(40).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(stream.messages(PLACEHOLDER)),
      seals: drawnSeals,
      zone: fc.constantFrom(...ZONES, ...FAR),
      /** How many batches come while the zone changes. */
      later: fc.nat({ max: 3 }),
      isSummed: fc.boolean(),
    }),
  );
  await assertUntil(
    () => moved > 0,
    fc.asyncProperty(drawn, async ({ stream, batches, seals, zone, later, isSummed }) => {
      await retireSites(sql);
      // The run before was at another time, and dropped raw events up to it.
      await sql`update raw_events_kept set since = '-infinity'`;
      const { siteId, userId } = await makeOwnedSite(sql, stream.zone);
      const whole = await makeSite(sql, zone);
      const now = stream.now;
      const ports = { sql, now: () => now };
      const cut = Math.max(0, batches.length - later);
      await deliverAndSeal(sql, { siteId, now }, batches.slice(0, cut), seals);
      if (isSummed) await sumMeasures(sql, now);
      await sql`update sites set next_timezone = ${zone} where id = ${siteId}`;
      // Whichever of them comes first.
      await Promise.all([
        changeZone(ports, siteId),
        ingestMessages(
          ports,
          batches
            .slice(cut)
            .flat()
            .map((one) => ({ ...one, siteId })),
        ),
      ]);
      for (const batch of batches)
        await ingestMessages(
          ports,
          batch.map((one) => ({ ...one, siteId: whole })),
        );

      const events = distinctEvents(stream.messages(siteId));
      const world: World = { events, visits: visitsOf(events), zone, tier: undefined };
      const ctx: MemberContext = { ...ports, actor: { kind: 'session', sessionId: '', userId } };
      const input = { siteId, range: { period: '7d' as const } };
      const overview = await reportOverview(ctx, input);
      expect(overview.meta.range.timezone).toBe(zone);
      expect(overview.data).toMatchObject(overviewOf(world, '7d', now));
      for (const interval of ['hour', 'day'] as const)
        expect((await reportTimeseries(ctx, { ...input, interval })).data).toEqual(
          timeseriesOf(world, '7d', interval, now),
        );
      expect((await reportPages(ctx, { ...input, sort: 'reach', limit: 9 })).data).toEqual(
        pagesOf(world, '7d', 'reach', 9, now),
      );

      const cron = { sql, now: () => now + 2 * DAY_MS };
      await maintainVisits(cron);
      await sealVisits(cron, { timeMs: 60_000 });
      const [changed, made] = [await siteRows(sql, siteId), await siteRows(sql, whole)];
      for (const table of ELSEWISE) for (const rows of [changed, made]) delete rows[table];
      expect(changed).toEqual(made);
      if (changed.rollup_values !== undefined && zone !== stream.zone) moved += 1;
    }),
    { numRuns: Math.ceil(ORACLE_RUNS / 3), endOnFailure: true },
  );
}, 300_000);

test.each(FAR)(
  'attention and vitals whose raw events are gone are neither lost nor doubled: %s',
  async (zone) => {
    const { sql } = database();
    const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
    const end = Date.parse('2028-05-20T12:00:00.000Z');
    const DAYS = 12;
    for (let day = DAYS; day >= 0; day -= 1) {
      const now = end - day * DAY_MS;
      // One each six hours of the day that ended at noon.
      const messages = [0, 6, 12, 18].map((hours): TrackMessage => {
        const at = now - DAY_MS + hours * 3_600_000;
        const page = { hostname: 'example.com', path: '/', pageId: randomUUID() };
        const events: StoredEvent[] = [
          { type: 'pageview', id: randomUUID(), at, ...page, entry: true },
          {
            type: 'engagement',
            id: randomUUID(),
            at: at + 60_000,
            ...page,
            seconds: 5,
            scrollDepth: 50,
          },
          { type: 'vitals', id: randomUUID(), at: at + 1000, ...page, lcp: 1200 },
        ];
        return { version: 1, siteId, tier: 3, visitorId: randomUUID(), continued: false, events };
      });
      await foldBatch(sql, messages, now);
      await maintainVisits({ sql, now: () => now });
    }
    const ctx: MemberContext = { sql, now: () => end, actor: { kind: 'session', sessionId: '', userId } };
    const measured = async () => {
      const list = { siteId, range: { from: '2028-01-01', to: '2028-05-21' }, limit: 1 };
      const [engagement, vitals] = [await reportEngagement(ctx, list), await reportVitals(ctx, list)];
      return [engagement.data[0]?.measured, engagement.data[0]?.seconds, vitals.data[0]?.measured];
    };
    const all = 4 * (DAYS + 1);
    expect(await measured()).toEqual([all, 5, all]);
    await sql`update sites set next_timezone = ${zone} where id = ${siteId}`;
    await changeZone(ctx, siteId);
    expect(await measured()).toEqual([all, 5, all]);
    await maintainVisits(ctx);
    expect(await measured()).toEqual([all, 5, all]);
    const day = { siteId, range: { from: '2028-05-12', to: '2028-05-12' }, limit: 1 };
    expect((await reportEngagement(ctx, day)).data[0]?.measured).toBe(4);
  },
);

test('imported days keep their dates, and stay beside visits', async () => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'Asia/Kolkata');
  const now = Date.parse('2026-05-20T12:00:00.000Z');
  const instant = new Date(now).toISOString();
  const [imported] = await sql`
    select import_id from begin_import(${siteId}, 'plausible', '{page}', '', 100, ${instant})`;
  await sql`
    select add_import_days(${siteId}, ${imported?.import_id}, 1, '[["2026-05-01", 7, 8, 9], ["2026-05-02", 1, 2, 3]]', ${instant}) as days,
      add_import_values(${siteId}, ${imported?.import_id}, 2, 'page', '[["2026-05-01", "/imported", 7, 8, 9]]', 100) as values`;
  await sql`select finish_import(${siteId}, ${imported?.import_id}, 2, ${instant})`;
  const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
  const at = Date.parse('2026-05-10T20:00:00.000Z');
  await foldBatch(
    sql,
    [
      {
        ...{ version: 1, siteId, tier: 3, visitorId: randomUUID(), continued: false },
        events: [{ type: 'pageview', id: randomUUID(), at, hostname: 'example.com', path: '/', entry: true }],
      },
    ],
    now,
  );
  const of = async (date: string) =>
    (await reportOverview(ctx, { siteId, range: { from: date, to: date } })).data;
  expect(await of('2026-05-11')).toMatchObject({ visits: 1 });
  for (const zone of ['America/New_York', 'Pacific/Kiritimati']) {
    await sql`update sites set next_timezone = ${zone} where id = ${siteId}`;
    await changeZone(ctx, siteId);
    expect(await of('2026-05-01')).toMatchObject({ visitors: 7, visits: 8, pageviews: 9 });
    expect(await of('2026-05-02')).toMatchObject({ visitors: 1, visits: 2, pageviews: 3 });
    const list = {
      siteId,
      range: { from: '2026-05-01', to: '2026-05-01' },
      sort: 'pageviews' as const,
      limit: 9,
    };
    expect((await reportPages(ctx, list)).data).toMatchObject([{ path: '/imported', pageviews: 9 }]);
    expect(await of(zone === 'America/New_York' ? '2026-05-10' : '2026-05-11')).toMatchObject({ visits: 1 });
  }
  await sql`select undo_import(${siteId}, ${imported?.import_id})`;
  const all = (await reportOverview(ctx, { siteId, range: { from: '2026-04-01', to: '2026-05-20' } })).data;
  expect(all).toMatchObject({ visitors: 1, visits: 1, pageviews: 1 });
});

test('a site that can’t be changed keeps no other back', async () => {
  const { sql } = database();
  const [bad, good] = [await makeSite(sql), await makeSite(sql)];
  await sql`update sites set next_timezone = case id when ${bad} then 'Mars/Olympus' else 'Asia/Tokyo' end where id in (${bad}, ${good})`;
  const at = Date.now();
  for (const siteId of [bad, good])
    await foldBatch(
      sql,
      [
        {
          ...{ version: 1, siteId, tier: 3, visitorId: randomUUID(), continued: false },
          events: [
            { type: 'pageview', id: randomUUID(), at, hostname: 'example.com', path: '/', entry: true },
          ],
        },
      ],
      at,
    );
  await expect(changeZones({ sql, now: () => at })).rejects.toThrow('Mars/Olympus');
  const zones = await sql`select id, timezone from sites where id in (${bad}, ${good})`;
  expect(new Map(zones.map(({ id, timezone }) => [id, timezone]))).toEqual(
    new Map([
      [bad, 'UTC'],
      [good, 'Asia/Tokyo'],
    ]),
  );
  await sql`update sites set next_timezone = null where id = ${bad}`;
});
