/** The reports of attention and vitals depend only on the set of events, summed or not, and equal what the oracle counts. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VITALS_RELATIVE_ERROR, type VitalsItem } from '../../lib/analytics/answers/measure-schemas.ts';
import { reportEngagement } from '../../lib/analytics/measures/engagement.ts';
import { reportVitals } from '../../lib/analytics/measures/vitals.ts';
import type { Range } from '../../lib/analytics/reading/report-range.ts';
import { expireVisits } from '../../lib/collection/expire-visits.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import type { StoredEvent, TrackMessage } from '../../lib/collection/track-message.ts';
import type { MemberContext } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import { DIMENSIONS } from '../../lib/visits/dimensions.ts';
import { VITALS } from '../../lib/visits/vital-bounds.ts';
import { nextDay, startOfDay } from '../oracle/clock.ts';
import { OWN_DOMAIN } from '../oracle/dimensions.ts';
import { type ExactVitals, engagementOf, loadsOf, vitalsOf, WEB_DEV } from '../oracle/measures.ts';
import { rangeOf, type World } from '../oracle/reports.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { ORACLE_RUNS } from '../oracle-runs.ts';
import { addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { drawnFilter, GOALS } from './drawn-filter.ts';
import { makeOwnedSite, makeSite, retireSites } from './ingest-site.ts';
import { sumMeasures } from './sum-measures.ts';

const database = useDatabase();
const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const contextOf = (sql: Sql, userId: string, now: number): MemberContext => ({
  sql,
  now: () => now,
  actor: { kind: 'session', sessionId: '', userId },
});

/** Expects the shares to be those of the exact values, but for loads within the stated error of a bound. */
function expectShares(shown: VitalsItem | undefined, { values }: ExactVitals): void {
  for (const metric of VITALS) {
    const all = values[metric];
    const shares = shown?.shares[metric] ?? null;
    if (all.length === 0) expect(shares).toBeNull();
    const [good, acceptable] = WEB_DEV[metric];
    const percentUpTo = (bound: number) => (100 * all.filter((value) => value <= bound).length) / all.length;
    for (const [is, bound] of [
      [shares?.good ?? 0, good],
      [100 - (shares?.poor ?? 0), acceptable],
    ] as const)
      if (all.length > 0) {
        expect(is).toBeGreaterThanOrEqual(percentUpTo(bound * (1 - VITALS_RELATIVE_ERROR)) - 0.051);
        expect(is).toBeLessThanOrEqual(percentUpTo(bound * (1 + VITALS_RELATIVE_ERROR)) + 0.051);
      }
  }
}

/** Expects each value to be within the report's stated error of the exact value. */
function expectNear(shown: VitalsItem[], exact: ExactVitals[]): void {
  const counts = (items: (VitalsItem | ExactVitals)[]) =>
    items.map(({ path, measured }) => [path ?? '', measured]);
  expect(counts(shown)).toEqual(counts(exact));
  exact.forEach((item, n) => {
    expectShares(shown[n], item);
    for (const metric of ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const) {
      const [is, should] = [shown[n]?.[metric], item[metric]];
      if (should === null) expect(is).toBeNull();
      else {
        const rounding = metric === 'cls' ? 0.00005 : 0.05;
        const error = Math.abs((is ?? Number.NaN) - should);
        expect([metric, is, should, error <= VITALS_RELATIVE_ERROR * should + 1.001 * rounding]).toEqual([
          metric,
          is,
          should,
          true,
        ]);
      }
    }
  });
}

test('reports of attention and vitals agree with the oracle, whatever was summed in between', async () => {
  const { sql } = database();
  const drawn = streams(30).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(stream.messages(PLACEHOLDER)),
      /** When the cron runs after each batch, in hours before the end. Null: it doesn't run. */
      crons: fc.array(fc.option(fc.nat({ max: 30 })), { minLength: 10, maxLength: 10 }),
      tier: fc.constantFrom(undefined, undefined, 3 as const, 2 as const),
      period: fc.constantFrom('24h' as const, '7d' as const, '30d' as const),
      page: fc.option(drawnFilter.map((filter) => ({ ...filter, dimension: 'page' as const }))),
      limit: fc.integer({ min: 1, max: 6 }),
      offset: fc.nat({ max: 2 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(drawn, async ({ stream, batches, crons, tier, period, page, limit, offset }) => {
      await retireSites(sql);
      const { now, zone } = stream;
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      for (const [n, batch] of batches.entries()) {
        await ingestMessages(
          { sql, now: () => now },
          batch.map((message) => ({ ...message, siteId })),
        );
        const hours = crons[n] ?? null;
        if (hours !== null) await sumMeasures(sql, now - hours * HOUR_MS);
      }
      const filters = page === null ? [] : [page];
      const world: World = {
        events: distinctEvents(stream.messages(siteId)),
        visits: [],
        zone,
        tier,
        filters,
      };
      const list = { siteId, range: { period }, tier, filters, limit, offset };
      const ctx = contextOf(sql, userId, now);
      const part = <Item>(all: Item[]) => all.slice(offset, offset + limit);
      const readMeasures = async () => {
        const [engagement, vitals] = [await reportEngagement(ctx, list), await reportVitals(ctx, list)];
        expect(vitals.meta).toMatchObject({ scope: { tiers: [3] }, approximate: { relativeError: 0.01 } });
        return { engagement: engagement.data, vitals: vitals.data };
      };

      const before = await readMeasures();
      expect(before.engagement).toEqual(part(engagementOf(world, period, now)));
      expectNear(before.vitals, part(vitalsOf(world, period, now)));
      await sumMeasures(sql, now);
      expect(await readMeasures()).toEqual(before);
      await sumMeasures(sql, now + 3 * DAY_MS);
      expect(await readMeasures()).toEqual(before);
      const [raw] = await sql`
        select count(*)::int as hours from rollup_blocks b join sites on key = site_key
        where sites.id = ${siteId} and span = 0`;
      // Refused events alone leave nothing to sum.
      if (world.events.some(({ type }) => type !== 'dropped')) expect(raw?.hours).toBeGreaterThan(0);
    }),
    { numRuns: ORACLE_RUNS, endOnFailure: true },
  );
}, 300_000);

/** Messages of a stream, those at tier 3 with a page load more, whose vitals depend on its id alone. */
const withLoads = (messages: readonly TrackMessage[]): TrackMessage[] =>
  messages.map((message) => {
    const [first] = message.events;
    if (message.tier !== 3 || first === undefined) return message;
    const drawn = Number.parseInt(first.id.slice(-6), 16);
    const bounds = [0.5, 0.999, 1, 1.001, 1.6, 1.601, 3];
    const value = (n: number, unit: number) =>
      ((drawn >> n) % 9) ** 2 * unit + (bounds[(drawn >> n) % 7] ?? 0);
    const load: StoredEvent = {
      type: 'vitals',
      id: `${first.id.slice(0, 14)}9${first.id.slice(15)}`,
      at: first.at,
      // Either of two events of one millisecond may be the first of a visit.
      hostname: 'hostname' in first ? (first.hostname ?? OWN_DOMAIN) : OWN_DOMAIN,
      path: ['/', '/pricing', '/loaded'][drawn % 3] ?? '/',
      pageId: first.id,
      ...(drawn % 5 > 0 && { lcp: 2499 + value(0, 100) }),
      ...(drawn % 4 > 0 && { inp: 199 + value(3, 9) }),
      cls: 0.1 * (bounds[drawn % 7] ?? 0),
      fcp: 1799 + value(5, 40),
      ttfb: 799 + value(2, 30),
    };
    return { ...message, events: [...message.events, load] };
  });

test('vitals by device and the like, and with filters of visits, are what the oracle counts', async () => {
  const { sql } = database();
  const drawn = streams(40, { minMessages: 10 }).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(withLoads(stream.messages(PLACEHOLDER))),
      tier: fc.constantFrom(undefined, undefined, 3 as const, 2 as const),
      period: fc.constantFrom('24h' as const, '7d' as const, '30d' as const),
      asked: fc.array(
        fc.record({
          group: fc.constantFrom('page' as const, 'site' as const, ...DIMENSIONS),
          sort: fc.constantFrom('measured' as const, ...VITALS),
          minMeasured: fc.integer({ min: 1, max: 3 }),
          filters: fc.array(drawnFilter, { maxLength: 1 }),
          limit: fc.integer({ min: 1, max: 6 }),
          offset: fc.nat({ max: 2 }),
        }),
        { minLength: 6, maxLength: 6 },
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(drawn, async ({ stream, batches, tier, period, asked }) => {
      await retireSites(sql);
      const { now, zone } = stream;
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      for (const goal of GOALS) await addGoal(sql, siteId, goal);
      for (const batch of batches)
        await ingestMessages(
          { sql, now: () => now },
          batch.map((message) => ({ ...message, siteId })),
        );
      const events = distinctEvents(withLoads(stream.messages(siteId)));
      const visits = visitsOf(events);
      const [first] = visits
        .filter(({ loads }) => loads.length > 0)
        .map(({ startedAt }) => startedAt)
        .sort((a, b) => a - b);
      const ctx = contextOf(sql, userId, now);
      for (const { group, sort, minMeasured, filters, limit, offset } of asked) {
        const world: World = { events, visits, zone, tier, filters, goals: GOALS };
        const exact = loadsOf(world, group, rangeOf(period, now, zone).range).filter(
          ({ measured }) => measured >= minMeasured,
        );
        if (sort !== 'measured') exact.sort((a, b) => (b[sort] ?? -1) - (a[sort] ?? -1));
        const isOfVisits =
          !['page', 'site'].includes(group) || filters.some(({ dimension }) => dimension !== 'page');
        const list = { siteId, range: { period }, tier, filters, group, sort, minMeasured, limit, offset };
        const { data, meta, more } = await reportVitals(ctx, list);
        if (isOfVisits) {
          expect(data).toEqual(exact.slice(offset, offset + limit));
          expect(meta.approximate).toBeUndefined();
          expect(meta.coverage.vitalsFrom).toBe(first === undefined ? null : new Date(first).toISOString());
        } else expect(meta.coverage.vitalsFrom).toBeUndefined();
        expect(more).toBe(exact.length > offset + limit);
        if (group === 'page' || isOfVisits) continue;
        // Sums of the whole site.
        expect(data.map(({ value, measured }) => [value, measured])).toEqual(
          exact.slice(offset, offset + limit).map(({ value, measured }) => [value, measured]),
        );
      }
    }),
    { numRuns: ORACLE_RUNS, endOnFailure: true },
  );
}, 300_000);

const LATEST = Date.parse('2026-12-30T11:00:00.000Z');
const DAYS = 75;

/** A visitor who comes a few times on a day, also at night, with engagement and vitals of each page. */
function visitsOn(siteId: string, day: number): TrackMessage[] {
  const at = (hour: number, ms = 0) => day + hour * HOUR_MS + ms;
  return [1, 5, 13, 21, 23.9].map((hour, n) => {
    const pageId = randomUUID();
    const path = ['/', '/a', '/b'][(n + Math.floor(day / DAY_MS)) % 3] ?? '/';
    const location = { hostname: 'example.com', path };
    const events: StoredEvent[] = [
      { type: 'pageview', id: randomUUID(), at: at(hour), ...location, entry: true, pageId },
      {
        type: 'vitals',
        id: randomUUID(),
        at: at(hour, 1),
        ...location,
        pageId,
        lcp: 900 + ((day / DAY_MS) % 17) * 100 + n,
        cls: n / 20,
      },
      { type: 'engagement', id: randomUUID(), at: at(hour, 2), pageId, seconds: 5, scrollDepth: 10 * n },
      {
        type: 'engagement',
        id: randomUUID(),
        at: at(hour, HOUR_MS),
        pageId,
        seconds: n,
        scrollDepth: 20 + 20 * n,
      },
    ];
    return { version: 1, siteId, tier: 3, visitorId: randomUUID(), continued: false, events };
  });
}

test.each(['Europe/Berlin', 'Asia/Kathmandu'])(
  'sums outlive raw events, in %s',
  async (zone) => {
    const { sql } = database();
    const { siteId, userId } = await makeOwnedSite(sql, zone);
    const messages: TrackMessage[] = [];
    const first = Math.floor(LATEST / DAY_MS) * DAY_MS - DAYS * DAY_MS;
    for (let day = first; day < LATEST; day += DAY_MS) {
      const ofDay = visitsOn(siteId, day);
      messages.push(...ofDay);
      await foldBatch(sql, ofDay, day + DAY_MS);
      await maintainVisits({ sql, now: () => day + 30 * HOUR_MS });
    }
    const spans = async () =>
      Object.fromEntries(
        (
          await sql`
            select span, count(*)::int as n from rollup_blocks b join sites on key = site_key
            where sites.id = ${siteId} group by span`
        ).map(({ span, n }) => [span, n]),
      );
    const all = await spans();
    expect(all[28]).toBeGreaterThan(0);
    expect(all[7]).toBeGreaterThan(8);
    expect(all[0]).toBeLessThan(6 * 25);

    const world: World = { events: distinctEvents(messages), visits: [], zone, tier: undefined };
    const dateOf = (at: number) => new Date(at).toLocaleDateString('sv-SE', { timeZone: zone });
    const compare = async (range: Range, exact: { from: number; to: number }) => {
      const ctx = contextOf(sql, userId, LATEST);
      const list = { siteId, range, limit: 10 };
      expect((await reportEngagement(ctx, list)).data).toEqual(engagementOf(world, exact, LATEST));
      expectNear((await reportVitals(ctx, list)).data, vitalsOf(world, exact, LATEST));
    };
    for (const [from, to] of [
      [DAYS, 0],
      [DAYS - 1, 3],
      [60, 31],
      [40, 40],
      [5, 1],
      [1, 0],
    ] as const) {
      const [start, last] = [startOfDay(LATEST - from * DAY_MS, zone), LATEST - to * DAY_MS];
      const range = { from: dateOf(start), to: dateOf(last) };
      await compare(range, { from: start, to: nextDay(last, zone) });
    }

    // Retention deletes all but the last month, including blocks that reach further back.
    await sql`
      update sites set jurisdiction = 'PT', consent_mode = 'required', pre_consent_tier = 'counts', retention_months = 1
      where id = ${siteId}`;
    await expireVisits({ sql, now: () => LATEST });
    const oldest = startOfDay(Date.parse('2026-11-30T11:00:00.000Z'), zone);
    await compare({ from: dateOf(first), to: dateOf(LATEST) }, { from: oldest, to: nextDay(LATEST, zone) });
  },
  120_000,
);

test('histograms of many paths take several parts, and say the same', async () => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const day = Math.floor(LATEST / DAY_MS) * DAY_MS - DAY_MS;
  const messages = Array.from({ length: 60 }, (_, path): TrackMessage[] => {
    const events = Array.from({ length: 18 + (path % 3) }, (_, n): StoredEvent => {
      const value = 100 * 1.07 ** ((path * 7 + n * 11) % 90);
      const vitals = { lcp: value, inp: value / 9, cls: value / 1e5, fcp: value / 2, ttfb: value / 5 };
      const location = { hostname: 'example.com', path: `/${path}`, pageId: randomUUID() };
      return { type: 'vitals', id: randomUUID(), at: day + (n % 5) * HOUR_MS + path, ...location, ...vitals };
    });
    return [{ version: 1, siteId, tier: 3, visitorId: randomUUID(), continued: false, events }];
  }).flat();
  await foldBatch(sql, messages, day + DAY_MS);
  await sumMeasures(sql, LATEST);
  const [row] = await sql`
    select max(part) filter (where span = 1) as parts, count(*) filter (where span = 0)::int as hours
    from rollup_vitals join sites on key = site_key where id = ${siteId}`;
  expect(row?.parts).toBeGreaterThan(0);
  expect(row?.hours).toBeGreaterThan(4);

  const world: World = { events: distinctEvents(messages), visits: [], zone: 'UTC', tier: undefined };
  const exact = vitalsOf(world, '7d', LATEST);
  expect(exact).toHaveLength(60);
  const ctx = contextOf(sql, userId, LATEST);
  for (const [limit, offset] of [
    [100, 0],
    [5, 0],
    [7, 40],
  ] as const) {
    const { data } = await reportVitals(ctx, { siteId, range: { period: '7d' }, limit, offset });
    expectNear(data, exact.slice(offset, offset + limit));
  }
});

test('what is late by more than raw events are kept changes no sum, and takes nothing from it', async () => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const now = LATEST + 10 * DAY_MS;
  const day = Math.floor(now / DAY_MS) * DAY_MS - 3 * DAY_MS;
  const [message] = visitsOn(siteId, day).slice(2);
  // Visits in the same hours to another page.
  const late = visitsOn(siteId, day).map((visit) => ({
    ...visit,
    events: visit.events.map((event) => ('path' in event ? { ...event, path: '/late' } : event)),
  }));
  if (message === undefined) throw new Error('a day has visits');
  await foldBatch(sql, [message], day + DAY_MS);
  await maintainVisits({ sql, now: () => now });
  const ctx = contextOf(sql, userId, now);
  const readMeasures = async () => {
    const list = { siteId, range: { period: '7d' as const }, limit: 10 };
    return [(await reportEngagement(ctx, list)).data, (await reportVitals(ctx, list)).data];
  };
  const before = await readMeasures();
  expect(before[0]).toHaveLength(1);
  for (const visit of late) {
    await foldBatch(sql, [visit], now);
    expect(await readMeasures()).toEqual(before);
  }
  await maintainVisits({ sql, now: () => now + DAY_MS });
  expect(await readMeasures()).toEqual(before);
});

test('a site that can’t be summed keeps no other back, and no raw events', async () => {
  const { sql } = database();
  const sites = await Promise.all(Array.from({ length: 4 }, () => makeSite(sql)));
  const at = Date.parse('2027-03-10T10:00:00Z');
  for (const siteId of sites)
    await foldBatch(
      sql,
      [
        {
          version: 1,
          siteId,
          tier: 3,
          visitorId: randomUUID(),
          continued: false,
          events: [
            {
              type: 'vitals',
              id: randomUUID(),
              at,
              hostname: 'example.com',
              path: '/',
              pageId: randomUUID(),
              lcp: 1200,
            },
          ],
        },
      ],
      at,
    );
  const [, bad] = sites;
  await sql`
    update events set data = '{"lcp": "nothing"}' where site_key = (select key from sites where id = ${bad})`;
  await maintainVisits({ sql, now: () => at + 24 * 3_600_000 });
  await maintainVisits({ sql, now: () => at + 4 * 24 * 3_600_000 });
  const rows = await sql`
    select sites.id, exists (select from rollup_vitals v where v.site_key = key) as summed,
      exists (select from events e where e.site_key = key) as raw
    from sites where id = any (${sites}::uuid[])`;
  expect(new Map(rows.map(({ id, summed, raw }) => [id, [summed, raw]]))).toEqual(
    new Map(sites.map((id) => [id, [id !== bad, false]])),
  );
});
