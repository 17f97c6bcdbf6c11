/** Over months, lists are the same with and without sealed days, weeks and blocks of weeks, also when events come late. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportFunnel } from '../../lib/analytics/behaviour/funnel.ts';
import { reportGoals } from '../../lib/analytics/behaviour/goals.ts';
import { reportJourneys } from '../../lib/analytics/behaviour/journeys.ts';
import { reportRetention } from '../../lib/analytics/behaviour/retention.ts';
import { reportCustomEvents } from '../../lib/analytics/lists/custom-events.ts';
import { reportEdgePages } from '../../lib/analytics/lists/edge-pages.ts';
import { reportEventProps } from '../../lib/analytics/lists/event-props.ts';
import { reportPageProps } from '../../lib/analytics/lists/page-props.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { MemberContext } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import { DIMENSIONS } from '../../lib/visits/dimensions.ts';
import { ENDS, ZONES } from '../oracle/streams.ts';
import { assertUntil, ORACLE_RUNS } from '../oracle-runs.ts';
import { addFunnel, addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { GOALS } from './drawn-filter.ts';
import { makeOwnedSite, retireSites } from './ingest-site.ts';
import { asMessage, drawnRange, drawnVisits, readRange } from './months.ts';

const database = useDatabase();

test("lists over months don't depend on seals", async () => {
  const { sql } = database();
  const drawn = fc.record({
    now: fc.constantFrom(...ENDS),
    zone: fc.constantFrom(...ZONES),
    visits: drawnVisits(10, 120),
    late: drawnVisits(0, 4),
    ranges: fc.array(drawnRange, { minLength: 3, maxLength: 3 }),
    tier: fc.constantFrom(undefined, undefined, 2 as const, 3 as const),
  });
  let merged = 0;
  await assertUntil(
    () => merged > 0,
    fc.asyncProperty(drawn, async ({ now, zone, visits, late, ranges, tier }) => {
      await retireSites(sql);
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      for (const goal of GOALS) await addGoal(sql, siteId, goal);
      const funnelId = await addFunnel(sql, siteId, {
        name: 'Way',
        steps: [{ page: '/**' }, { event: 'signup' }],
      });
      const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
      const lists = async () => {
        const all = [];
        for (const [n, drawnOne] of ranges.entries()) {
          const list = { siteId, range: readRange(drawnOne, now, zone).asked, tier, limit: 100 };
          // Each dimension in one of the ranges.
          for (const dimension of DIMENSIONS.filter((_, index) => index % ranges.length === n))
            all.push((await reportVisitValues(ctx, { ...list, dimension })).data);
          all.push([
            (await reportPages(ctx, { ...list, sort: 'reach' })).data,
            (await reportEdgePages(ctx, { ...list, edge: 'entry' })).data,
            (await reportEdgePages(ctx, { ...list, edge: 'exit' })).data,
            (await reportCustomEvents(ctx, list)).data,
            (await reportEventProps(ctx, { ...list, name: 'signup' })).data,
            (await reportEventProps(ctx, { ...list, name: 'signup', key: 'plan' })).data,
            (await reportEventProps(ctx, { ...list, name: 'purchase', key: 'plan' })).data,
            (await reportPageProps(ctx, list)).data,
            (await reportPageProps(ctx, { ...list, key: 'plan' })).data,
            (await reportGoals(ctx, list)).data,
            (await reportRetention(ctx, list)).data,
            (await reportFunnel(ctx, { ...list, funnelId })).data,
            (await reportJourneys(ctx, list)).data,
          ]);
        }
        return all;
      };

      await foldBatch(
        sql,
        visits.map((visit) => asMessage(visit, now, siteId)),
        now,
      );
      const loose = await lists();
      await sealVisits(ctx, { timeMs: 60_000 });
      expect(await lists()).toEqual(loose);
      merged += await blocksOf(sql, siteId);

      await foldBatch(
        sql,
        late.map((visit) => asMessage(visit, now, siteId)),
        now,
      );
      const broken = await lists();
      await sql`delete from sealed_days where site_key = (select key from sites where id = ${siteId})`;
      expect(broken).toEqual(await lists());
    }),
    { numRuns: Math.ceil(ORACLE_RUNS / 20), endOnFailure: true },
  );
}, 300_000);

test('who comes for the first time shortly before midnight counts once, sealed and on', async () => {
  const { sql } = database();
  const now = Date.parse('2026-03-12T12:00:00Z');
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'session', sessionId: '', userId } };
  const visit = { visitor: 1, tier: 3 as const, continued: false, path: '/', values: 0 };
  const viewedAt = (time: string, id: string) =>
    asMessage({ ...visit, id, kind: 'pageview', ago: now - Date.parse(time) }, now, siteId);
  await foldBatch(
    sql,
    [
      viewedAt('2026-03-11T23:50:00Z', '00000000-0000-4000-8000-000000000001'),
      viewedAt('2026-03-12T00:10:00Z', '00000000-0000-4000-8000-000000000002'),
    ],
    now,
  );
  await sealVisits(ctx, { timeMs: 60_000 });
  expect(
    await sql`select bucket::text from sealed_days join sites on key = site_key where id = ${siteId}`,
  ).toEqual([{ bucket: '2026-03-11' }]);

  const list = { siteId, range: { period: '7d' as const }, limit: 10 };
  const { data } = await reportPages(ctx, { ...list, sort: 'reach' });
  expect(data).toEqual([{ path: '/', visitors: 1, visits: 1, pageviews: 2, reach: 1 }]);
});

/** Number of sealed blocks of 28 days. */
async function blocksOf(sql: Sql, siteId: string): Promise<number> {
  const [row] = await sql`
    select count(*)::integer as blocks from sealed_days join sites on key = site_key where id = ${siteId} and span = 28`;
  return row?.blocks;
}
