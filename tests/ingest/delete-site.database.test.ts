/** A large site is deleted piece by piece: nobody sees it from the start, and in the end no table has a row of it. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { bury } from '../../lib/collection/bury.ts';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import type { Sql } from '../../lib/db.ts';
import { continueDeletions } from '../../lib/sites/site-deletions.ts';
import { count, identityOf, type SiteIdentity, tablesOfSites } from '../functions/sites/site-tables.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite } from './ingest-site.ts';
import { siteRows } from './site-rows.ts';

const database = useDatabase();
const NOW = Date.parse('2026-11-21T03:30:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const VISITS = 40;
/** Number of rows of a piece. */
const PIECE = 9;

beforeEach(async () => {
  await database().sql`delete from site_deletions`;
});

const messageOf = (siteId: string, n: number) => ({
  version: 1,
  siteId,
  tier: n % 2 === 0 ? 1 : 3,
  continued: false,
  ...(n % 2 === 1 && { visitorId: randomUUID() }),
  events: [
    {
      type: 'pageview',
      id: randomUUID(),
      at: NOW - n * 60_000,
      hostname: 'example.com',
      path: `/${n}`,
      entry: n % 3 === 0,
    },
  ],
});

/** A site with 40 visits, 40 raw events, 40 paths, and some dead letters. */
async function largeSite(sql: Sql): Promise<{ siteId: string; identity: SiteIdentity }> {
  const siteId = await makeSite(sql);
  await ingestMessages(
    { sql, now: () => NOW },
    Array.from({ length: VISITS }, (_, n) => messageOf(siteId, n)),
  );
  await bury(sql, [{ body: { siteId }, reason: 'malformed' }]);
  return { siteId, identity: await identityOf(sql, siteId) };
}

async function rowsLeft(sql: Sql, identity: SiteIdentity): Promise<number> {
  const tables = await tablesOfSites(sql);
  const counts = await Promise.all(tables.map((table) => count(sql, table, identity[table.column])));
  return counts.reduce((sum, n) => sum + n, 0);
}

const progressOf = async (sql: Sql, siteId: string) =>
  (
    await sql`
      select visits::int, deleted_visits::int as "deletedVisits", deleted_rows::int as "deletedRows", finished_at as "finishedAt"
      from site_deletions where site = ${siteId}`
  )[0];

const erase = (sql: Sql, siteId: string) =>
  sql`select delete_site(${siteId}, ${new Date(NOW).toISOString()}, ${PIECE}::integer)`;

test('what is left is deleted by runs that may be killed after any piece', async () => {
  const { sql } = database();
  const { siteId, identity } = await largeSite(sql);
  const neighbour = await largeSite(sql);
  const before = await siteRows(sql, neighbour.siteId);
  const all = await rowsLeft(sql, identity);
  await erase(sql, siteId);
  expect(await identityOf(sql, siteId)).toMatchObject({ site_key: undefined });
  expect(await rowsLeft(sql, identity)).toBe(all - PIECE);
  expect(await progressOf(sql, siteId)).toMatchObject({
    visits: VISITS,
    deletedRows: PIECE,
    finishedAt: null,
  });

  const killed = new Error('killed');
  let asked = 0;
  // Called for the end of the run, then before and after each piece.
  const now = () => {
    asked += 1;
    if (asked === 5) throw killed;
    return NOW;
  };
  await expect(continueDeletions({ sql, now }, { maxRows: PIECE })).rejects.toBe(killed);
  const left = await rowsLeft(sql, identity);
  expect(left).toBe(all - 3 * PIECE);
  expect(await progressOf(sql, siteId)).toMatchObject({ deletedRows: 3 * PIECE, finishedAt: null });

  expect(await continueDeletions({ sql, now: () => NOW }, { maxRows: PIECE })).toEqual({ deletedRows: left });
  expect(await rowsLeft(sql, identity)).toBe(0);
  expect(await progressOf(sql, siteId)).toEqual({
    visits: VISITS,
    deletedVisits: VISITS,
    deletedRows: all,
    finishedAt: new Date(NOW),
  });
  expect(await siteRows(sql, neighbour.siteId)).toEqual(before);
});

test('a run ends when its time is up', async () => {
  const { sql } = database();
  const { siteId } = await largeSite(sql);
  await erase(sql, siteId);
  let clock = NOW;
  const now = () => {
    clock += 15_000;
    return clock;
  };
  expect(await continueDeletions({ sql, now }, { maxRows: PIECE })).toEqual({ deletedRows: PIECE });
  expect(await progressOf(sql, siteId)).toMatchObject({ finishedAt: null });
});

test('what still comes for a site that is being deleted finds no site', async () => {
  const { sql } = database();
  const { siteId, identity } = await largeSite(sql);
  await erase(sql, siteId);
  const left = await rowsLeft(sql, identity);
  expect(await ingestMessages({ sql, now: () => NOW }, [messageOf(siteId, 1)])).toMatchObject({ stored: 0 });
  expect(await rowsLeft(sql, identity)).toBe(left);
  await continueDeletions({ sql, now: () => NOW });
  expect(await rowsLeft(sql, identity)).toBe(0);
});

test('sites that go with their project are deleted too', async () => {
  const { sql } = database();
  const [first, second] = [await largeSite(sql), await largeSite(sql)];
  await sql`delete from projects where id in (select project_id from sites where id in (${first.siteId}, ${second.siteId}))`;
  await continueDeletions({ sql, now: () => NOW });
  expect([await rowsLeft(sql, first.identity), await rowsLeft(sql, second.identity)]).toEqual([0, 0]);
});

test('a finished deletion is forgotten after 7 days, one that is not never', async () => {
  const { sql } = database();
  const [finished, unfinished] = [await largeSite(sql), await largeSite(sql)];
  await erase(sql, finished.siteId);
  await continueDeletions({ sql, now: () => NOW });
  for (const [days, there] of [
    [6.9, true],
    [7.1, false],
  ] as const) {
    await continueDeletions({ sql, now: () => NOW + days * DAY_MS });
    expect((await progressOf(sql, finished.siteId)) !== undefined).toBe(there);
  }
  await erase(sql, unfinished.siteId);
  const late = new Date(NOW + 100 * DAY_MS).toISOString();
  await sql`select * from continue_deletions(${late}, 1)`;
  expect(await progressOf(sql, unfinished.siteId)).toMatchObject({ finishedAt: null });
});

test('deleting a site that nobody has changes nothing', async () => {
  const { sql } = database();
  const { siteId, identity } = await largeSite(sql);
  const all = await rowsLeft(sql, identity);
  const nobodys = randomUUID();
  await erase(sql, nobodys);
  expect(await progressOf(sql, nobodys)).toBeUndefined();
  expect(await identityOf(sql, siteId)).toEqual(identity);
  expect(await rowsLeft(sql, identity)).toBe(all);
});
