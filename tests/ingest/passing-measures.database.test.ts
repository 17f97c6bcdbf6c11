/** The cron sums attention of the last hours while people still read the pages. Reports equal the events at every moment. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportEngagement } from '../../lib/analytics/measures/engagement.ts';
import { reportVitals } from '../../lib/analytics/measures/vitals.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import type { StoredEvent, TrackMessage } from '../../lib/collection/track-message.ts';
import { engagementOf, vitalsOf } from '../oracle/measures.ts';
import { distinctEvents } from '../oracle/visits.ts';
import { assertUntil, ORACLE_RUNS } from '../oracle-runs.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite } from './ingest-site.ts';
import { sumMeasures } from './sum-measures.ts';

const database = useDatabase();
const MINUTE_MS = 60_000;
const START = Date.parse('2026-11-18T20:30:00.000Z');
const MINUTES = 600;

/** Few pages, so that most get further events after the cron has run. */
const drawnMeasure = fc.record({
  minute: fc.integer({ min: 0, max: MINUTES - 1 }),
  page: fc.nat({ max: 5 }),
  kind: fc.constantFrom('pageview' as const, 'engagement' as const, 'engagement' as const, 'vitals' as const),
  seconds: fc.nat({ max: 90 }),
  depth: fc.integer({ min: 0, max: 100 }),
  /** Minutes until the event arrives. */
  delay: fc.constantFrom(0, 0, 0, 0, 4, 40),
});
type DrawnMeasure = (typeof drawnMeasure extends fc.Arbitrary<infer One> ? One : never) & { at: number };

/** A run of the cron, or the arrival of an event, at a minute. */
type Step = { minute: number } & ({ cron: true } | { cron: false; event: DrawnMeasure });

function messageOf(siteId: string, pages: readonly string[], event: DrawnMeasure): TrackMessage {
  const { page, kind, at, seconds, depth } = event;
  const pageId = pages[page] ?? '';
  const location = { hostname: 'example.com', path: `/${page % 3}` };
  const stored: StoredEvent = {
    pageview: { type: 'pageview' as const, id: randomUUID(), at, ...location, entry: true, pageId },
    engagement: { type: 'engagement' as const, id: randomUUID(), at, pageId, seconds, scrollDepth: depth },
    vitals: { type: 'vitals' as const, id: randomUUID(), at, ...location, pageId, lcp: 100 + seconds },
  }[kind];
  const visitorId = `0e4c1a52-0000-4000-8000-00000000000${page % 2}`;
  return { version: 1, siteId, tier: 3, visitorId, continued: false, events: [stored] };
}

test('reports while the cron comes and goes agree with the oracle', async () => {
  const { sql } = database();
  const drawn = fc.record({
    events: fc.array(drawnMeasure, { minLength: 10, maxLength: 60 }),
    crons: fc.array(fc.integer({ min: 60, max: MINUTES }), { minLength: 1, maxLength: 4 }),
    zone: fc.constantFrom('UTC', 'Asia/Kathmandu'),
  });
  let passing = 0;
  await assertUntil(
    () => passing > 0,
    fc.asyncProperty(drawn, async ({ events, crons, zone }) => {
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      const pages = Array.from({ length: 6 }, () => randomUUID());
      const steps: Step[] = [
        ...events.map((event, n) => ({
          minute: event.minute + event.delay,
          cron: false as const,
          event: { ...event, at: START + event.minute * MINUTE_MS + n },
        })),
        ...crons.map((minute) => ({ minute, cron: true as const })),
      ].sort((a, b) => a.minute - b.minute);

      const messages: TrackMessage[] = [];
      const compare = async (now: number) => {
        const actor = { kind: 'session' as const, sessionId: '', userId };
        const ctx = { sql, now: () => now, actor };
        const world = { events: distinctEvents(messages), visits: [], zone, tier: undefined };
        for (const period of ['24h', '7d'] as const) {
          const list = { siteId, range: { period }, limit: 10 };
          expect((await reportEngagement(ctx, list)).data).toEqual(engagementOf(world, period, now));
          const measured = (items: { path?: string | undefined; measured: number }[]) =>
            items.map((item) => [item.path, item.measured]);
          expect(measured((await reportVitals(ctx, list)).data)).toEqual(
            measured(vitalsOf(world, period, now)),
          );
        }
      };
      for (const step of steps) {
        const now = START + step.minute * MINUTE_MS + 30_000;
        if (step.cron) {
          await sql`select sum_measures_of(${siteId}::uuid, ${new Date(now).toISOString()}::timestamptz)`;
          const [row] = await sql`
            select count(*)::int as blocks from rollup_blocks join sites on key = site_key where id = ${siteId} and span = -1`;
          passing += row?.blocks;
          if (messages.length > 0) await compare(now);
        } else {
          const message = messageOf(siteId, pages, step.event);
          messages.push(message);
          await foldBatch(sql, [message], now);
        }
      }
      await compare(START + (MINUTES + 45) * MINUTE_MS);
    }),
    { numRuns: Math.min(60, ORACLE_RUNS), endOnFailure: true },
  );
}, 300_000);

test('a site with many events is summed without waiting for its hours to be over', async () => {
  const { sql } = database();
  const { siteId } = await makeOwnedSite(sql, 'UTC');
  const of = (n: number): DrawnMeasure => ({
    minute: 0,
    page: n % 6,
    kind: 'pageview',
    seconds: 0,
    depth: 0,
    delay: 0,
    at: START + n,
  });
  const pages = Array.from({ length: 6 }, () => randomUUID());
  const provisionalEnds = async () => {
    await sumMeasures(sql, START + 10 * MINUTE_MS);
    const rows = await sql`
      select distinct told_to from rollup_blocks join sites on key = site_key where id = ${siteId} and span = -1`;
    return rows.map((row) => new Date(row.told_to).getTime());
  };
  const views = Array.from({ length: 1000 }, (_, n) => messageOf(siteId, pages, of(n)));
  const fold = (from: number, to: number) => foldBatch(sql, views.slice(from, to), START + MINUTE_MS);
  // The first run finds hours that are over, and sums the open hours together with them.
  await fold(0, 998);
  expect(await provisionalEnds()).toEqual([START + 5 * MINUTE_MS]);
  await fold(998, 999);
  expect(await provisionalEnds()).toEqual([]);
  await fold(999, 1000);
  expect(await provisionalEnds()).toEqual([START + 5 * MINUTE_MS]);
});
