/** The traffic of the reports' benchmark: what is stored set by set is what the fold makes of the same visits. */
import { expect, test } from 'vitest';
import { type FilledSite, fillSite } from '../../bench/reports/fill.ts';
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
}, 120_000);

const fill = (sql: Sql, foldedDays: number): Promise<FilledSite> =>
  fillSite(sql, { events: 2000, now: NOW, days: DAYS, foldedDays });
