/** Conversions by the rows of lists are what the oracle counts visit by visit, whatever was sealed (docs/counting.md#goals-by-row). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportGoals } from '../../lib/analytics/behaviour/goals.ts';
import { reportEdgePages } from '../../lib/analytics/lists/edge-pages.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import { ratio } from '../../lib/analytics/reading/figures.ts';
import type { Filter } from '../../lib/analytics/reading/filters.ts';
import { FEWEST_FOR_RATES } from '../../lib/analytics/reading/report-inputs.ts';
import { comparedRange } from '../../lib/analytics/reading/report-range.ts';
import type { MemberContext } from '../../lib/context.ts';
import { DIMENSIONS, VISIT_DIMENSIONS } from '../../lib/visits/dimensions.ts';
import { keeps, listedValue } from '../oracle/filters.ts';
import { keptVisits, rangeOf, type World, within } from '../oracle/reports.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { distinctEvents, type OracleVisit, visitsOf } from '../oracle/visits.ts';
import { assertUntil, ORACLE_RUNS } from '../oracle-runs.ts';
import { addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { drawnFilter, GOALS } from './drawn-filter.ts';
import { makeOwnedSite } from './ingest-site.ts';
import { deliverAndSeal, drawnSeals } from './seal-days.ts';

const database = useDatabase();

const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

interface Row {
  visits: number;
  exactVisits?: number | undefined;
  conversions?: number | null | undefined;
  conversionRate?: number | null | undefined;
}

test('conversions by row agree with the oracle, and add up to those of the goal', async () => {
  const { sql } = database();
  let converted = 0;
  const drawn = streams(30).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(stream.messages(PLACEHOLDER)),
      seals: drawnSeals,
      tier: fc.constantFrom(undefined, undefined, 1 as const, 2 as const, 3 as const),
      period: fc.constantFrom('24h' as const, '7d' as const, '30d' as const),
      dimension: fc.constantFrom(...DIMENSIONS),
      goal: fc.constantFrom(...GOALS),
      by: fc.constantFrom('name' as const, 'id' as const),
      how: fc.constantFrom('named' as const, 'filtered' as const),
      filters: fc.array(drawnFilter, { maxLength: 1 }),
    }),
  );
  await assertUntil(
    () => converted > 0,
    fc.asyncProperty(drawn, async (one) => {
      const { stream, batches, seals, tier, period, dimension, goal, how } = one;
      const { now, zone } = stream;
      const filters = one.filters.filter((filter) => filter.dimension !== 'goal');
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      for (const each of GOALS) await addGoal(sql, siteId, each);
      await deliverAndSeal(sql, { siteId, now }, batches, seals);
      const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
      const events = distinctEvents(stream.messages(siteId));
      const world: World = { events, visits: visitsOf(events), zone, tier, filters, goals: GOALS };
      const { range } = rangeOf(period, now, zone);
      const isGoal: Filter = { dimension: 'goal', operator: 'is', values: [goal[one.by]] };
      const input = {
        ...{ siteId, range: { period }, tier, limit: 100 },
        ...(how === 'named' ? { filters, goal: goal[one.by] } : { filters: [...filters, isGoal] }),
      };
      const exact = keptVisits(world).filter((visit) => visit.counted && visit.tier > 1);
      const begun = exact.filter(({ startedAt }) => within(startedAt, range));
      const reaches = (visit: OracleVisit) => keeps(visit, isGoal, GOALS);
      const figuresOf = (visits: readonly OracleVisit[]) => {
        const conversions = visits.filter(reaches).length;
        return {
          exactVisits: visits.length,
          conversions,
          conversionRate: visits.length === 0 ? null : ratio(100 * conversions, visits.length),
        };
      };
      const bare = ({ exactVisits, conversions, conversionRate }: Row) => ({
        exactVisits,
        conversions,
        conversionRate,
      });
      const expectRows = <Item extends Row>(
        rows: readonly Item[],
        visitsOf: (row: Item) => OracleVisit[],
      ) => {
        for (const row of rows) {
          expect(bare(row)).toEqual(figuresOf(visitsOf(row)));
          if (how === 'named') expect(row.exactVisits).toBeLessThanOrEqual(row.visits);
          expect(row.conversions).toBeLessThanOrEqual(row.visits);
          converted += row.conversions ?? 0;
        }
      };

      const values = await reportVisitValues(ctx, { ...input, dimension });
      expectRows(values.data, ({ value }) =>
        begun.filter((visit) => listedValue(visit, dimension) === value),
      );
      const named = VISIT_DIMENSIONS.find(({ name }) => name === dimension);
      const goals = await reportGoals(ctx, { siteId, range: { period }, tier, filters });
      const whole = goals.data.find(({ name }) => name === goal.name)?.exact;
      if (how === 'named' && named?.lowestTier === 1 && !dimension.startsWith('utm_')) {
        const sum = (of: 'exactVisits' | 'conversions') =>
          values.data.reduce((total, row) => total + (row[of] ?? 0), 0);
        expect([sum('exactVisits'), sum('conversions')]).toEqual([whole?.visits, whole?.conversions]);
      }
      for (const edge of ['entry', 'exit'] as const)
        expectRows((await reportEdgePages(ctx, { ...input, edge })).data, ({ path }) =>
          begun.filter(({ pages }) => pages.at(edge === 'entry' ? 0 : -1)?.text === path),
        );
      expectRows((await reportPages(ctx, { ...input, sort: 'reach' })).data, ({ path }) =>
        exact.filter(({ pages }) => pages.some(({ at, text }) => text === path && within(at, range))),
      );

      const first = await reportVisitValues(ctx, { ...input, dimension, sort: 'conversions' });
      const counts = first.data.map(({ conversions }) => conversions ?? 0);
      expect(counts).toEqual([...counts].sort((a, b) => b - a));
      const rated = await reportVisitValues(ctx, { ...input, dimension, sort: 'conversionRate' });
      expect(rated.data).toEqual(
        values.data
          .filter(({ exactVisits = 0 }) => exactVisits >= FEWEST_FOR_RATES)
          .sort(
            (a, b) =>
              Number(b.conversionRate) - Number(a.conversionRate) ||
              Number(b.conversions) - Number(a.conversions) ||
              values.data.indexOf(a) - values.data.indexOf(b),
          ),
      );
      const compared = await reportVisitValues(ctx, { ...input, dimension, compare: 'previous' });
      const other = await reportVisitValues(ctx, {
        ...input,
        range: comparedRange(input.range, 'previous'),
        dimension,
      });
      for (const { value, previous } of compared.data)
        expect(bare(previous as Row)).toEqual(
          bare(other.data.find((row) => row.value === value) ?? { visits: 0, ...figuresOf([]) }),
        );
    }),
    { numRuns: ORACLE_RUNS, endOnFailure: true },
  );
}, 300_000);
