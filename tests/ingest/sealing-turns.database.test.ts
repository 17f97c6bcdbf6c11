/** Sealing goes round the sites: what can't be sealed is remembered, tried again after a time, and keeps nobody else back. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { resealTargets, sealVisits } from '../../lib/collection/seal-visits.ts';
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import { connectDatabase, type DriverFetch } from '../../lib/db.ts';
import { addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite } from './ingest-site.ts';

const database = useDatabase();

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const NOW = Date.parse('2026-11-18T12:00:00Z');

// Others' sites have days to seal too.
beforeEach(async () => {
  await database().sql`delete from sites`;
});

/** A site with a purchase on each of the last days before today. */
async function siteOf(days: number): Promise<{ siteId: string; key: number }> {
  const { sql } = database();
  const siteId = await makeSite(sql);
  const messages = Array.from(
    { length: days },
    (_, n): TrackMessage => ({
      version: 1,
      siteId,
      tier: 3,
      visitorId: randomUUID(),
      continued: false,
      events: [
        {
          type: 'event',
          id: randomUUID(),
          at: NOW - (n + 1) * DAY_MS,
          hostname: 'example.com',
          path: '/',
          name: 'buy',
          revenue: { amount: '9.90', currency: 'EUR' },
        },
      ],
    }),
  );
  await foldBatch(sql, messages, NOW);
  const [site] = await sql`select key from sites where id = ${siteId}`;
  return { siteId, key: site?.key };
}

/** What a fault of ours, or a damaged row, may look like. */
const spoil = (key: number, amount: string) => database().sql`
  update visits set event_data = jsonb_set(event_data, '{0,revenue,amount}', to_jsonb(${amount}::text)) where site_key = ${key}`;

const seal = (now: number, timeMs = 60_000) =>
  sealVisits({ sql: database().sql, now: () => now }, { timeMs });

const sealedOf = async (key: number) =>
  (
    await database()
      .sql`select count(*)::int as days from sealed_days where site_key = ${key} and span = 1 and ready`
  )[0]?.days;
const faultsOf = (key: number) =>
  database().sql`
    select count(*)::int as days, min(faults) as fewest, max(faults) as most, min(reason) as reason, min(retry_at) as retry_at
    from seal_faults where site_key = ${key}`;

test('a site with more unsealable days than a run takes at once stops nobody', async () => {
  const bad = await siteOf(60);
  const good = await siteOf(60);
  await spoil(bad.key, 'nothing');
  const first = await seal(NOW);
  expect(first.sealedDays).toBe(60);
  expect(first.faults).toHaveLength(60);
  expect([await sealedOf(bad.key), await sealedOf(good.key)]).toEqual([0, 60]);
  expect(await faultsOf(bad.key)).toMatchObject([
    { days: 60, fewest: 1, most: 1, reason: '22P02', retry_at: new Date(NOW + 15 * MINUTE_MS) },
  ]);

  // Not again at once; later again, after twice the time each.
  expect(await seal(NOW + 14 * MINUTE_MS)).toEqual({ sealedDays: 0, faults: [] });
  expect((await seal(NOW + 15 * MINUTE_MS)).faults).toHaveLength(60);
  expect(await faultsOf(bad.key)).toMatchObject([{ fewest: 2, retry_at: new Date(NOW + 45 * MINUTE_MS) }]);
  for (let n = 0; n < 10; n += 1)
    await database().sql`
    select note_seal_fault(${bad.key}::integer, '2026-11-01'::date, 'x', ${new Date(NOW).toISOString()}::timestamptz)`;
  const [longest] = await database().sql`
    select retry_at from seal_faults where site_key = ${bad.key} and day = '2026-11-01'`;
  expect(longest?.retry_at).toEqual(new Date(NOW + DAY_MS));

  // Once the cause is gone, they are sealed and forgotten.
  await spoil(bad.key, '1.00');
  expect((await seal(NOW + 2 * DAY_MS)).faults).toEqual([]);
  expect(await sealedOf(bad.key)).toBe(60);
  expect(await faultsOf(bad.key)).toMatchObject([{ days: 0 }]);
}, 300_000);

test('sites take turns, whoever has more to do', async () => {
  const { sql } = database();
  const long = await siteOf(30);
  const short = await siteOf(2);
  const instant = new Date(NOW).toISOString();
  const due = async (most: number) =>
    (await sql`select site_key from days_to_seal(${instant}::timestamptz, ${most}::integer)`).map(
      (row) => row.site_key,
    );
  expect(await due(4)).toEqual([long.key, short.key, long.key, short.key]);
  await sql`select begin_seal(site_key, day, ${instant}::timestamptz) from days_to_seal(${instant}::timestamptz, 1)`;
  expect((await due(1))[0]).toBe(short.key);
});

test('goals that a day of one site can’t be sealed with are brought up to date on all others', async () => {
  const [bad, good] = [await siteOf(3), await siteOf(3)];
  await seal(NOW);
  for (const { siteId } of [bad, good])
    await addGoal(database().sql, siteId, { name: 'Bought', event: 'buy' });
  await spoil(bad.key, 'nothing');
  expect((await seal(NOW + MINUTE_MS)).faults).toHaveLength(3);
  const known = async (key: number) =>
    (
      await database().sql`
      select count(*)::int as days from sealed_days d join site_seals s using (site_key)
      where site_key = ${key} and d.targets = s.targets and span = 1`
    )[0]?.days;
  expect([await known(bad.key), await known(good.key)]).toEqual([0, 3]);
  await spoil(bad.key, '1.00');
  expect((await seal(NOW + DAY_MS)).faults).toEqual([]);
  expect(await known(bad.key)).toBe(3);
  expect(await faultsOf(bad.key)).toMatchObject([{ days: 0 }]);
});

/** A database whose answers to statements with this text go through `answer`. */
const watching = (
  statement: string,
  answer: (call: () => ReturnType<DriverFetch>) => ReturnType<DriverFetch>,
) =>
  connectDatabase({
    url: database().address.url,
    fetch: (url, init) => {
      const call = () => database().fetch(url, init);
      return String(init.body).includes(statement) ? answer(call) : call();
    },
  });

test('a run ends with the day during which its time is over', async () => {
  const { siteId, key } = await siteOf(3);
  let now = NOW;
  const slow = (statement: string) => ({
    now: () => now,
    sql: watching(statement, async (call) => {
      const answer = await call();
      now += MINUTE_MS;
      return answer;
    }),
  });
  expect(await sealVisits(slow('end_seal'), { timeMs: MINUTE_MS })).toEqual({ sealedDays: 1, faults: [] });
  expect(await sealedOf(key)).toBe(1);
  expect(await sealVisits(slow('end_seal'), { timeMs: MINUTE_MS + 1 })).toMatchObject({ sealedDays: 2 });
  await addGoal(database().sql, siteId, { name: 'Bought', event: 'buy' });
  const targetsOf = async () =>
    (
      await database().sql`
      select count(*)::int as days from sealed_days d join site_seals s using (site_key)
      where site_key = ${key} and d.targets = s.targets and span = 1`
    )[0]?.days;
  expect(await resealTargets(slow('reseal_day'), { siteId, timeMs: 0 })).toEqual([]);
  expect(await targetsOf()).toBe(0);
  expect(await resealTargets(slow('reseal_day'), { siteId, timeMs: MINUTE_MS })).toEqual([]);
  expect(await targetsOf()).toBe(1);
  expect(await resealTargets(slow('reseal_day'), { siteId, timeMs: 60 * MINUTE_MS })).toEqual([]);
  expect(await targetsOf()).toBe(3);
});

test('a database out of reach is no fault of a day', async () => {
  const { key } = await siteOf(2);
  const sql = watching('end_seal', () => Promise.reject(new TypeError('fetch failed')));
  await expect(sealVisits({ sql, now: () => NOW }, { timeMs: 60_000 })).rejects.toThrow('fetch failed');
  expect(await faultsOf(key)).toMatchObject([{ days: 0 }]);
});
