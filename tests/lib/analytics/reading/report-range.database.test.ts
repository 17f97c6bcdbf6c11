import { expect, test } from 'vitest';
import type { Range } from '../../../../lib/analytics/reading/report-range.ts';
import { reportOverview } from '../../../../lib/analytics/series/overview.ts';
import { reportTimeseries } from '../../../../lib/analytics/series/timeseries.ts';
import { counts, pageview, useWorlds } from '../reports-world.ts';

const makeWorld = useWorlds();

test.each<[string, string, Range, string, string]>([
  ['UTC', '2026-06-17T15:42:10.123Z', { period: '24h' }, '2026-06-16T16:00', '2026-06-17T16:00'],
  ['Asia/Kathmandu', '2026-06-17T15:42:10.123Z', { period: '24h' }, '2026-06-16T16:15', '2026-06-17T16:15'],
  ['UTC', '2026-06-17T15:42:10.123Z', { period: '7d' }, '2026-06-11T00:00', '2026-06-18T00:00'],
  ['UTC', '2026-06-17T00:00:00.000Z', { period: '30d' }, '2026-05-19T00:00', '2026-06-18T00:00'],
  ['Pacific/Auckland', '2026-06-17T15:42:10.123Z', { period: '7d' }, '2026-06-11T12:00', '2026-06-18T12:00'],
  // Days of 23 and of 25 hours.
  ['Europe/Berlin', '2026-03-31T10:00:00.000Z', { period: '7d' }, '2026-03-24T23:00', '2026-03-31T22:00'],
  ['Europe/Berlin', '2026-10-25T10:00:00.000Z', { period: '24h' }, '2026-10-24T11:00', '2026-10-25T11:00'],
  [
    'Europe/Berlin',
    '2026-12-01T00:00:00.000Z',
    { from: '2026-10-25', to: '2026-10-25' },
    '2026-10-24T22:00',
    '2026-10-25T23:00',
  ],
  // The clock changes by half an hour at 15:30 and at 15:00, so hours begin at another minute afterwards.
  [
    'Australia/Lord_Howe',
    '2026-10-04T10:10:00.000Z',
    { period: '24h' },
    '2026-10-03T10:30',
    '2026-10-04T11:00',
  ],
  [
    'Australia/Lord_Howe',
    '2026-04-05T10:40:00.000Z',
    { period: '24h' },
    '2026-04-04T11:00',
    '2026-04-05T11:30',
  ],
])('%s at %s: %o is from %s to %s', async (zone, now, range, from, to) => {
  const { siteId, ctx } = await makeWorld(zone);
  const { meta } = await reportOverview(ctx(now), { siteId, range });
  expect(meta.range).toEqual({ from: `${from}:00.000Z`, to: `${to}:00.000Z`, timezone: zone });
});

test.each<[string, string, Range, string]>([
  ['UTC', '2026-06-17T15:42:10.123Z', { period: '24h' }, '2026-06-15T16:00:00.000Z'],
  ['Europe/Berlin', '2026-03-31T10:00:00.000Z', { period: '7d' }, '2026-03-17T23:00:00.000Z'],
  [
    'Europe/Berlin',
    '2026-12-01T00:00:00.000Z',
    { from: '2026-10-26', to: '2026-10-27' },
    '2026-10-23T22:00:00.000Z',
  ],
])(
  '%s at %s: %o is compared with what begins at the same length before, %s',
  async (zone, now, range, first) => {
    const { siteId, ctx, fold } = await makeWorld(zone);
    await fold(counts([pageview(first)]), counts([pageview(new Date(Date.parse(first) - 1).toISOString())]));
    const { data } = await reportOverview(ctx(now), { siteId, range, compare: 'previous' });
    expect([data.pageviews, data.previous?.pageviews]).toEqual([0, 1]);
  },
);

test.each([
  ['Europe/Berlin', '2026-03-29T20:00:00.000Z', 23],
  ['Europe/Berlin', '2026-10-25T20:00:00.000Z', 25],
  ['Australia/Lord_Howe', '2026-10-04T02:00:00.000Z', 24],
  ['Australia/Lord_Howe', '2026-04-05T02:00:00.000Z', 25],
])('%s at %s: the day has %d hours, and every minute lies in one', async (zone, now, hours) => {
  const { siteId, ctx, fold } = await makeWorld(zone);
  const day = new Date(Date.parse(now)).toLocaleDateString('en-CA', { timeZone: zone });
  const input = { siteId, range: { from: day, to: day }, interval: 'hour' as const };
  const { from, to } = (await reportTimeseries(ctx(now), input)).meta.range;
  const minutes: string[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += 600_000)
    minutes.push(new Date(at).toISOString());
  await fold(...minutes.map((at) => counts([pageview(at)])));
  const { data } = await reportTimeseries(ctx(now), input);
  expect(data).toHaveLength(hours);
  expect(data.reduce((sum, { pageviews }) => sum + pageviews, 0)).toBe(minutes.length);
});
