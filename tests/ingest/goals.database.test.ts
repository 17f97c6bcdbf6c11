/** The reports of goals and funnels equal what the oracle counts, visit by visit, from the same raw events. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportFunnel } from '../../lib/analytics/behaviour/funnel.ts';
import { reportGoals } from '../../lib/analytics/behaviour/goals.ts';
import { resealTargets } from '../../lib/collection/seal-visits.ts';
import type { MemberContext } from '../../lib/context.ts';
import type { Target } from '../../lib/goals/target.ts';
import { funnelOf, goalsOf } from '../oracle/goals.ts';
import type { World } from '../oracle/reports.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { ORACLE_RUNS } from '../oracle-runs.ts';
import { addFunnel, addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { drawnFilter } from './drawn-filter.ts';
import { makeOwnedSite } from './ingest-site.ts';
import { deliverAndSeal, drawnSeals } from './seal-days.ts';

const database = useDatabase();
const HOUR_MS = 3_600_000;
const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

const EVENTS = ['signup', 'purchase', 'nothing', '/pricing'];
const PAGES = [
  '/',
  '/pricing',
  '/docs/start',
  '/*',
  '/**',
  '/docs/*',
  '/docs/**',
  '/*/start',
  '/a?ref=x',
  '/nothing/*',
];
const drawnTarget: fc.Arbitrary<Target> = fc.oneof(
  fc.constantFrom(...EVENTS).map((event) => ({ event })),
  fc.constantFrom(...PAGES).map((page) => ({ page })),
);
const drawnGoals = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    name: fc.constantFrom('Signed up', 'Docs', 'Paid', 'é', 'E'),
    target: drawnTarget,
  }),
  { selector: ({ name }) => name, maxLength: 4 },
);

test('goals and funnels agree with the oracle', async () => {
  const { sql } = database();
  const drawn = streams(30).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(stream.messages(PLACEHOLDER)),
      tier: fc.constantFrom(undefined, undefined, 1 as const, 2 as const, 3 as const),
      /** How long after the stream it is asked: ranges end and begin within it. */
      later: fc.constantFrom(0, 6 * HOUR_MS, 20 * HOUR_MS),
      period: fc.constantFrom('24h' as const, '7d' as const),
      filters: fc.array(drawnFilter, { maxLength: 2 }),
      drawnGoals,
      seals: drawnSeals,
      /** How many of the goals are there before the events. */
      asked: fc.nat({ max: 4 }),
      steps: fc.array(drawnTarget, { minLength: 2, maxLength: 8 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      drawn,
      async ({ stream, batches, tier, period, filters, steps, later, seals, asked, ...other }) => {
        const { zone } = stream;
        const now = stream.now + later;
        const goals = other.drawnGoals.map(({ target, ...goal }) => ({ ...goal, ...target }));
        const { siteId, userId } = await makeOwnedSite(sql, zone);
        const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
        for (const goal of goals.slice(0, asked)) await addGoal(sql, siteId, goal);
        const funnelId = await addFunnel(sql, siteId, { name: 'Way', steps });
        await deliverAndSeal(sql, { siteId, now: stream.now }, batches, seals);
        for (const goal of goals.slice(asked)) await addGoal(sql, siteId, goal);
        if (asked % 2 === 1) await resealTargets(ctx, { siteId, timeMs: 10_000 });

        const events = distinctEvents(stream.messages(siteId));
        const world: World = { events, visits: visitsOf(events), zone, tier, filters, goals };
        const input = { siteId, range: { period }, tier, filters };

        const reached = await reportGoals(ctx, input);
        expect({ data: reached.data, approximate: reached.meta.approximate }).toEqual(
          goalsOf(world, period, now),
        );
        const { data, meta } = await reportFunnel(ctx, { ...input, funnelId });
        expect({ steps: data.steps, approximate: meta.approximate }).toEqual(
          funnelOf(world, steps, period, now),
        );
      },
    ),
    { numRuns: ORACLE_RUNS, endOnFailure: true },
  );
}, 300_000);
