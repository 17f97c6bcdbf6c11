/** A report with `compare` is the report without it, and each figure of the other range beside it (docs/reports.md#comparison). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportGoals } from '../../lib/analytics/behaviour/goals.ts';
import { reportCustomEvents } from '../../lib/analytics/lists/custom-events.ts';
import { reportEdgePages } from '../../lib/analytics/lists/edge-pages.ts';
import { reportEventProps } from '../../lib/analytics/lists/event-props.ts';
import { reportPageProps } from '../../lib/analytics/lists/page-props.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import { reportEngagement } from '../../lib/analytics/measures/engagement.ts';
import { reportVitals } from '../../lib/analytics/measures/vitals.ts';
import {
  type Compare,
  comparedRange,
  type Range,
  wholeRange,
} from '../../lib/analytics/reading/report-range.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { reportTimeseries } from '../../lib/analytics/series/timeseries.ts';
import type { MemberContext } from '../../lib/context.ts';
import { DIMENSIONS } from '../../lib/visits/dimensions.ts';
import { localDate } from '../oracle/clock.ts';
import { goalsOf } from '../oracle/goals.ts';
import {
  changesOf,
  comparedOf,
  edgePagesOf,
  type OracleRange,
  overviewOf,
  pagesOf,
  rangeOf,
  timeseriesOf,
  valuesOf,
  type World,
} from '../oracle/reports.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { assertUntil, ORACLE_RUNS } from '../oracle-runs.ts';
import { addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { drawnFilter, GOALS } from './drawn-filter.ts';
import { makeOwnedSite } from './ingest-site.ts';
import { deliverAndSeal, drawnSeals } from './seal-days.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';
const DAY_MS = 86_400_000;
const ALL = 100;

type Row = Record<string, unknown>;

/** Rows with the row of the same name of another list, without names. */
function joined(
  rows: readonly Row[],
  others: readonly Row[],
  names: readonly string[],
  noneOf = (figure: unknown, _: string): unknown => (Array.isArray(figure) ? [] : 0),
) {
  const bare = (row: Row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
  return rows.map((row) => {
    const other = others.find((one) => names.every((name) => one[name] === row[name]));
    const none = Object.fromEntries(
      Object.entries(bare(row)).map(([name, figure]) => [name, noneOf(figure, name)]),
    );
    return { ...row, previous: other === undefined ? none : bare(other) };
  });
}

const UNRATED = { lcp: null, inp: null, cls: null, fcp: null, ttfb: null };

test('figures of the compared range agree with the oracle', async () => {
  const { sql } = database();
  let [observed, unknown] = [0, 0];
  const drawn = streams(30).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(stream.messages(PLACEHOLDER)),
      seals: drawnSeals,
      tier: fc.constantFrom(undefined, undefined, 1 as const, 2 as const, 3 as const),
      period: fc.constantFrom('24h' as const, '7d' as const, '30d' as const),
      later: fc.constantFrom(0, 1, 2, 7, 365),
      compare: fc.oneof(
        fc.constantFrom('previous' as const, 'weekdays' as const, 'year' as const),
        fc.record({ ago: fc.integer({ min: 0, max: 5 }), days: fc.integer({ min: 0, max: 9 }) }),
      ),
      interval: fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const),
      sort: fc.constantFrom('reach' as const, 'pageviews' as const),
      limit: fc.integer({ min: 1, max: 6 }),
      dimension: fc.constantFrom(...DIMENSIONS),
      filters: fc.array(drawnFilter, { maxLength: 2 }),
      isOlder: fc.constantFrom(true, true, true, false),
    }),
  );
  await assertUntil(
    () => observed > 0 && unknown > 0,
    fc.asyncProperty(drawn, async (one) => {
      const { stream, batches, seals, tier, period, interval, sort, limit, dimension, filters } = one;
      const { zone } = stream;
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      for (const goal of GOALS) await addGoal(sql, siteId, { ...goal, id: crypto.randomUUID() });
      await deliverAndSeal(sql, { siteId, now: stream.now }, batches, seals);
      if (one.isOlder)
        await sql`
          update site_freshness set first_event_at = to_timestamp(0)
          where site_key = (select key from sites where id = ${siteId}::uuid)`;
      const now = stream.now + one.later * DAY_MS;
      const day = (ago: number) => localDate(stream.now - ago * DAY_MS, zone);
      const compare: Compare =
        typeof one.compare === 'string'
          ? one.compare
          : { from: day(one.compare.ago + one.compare.days), to: day(one.compare.ago) };
      const events = distinctEvents(stream.messages(siteId));
      const world: World = {
        ...{ events, visits: visitsOf(events), zone, tier, filters, goals: GOALS },
        since: one.isOlder ? 0 : undefined,
      };
      const found = comparedOf(period, compare, now, zone);
      fc.pre(found !== undefined);
      const { cut: other, whole } = found as { cut: OracleRange; whole: OracleRange };
      const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
      const range: Range = { period };
      const input = {
        siteId,
        range,
        tier,
        filters: filters.filter(({ dimension }) => dimension !== 'goal'),
        compare,
      };
      world.filters = input.filters;

      const overview = await reportOverview(ctx, input);
      expect(overview.meta.comparison).toMatchObject({
        from: new Date(other.from).toISOString(),
        to: new Date(other.to).toISOString(),
      });
      if (overview.meta.comparison?.observed) observed += 1;
      const [present, past] = [overviewOf(world, period, now), overviewOf(world, other, now)];
      const { visitors, visits, pageviews, bounceRate, avgDuration } = past;
      expect(overview.data).toEqual({
        ...present,
        ...changesOf(world, rangeOf(period, now, zone).range, other),
        previous: { visitors, visits, pageviews, bounceRate, avgDuration },
      });
      if (overview.data.visitsChange === null) unknown += 1;

      const before = timeseriesOf(world, whole, interval, now).map(({ partial: _, ...point }) => point);
      expect((await reportTimeseries(ctx, { ...input, interval })).data).toEqual(
        timeseriesOf(world, period, interval, now).map((point, index) => ({
          ...point,
          previous: before[index] ?? null,
        })),
      );
      expect((await reportPages(ctx, { ...input, sort, limit })).data).toEqual(
        joined(pagesOf(world, period, sort, limit, now), pagesOf(world, other, sort, ALL, now), ['path']),
      );
      for (const edge of ['entry', 'exit'] as const)
        expect((await reportEdgePages(ctx, { ...input, limit, edge })).data).toEqual(
          joined(edgePagesOf(world, period, edge, limit, now), edgePagesOf(world, other, edge, ALL, now), [
            'path',
          ]),
        );
      expect((await reportVisitValues(ctx, { ...input, limit, dimension })).data).toEqual(
        joined(valuesOf(world, period, dimension, limit, now), valuesOf(world, other, dimension, ALL, now), [
          'value',
        ]),
      );

      const goals = goalsOf(world, period, now);
      const goalsBefore = goalsOf(world, other, now);
      const reached = await reportGoals(ctx, input);
      expect(reached.data.map(({ id: _, ...goal }) => goal)).toEqual(
        goals.data.map(({ id: _, ...goal }) => {
          const { conversions, conversionRate, events, visitors, revenue, exact, apart } =
            goalsBefore.data.find(({ name }) => name === goal.name) ?? goal;
          return {
            ...goal,
            previous: { conversions, conversionRate, events, visitors, revenue, exact, apart },
          };
        }),
      );
      expect([...reached.meta.approximate].sort()).toEqual(
        [...new Set([...goals.approximate, ...goalsBefore.approximate])].sort(),
      );
      const searched = await reportGoals(ctx, { ...input, search: 'UY' });
      expect(searched.data).toEqual(reached.data.filter(({ name }) => /uy/i.test(name)));

      // The oracle has no lists of events: both ranges are asked alone.
      const { compare: _, ...alone } = input;
      const elsewhere = { ...alone, range: comparedRange(range, compare), limit: ALL };
      const rowsOf = ({ data }: { data: readonly object[] }) => data as readonly Row[];
      expect((await reportCustomEvents(ctx, { ...input, limit })).data).toEqual(
        joined(
          rowsOf(await reportCustomEvents(ctx, { ...alone, limit })),
          rowsOf(await reportCustomEvents(ctx, elsewhere)),
          ['name'],
        ),
      );
      for (const key of [undefined, 'plan'])
        expect((await reportEventProps(ctx, { ...input, limit, name: 'signup', key })).data).toEqual(
          joined(
            rowsOf(await reportEventProps(ctx, { ...alone, limit, name: 'signup', key })),
            rowsOf(await reportEventProps(ctx, { ...elsewhere, name: 'signup', key })),
            ['key', 'value'],
          ),
        );
      // Sums by page, without single visits, take no filters of visits.
      const { filters: __, ...unfiltered } = input;
      const measures = [
        [reportEngagement, (_: unknown, name: string) => (/^(?:seconds|scrollDepth)$/.test(name) ? null : 0)],
        [
          reportVitals,
          (_: unknown, name: string) => (name === 'measured' ? 0 : name === 'shares' ? UNRATED : null),
        ],
      ] as const;
      for (const [report, none] of measures) {
        const { compare: ___, ...now } = { ...unfiltered, limit };
        expect((await report(ctx, { ...unfiltered, limit })).data).toEqual(
          joined(
            rowsOf(await report(ctx, now)),
            rowsOf(await report(ctx, { ...elsewhere, range: wholeRange(elsewhere.range), filters: [] })),
            ['path'],
            none,
          ),
        );
      }
      expect((await reportPageProps(ctx, { ...input, limit, key: 'author' })).data).toEqual(
        joined(
          rowsOf(await reportPageProps(ctx, { ...alone, limit, key: 'author' })),
          rowsOf(await reportPageProps(ctx, { ...elsewhere, key: 'author' })),
          ['key', 'value'],
        ),
      );
    }),
    { numRuns: Math.ceil(ORACLE_RUNS / 2), endOnFailure: true },
  );
}, 300_000);
