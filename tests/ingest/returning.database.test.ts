/** The report of cohorts equals what the oracle counts from random visits over months. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportRetention } from '../../lib/analytics/behaviour/retention.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { MemberContext } from '../../lib/context.ts';
import { retentionOf } from '../oracle/behaviour.ts';
import type { World } from '../oracle/reports.ts';
import { ENDS, ZONES } from '../oracle/streams.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { ORACLE_RUNS } from '../oracle-runs.ts';
import { addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { drawnFilter, GOALS } from './drawn-filter.ts';
import { makeOwnedSite, retireSites } from './ingest-site.ts';
import { asMessage, drawnRange, drawnVisits, readRange } from './months.ts';

const database = useDatabase();

test('retention agrees with the oracle', async () => {
  const { sql } = database();
  const drawn = fc.record({
    now: fc.constantFrom(...ENDS),
    zone: fc.constantFrom(...ZONES),
    visits: drawnVisits(1, 40),
    drawnRange,
    tier: fc.constantFrom(undefined, undefined, undefined, 2 as const, 3 as const),
    filters: fc.array(drawnFilter, { maxLength: 2 }),
    limit: fc.constantFrom(3, 10, 100),
    sealed: fc.nat({ max: 4 }).map((n) => n === 0),
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ now, zone, visits, tier, filters, limit, sealed, ...other }) => {
      await retireSites(sql);
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      for (const goal of GOALS) await addGoal(sql, siteId, goal);
      const messages = visits.map((visit) => asMessage(visit, now, siteId));
      await foldBatch(sql, messages, now);
      if (sealed) await sealVisits({ sql, now: () => now }, { timeMs: 60_000 });

      const events = distinctEvents(messages);
      const world: World = { events, visits: visitsOf(events), zone, tier, filters, goals: GOALS };
      const { asked, range } = readRange(other.drawnRange, now, zone);
      const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
      const all = retentionOf(world, range, now);
      expect(await reportRetention(ctx, { siteId, range: asked, tier, filters, limit })).toMatchObject({
        data: all.slice(0, limit),
        more: all.length > limit,
        meta: { scope: { tiers: [3] } },
      });
    }),
    { numRuns: Math.ceil(ORACLE_RUNS / 2), endOnFailure: true },
  );
}, 300_000);
