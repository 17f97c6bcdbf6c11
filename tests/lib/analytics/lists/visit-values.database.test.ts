import { expect, test } from 'vitest';
import { reportVisitValues } from '../../../../lib/analytics/lists/visit-values.ts';
import { consented, counts, custom, engagement, pageview, session, useWorlds } from '../reports-world.ts';

const makeWorld = useWorlds();
const asked = { range: { period: '7d' }, limit: 10 } as const;
const source = (name: string) => ({ source: name });

test('sources are those of the visits that count', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    consented('bob', [
      pageview('2026-06-15T10:00:00Z', '/', source('Google')),
      pageview('2026-06-15T10:05:00Z', '/', source('Bing')),
    ]),
    consented('bob', [pageview('2026-06-16T10:00:00Z', '/', source('Google'))]),
    session('ana', [pageview('2026-06-16T10:00:00Z')]),
    consented('eve', [pageview('2026-06-16T10:00:00Z', '/', source('Bing'))], { continued: true }),
    consented('joe', [custom('2026-06-16T10:00:00Z')]),
    consented('max', [engagement('2026-06-16T10:00:00Z')]),
    counts([pageview('2026-06-16T10:00:00Z', '/', source('News'))]),
    counts([pageview('2026-06-16T10:00:00Z', '/', { entry: false })]),
    counts([custom('2026-06-16T10:00:00Z')]),
  );
  const report = async (input: object) =>
    (await reportVisitValues(ctx(), { siteId, ...asked, ...input, dimension: 'source' })).data;
  const direct = { value: 'Direct', visitors: 2, visits: 2, pageviews: 1 };
  const google = { value: 'Google', visitors: 1, visits: 2, pageviews: 3 };
  const news = { value: 'News', visitors: 0, visits: 1, pageviews: 1 };
  expect(await report({})).toEqual([direct, google, news]);
  expect(await report({ limit: 1 })).toEqual([direct]);
  expect(await report({ tier: 1 })).toEqual([news]);
});

test('devices and browsers are those of every page view and custom event', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  const of = { device: 'mobile', browser: 'Safari' } as const;
  await fold(
    consented('bob', [pageview('2026-06-15T10:00:00Z'), pageview('2026-06-15T10:05:00Z')], of),
    consented('eve', [pageview('2026-06-16T10:00:00Z')], { ...of, continued: true }),
    counts([pageview('2026-06-16T10:00:00Z', '/', { entry: false })], { ...of, browser: 'Firefox' }),
    session('ana', [custom('2026-06-16T10:00:00Z')], { device: 'tv' }),
    consented('max', [engagement('2026-06-16T10:00:00Z')], { device: 'tablet', browser: 'Opera' }),
  );
  expect((await reportVisitValues(ctx(), { siteId, ...asked, dimension: 'device' })).data).toEqual([
    { value: 'mobile', visitors: 2, visits: 1, pageviews: 4 },
    { value: 'tv', visitors: 1, visits: 1, pageviews: 0 },
  ]);
  expect((await reportVisitValues(ctx(), { siteId, ...asked, dimension: 'browser' })).data).toEqual([
    { value: 'Safari', visitors: 2, visits: 1, pageviews: 3 },
    { value: 'Unknown', visitors: 1, visits: 1, pageviews: 0 },
    { value: 'Firefox', visitors: 0, visits: 0, pageviews: 1 },
  ]);
});

test('a value counts in the range in which its visit began', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(session('ana', [pageview('2026-06-16T23:50:00Z'), pageview('2026-06-17T00:10:00Z')]));
  const on = (day: string) => ({ siteId, limit: 10, range: { from: day, to: day } });
  expect((await reportVisitValues(ctx(), { ...on('2026-06-16'), dimension: 'source' })).data).toEqual([
    { value: 'Direct', visitors: 1, visits: 1, pageviews: 2 },
  ]);
  expect((await reportVisitValues(ctx(), { ...on('2026-06-17'), dimension: 'source' })).data).toEqual([]);
});

test('ties are ordered by value, byte by byte', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  const names = ['b', 'ä', 'a', 'B'];
  await fold(...names.map((name) => counts([pageview('2026-06-16T10:00:00Z', '/', source(name))])));
  const { data } = await reportVisitValues(ctx(), { siteId, ...asked, dimension: 'source' });
  expect(data.map(({ value }) => value)).toEqual(['B', 'a', 'b', 'ä']);
});
