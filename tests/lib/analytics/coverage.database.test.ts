import { expect, test } from 'vitest';
import { reportOverview } from '../../../lib/analytics/series/overview.ts';
import {
  consented,
  counts,
  custom,
  dropped,
  NOW,
  pageview,
  refused,
  session,
  useWorlds,
} from './reports-world.ts';

const makeWorld = useWorlds();
const range = { period: '24h' } as const;

test('a range with nothing observed says so', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  const empty = await reportOverview(ctx(), { siteId, range });
  expect(empty.meta).toMatchObject({
    coverage: {
      observed: false,
      since: null,
      tiers: [],
      observedShare: 0,
      dropped: { bot: 0, datacenter: 0, spam: 0, invalid: 0, hostname: 0, tier: 0, properties: 0 },
    },
    freshness: { lastEventAt: null, foldedAt: null, evaluatedAt: NOW },
  });
  await fold(consented('bob', [pageview('2026-06-10T10:00:00Z'), pageview('2026-06-10T10:01:00Z')]));
  expect((await reportOverview(ctx(), { siteId, range })).meta).toMatchObject({
    coverage: { observed: false, since: '2026-06-10T10:00:00.000Z', tiers: [], observedShare: 0 },
    freshness: { lastEventAt: '2026-06-10T10:01:00.000Z', foldedAt: NOW, evaluatedAt: NOW },
  });
});

test('the share of the hours that have begun, and the tiers seen', async () => {
  const { siteId, ctx, fold } = await makeWorld();
  await fold(
    counts([pageview('2026-06-17T03:10:00Z')]),
    session('ana', [pageview('2026-06-17T03:20:00Z')]),
    consented('bob', [custom('2026-06-17T15:00:00Z')]),
  );
  const day = { siteId, range: { from: '2026-06-17', to: '2026-06-17' } };
  // Two of the sixteen hours of the current day.
  expect((await reportOverview(ctx(), day)).meta.coverage).toMatchObject({
    observed: true,
    observedShare: 0.125,
    tiers: [1, 2, 3],
  });
  expect((await reportOverview(ctx('2026-06-18T15:00:00Z'), day)).meta.coverage.observedShare).toBe(0.083);
  const future = { siteId, range: { from: '2026-06-19', to: '2026-06-20' } };
  expect((await reportOverview(ctx(), future)).meta.coverage.observedShare).toBe(0);
});

test('what was refused on the days of the range, by reason', async () => {
  const { siteId, ctx, fold } = await makeWorld('Europe/Berlin');
  await fold(
    refused([
      // A minute before and a minute after the midnight at which the first hour's day begins.
      dropped('2026-06-15T21:59:00Z', 'bot'),
      dropped('2026-06-15T22:01:00Z', 'bot'),
      dropped('2026-06-17T10:00:00Z', 'bot'),
      dropped('2026-06-17T10:00:00Z', 'tier'),
    ]),
  );
  const { coverage } = (await reportOverview(ctx(), { siteId, range })).meta;
  expect(coverage.dropped).toEqual({
    bot: 2,
    datacenter: 0,
    spam: 0,
    invalid: 0,
    hostname: 0,
    tier: 1,
    properties: 0,
  });
  expect(coverage.observed).toBe(false);
});
