/**
 * Each pair of numbers that stand side by side on a page of the dashboard agrees, whatever came in: parts add up to their whole, a subset
 * isn't larger, a rate is its own quotient. What may differ is in `DIFFERENCES`, with the line of the page that says why.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportFunnel } from '../../lib/analytics/behaviour/funnel.ts';
import { reportGoals } from '../../lib/analytics/behaviour/goals.ts';
import { reportJourneys } from '../../lib/analytics/behaviour/journeys.ts';
import { reportRetention } from '../../lib/analytics/behaviour/retention.ts';
import { reportCustomEvents } from '../../lib/analytics/lists/custom-events.ts';
import { reportEdgePages } from '../../lib/analytics/lists/edge-pages.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import { reportEngagement } from '../../lib/analytics/measures/engagement.ts';
import { percentChange, ratio } from '../../lib/analytics/reading/figures.ts';
import { reportHeatmap } from '../../lib/analytics/series/heatmap.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { reportTimeseries } from '../../lib/analytics/series/timeseries.ts';
import type { MemberContext } from '../../lib/context.ts';
import { VISIT_DIMENSIONS } from '../../lib/visits/dimensions.ts';
import { site as english } from '../../web/app/words/en/site.ts';
import { keptVisits, rangeOf, type World, within } from '../oracle/reports.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { distinctEvents, isSeen, type OracleVisit, visitsOf } from '../oracle/visits.ts';
import { assertUntil, ORACLE_RUNS } from '../oracle-runs.ts';
import { addFunnel, addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { drawnFilter, GOALS } from './drawn-filter.ts';
import { makeOwnedSite } from './ingest-site.ts';
import { deliverAndSeal, drawnSeals } from './seal-days.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';
const ALL = 100;

/** What may differ, and the line that the page shows then. */
const DIFFERENCES = {
  /** Who consents during a visit is a visitor of tier 3, and the visit was counted before. */
  moreVisitorsThanVisits: english.figures.moreVisitors,
  /** A visit counts for each page that it shows. */
  visitsOfPages: english.list.everyPage,
  /** A list that anonymous counts have no value of. */
  withoutCounts: english.list.sessions,
  /** A list that only consented visits have a value of. */
  consentedOnly: english.list.consented,
  /** A list of what a link says. */
  withoutValue: english.list.unset,
  /** An event counts when it happened, a goal's visit when it began. */
  eventsAndGoals: english.eventsPanel.edge,
  /** Conversions that are of no visit of tiers 2 and 3. */
  apart: english.goalsPanel.apartNote,
  /** Who comes on two days is one visitor of both. */
  visitorsOfDays: english.chart.visitorsNote,
} as const;
type Difference = keyof typeof DIFFERENCES;

/** Those that are drawn until they have come up. */
const COMMON: readonly Difference[] = ['visitsOfPages', 'withoutCounts', 'withoutValue', 'apart'];

const sum = <Row>(rows: readonly Row[], figure: (row: Row) => number): number =>
  rows.reduce((total, row) => total + figure(row), 0);

const keyOf = ({ tier, visitorId }: OracleVisit): string => `${tier} ${visitorId}`;

/** Visitors who continued a visit, and those of them of whose visits none is counted. No other visits are seen and not counted. */
function continuingIn(visits: readonly OracleVisit[]): { all: number; alone: number } {
  const seen = visits.filter((visit) => visit.visitorId !== null && isSeen(visit));
  const uncounted = seen.filter(({ counted }) => !counted);
  expect(uncounted.every(({ continued }) => continued)).toBe(true);
  const counted = new Set(seen.filter((visit) => visit.counted).map(keyOf));
  const all = new Set(uncounted.map(keyOf));
  return { all: all.size, alone: [...all].filter((key) => !counted.has(key)).length };
}

test('numbers that stand side by side agree, or the page says why not', async () => {
  const { sql } = database();
  const seen = new Set<Difference>();
  const drawn = streams(30).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(stream.messages(PLACEHOLDER)),
      seals: drawnSeals,
      tier: fc.constantFrom(undefined, undefined, 1 as const, 2 as const, 3 as const),
      period: fc.constantFrom('24h' as const, '7d' as const, '30d' as const),
      interval: fc.constantFrom('hour' as const, 'day' as const, 'week' as const),
      filters: fc.array(drawnFilter, { maxLength: 1 }),
    }),
  );
  await assertUntil(
    () => COMMON.every((difference) => seen.has(difference)),
    fc.asyncProperty(drawn, async ({ stream, batches, seals, tier, period, interval, filters }) => {
      const { now, zone } = stream;
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      for (const goal of GOALS) await addGoal(sql, siteId, goal);
      const steps = [{ page: '/' }, { page: '/pricing' }, { event: 'signup' }];
      const funnelId = await addFunnel(sql, siteId, { name: 'Way', steps });
      await deliverAndSeal(sql, { siteId, now }, batches, seals);
      const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
      const input = { siteId, range: { period }, tier, filters };
      const list = { ...input, limit: ALL };
      const events = distinctEvents(stream.messages(siteId));
      const world: World = { events, visits: visitsOf(events), zone, tier, filters, goals: GOALS };
      const { range } = rangeOf(period, now, zone);
      const begun = keptVisits(world).filter(({ startedAt }) => within(startedAt, range));

      /** Equal, or less for a reason that the page has. */
      const isPart = (part: number, whole: number, why: Difference): void => {
        expect(part).toBeLessThanOrEqual(whole);
        if (part < whole) seen.add(why);
      };

      // The head of the overview.
      const { data: overview, meta } = await reportOverview(ctx, { ...input, compare: 'previous' });
      const { visitors, visits, pageviews, tiers, previous } = overview;
      const measured = meta.coverage.measured ?? 0;
      for (const figure of ['visits', 'pageviews'] as const)
        expect(sum(Object.values(tiers?.[figure] ?? {}), (count) => count)).toBe(overview[figure]);
      expect(sum(Object.values(tiers?.visitors ?? {}), (count) => count)).toBe(visitors);
      expect(measured).toBe(tiers?.visits.consented);
      expect(overview.bounceRate === null).toBe(measured === 0);
      expect(overview.avgDuration === null).toBe(measured === 0);
      for (const figure of ['visitors', 'visits', 'pageviews'] as const) {
        const change = overview[`${figure}Change`];
        expect(change === null).toBe(meta.coverage.changesUnknown !== undefined);
        if (change !== null) expect(change).toBe(percentChange(previous?.[figure] ?? 0, overview[figure]));
      }
      const identified = visits - (tiers?.visits.anonymousCounts ?? 0);
      const continuing = continuingIn(begun);
      expect(visitors).toBeLessThanOrEqual(identified + continuing.alone);
      if (visitors > visits) seen.add('moreVisitorsThanVisits');

      // The chart and its tiers below the head.
      const points = await reportTimeseries(ctx, { ...input, interval, stack: { by: 'tier', limit: 5 } });
      expect(points.meta.coverage.measured).toBe(measured);
      expect(sum(points.data, (point) => point.visits)).toBe(visits);
      expect(sum(points.data, (point) => point.pageviews)).toBe(pageviews);
      isPart(
        visitors,
        sum(points.data, (point) => point.visitors),
        'visitorsOfDays',
      );
      for (const { parts = [], ...point } of points.data)
        for (const figure of ['visitors', 'visits', 'pageviews'] as const)
          expect(sum(parts, (part) => part[figure])).toBe(point[figure]);

      // The lists beside it.
      for (const { name, lowestTier } of VISIT_DIMENSIONS) {
        const { data: rows } = await reportVisitValues(ctx, { ...list, dimension: name });
        const all = sum(rows, (row) => row.visits);
        if (name.startsWith('utm_')) isPart(all, visits, 'withoutValue');
        else if (lowestTier === 3) isPart(all, visits, 'consentedOnly');
        else if (lowestTier === 2) isPart(all, visits, 'withoutCounts');
        else expect([name, all]).toEqual([name, visits]);
        for (const row of rows) {
          expect(row.visitors).toBeLessThanOrEqual(visitors);
          expect(row.visitors).toBeLessThanOrEqual(row.visits + continuing.all);
        }
      }
      const { data: pages } = await reportPages(ctx, { ...list, sort: 'pageviews' });
      expect(sum(pages, (page) => page.pageviews)).toBe(pageviews);
      for (const page of pages) expect(page.visitors).toBeLessThanOrEqual(page.reach);
      if (sum(pages, (page) => page.visits) > visits) seen.add('visitsOfPages');
      for (const edge of ['entry', 'exit'] as const) {
        const { data: rows } = await reportEdgePages(ctx, { ...list, edge });
        if (edge === 'exit')
          isPart(
            sum(rows, (row) => row.visits),
            visits,
            'withoutCounts',
          );
        else expect(sum(rows, (row) => row.visits)).toBeLessThanOrEqual(visits);
      }

      // Goals, beside the head, the events and a funnel.
      const goals = (await reportGoals(ctx, input)).data;
      const named = new Map((await reportCustomEvents(ctx, list)).data.map((event) => [event.name, event]));
      for (const { exact, apart, ...goal } of goals) {
        expect(exact?.visits).toBe(identified);
        expect(exact?.conversions).toBeLessThanOrEqual(identified);
        expect(exact?.conversionRate).toBe(
          identified === 0 ? null : ratio(100 * (exact?.conversions ?? 0), identified),
        );
        expect((exact?.conversions ?? 0) + sum(Object.values(apart ?? {}), (count) => count)).toBe(
          goal.conversions,
        );
        isPart(exact?.conversions ?? 0, goal.conversions, 'apart');
        expect(goal.events).toBeGreaterThanOrEqual(goal.conversions);
        if (!('event' in goal)) continue;
        // Visits that began before the range are events' alone.
        const visitsOfEvent = named.get(goal.event ?? '')?.visits ?? 0;
        isPart(exact?.conversions ?? 0, visitsOfEvent, 'eventsAndGoals');
        const before = keptVisits(world).filter(
          (visit) => visit.startedAt < range.from && visit.events.some(({ at }) => within(at, range)),
        );
        expect(visitsOfEvent - (exact?.conversions ?? 0)).toBeLessThanOrEqual(before.length);
      }
      const funnel = (await reportFunnel(ctx, { ...input, funnelId })).data.steps;
      funnel.forEach((step, index) => {
        const last = funnel[index - 1];
        if (last) expect(step.visits).toBeLessThanOrEqual(last.visits);
        const first = funnel[0]?.visits ?? 0;
        expect(step.share).toBe(ratio(100 * step.visits, first));
      });

      // Pages of their own.
      const cells = (await reportHeatmap(ctx, input)).data;
      expect(sum(cells, (cell) => cell.visits)).toBe(visits);
      for (const row of (await reportJourneys(ctx, list)).data) {
        expect(row.visits).toBeLessThanOrEqual(row.journeys);
        expect(row.visitors).toBeLessThanOrEqual(row.journeys);
      }
      for (const row of (await reportRetention(ctx, list)).data)
        for (const returned of row.returned) expect(returned).toBeLessThanOrEqual(row.visitors);
      const alone = { siteId, range: { period }, tier, limit: ALL };
      for (const row of (await reportEngagement(ctx, alone)).data) {
        const depths = [row.measured, row.scrolled25, row.scrolled50, row.scrolled75, row.scrolled100];
        expect(depths).toEqual([...depths].sort((a, b) => b - a));
      }
    }),
    { numRuns: Math.ceil(ORACLE_RUNS / 2), endOnFailure: true },
  );
  for (const line of Object.values(DIFFERENCES)) expect(line).toMatch(/^\S.*\.$/);
}, 300_000);
