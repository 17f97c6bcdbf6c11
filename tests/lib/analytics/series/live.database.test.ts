import { expect, test } from 'vitest';
import { reportLive } from '../../../../lib/analytics/series/live.ts';
import {
  consented,
  counts,
  custom,
  dropped,
  engagement,
  pageview,
  refused,
  session,
  useWorlds,
  visitor,
} from '../reports-world.ts';

const makeWorld = useWorlds();

test('who was active in the last 5 minutes, and on which page they are', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    // The window begins after 15:37:10.123.
    consented('bob', [pageview('2026-06-17T15:20:00Z', '/a'), pageview('2026-06-17T15:25:00Z', '/b')]),
    consented('bob', [engagement('2026-06-17T15:40:00Z')]),
    session('ana', [pageview('2026-06-17T15:41:00Z', '/b'), custom('2026-06-17T15:41:30Z')]),
    consented('old', [pageview('2026-06-17T15:12:00Z', '/c'), engagement('2026-06-17T15:41:00Z')]),
    consented('gone', [pageview('2026-06-17T15:37:10.123Z', '/a')]),
    counts([pageview('2026-06-17T15:41:00Z', '/d'), pageview('2026-06-17T15:37:00Z', '/d')]),
    counts([custom('2026-06-17T15:41:00Z')]),
    refused([dropped('2026-06-17T15:41:00Z', 'bot'), dropped('2026-06-17T15:30:00Z', 'bot')]),
  );
  const { data, meta } = await reportLive(ctx(), { siteId });
  expect(data).toEqual({
    visitors: 3,
    anonymousPageviews: 1,
    count: 3,
    pages: [{ path: '/b', visitors: 2 }],
  });
  expect(meta.range).toEqual({
    from: '2026-06-17T15:37:10.123Z',
    to: '2026-06-17T15:42:10.123Z',
    timezone: 'UTC',
  });
  expect(meta.coverage).toMatchObject({
    observed: true,
    tiers: [1, 2, 3],
    observedShare: 0.6,
    dropped: { bot: 1, datacenter: 0, spam: 0, invalid: 0, hostname: 0, tier: 0, properties: 0 },
  });
});

test('one collection method alone, beside what all of them saw', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  const at = '2026-06-17T15:41:00Z';
  await fold(
    counts([pageview(at, '/c')]),
    session('ana', [pageview(at, '/s')]),
    session('eva', [pageview(at, '/s')]),
    consented('bob', [pageview(at, '/a')]),
  );
  const dataOf = async (tier: 1 | 2 | 3) => {
    const { data, meta } = await reportLive(ctx(), { siteId, tier });
    expect(meta.scope.filters).toEqual({ privacyTier: tier });
    expect(meta.coverage.tiers).toEqual([1, 2, 3]);
    return data;
  };
  expect(await dataOf(1)).toEqual({ visitors: 0, anonymousPageviews: 1, count: 0, pages: [] });
  expect(await dataOf(2)).toEqual({
    visitors: 2,
    anonymousPageviews: 0,
    count: 2,
    pages: [{ path: '/s', visitors: 2 }],
  });
  expect(await dataOf(3)).toEqual({
    visitors: 1,
    anonymousPageviews: 0,
    count: 1,
    pages: [{ path: '/a', visitors: 1 }],
  });
});

test('the ten busiest pages', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  const at = '2026-06-17T15:41:00Z';
  const paths = Array.from({ length: 12 }, (_, n) => `/${String.fromCharCode(108 - n)}`);
  await fold(...paths.map((path) => session(`v${path}`, [pageview(at, path)])));
  await fold(session('more', [pageview(at, '/k')]));
  const { pages } = (await reportLive(ctx(), { siteId })).data;
  expect(pages).toHaveLength(10);
  expect(pages.slice(0, 3)).toEqual([
    { path: '/k', visitors: 2 },
    { path: '/a', visitors: 1 },
    { path: '/b', visitors: 1 },
  ]);
});

test('nobody there, and nobody’s site', async () => {
  const [{ siteId, ctx }, other] = [await makeWorld(), await makeWorld()];
  const { data, meta } = await reportLive(ctx(), { siteId });
  expect(data).toEqual({ visitors: 0, anonymousPageviews: 0, count: 0, pages: [] });
  expect(meta.coverage).toMatchObject({ observed: false, since: null, tiers: [], observedShare: 0 });
  for (const unseen of [other.siteId, visitor('nobody')]) {
    await expect(reportLive(ctx(), { siteId: unseen })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});
