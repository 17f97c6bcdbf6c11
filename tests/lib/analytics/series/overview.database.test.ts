import { describe, expect, test } from 'vitest';
import { reportOverview } from '../../../../lib/analytics/series/overview.ts';
import {
  consented,
  counts,
  custom,
  engagement,
  NOW,
  pageview,
  session,
  useWorlds,
  visitor,
} from '../reports-world.ts';

const makeWorld = useWorlds();
const range = { period: '7d' } as const;

test('tells each tier apart by the rules of docs/counting.md', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    // Tier 1: three page views, two of which begin visits.
    counts([pageview('2026-06-15T10:00:00Z')]),
    counts([pageview('2026-06-15T10:00:00Z', '/a', { entry: false })]),
    counts([pageview('2026-06-16T10:00:00Z')]),
    // Tier 2: the same visitor, twice on one day.
    session('ana', [pageview('2026-06-15T10:00:00Z'), pageview('2026-06-15T10:10:00Z')]),
    session('ana', [pageview('2026-06-15T20:00:00Z')]),
    // Tier 3, on two days: one visit bounces, one lasts two minutes.
    consented('bob', [pageview('2026-06-15T10:00:00Z')]),
    consented('bob', [pageview('2026-06-16T10:00:00Z'), pageview('2026-06-16T10:02:00Z')]),
  );
  const { data, meta } = await reportOverview(ctx(), { siteId, range });
  expect(data).toEqual({
    visitors: 2,
    visits: 6,
    pageviews: 9,
    bounceRate: 50,
    avgDuration: 60,
    visitorsChange: null,
    visitsChange: null,
    pageviewsChange: null,
    tiers: {
      visits: { anonymousCounts: 2, anonymousSessions: 2, consented: 2 },
      pageviews: { anonymousCounts: 3, anonymousSessions: 3, consented: 3 },
      visitors: { anonymousSessions: 1, consented: 1 },
    },
  });
  expect(meta.coverage).toMatchObject({ measured: 2, changesUnknown: 'comparedNotObserved' });
  expect(meta.scope).toEqual({ siteId, filters: {} });
  expect(meta.freshness.evaluatedAt).toBe(NOW);
});

describe('restricted to a tier', () => {
  const nothing = { anonymousCounts: 0, anonymousSessions: 0, consented: 0 };
  test.each([
    [
      1,
      { visitors: 0, visits: 1, pageviews: 1, bounceRate: null, avgDuration: null },
      { anonymousCounts: 1 },
    ],
    [
      2,
      { visitors: 1, visits: 1, pageviews: 2, bounceRate: null, avgDuration: null },
      { anonymousSessions: 1 },
    ],
    [3, { visitors: 1, visits: 1, pageviews: 1, bounceRate: 100, avgDuration: 0 }, { consented: 1 }],
  ] as const)('%i', async (tier, totals, visits) => {
    const { siteId, ctx, fold } = await makeWorld();
    await fold(
      counts([pageview('2026-06-15T10:00:00Z')]),
      session('ana', [pageview('2026-06-15T10:00:00Z'), pageview('2026-06-15T10:10:00Z')]),
      consented('bob', [pageview('2026-06-15T10:00:00Z')]),
    );
    const { data, meta } = await reportOverview(ctx(), { siteId, range, tier });
    expect(data).toMatchObject({ ...totals, tiers: { visits: { ...nothing, ...visits } } });
    expect(meta.scope.filters).toEqual({ privacyTier: tier });
    expect(meta.coverage.tiers).toEqual([1, 2, 3]);
  });
});

test('a consented continuation is no visit, but its page views and its visitor count', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    counts([pageview('2026-06-15T10:00:00Z')]),
    consented('bob', [pageview('2026-06-15T10:01:00Z'), pageview('2026-06-15T10:02:00Z')], {
      continued: true,
    }),
  );
  const { data } = await reportOverview(ctx(), { siteId, range });
  expect(data).toMatchObject({ visitors: 1, visits: 1, pageviews: 3, bounceRate: null, avgDuration: null });
});

test('who only stayed on a page from before is no visitor; who only acted is one, and does not bounce', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    consented('bob', [engagement('2026-06-15T10:00:00Z')]),
    consented('eve', [custom('2026-06-15T10:00:00Z')]),
  );
  const { data } = await reportOverview(ctx(), { siteId, range });
  expect(data).toMatchObject({ visitors: 1, visits: 1, pageviews: 0, bounceRate: 0 });
});

test('a visit and its visitor count where it began, a page view where it happened', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    counts([pageview('2026-06-15T10:00:00Z')]),
    consented('eve', [pageview('2026-06-16T01:00:00Z')]),
    consented('bob', [pageview('2026-06-16T23:50:00Z'), pageview('2026-06-17T00:10:00Z')]),
  );
  const today = { siteId, range: { from: '2026-06-17', to: '2026-06-17' } };
  expect((await reportOverview(ctx(), today)).data).toMatchObject({
    visitors: 0,
    visits: 0,
    pageviews: 1,
    visitorsChange: -100,
    visitsChange: -100,
    pageviewsChange: 0,
  });
});

test.each([
  ['2026-06-13T00:01:00Z', undefined],
  ['2026-06-13T00:01:00Z', 'previous'],
  ['2026-06-13T23:50:00Z', undefined],
  ['2026-06-14T23:50:00Z', 'previous'],
] as const)(
  'a range that collection began within, at %s, has no change from it (compare: %s)',
  async (first, compare) => {
    const { siteId, ctx, fold } = await makeWorld();
    await fold(
      counts([pageview(first)]),
      ...['2026-06-14T23:55:00Z', '2026-06-16T10:00:00Z'].map((time) => counts([pageview(time)])),
    );
    const later = { siteId, range: { from: '2026-06-15', to: '2026-06-16' }, ...(compare && { compare }) };
    const { data, meta } = await reportOverview(ctx(), later);
    expect(data).toMatchObject({ visitsChange: null, pageviewsChange: null });
    expect(meta.coverage.changesUnknown).toBe('comparedPartly');
    if (compare) expect(data.previous?.visits).toBeGreaterThan(0);
  },
);

test('compares with as many days before, and counts a visitor of both in both', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    ...['2026-06-05', '2026-06-07', '2026-06-15', '2026-06-16'].map((day) =>
      consented('bob', [pageview(`${day}T10:00:00Z`)]),
    ),
    consented('eve', [pageview('2026-06-08T10:00:00Z')]),
    // Before both ranges.
    consented('eve', [pageview('2026-06-03T10:00:00Z')]),
  );
  const { data } = await reportOverview(ctx(), { siteId, range });
  expect(data).toMatchObject({ visitors: 1, visitorsChange: -50, visits: 2, visitsChange: -33.3 });
});

test('a range that is not over is compared with as much of the other one', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  const [before, after] = ['2026-06-16T15:30:00Z', '2026-06-16T15:50:00Z'];
  await fold(
    // It is a quarter to four.
    ...['eve', 'ana'].map((name) => consented(name, [pageview(before), pageview(after)])),
    consented('bob', [pageview(after)]),
    consented('bob', [pageview('2026-06-15T09:00:00Z')]),
    consented('ana', [pageview('2026-06-17T09:00:00Z')]),
  );
  const yesterday = { visitors: 2, visits: 2, pageviews: 2, bounceRate: 0, avgDuration: 1200 };
  const asked = { siteId, range: { from: '2026-06-17', to: '2026-06-17' }, compare: 'previous' } as const;
  const today = await reportOverview(ctx(), asked);
  expect(today.data).toMatchObject({
    visits: 1,
    visitsChange: -50,
    pageviewsChange: -50,
    previous: yesterday,
  });
  expect(today.meta.comparison).toEqual({
    from: '2026-06-16T00:00:00.000Z',
    to: '2026-06-16T15:42:10.123Z',
    observed: true,
  });
  // With filters it is the same, and so are ranges of several days, where who came before isn't new.
  expect((await reportOverview(ctx(), { ...asked, tier: 3 })).data.previous).toEqual(yesterday);
  const filters = [{ dimension: 'page' as const, operator: 'is' as const, values: ['/'] }];
  expect((await reportOverview(ctx(), { ...asked, filters })).data.previous).toEqual(yesterday);
  const two = { ...asked, range: { from: '2026-06-17', to: '2026-06-18' } };
  expect((await reportOverview(ctx(), two)).data.previous).toMatchObject({ visitors: 1, visits: 1 });
});

test('24 hours tell visitors apart by the hour', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    consented('eve', [pageview('2026-06-14T08:00:00Z')]),
    ...['2026-06-16T15:31:00Z', '2026-06-16T16:00:00Z', '2026-06-17T09:00:00Z', '2026-06-17T15:00:00Z'].map(
      (at) => consented('bob', [pageview(at)]),
    ),
  );
  const { data } = await reportOverview(ctx(), { siteId, range: { period: '24h' } });
  expect(data).toMatchObject({ visitors: 1, visits: 2, visitorsChange: 0, visitsChange: 100, pageviews: 3 });
});

test('a site that is somebody else’s is not found, and neither is one that nobody has', async () => {
  const [mine, theirs] = [await makeWorld(), await makeWorld()];
  for (const siteId of [theirs.siteId, visitor('nobody')]) {
    await expect(reportOverview(mine.ctx(), { siteId, range })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});
