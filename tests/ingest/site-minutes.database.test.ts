/** What a watched site's minutes say is what its visits say, however events come, and whenever the site was first watched. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { parse } from 'valibot';
import { expect, test } from 'vitest';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { TrackMessage } from '../../lib/collection/track-message.ts';
import type { Sql } from '../../lib/db.ts';
import { deliveries, streams } from '../oracle/streams.ts';
import { ORACLE_RUNS } from '../oracle-runs.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite } from './ingest-site.ts';

const database = useDatabase();
const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

/** All minutes of a site that aren't 0, by series, tier, name and time. */
async function storedMinutes(sql: Sql, siteId: string): Promise<string[]> {
  const rows = await sql`
    select series, tier, name, to_char((hour + minute * interval '1 minute') at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at, amount::int
    from site_minutes cross join lateral unpack_minutes(packed)
    where site_key = (select key from sites where id = ${siteId})`;
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** The same, counted from the visits in the database. */
async function countedMinutes(sql: Sql, siteId: string): Promise<string[]> {
  const rows = await sql`
    select series, tier, name, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at, sum(amount)::int as amount
    from visits visit cross join lateral moments_of(visit)
    where visit.site_key = (select key from sites where id = ${siteId}) group by 1, 2, 3, 4 having sum(amount) <> 0`;
  return rows.map((row) => JSON.stringify(row)).sort();
}

const withoutRefusals = (rows: string[]) => rows.filter((row) => !row.startsWith('{"series":12,'));

const messagesFor = (batch: unknown, siteId: string) =>
  JSON.parse(JSON.stringify(batch).replaceAll(PLACEHOLDER, siteId));

const addGoals = (sql: Sql, siteId: string) => sql`
  insert into site_goals (site_id, name, kind, pattern) values (${siteId}, 'buy', 2, 'purchase'), (${siteId}, 'any', 1, '/**')`;

const drawn = streams(24).chain((stream) =>
  fc.record({
    stream: fc.constant(stream),
    batches: deliveries(stream.messages(PLACEHOLDER)),
    watchedAfter: fc.nat(),
    which: fc.nat(),
  }),
);

test('in any order and any batches, minutes are what the visits say, also if the site is watched later', async () => {
  const { sql } = database();
  await fc.assert(
    fc.asyncProperty(drawn, async ({ stream, batches, watchedAfter }) => {
      const siteId = await makeSite(sql);
      await addGoals(sql, siteId);
      const begin = watchedAfter % (batches.length + 1);
      for (const batch of batches.slice(0, begin))
        await foldBatch(sql, messagesFor(batch, siteId), stream.now);
      await sql`select watch_site(${siteId}::uuid, ${new Date(stream.now).toISOString()}::timestamptz)`;
      for (const batch of batches.slice(begin)) await foldBatch(sql, messagesFor(batch, siteId), stream.now);
      while ((await sql`select fill_site_minutes() as filled`)[0]?.filled);
      expect(withoutRefusals(await storedMinutes(sql, siteId))).toEqual(await countedMinutes(sql, siteId));
    }),
    { numRuns: ORACLE_RUNS, endOnFailure: true },
  );
}, 120_000);

test('nothing is left of an erased visitor', async () => {
  const { sql } = database();
  await fc.assert(
    fc.asyncProperty(drawn, async ({ stream, batches, which }) => {
      const siteId = await makeSite(sql);
      await addGoals(sql, siteId);
      await sql`select watch_site(${siteId}::uuid, ${new Date(stream.now).toISOString()}::timestamptz)`;
      for (const batch of batches) await foldBatch(sql, messagesFor(batch, siteId), stream.now);
      while ((await sql`select fill_site_minutes() as filled`)[0]?.filled);
      const ids = stream.messages(siteId).flatMap((m) => (m.tier === 3 && m.visitorId ? [m.visitorId] : []));
      await sql`select delete_visitor(${siteId}::uuid, ${ids[which % ids.length] ?? siteId}::uuid)`;
      expect(withoutRefusals(await storedMinutes(sql, siteId))).toEqual(await countedMinutes(sql, siteId));
      const [empty] = await sql`
        select count(*)::int as rows from site_minutes
        where site_key = (select key from sites where id = ${siteId}) and packed = '{}'`;
      expect(empty?.rows).toBe(0);
    }),
    { numRuns: Math.ceil(ORACLE_RUNS / 2), endOnFailure: true },
  );
}, 120_000);

test('a late event that makes a stored one its repeat takes its goal back', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  await addGoals(sql, siteId);
  const noon = Date.parse('2026-10-04T12:00:00Z');
  await sql`select watch_site(${siteId}::uuid, ${new Date(noon - 86_400_000).toISOString()}::timestamptz)`;
  const pageId = randomUUID();
  for (const minutes of [10, 0]) {
    const event = {
      ...{ type: 'event', id: randomUUID(), at: noon + minutes * 60_000, name: 'purchase', pageId },
      ...{ hostname: 'example.com', path: '/', revenue: { amount: '12.50', currency: 'EUR' } },
    };
    await foldBatch(
      sql,
      [parse(TrackMessage, { version: 1, siteId, tier: 1, continued: false, events: [event] })],
      noon + 3_600_000,
    );
    const goals = (await storedMinutes(sql, siteId)).filter((row) => row.startsWith('{"series":6,'));
    expect(goals).toHaveLength(1);
    expect(goals[0]).toContain(minutes === 10 ? '12:10' : '12:00');
  }
  expect(await storedMinutes(sql, siteId)).toEqual(await countedMinutes(sql, siteId));
});

test('an unwatched site has no minutes', async () => {
  const { sql } = database();
  const [stream] = fc.sample(streams(24), 1);
  const siteId = await makeSite(sql);
  await foldBatch(sql, stream?.messages(siteId) ?? [], stream?.now ?? 0);
  expect(await storedMinutes(sql, siteId)).toEqual([]);
});
