/**
 * Journeys computed from the frequent ones of sealed days, and from others where these could change the answer, equal the journeys of the
 * visits.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportJourneys } from '../../lib/analytics/behaviour/journeys.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { MemberContext } from '../../lib/context.ts';
import { ENDS, ZONES } from '../oracle/streams.ts';
import { ORACLE_RUNS } from '../oracle-runs.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite, retireSites } from './ingest-site.ts';
import { asMessage, drawnRange, drawnVisit, readRange } from './months.ts';
import { sealJourneys } from './seal-days.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;
const DAYS = 9;
/** Some paths are visited on most days, others rarely. */
const PATHS = [
  '/',
  '/',
  '/',
  '/',
  '/',
  '/',
  '/pricing',
  '/pricing',
  '/pricing',
  '/docs',
  '/docs',
  '/about',
  '/terms',
];

test('journeys are the same however few of a day count as frequent', async () => {
  const { sql } = database();
  const visit = fc
    .tuple(
      drawnVisit,
      fc.integer({ min: 0, max: DAYS * DAY_MS }),
      fc.constantFrom(...PATHS),
      fc.nat({ max: 4 }),
    )
    .map(([drawn, ago, path, visitor]) => ({ ...drawn, ago, path, visitor, kind: 'pageview' as const }));
  const drawn = fc.record({
    now: fc.constantFrom(...ENDS),
    zone: fc.constantFrom(...ZONES),
    visits: fc.uniqueArray(visit, {
      selector: ({ ago }) => ago,
      minLength: 120,
      maxLength: 240,
      size: 'max',
    }),
    later: fc.uniqueArray(visit, { selector: ({ ago }) => ago, maxLength: 6 }),
    heads: fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 2, maxLength: 3 }),
    range: fc.oneof(
      fc.constant({ period: '7d' as const }),
      fc.constant({ period: '30d' as const }),
      drawnRange,
    ),
    lists: fc.array(fc.record({ limit: fc.constantFrom(1, 1, 2, 4), offset: fc.constantFrom(0, 0, 1) }), {
      minLength: 2,
      maxLength: 2,
    }),
    tier: fc.constantFrom(undefined, undefined, 1 as const, 2 as const, 3 as const),
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ now, zone, visits, later, heads, lists, tier, ...asked }) => {
      await retireSites(sql);
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
      const { asked: range } = readRange(asked.range, now, zone);
      const fold = (ones: typeof visits) =>
        foldBatch(
          sql,
          ones.map((one) => asMessage(one, now, siteId)),
          now,
        );
      const all = async () => {
        const reports = [];
        for (const list of lists) reports.push(await reportJourneys(ctx, { siteId, range, tier, ...list }));
        return reports.map(({ data, more }) => ({ data, more }));
      };

      await fold(visits);
      const loose = await all();
      await sealVisits(ctx, { timeMs: 60_000 });
      expect(await all()).toEqual(loose);
      for (const head of heads) {
        await sealJourneys(sql, siteId, head);
        expect(await all()).toEqual(loose);
      }

      await fold(later);
      const broken = await all();
      await sql`delete from sealed_days where site_key = (select key from sites where id = ${siteId})`;
      expect(broken).toEqual(await all());
    }),
    { numRuns: Math.ceil(ORACLE_RUNS / 4), endOnFailure: true },
  );
}, 300_000);
