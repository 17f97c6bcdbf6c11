/** Every report, through rollups and visits, tells what the oracle counts visit by visit over the same raw events. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportBrowsers } from '../../lib/analytics/browsers.ts';
import { reportDevices } from '../../lib/analytics/devices.ts';
import { reportLive } from '../../lib/analytics/live.ts';
import { reportOverview } from '../../lib/analytics/overview.ts';
import { reportPages } from '../../lib/analytics/pages.ts';
import { reportSources } from '../../lib/analytics/sources.ts';
import { reportTimeseries } from '../../lib/analytics/timeseries.ts';
import type { MemberContext } from '../../lib/context.ts';
import { ingestMessages } from '../../lib/visits/ingest-messages.ts';
import { liveOf, overviewOf, pagesOf, timeseriesOf, valuesOf, type World } from '../oracle/reports.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite } from './site.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';
const PERIODS = ['24h', '7d', '30d'] as const;

/** One decimal, as the reports round. */
const rounded = <T extends { bounceRate: number; avgDuration: number }>(overview: T): T => ({
  ...overview,
  bounceRate: Math.round(overview.bounceRate * 10) / 10,
  avgDuration: Math.round(overview.avgDuration * 10) / 10,
});

test('reports agree with the oracle', async () => {
  const { sql } = database();
  const drawn = streams(30).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(stream.messages(PLACEHOLDER)),
      tier: fc.constantFrom(undefined, undefined, 1 as const, 2 as const, 3 as const),
      period: fc.constantFrom(...PERIODS),
      interval: fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const),
      sort: fc.constantFrom('reach' as const, 'pageviews' as const),
      limit: fc.integer({ min: 1, max: 6 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(drawn, async ({ stream, batches, tier, period, interval, sort, limit }) => {
      const { now, zone } = stream;
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      for (const batch of batches)
        await ingestMessages(
          { sql, now: () => now },
          batch.map((message) => ({ ...message, siteId })),
        );

      const events = distinctEvents(stream.messages(siteId));
      const world: World = { events, visits: visitsOf(events), zone, tier };
      const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'apiToken', tokenId: '', userId } };
      const input = { siteId, range: { period }, tier };

      expect((await reportOverview(ctx, input)).data).toEqual(rounded(overviewOf(world, period, now)));
      expect((await reportTimeseries(ctx, { ...input, interval })).data).toEqual(
        timeseriesOf(world, period, interval, now),
      );
      expect((await reportPages(ctx, { ...input, sort, limit })).data).toEqual(
        pagesOf(world, period, sort, limit, now),
      );
      const list = { ...input, limit };
      expect((await reportSources(ctx, list)).data).toEqual(valuesOf(world, period, 'source', limit, now));
      expect((await reportDevices(ctx, list)).data).toEqual(valuesOf(world, period, 'device', limit, now));
      expect((await reportBrowsers(ctx, list)).data).toEqual(valuesOf(world, period, 'browser', limit, now));
      expect((await reportLive(ctx, { siteId })).data).toMatchObject(liveOf(world, now));
    }),
    { numRuns: Number(process.env.ORACLE_RUNS ?? 100) },
  );
}, 300_000);
