/** What is older than a site's policy allows is deleted, to the day, and nothing else. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Sql } from '../../lib/db.ts';
import { foldBatch } from '../../lib/visits/fold-batch.ts';
import { expireVisits } from '../../lib/visits/maintain.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite } from './site.ts';
import { storedRollups, storedVisits } from './stored.ts';

const database = useDatabase();
const NOW = Date.parse('2026-11-21T03:30:00.000Z');
/** Around the beginning of 21 September in Kathmandu (UTC+5:45), two months before. */
const TIMES = ['2026-09-20T18:14:00.000Z', '2026-09-20T18:15:00.000Z', '2026-11-20T10:00:00.000Z'].map(
  (time) => Date.parse(time),
);

async function siteWithHistory(sql: Sql, retentionMonths: number | null): Promise<string> {
  const siteId = await makeSite(sql, 'Asia/Kathmandu');
  if (retentionMonths !== null)
    await sql`
      update sites set jurisdiction = 'NP', consent_mode = 'required', pre_consent_tier = 'counts',
        retention_months = ${retentionMonths} where id = ${siteId}`;
  for (const at of TIMES)
    await foldBatch(
      sql,
      [
        {
          version: 1,
          siteId,
          tier: 3,
          visitorId: randomUUID(),
          continued: false,
          events: [
            { type: 'pageview', id: randomUUID(), at, hostname: 'example.com', path: '/', entry: true },
            { type: 'dropped', id: randomUUID(), at, reason: 'hostname' },
          ],
        },
      ],
      at,
    );
  return siteId;
}

test.each([
  [2, 2],
  [1, 1],
  [25, 3],
  [null, 3],
])('with %j months, %i of three visits stay', async (months, left) => {
  const { sql } = database();
  const siteId = await siteWithHistory(sql, months);
  const ports = { sql, now: () => NOW };
  await expireVisits(ports);
  const kept = TIMES.slice(TIMES.length - left);

  const starts = async () => (await storedVisits(sql, siteId)).map(({ startedAt }) => startedAt).sort();
  expect(await starts()).toEqual(kept);
  const { hours, visitors, dropped } = await storedRollups(sql, siteId);
  expect(hours).toHaveLength(left);
  expect(visitors).toHaveLength(2 * left);
  expect(dropped.reduce((sum, { events }) => sum + Number(events), 0)).toBe(left);

  expect(await expireVisits(ports)).toEqual({ deletedVisits: 0 });
  expect(await starts()).toEqual(kept);
});
