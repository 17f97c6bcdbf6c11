import { expect, test } from 'vitest';
import { reportTimeseries } from '../../../../lib/analytics/series/timeseries.ts';
import { consented, counts, pageview, session, useWorlds } from '../reports-world.ts';

const makeWorld = useWorlds();

const brief = (points: { time: string; visitors: number; visits: number; pageviews: number }[]) =>
  points
    .filter(({ pageviews, visits }) => pageviews + visits > 0)
    .map(({ time, visitors, visits, pageviews }) => [time.slice(0, 16), visitors, visits, pageviews]);

test.each([
  ['24h', 'hour', 24, '2026-06-16T16:00:00.000Z', '2026-06-17T15:00:00.000Z'],
  ['24h', 'day', 2, '2026-06-16T00:00:00.000Z', '2026-06-17T00:00:00.000Z'],
  ['7d', 'hour', 168, '2026-06-11T00:00:00.000Z', '2026-06-17T23:00:00.000Z'],
  ['30d', 'day', 30, '2026-05-19T00:00:00.000Z', '2026-06-17T00:00:00.000Z'],
  ['30d', 'week', 5, '2026-05-18T00:00:00.000Z', '2026-06-15T00:00:00.000Z'],
  ['90d', 'month', 4, '2026-03-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z'],
] as const)('%s by %s: %i buckets from %s to %s, in order', async (period, interval, count, first, last) => {
  const { siteId, ctx } = await makeWorld();
  const { data } = await reportTimeseries(ctx(), { siteId, range: { period }, interval });
  const times = data.map(({ time }) => time);
  expect(times).toEqual([...new Set(times)].sort());
  expect([times.length, times[0], times.at(-1)]).toEqual([count, first, last]);
  expect(data.every(({ visitors, visits, pageviews }) => visitors + visits + pageviews === 0)).toBe(true);
});

test('a zone’s days, weeks and months begin at its own midnights, across changes of the clocks', async () => {
  const { siteId, ctx } = await makeWorld('America/New_York');
  const range = { from: '2026-03-01', to: '2026-03-31' };
  const timesBy = async (interval: 'day' | 'week' | 'month') =>
    (await reportTimeseries(ctx(), { siteId, range, interval })).data.map(({ time }) => time.slice(0, 16));
  const days = await timesBy('day');
  expect(days).toHaveLength(31);
  expect(days.slice(6, 9)).toEqual(['2026-03-07T05:00', '2026-03-08T05:00', '2026-03-09T04:00']);
  expect(await timesBy('week')).toEqual([
    '2026-02-23T05:00',
    '2026-03-02T05:00',
    '2026-03-09T04:00',
    '2026-03-16T04:00',
    '2026-03-23T04:00',
    '2026-03-30T04:00',
  ]);
  expect(await timesBy('month')).toEqual(['2026-03-01T05:00']);
});

test('visitors are counted once in a bucket, whatever its size', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    ...['2026-06-08T09:00:00Z', '2026-06-10T09:00:00Z', '2026-06-10T20:00:00Z', '2026-06-16T09:00:00Z'].map(
      (at) => consented('bob', [pageview(at)]),
    ),
    session('ana', [pageview('2026-06-10T09:10:00Z'), pageview('2026-06-10T09:12:00Z')]),
    counts([pageview('2026-06-10T09:00:00Z')]),
  );
  const range = { from: '2026-06-09', to: '2026-06-17' };
  const by = async (interval: 'hour' | 'day' | 'week' | 'month', tier?: 1 | 2 | 3) =>
    brief((await reportTimeseries(ctx(), { siteId, range, interval, tier })).data);
  expect(await by('hour')).toEqual([
    ['2026-06-10T09:00', 2, 3, 4],
    ['2026-06-10T20:00', 1, 1, 1],
    ['2026-06-16T09:00', 1, 1, 1],
  ]);
  expect(await by('day')).toEqual([
    ['2026-06-10T00:00', 2, 4, 5],
    ['2026-06-16T00:00', 1, 1, 1],
  ]);
  // The week began on the 8th, the range on the 9th.
  expect(await by('week')).toEqual([
    ['2026-06-08T00:00', 2, 4, 5],
    ['2026-06-15T00:00', 1, 1, 1],
  ]);
  expect(await by('month')).toEqual([['2026-06-01T00:00', 2, 5, 6]]);
  expect(await by('month', 3)).toEqual([['2026-06-01T00:00', 1, 3, 3]]);
  expect(await by('month', 1)).toEqual([['2026-06-01T00:00', 0, 1, 1]]);
});

test('the days of 24 hours hold only what lies in them', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    ...['2026-06-16T15:00:00Z', '2026-06-16T17:00:00Z', '2026-06-16T19:00:00Z', '2026-06-17T01:00:00Z'].map(
      (at) => consented('bob', [pageview(at)]),
    ),
  );
  const input = { siteId, range: { period: '24h' }, interval: 'day' } as const;
  expect(brief((await reportTimeseries(ctx(), input)).data)).toEqual([
    ['2026-06-16T00:00', 1, 2, 2],
    ['2026-06-17T00:00', 1, 1, 1],
  ]);
});
