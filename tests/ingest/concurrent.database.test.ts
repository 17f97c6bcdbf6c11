/** Two consumers at once, and a batch whose connection ends. Real concurrency needs a real server. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ingestMessages, type Limits } from '../../lib/collection/ingest-messages.ts';
import { streams } from '../oracle/streams.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite } from './ingest-site.ts';
import { sortVisits, storedRollups, storedVisits } from './stored.ts';

const PATIENCE = { lockMs: 120_000, statementMs: 120_000 };
/** On a busy machine a hundred folds of one site wait longer for each other than the queue does, which would deliver them again. */
const PATIENT: Limits = { shared: PATIENCE, alone: PATIENCE, totalMs: 120_000 };

describe('on a server', () => {
  const database = useDatabase();
  let admin: pg.Client;
  beforeAll(async () => {
    admin = new pg.Client(database().server);
    await admin.connect();
  });
  afterAll(() => admin?.end());

  test('consumers at once store what one does, event by event', async () => {
    const { sql } = database();
    await fc.assert(
      fc.asyncProperty(streams(60), fc.integer({ min: 1, max: 7 }), async (stream, size) => {
        const ports = { sql, now: () => stream.now };
        const [serial, parallel] = [await makeSite(sql, stream.zone), await makeSite(sql, stream.zone)];
        for (const message of stream.messages(serial))
          for (const event of message.events) await ingestMessages(ports, [{ ...message, events: [event] }]);

        const messages = stream.messages(parallel);
        const batches = messages.flatMap((_, n) => (n % size === 0 ? [messages.slice(n, n + size)] : []));
        await Promise.all(
          [...batches, ...batches.toReversed()].map((batch) => ingestMessages(ports, batch, PATIENT)),
        );

        expect(sortVisits(await storedVisits(sql, parallel))).toEqual(
          sortVisits(await storedVisits(sql, serial)),
        );
        expect(await storedRollups(sql, parallel)).toEqual(await storedRollups(sql, serial));
      }),
      { numRuns: 12 },
    );
  }, 300_000);

  test('consumers at once take as many new values of a day as one does', async () => {
    const { sql } = database();
    const siteId = await makeSite(sql);
    const at = Date.parse('2026-11-18T12:00:00Z');
    await sql`
      insert into new_values (site_key, day, kind, taken) select key, '2026-11-18', 'pages', 4900 from sites where id = ${siteId}`;
    const message = (path: string) => ({
      version: 1,
      siteId,
      tier: 1,
      continued: false,
      events: [{ type: 'pageview', id: randomUUID(), at, hostname: 'example.com', path, entry: true }],
    });
    const batches = Array.from({ length: 30 }, (_, n) =>
      Array.from({ length: 20 }, (_, m) => message(`/${(n * 7 + m) % 200}`)),
    );
    await Promise.all(batches.map((batch) => ingestMessages({ sql, now: () => at }, batch, PATIENT)));
    const [row] = await sql`
      select count(*) filter (where value <> '(other)')::int as paths, (select taken from new_values where site_key = key) as taken,
        (select events from other_days where site_key = key)::int as others,
        (select count(*) from events e join site_texts t on t.site_key = e.site_key and t.id = path_id
          where e.site_key = key and value = '(other)')::int as stored
      from sites join site_texts on site_key = key where sites.id = ${siteId} group by key`;
    expect(row).toMatchObject({ paths: 100, taken: 5000 });
    expect(row?.others).toBeGreaterThan(0);
    expect(row?.others).toBe(row?.stored);
    const pages = (await storedVisits(sql, siteId)).flatMap((visit) => visit.pages);
    expect(pages).toHaveLength(600);
  });

  test('a batch whose connection dies half-way is stored once when it comes again', async () => {
    const { sql } = database();
    const siteId = await makeSite(sql);
    const at = Date.now();
    const visitorId = randomUUID();
    const batch = [0, 1, 2].map((n) => ({
      version: 1,
      siteId,
      tier: 3,
      visitorId,
      continued: false,
      events: [
        {
          type: 'pageview',
          id: randomUUID(),
          at: at + n,
          hostname: 'example.com',
          path: `/${n}`,
          entry: true,
        },
      ],
    }));
    const ports = { sql, now: () => at };

    // The test holds the lock that the batch needs, so that the batch is certainly running when its connection ends.
    const lock = [
      `select pg_advisory_lock(hashtextextended($1, 0))`,
      `select pg_advisory_unlock(hashtextextended($1, 0))`,
    ];
    await admin.query(lock[0] ?? '', [siteId]);
    const first = ingestMessages(ports, batch).catch((error: unknown) => error);
    await expect
      .poll(async () => {
        const { rowCount } = await admin.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`);
        return rowCount;
      })
      .toBe(1);
    expect(await first).toBeInstanceOf(Error);
    await admin.query(lock[1] ?? '', [siteId]);
    expect(await storedVisits(sql, siteId)).toEqual([]);

    expect(await ingestMessages(ports, batch)).toEqual({ stored: 3, repeated: 0, dead: 0 });
    expect(await ingestMessages(ports, batch)).toEqual({ stored: 0, repeated: 3, dead: 0 });
    const [visit, ...others] = await storedVisits(sql, siteId);
    expect(others).toEqual([]);
    expect(visit?.pages.map(({ text }) => text)).toEqual(['/0', '/1', '/2']);
  });

  test('a site that is deleted while its events are folded leaves nothing behind', async () => {
    const { sql } = database();
    const siteId = await makeSite(sql);
    const [site] = await sql`select key from sites where id = ${siteId}`;
    const at = Date.now();
    const message = (n: number) => ({
      version: 1,
      siteId,
      tier: 1,
      continued: false,
      events: [
        { type: 'pageview', id: randomUUID(), at, hostname: 'example.com', path: `/${n}`, entry: true },
      ],
    });
    const ports = { sql, now: () => at };
    await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => ingestMessages(ports, [message(n)], PATIENT)),
      sql`select delete_site(${siteId})`,
    ]);
    expect(await storedVisits(sql, siteId)).toEqual([]);
    expect(await storedRollups(sql, siteId)).toEqual({ hours: [], visitors: [], dropped: [] });
    const [left] = await sql`
      select (select count(*) from events where site_key = ${site?.key})::int
        + (select count(*) from site_texts where site_key = ${site?.key})::int
        + (select count(*) from site_freshness where site_key = ${site?.key})::int as rows`;
    expect(left?.rows).toBe(0);
  });
});
