import { expect, test } from 'vitest';
import { reportPages } from '../../../../lib/analytics/lists/pages.ts';
import { consented, counts, custom, pageview, session, useWorlds } from '../reports-world.ts';

const makeWorld = useWorlds();
const asked = { range: { period: '7d' }, limit: 10, sort: 'reach' } as const;
const minutesAfter = (at: string, minutes: number) =>
  new Date(Date.parse(at) + minutes * 60_000).toISOString();

test('visits, visitors and page views of each path, by reach or by page views', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    consented('bob', [
      pageview('2026-06-15T10:00:00Z', '/a'),
      pageview('2026-06-15T10:01:00Z', '/b'),
      pageview('2026-06-15T10:02:00Z', '/a'),
      pageview('2026-06-15T10:03:00Z', '/b'),
      pageview('2026-06-15T10:04:00Z', '/b'),
    ]),
    consented('bob', [pageview('2026-06-16T10:00:00Z', '/a')]),
    session('ana', [pageview('2026-06-16T10:00:00Z', '/a'), custom('2026-06-16T10:01:00Z')]),
    counts([pageview('2026-06-16T10:00:00Z', '/c')]),
    counts([pageview('2026-06-16T10:00:00Z', '/c', { entry: false })]),
    counts([pageview('2026-06-16T11:00:00Z', '/c', { entry: false })]),
    consented('eve', [custom('2026-06-16T10:00:00Z')]),
  );
  const a = { path: '/a', visitors: 2, visits: 3, pageviews: 4, reach: 2 };
  const b = { path: '/b', visitors: 1, visits: 1, pageviews: 3, reach: 1 };
  const c = { path: '/c', visitors: 0, visits: 1, pageviews: 3, reach: 3 };
  const report = async (input: object) => (await reportPages(ctx(), { siteId, ...asked, ...input })).data;
  expect(await report({})).toEqual([c, a, b]);
  expect(await report({ sort: 'pageviews' })).toEqual([a, c, b]);
  expect(await report({ limit: 2 })).toEqual([c, a]);
  expect(await report({ tier: 1 })).toEqual([c]);
  expect(await report({ tier: 2 })).toEqual([{ path: '/a', visitors: 1, visits: 1, pageviews: 1, reach: 1 }]);
});

test('ties are ordered by path, byte by byte', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  const paths = ['/b', '/ä', '/a', '/B', '/'];
  await fold(...paths.map((path) => counts([pageview('2026-06-16T10:00:00Z', path)])));
  const { data } = await reportPages(ctx(), { siteId, ...asked, limit: 3 });
  expect(data.map(({ path }) => path)).toEqual(['/', '/B', '/a']);
});

test('of a visit across midnight only what happened in the range', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    consented('bob', [
      pageview('2026-06-15T23:40:00Z', '/before'),
      pageview('2026-06-15T23:59:59.999Z', '/a'),
      pageview('2026-06-16T00:00:00Z', '/a'),
      pageview('2026-06-16T00:01:00Z', '/a'),
    ]),
    session('ana', [
      pageview('2026-06-16T23:50:00Z', '/a'),
      pageview('2026-06-16T23:59:59.999Z', '/b'),
      pageview('2026-06-17T00:00:00Z', '/after'),
    ]),
  );
  const range = { from: '2026-06-16', to: '2026-06-16' };
  const { data } = await reportPages(ctx(), { siteId, ...asked, range });
  expect(data).toEqual([
    { path: '/a', visitors: 2, visits: 2, pageviews: 3, reach: 2 },
    { path: '/b', visitors: 1, visits: 1, pageviews: 1, reach: 1 },
  ]);
});

test('a continued visit reaches pages with its visitor and is no visit there', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(consented('bob', [pageview('2026-06-16T10:00:00Z', '/a')], { continued: true }));
  expect((await reportPages(ctx(), { siteId, ...asked })).data).toEqual([
    { path: '/a', visitors: 1, visits: 0, pageviews: 1, reach: 1 },
  ]);
});

test('a visit of hundreds of page views', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  const times = Array.from({ length: 300 }, (_, n) => minutesAfter('2026-06-15T20:00:00Z', n));
  await fold(
    consented(
      'bob',
      times.map((at, n) => pageview(at, `/${n % 3}`)),
    ),
  );
  const inRange = { siteId, ...asked, range: { from: '2026-06-15', to: '2026-06-15' } };
  expect((await reportPages(ctx(), inRange)).data).toEqual(
    [0, 1, 2].map((n) => ({ path: `/${n}`, visitors: 1, visits: 1, pageviews: 80, reach: 1 })),
  );
  expect((await reportPages(ctx(), { siteId, ...asked })).data).toEqual(
    [0, 1, 2].map((n) => ({ path: `/${n}`, visitors: 1, visits: 1, pageviews: 100, reach: 1 })),
  );
});

test('a filtered visit whose page views are as many milliseconds apart as the numbers of their paths', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  const paths = ['/a', '/b', '/c', '/d', '/a', '/b'];
  const start = Date.parse('2026-06-16T10:00:00Z');
  for (const shift of [0, 1, 2, 3])
    await fold(
      consented(
        `bob ${shift}`,
        paths.map((path, n) => pageview(new Date(start + (n === 0 ? 0 : n + shift)).toISOString(), path)),
      ),
    );
  const filters = [{ dimension: 'page', operator: 'is', values: ['/a'] }] as const;
  const { data } = await reportPages(ctx(), { siteId, ...asked, filters });
  const once = { visitors: 4, visits: 4, reach: 4 };
  expect(data).toEqual([
    { path: '/a', ...once, pageviews: 8 },
    { path: '/b', ...once, pageviews: 8 },
    { path: '/c', ...once, pageviews: 4 },
    { path: '/d', ...once, pageviews: 4 },
  ]);
});
