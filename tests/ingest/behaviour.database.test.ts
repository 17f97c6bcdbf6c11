/** The reports of custom events, their properties and journeys equal what the oracle counts, visit by visit, from the same raw events. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportJourneys } from '../../lib/analytics/behaviour/journeys.ts';
import { reportCustomEvents } from '../../lib/analytics/lists/custom-events.ts';
import { reportEventProps } from '../../lib/analytics/lists/event-props.ts';
import { reportPageProps } from '../../lib/analytics/lists/page-props.ts';
import type { MemberContext } from '../../lib/context.ts';
import { customEventsOf, eventPropsOf, journeysOf, pagePropsOf } from '../oracle/behaviour.ts';
import type { World } from '../oracle/reports.ts';
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
const drawnPath = fc.constantFrom(undefined, undefined, '/', '/pricing', '/docs/start', '/nowhere', 'signup');

test('reports on what visitors did agree with the oracle', async () => {
  const { sql } = database();
  const drawn = streams(30).chain((stream) =>
    fc.record({
      stream: fc.constant(stream),
      batches: deliveries(stream.messages(PLACEHOLDER)),
      seals: drawnSeals,
      tier: fc.constantFrom(undefined, undefined, 1 as const, 2 as const, 3 as const),
      period: fc.constantFrom('24h' as const, '7d' as const, '30d' as const),
      filters: fc.array(drawnFilter, { maxLength: 2 }),
      limit: fc.integer({ min: 1, max: 6 }),
      offset: fc.nat({ max: 2 }),
      name: fc.constantFrom('signup', 'purchase', 'nothing', '/'),
      key: fc.constantFrom(undefined, 'plan', 'seats', 'author', 'nothing'),
      start: drawnPath,
      end: drawnPath,
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      drawn,
      async ({ stream, batches, seals, period, tier, filters, limit, offset, ...asked }) => {
        const { now, zone } = stream;
        const { siteId, userId } = await makeOwnedSite(sql, zone);
        for (const goal of GOALS) await addGoal(sql, siteId, goal);
        await deliverAndSeal(sql, { siteId, now }, batches, seals);

        const events = distinctEvents(stream.messages(siteId));
        const world: World = { events, visits: visitsOf(events), zone, tier, filters, goals: GOALS };
        const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
        const list = { siteId, range: { period }, tier, filters, limit, offset };
        const { name, key, start, end } = asked;
        const part = <Item>(all: Item[]) => ({
          data: all.slice(offset, offset + limit),
          more: all.length > offset + limit,
        });

        expect(await reportCustomEvents(ctx, list)).toMatchObject(part(customEventsOf(world, period, now)));
        expect(await reportEventProps(ctx, { ...list, name, key })).toMatchObject(
          part(eventPropsOf(world, period, name, key, now)),
        );
        expect(await reportPageProps(ctx, { ...list, key })).toMatchObject(
          part(pagePropsOf(world, period, key, now)),
        );
        expect(await reportJourneys(ctx, { ...list, start, end })).toMatchObject({
          ...part(journeysOf(world, period, { start, end }, now)),
          meta: { scope: { tiers: [2, 3] } },
        });
      },
    ),
    { numRuns: ORACLE_RUNS, endOnFailure: true },
  );
}, 300_000);
