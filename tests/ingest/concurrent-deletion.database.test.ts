/** Deletion during a fold, and deletion that the database aborts. Both need a real server. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireValues } from '../../lib/collection/expire-values.ts';
import { expireVisits } from '../../lib/collection/expire-visits.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { ingestMessages, isLocked } from '../../lib/collection/ingest-messages.ts';
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import type { Sql } from '../../lib/db.ts';
import { continueDeletions } from '../../lib/sites/site-deletions.ts';
import { count, identityOf, tablesOfSites } from '../functions/sites/site-tables.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite } from './ingest-site.ts';
import { knownValues, namedValues } from './named-values.ts';
import { storedVisits } from './stored.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-11-21T03:30:00.000Z');

const viewOf = (siteId: string, at: number): TrackMessage => ({
  version: 1,
  siteId,
  tier: 3,
  visitorId: randomUUID(),
  continued: false,
  events: [{ type: 'pageview', id: randomUUID(), at, hostname: 'example.com', path: `/${at}`, entry: true }],
});

async function siteWithPolicy(sql: Sql): Promise<string> {
  const siteId = await makeSite(sql);
  await sql`
    update sites set jurisdiction = 'PT', consent_mode = 'required', pre_consent_tier = 'counts', retention_months = 1
    where id = ${siteId}`;
  return siteId;
}

const startsOf = async (sql: Sql, siteId: string) =>
  (await storedVisits(sql, siteId)).map(({ startedAt }) => startedAt).sort();

describe('on a server', () => {
  const database = useDatabase();
  let admin: pg.Client;
  beforeAll(async () => {
    admin = new pg.Client(database().server);
    await admin.connect();
  });
  afterAll(() => admin?.end());

  /** Ends the connection that waits for a site's lock. */
  const endWaiting = () =>
    expect
      .poll(async () => {
        const { rowCount } = await admin.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`);
        return rowCount;
      })
      .toBe(1);
  const holdTurn = (siteId: string) =>
    admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [siteId]);
  const giveTurn = (siteId: string) =>
    admin.query('select pg_advisory_unlock(hashtextextended($1, 0))', [siteId]);

  /** What waits too long for a site's turn is brought again by the queue. */
  const ingestInTurn = (...args: Parameters<typeof ingestMessages>): ReturnType<typeof ingestMessages> =>
    ingestMessages(...args).catch((fault: unknown) =>
      isLocked(fault) ? ingestInTurn(...args) : Promise.reject(fault),
    );

  test('a site that is deleted in pieces while its events are folded leaves nothing behind', async () => {
    const { sql } = database();
    const siteId = await makeSite(sql);
    const identity = await identityOf(sql, siteId);
    const ports = { sql, now: () => NOW };
    await foldBatch(
      sql,
      Array.from({ length: 60 }, (_, n) => viewOf(siteId, NOW - n * 1000)),
      NOW,
    );
    const fold = () => ingestInTurn(ports, [viewOf(siteId, NOW), viewOf(siteId, NOW - 7)]);
    await Promise.all([
      ...Array.from({ length: 10 }, fold),
      sql`select delete_site(${siteId}, ${new Date(NOW).toISOString()}, 5)`,
      ...Array.from({ length: 10 }, fold),
      continueDeletions(ports, { maxRows: 5 }),
      continueDeletions(ports, { maxRows: 5 }),
    ]);
    expect(await fold()).toMatchObject({ stored: 0 });
    await continueDeletions(ports, { maxRows: 5 });
    for (const table of await tablesOfSites(sql))
      expect([table.name, await count(sql, table, identity[table.column])]).toEqual([table.name, 0]);
    const [deletion] = await sql`
      select visits::int, deleted_visits::int, finished_at from site_deletions where site = ${siteId}`;
    expect(deletion).toMatchObject({ visits: deletion?.deleted_visits, finished_at: new Date(NOW) });
    expect(deletion?.visits).toBeGreaterThanOrEqual(60);
  });

  test('runs whose connection dies are continued', async () => {
    const { sql } = database();
    const ports = { sql, now: () => NOW };
    const [expiring, deleted] = [await siteWithPolicy(sql), await makeSite(sql)];
    const identity = await identityOf(sql, deleted);
    for (const siteId of [expiring, deleted])
      for (const days of [70, 50, 40, 1]) await foldBatch(sql, [viewOf(siteId, NOW - days * DAY_MS)], NOW);

    await holdTurn(expiring);
    const expiry = expireVisits(ports).catch((error: unknown) => error);
    await endWaiting();
    expect(await expiry).toBeInstanceOf(Error);
    await giveTurn(expiring);
    expect(await startsOf(sql, expiring)).toHaveLength(4);
    await expireVisits(ports);
    expect(await startsOf(sql, expiring)).toEqual([NOW - DAY_MS]);

    await sql`select delete_site(${deleted}, ${new Date(NOW).toISOString()}, 3)`;
    await holdTurn(deleted);
    const deletion = continueDeletions(ports).catch((error: unknown) => error);
    await endWaiting();
    expect(await deletion).toBeInstanceOf(Error);
    await giveTurn(deleted);
    await continueDeletions(ports);
    for (const table of await tablesOfSites(sql))
      expect([table.name, await count(sql, table, identity[table.column])]).toEqual([table.name, 0]);
  });

  test('a partition that is in use is dropped by a later run, and nothing waits for it', async () => {
    const { sql } = database();
    const siteId = await siteWithPolicy(sql);
    const old = Date.parse('2025-03-05T00:00:00Z');
    await foldBatch(sql, [viewOf(siteId, old)], old);
    const [{ rows: before }] = [await admin.query(`select to_regclass('visits_20250301') as name`)];
    expect(before[0].name).not.toBeNull();

    await admin.query('begin');
    await admin.query('lock table visits in access share mode');
    expect(await expireVisits({ sql, now: () => NOW })).toMatchObject({
      droppedPartitions: 0,
      deletedRows: 4,
    });
    expect(await startsOf(sql, siteId)).toEqual([]);
    // Reports and the fold work meanwhile.
    expect(await ingestMessages({ sql, now: () => NOW }, [viewOf(siteId, NOW)])).toMatchObject({ stored: 1 });
    await admin.query('commit');

    const { droppedPartitions } = await expireVisits({ sql, now: () => NOW });
    expect(droppedPartitions).toBeGreaterThan(0);
    const [{ rows: after }] = [await admin.query(`select to_regclass('visits_20250301') as name`)];
    expect(after[0].name).toBeNull();
    expect(await startsOf(sql, siteId)).toEqual([NOW]);
  });

  test('retention beside the fold and beside another run', async () => {
    const { sql } = database();
    const sites = await Promise.all(Array.from({ length: 6 }, () => siteWithPolicy(sql)));
    for (const siteId of sites)
      for (const days of [60, 45, 33]) await foldBatch(sql, [viewOf(siteId, NOW - days * DAY_MS)], NOW);
    const ports = { sql, now: () => NOW };
    await Promise.all([
      ...Array.from({ length: 12 }, (_, n) => {
        const batch = sites.map((siteId) => viewOf(siteId, NOW - n * 1000));
        return ingestInTurn(ports, n % 2 === 0 ? batch : batch.toReversed());
      }),
      expireVisits(ports, { maxRows: 4 }),
      expireVisits(ports, { maxRows: 4 }),
    ]);
    await expireVisits(ports);
    for (const siteId of sites) {
      const starts = await startsOf(sql, siteId);
      expect(starts).toHaveLength(12);
      expect(Math.min(...starts)).toBeGreaterThan(NOW - DAY_MS);
    }
  });

  /** Waits until that number of connections wait for a site's lock. */
  const awaitWaiting = (count: number) =>
    expect
      .poll(async () => {
        const { rowCount } = await admin.query(`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`);
        return rowCount;
      })
      .toBe(count);
  const pathView = (siteId: string, at: number, path: string): TrackMessage => {
    const message = viewOf(siteId, at);
    return { ...message, events: message.events.map((event) => ({ ...event, path }) as typeof event) };
  };
  const visitsOfPath = async (sql: Sql, siteId: string, path: string) =>
    (await storedVisits(sql, siteId)).filter(({ pages }) => pages.some(({ text }) => text === path)).length;

  test.each(['fold', 'retention'])(
    'a value that comes again while it expires, the %s first',
    async (first) => {
      const { sql } = database();
      const ports = { sql, now: () => NOW };
      const siteId = await siteWithPolicy(sql);
      await foldBatch(sql, [pathView(siteId, NOW - 40 * DAY_MS, '/again')], NOW);
      await sql`select drop_raw_events(${new Date(NOW).toISOString()}::timestamptz)`;
      await expireVisits(ports);
      // The dictionary that retention begins with.
      const idOf = async () =>
        (
          await sql`select p.id from site_profiles p join sites s on s.key = site_key where s.id = ${siteId}`
        )[0]?.id;
      const before = await idOf();
      const fold = () => foldBatch(sql, [pathView(siteId, NOW, '/again')], NOW);
      const expire = () => expireValues(ports);
      await holdTurn(siteId);
      const works: Promise<unknown>[] = [];
      for (const [n, work] of (first === 'fold' ? [fold, expire] : [expire, fold]).entries()) {
        works.push(work());
        await awaitWaiting(n + 1);
      }
      await giveTurn(siteId);
      await Promise.all(works);
      expect(await visitsOfPath(sql, siteId, '/again')).toBe(1);
      if (first === 'fold') expect(await idOf()).toBe(before);
      else expect(await idOf()).toBeGreaterThan(before);
    },
  );

  test('values beside the fold, retention and deleted visitors: none that is named is missing', async () => {
    const { sql } = database();
    const ports = { sql, now: () => NOW };
    const sites = await Promise.all(Array.from({ length: 3 }, () => siteWithPolicy(sql)));
    const paths = Array.from({ length: 12 }, (_, n) => `/${n}`);
    const erased = paths.map(() => randomUUID());
    for (const siteId of sites)
      for (const [n, path] of paths.entries()) {
        const old = pathView(siteId, NOW - (n % 2 === 0 ? 40 : 2) * DAY_MS, path);
        await foldBatch(sql, [{ ...old, visitorId: erased[n] ?? '' }], NOW);
      }
    await sql`select drop_raw_events(${new Date(NOW).toISOString()}::timestamptz)`;
    await expireVisits(ports);
    await Promise.all([
      ...paths.map((path, n) =>
        ingestMessages(
          ports,
          sites.map((siteId) => pathView(siteId, NOW - n * 1000, n % 3 === 0 ? path : '/new')),
        ),
      ),
      ...sites.flatMap((siteId) =>
        erased.map((visitor) => sql`select delete_visitor(${siteId}::uuid, ${visitor}::uuid)`),
      ),
      expireValues(ports, { maxRows: 2, maxVisits: 2 }),
      expireValues(ports, { maxRows: 2, maxVisits: 2 }),
      expireValues(ports, { maxRows: 3, maxVisits: 1 }),
    ]);
    await expireValues(ports);
    await expireValues(ports);
    expect(await sql`select from erased_values`).toEqual([]);
    for (const siteId of sites) {
      const [named, known] = [await namedValues(sql, siteId), await knownValues(sql, siteId)];
      expect([...named.text].filter((id) => !known.text.has(id))).toEqual([]);
      const texts = await sql`
        select value from site_texts join sites on key = site_key where sites.id = ${siteId} and value like '/%' order by value collate "C"`;
      expect(texts.map(({ value }) => value)).toEqual(['/0', '/3', '/6', '/9', '/new']);
    }
  });
});
