/** Cohorts tell what the oracle counts over months of random visits. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportRetention } from '../../lib/analytics/retention.ts';
import type { MemberContext } from '../../lib/context.ts';
import { foldBatch } from '../../lib/visits/fold-batch.ts';
import type { TrackMessage } from '../../lib/visits/message.ts';
import { retentionOf } from '../oracle/behaviour.ts';
import { localDate, nextDay, startOfDay } from '../oracle/clock.ts';
import { type OracleRange, rangeOf, type World } from '../oracle/reports.ts';
import { ENDS, ZONES } from '../oracle/streams.ts';
import { distinctEvents, visitsOf } from '../oracle/visits.ts';
import { addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { drawnFilter, GOALS } from './drawn-filter.ts';
import { makeOwnedSite } from './site.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;
const SPAN_MS = 110 * DAY_MS;

const drawnVisit = fc.record({
  id: fc.uuid(),
  /** Before the present; at best no two visits share one. */
  ago: fc.oneof(fc.integer({ min: 0, max: SPAN_MS }), fc.integer({ min: 0, max: 9 * DAY_MS })),
  visitor: fc.nat({ max: 5 }),
  tier: fc.constantFrom(2 as const, 3 as const, 3 as const, 3 as const),
  continued: fc.nat({ max: 9 }).map((n) => n === 0),
  kind: fc.constantFrom('pageview', 'pageview', 'event', 'sent', 'engagement'),
  path: fc.constantFrom('/', '/pricing'),
  source: fc.constantFrom(undefined, 'Google'),
  device: fc.constantFrom('desktop' as const, 'mobile' as const),
});
type DrawnVisit = typeof drawnVisit extends fc.Arbitrary<infer T> ? T : never;

function asMessage({ id, ago, kind, path, source, ...of }: DrawnVisit, now: number, siteId: string) {
  const { tier, visitor, continued, device } = of;
  const page = { id, at: now - ago, hostname: 'example.com', path };
  const pageId = '00000000-0000-4000-8000-000000000000';
  const events: Record<typeof kind, TrackMessage['events'][number]> = {
    pageview: { type: 'pageview', ...page, entry: true, ...(source !== undefined && { source }) },
    event: { type: 'event', ...page, name: 'signup' },
    sent: { type: 'event', ...page, name: 'purchase', entry: false },
    engagement: { type: 'engagement', id, at: page.at, pageId, seconds: 3, scrollDepth: 50 },
  };
  const message: TrackMessage = {
    version: 1,
    siteId,
    tier,
    visitorId: `${siteId.slice(0, 24)}${String(visitor).padStart(12, '0')}`,
    continued: tier === 3 && continued,
    device,
    events: [tier === 2 && kind === 'sent' ? events.event : events[kind]],
  };
  return message;
}

/** Either a period, or days up to some weeks before or after the present; with what the oracle makes of it. */
const drawnRange = fc.oneof(
  fc
    .constantFrom('24h' as const, '7d' as const, '30d' as const, '90d' as const)
    .map((period) => ({ period })),
  fc.record({ first: fc.integer({ min: -100, max: 3 }), days: fc.integer({ min: 1, max: 91 }) }),
);
type DrawnRange = typeof drawnRange extends fc.Arbitrary<infer T> ? T : never;

function readRange(drawn: DrawnRange, now: number, zone: string) {
  if ('period' in drawn) return { asked: drawn, range: rangeOf(drawn.period, now, zone).range };
  const noon = startOfDay(now, zone) + DAY_MS / 2;
  const [from, to] = [noon + drawn.first * DAY_MS, noon + (drawn.first + drawn.days - 1) * DAY_MS];
  const range: OracleRange = { from: startOfDay(from, zone), to: nextDay(to, zone) };
  return { asked: { from: localDate(from, zone), to: localDate(to, zone) }, range };
}

test('retention agrees with the oracle', async () => {
  const { sql } = database();
  const drawn = fc.record({
    now: fc.constantFrom(...ENDS),
    zone: fc.constantFrom(...ZONES),
    visits: fc.uniqueArray(drawnVisit, {
      selector: ({ ago }) => ago,
      minLength: 1,
      maxLength: 40,
      size: 'max',
    }),
    drawnRange,
    tier: fc.constantFrom(undefined, undefined, undefined, 2 as const, 3 as const),
    filters: fc.uniqueArray(drawnFilter, { selector: ({ dimension }) => dimension, maxLength: 1 }),
    limit: fc.constantFrom(3, 10, 100),
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ now, zone, visits, tier, filters, limit, ...other }) => {
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      for (const goal of GOALS) await addGoal(sql, siteId, goal);
      const messages = visits.map((visit) => asMessage(visit, now, siteId));
      await foldBatch(sql, messages, now);

      const events = distinctEvents(messages);
      const world: World = { events, visits: visitsOf(events), zone, tier, filters, goals: GOALS };
      const { asked, range } = readRange(other.drawnRange, now, zone);
      const ctx: MemberContext = { sql, now: () => now, actor: { kind: 'apiToken', tokenId: '', userId } };
      const all = retentionOf(world, range, now);
      expect(await reportRetention(ctx, { siteId, range: asked, tier, filters, limit })).toMatchObject({
        data: all.slice(0, limit),
        more: all.length > limit,
        meta: { scope: { tiers: [3] } },
      });
    }),
    { numRuns: Number(process.env.ORACLE_RUNS ?? 100), endOnFailure: true },
  );
}, 300_000);
