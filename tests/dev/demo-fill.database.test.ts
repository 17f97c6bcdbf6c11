import { beforeAll, expect, test } from 'vitest';
import { fillSite } from '../../dev/demo/fill-demo-site.ts';
import { ensureDemoSite } from '../../dev/demo-account.ts';
import { reportEngagement } from '../../lib/analytics/measures/engagement.ts';
import { reportVitals } from '../../lib/analytics/measures/vitals.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import type { Sql } from '../../lib/db.ts';
import { consented, pageview } from '../lib/analytics/reports-world.ts';
import { useDatabase } from '../services/database.ts';

const DAYS = 3;
const NOW = Date.UTC(2026, 9, 7, 15, 30);

const database = useDatabase();
let sql: Sql;
let siteId: string;

beforeAll(async () => {
  sql = database().sql;
  ({ siteId } = await ensureDemoSite(sql));
});

/** The number of new events of each day. */
async function fill(now: number): Promise<number[]> {
  const totals = [0];
  const onDay = ({ stored }: { stored: number }) => void totals.push(stored);
  await fillSite({ sql, siteId, days: DAYS, seed: 7, now, onDay });
  return totals.slice(1).map((total, index) => total - (totals[index] ?? 0));
}

test('a look at the demo page before costs no day, and filling again adds only what is new', async () => {
  const visit = consented('me', [pageview(new Date(NOW).toISOString(), '/demo')]);
  await foldBatch(sql, [{ ...visit, siteId }], NOW);
  const first = await fill(NOW);
  expect(Math.min(...first)).toBeGreaterThan(300);
  expect(await fill(NOW)).toEqual([0, 0, 0]);
  const [, , today = 0] = await fill(NOW + 3 * 3_600_000);
  expect(today).toBeGreaterThan(30);
  expect(today).toBeLessThan(first[2] ?? 0);
});

test('days that ended are sealed, so that the first look at the demo is fast', async () => {
  await fill(NOW);
  const sealed = await sql`
    select bucket::text as day from sealed_days join sites on key = site_key where id = ${siteId} and span = 1 and ready order by 1`;
  expect(sealed).toEqual([{ day: '2026-10-05' }, { day: '2026-10-06' }]);
});

test('attention and vitals are there of each day, those of days whose raw events are gone too', async () => {
  await fill(NOW);
  const [owner] = await sql`
    select user_id from project_members join sites using (project_id) where sites.id = ${siteId}`;
  const ctx = {
    sql,
    now: () => NOW,
    actor: { kind: 'session' as const, sessionId: '', userId: owner?.user_id },
  };
  for (const date of ['2026-10-05', '2026-10-06', '2026-10-07']) {
    const asked = { siteId, range: { from: date, to: date }, limit: 100 };
    const [engagement, vitals] = [await reportEngagement(ctx, asked), await reportVitals(ctx, asked)];
    expect([date, engagement.data.length, vitals.data.length]).toEqual([
      date,
      expect.toSatisfy((n: number) => n > 5),
      expect.toSatisfy((n: number) => n > 5),
    ]);
    expect(vitals.data[0]).not.toMatchObject({ inp: null });
  }
});
