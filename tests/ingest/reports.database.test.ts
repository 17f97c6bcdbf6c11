/** Every report, from rollups and visits, equals what the oracle counts, visit by visit, from the same raw events. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportEdgePages } from '../../lib/analytics/lists/edge-pages.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitQuality } from '../../lib/analytics/lists/visit-quality.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import {
  PAGE_SORTS,
  QUALITY_BY,
  QUALITY_SORTS,
  VALUE_SORTS,
} from '../../lib/analytics/reading/report-inputs.ts';
import { reportHeatmap } from '../../lib/analytics/series/heatmap.ts';
import { reportLive } from '../../lib/analytics/series/live.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { reportTimeseries } from '../../lib/analytics/series/timeseries.ts';
import type { MemberContext } from '../../lib/context.ts';
import { DIMENSIONS, STACKED } from '../../lib/visits/dimensions.ts';
import {
  edgePagesOf,
  heatmapOf,
  liveOf,
  overviewOf,
  pagesOf,
  qualityOf,
  stackedOf,
  timeseriesOf,
  valuesOf,
  type World,
} from '../oracle/reports.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { ORACLE_RUNS } from '../oracle-runs.ts';
import { addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { drawnFilter, GOALS } from './drawn-filter.ts';
import { makeOwnedSite } from './ingest-site.ts';
import { deliverAndSeal, drawnSeals } from './seal-days.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';
const PERIODS = ['24h', '7d', '30d'] as const;

/** Rows without their conversions, which they have where a filter names one goal: goals-by-row.database.test.ts is about these. */
const counted = (rows: readonly object[]) =>
  rows.map((row) => ({ ...row, conversions: undefined, conversionRate: undefined, exactVisits: undefined }));

test('reports agree with the oracle', async () => {
  const { sql } = database();
  const drawn = streams(30).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(stream.messages(PLACEHOLDER)),
      seals: drawnSeals,
      tier: fc.constantFrom(undefined, undefined, 1 as const, 2 as const, 3 as const),
      period: fc.constantFrom(...PERIODS),
      interval: fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const),
      sort: fc.constantFrom(...PAGE_SORTS),
      valueSort: fc.constantFrom(...VALUE_SORTS),
      limit: fc.integer({ min: 1, max: 6 }),
      dimension: fc.constantFrom(...DIMENSIONS),
      by: fc.constantFrom(...STACKED),
      quality: fc.record({
        by: fc.constantFrom(...QUALITY_BY),
        sort: fc.constantFrom(...QUALITY_SORTS),
        minVisits: fc.integer({ min: 1, max: 3 }),
      }),
      filters: fc.array(drawnFilter, { maxLength: 3 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      drawn,
      async ({
        stream,
        batches,
        seals,
        tier,
        period,
        interval,
        sort,
        valueSort,
        limit,
        dimension,
        by,
        quality,
        filters,
      }) => {
        const { now, zone } = stream;
        const { siteId, userId } = await makeOwnedSite(sql, zone);
        for (const goal of GOALS) await addGoal(sql, siteId, goal);
        await deliverAndSeal(sql, { siteId, now }, batches, seals);

        const events = distinctEvents(stream.messages(siteId));
        const world: World = { events, visits: visitsOf(events), zone, tier, filters, goals: GOALS };
        const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
        const input = { siteId, range: { period }, tier, filters };

        expect((await reportOverview(ctx, input)).data).toEqual(overviewOf(world, period, now));
        expect((await reportTimeseries(ctx, { ...input, interval })).data).toEqual(
          timeseriesOf(world, period, interval, now),
        );
        const stack = { by, limit };
        expect((await reportTimeseries(ctx, { ...input, interval, stack })).data).toEqual(
          stackedOf(world, period, interval, stack, now),
        );
        expect((await reportHeatmap(ctx, input)).data).toEqual(heatmapOf(world, period, now));
        expect(counted((await reportPages(ctx, { ...input, sort, limit })).data)).toEqual(
          pagesOf(world, period, sort, limit, now),
        );
        const list = { ...input, limit };
        for (const edge of ['entry', 'exit'] as const)
          expect(counted((await reportEdgePages(ctx, { ...list, edge, sort })).data)).toEqual(
            edgePagesOf(world, period, edge, limit, now, sort),
          );
        expect(counted((await reportVisitValues(ctx, { ...list, dimension, sort: valueSort })).data)).toEqual(
          valuesOf(world, period, dimension, limit, now, valueSort),
        );
        expect((await reportVisitQuality(ctx, { ...list, ...quality })).data).toEqual(
          qualityOf(world, period, { ...quality, limit }, now),
        );
        expect((await reportLive(ctx, { siteId })).data).toMatchObject(liveOf(world, now));
      },
    ),
    { numRuns: ORACLE_RUNS, endOnFailure: true },
  );
}, 300_000);
