/** The traffic of the reports benchmark: storing it set by set gives the same rows as folding the same visits. */
import { expect, test } from 'vitest';
import { type FilledSite, fillSite } from '../../bench/reports/fill-report-site.ts';
import { reportEngagement } from '../../lib/analytics/measures/engagement.ts';
import { reportVitals } from '../../lib/analytics/measures/vitals.ts';
import type { MemberContext } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import { sortVisits, storedRollups, storedVisits } from '../ingest/stored.ts';
import { rollupsOf } from '../oracle/rollups.ts';
import { useDatabase } from '../services/database.ts';

const DAYS = 5;
const NOW = Date.parse('2026-03-11T12:00:00Z');

const stored = useDatabase();
const folded = useDatabase();

test('set by set or folded, visits and rollups are the same, and follow from each other', async () => {
  const bySet = await fill(stored().sql, 0);
  const byFold = await fill(folded().sql, DAYS);

  const [a, b] = await Promise.all([
    storedVisits(stored().sql, bySet.siteId),
    storedVisits(folded().sql, byFold.siteId),
  ]);
  expect(a.length).toBeGreaterThan(500);
  expect(sortVisits(a)).toEqual(sortVisits(b));

  const rollups = await storedRollups(stored().sql, bySet.siteId);
  const { hours, visitors } = rollupsOf([], a, 'UTC');
  expect({ hours: rollups.hours, visitors: rollups.visitors }).toEqual({ hours, visitors });
  expect(await storedRollups(folded().sql, byFold.siteId)).toEqual(rollups);
  expect(bySet.events).toBe(byFold.events);

  const measures = await measuresOf(stored().sql, bySet);
  expect(measures.engagement).toHaveLength(100);
  expect(measures.vitals[0]).toMatchObject({
    lcp: expect.any(Number),
    inp: expect.any(Number),
    cls: expect.any(Number),
  });
  expect(await measuresOf(folded().sql, byFold)).toEqual(measures);
}, 300_000);

/** The reports of attention and vitals. Also checks that some of their days are summed. */
async function measuresOf(sql: Sql, { siteId, siteKey, userId }: FilledSite) {
  const [row] =
    await sql`select count(*)::int as days from rollup_blocks where site_key = ${siteKey} and span = 1`;
  expect(row?.days).toBeGreaterThanOrEqual(DAYS - 2);
  const ctx: MemberContext = { sql, now: () => NOW, actor: { kind: 'session', sessionId: '', userId } };
  const list = { siteId, range: { period: '7d' as const }, limit: 100 };
  return {
    engagement: (await reportEngagement(ctx, list)).data,
    vitals: (await reportVitals(ctx, list)).data,
  };
}

const fill = (sql: Sql, foldedDays: number): Promise<FilledSite> =>
  fillSite(sql, { events: 2000, now: NOW, days: DAYS, foldedDays });
