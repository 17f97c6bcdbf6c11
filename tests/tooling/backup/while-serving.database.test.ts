/** A backup while events are folded and crons run, and a restore that is refused, or that was stopped. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { openQueueFile, readQueueFile } from '../../../host/queue/queue-file.ts';
import { ingestMessages } from '../../../lib/collection/ingest-messages.ts';
import { connectDatabase } from '../../../lib/db.ts';
import { checkTarget, loadBackup } from '../../../tooling/backup/restore-backup.ts';
import { takeBackup, takeSnapshot } from '../../../tooling/backup/take-backup.ts';
import { startNeon } from '../../../tooling/neon/start-neon.ts';
import { applySchema } from '../../../tooling/schema/apply-schema.ts';
import { connectDirectly } from '../../../tooling/schema/connect-directly.ts';
import { createTenant } from '../../security/tenant.ts';
import { backUp, readTables, restoreInto, useServers } from './servers.ts';

const QUEUE = 'vendor-events';
const BATCH_SIZE = 20;

const pageview = (siteId: string) => ({
  ...{ version: 1, siteId, tier: 1, continued: false, device: 'desktop', browser: 'Firefox' },
  events: [
    {
      ...{ type: 'pageview', id: randomUUID(), at: Date.now(), hostname: 'localhost', path: '/under/load' },
      entry: true,
    },
  ],
});

/** What the reports of a database count, each event by its id, and what waits. */
async function readCounts(url: string) {
  return connectDirectly(url, async (client) => {
    const { rows } = await client.query<{
      pageviews: number;
      visits: number;
      events: string[];
      letters: number;
    }>(`
      select (select coalesce(sum(pageviews), 0)::integer from rollup_hours) as pageviews,
        (select count(*)::integer from visits) as visits,
        array(select event_id::text from events order by 1) as events,
        (select count(*)::integer from dead_letters) as letters`);
    return rows[0] as (typeof rows)[number];
  });
}

describe('a backup', () => {
  const servers = useServers();
  let url: string;
  let siteId: string;
  beforeAll(async () => {
    url = await servers().create('server');
    await connectDirectly(url, (client) => applySchema(client));
    const neon = await startNeon({ database: { url } });
    ({ siteId } = await createTenant(connectDatabase(neon)));
    await ingestMessages({ sql: connectDatabase(neon), now: Date.now }, [pageview(siteId), pageview(siteId)]);
    await neon.close();
  });

  test('has each message that was accepted before it, in the tables, the queue or both, and a restore counts it once', async () => {
    const neon = await startNeon({ database: { url } });
    const ports = { sql: connectDatabase(neon), now: Date.now };
    const path = servers().newFile();
    const queueFile = `${path}.queue`;
    const queue = openQueueFile(queueFile);
    const accepted: string[] = (await readCounts(url)).events;
    const load = { isRunning: true, stored: 0 };
    const send = async (): Promise<void> => {
      while (load.isRunning) {
        const messages = Array.from({ length: BATCH_SIZE }, () => pageview(siteId));
        await queue.send(QUEUE, messages);
        accepted.push(...messages.map(({ events }) => events[0]?.id ?? ''));
        // As fast as it is folded, with some that wait.
        while (load.isRunning && accepted.length > load.stored + 20 * BATCH_SIZE) await setTimeout(5);
      }
    };
    const fold = async (): Promise<void> => {
      while (load.isRunning) {
        const messages = queue.peek(QUEUE, BATCH_SIZE, new Set());
        await ingestMessages(
          ports,
          messages.map(({ body }) => JSON.parse(body) as object),
        );
        queue.settle({ done: messages.map(({ id }) => id), later: [], moved: [] });
        load.stored += messages.length;
        await setTimeout(1);
      }
    };
    const atWork = Promise.all([send(), fold()]);
    try {
      while (load.stored < 10 * BATCH_SIZE) await setTimeout(5);
      const before = [...accepted];
      const backup = await backUp(url, path, { queue: readQueueFile(queueFile) });
      const stored = load.stored;
      while (load.stored < stored + 5 * BATCH_SIZE) await setTimeout(5);
      const restored = await servers().create('embedded');
      const { stored: late, repeated } = await restoreInto(restored, backup);
      expect(late + repeated).toBeGreaterThan(0);
      const counts = await readCounts(restored);
      expect(counts.pageviews).toBe(counts.events.length);
      expect(counts.visits).toBe(counts.events.length);
      expect(counts.letters).toBe(0);
      const ids = new Set(counts.events);
      expect(before.filter((id) => !ids.has(id))).toEqual([]);
    } finally {
      load.isRunning = false;
      await atWork;
      queue.close();
      await neon.close();
    }
  });

  test('counts a message once that is both in the tables and in the queue, and keeps what can’t be stored', async () => {
    const messages = [pageview(siteId), pageview(siteId)];
    const neon = await startNeon({ database: { url } });
    await ingestMessages({ sql: connectDatabase(neon), now: Date.now }, messages.slice(0, 1));
    await neon.close();
    const before = await readCounts(url);
    const queue = [
      ...messages.map((message) => ({ queue: QUEUE, message: JSON.stringify(message) })),
      { queue: QUEUE, message: '{"version":9}' },
      { queue: 'vendor-events-dead', message: JSON.stringify(pageview(siteId)) },
    ];
    const backup = await backUp(url, servers().newFile(), { queue });
    const restored = await servers().create('embedded');
    expect(await restoreInto(restored, backup)).toEqual({ stored: 1, repeated: 1, kept: 1 });
    const after = await readCounts(restored);
    expect(after.pageviews).toBe(before.pageviews + 1);
    const { rows } = await connectDirectly(restored, (client) =>
      client.query('select reason, site_id is not null as of_site from dead_letters order by id'),
    );
    expect(rows).toEqual([
      { reason: 'not stored after the last retry', of_site: true },
      { reason: expect.stringMatching(/^malformed: /), of_site: false },
    ]);
  });

  test('stops nobody: partitions are made, and crons and folds go on, while it lasts', async () => {
    await connectDirectly(url, async (client) => {
      const snapshot = await takeSnapshot(client);
      await connectDirectly(url, async (other) => {
        await other.query("set lock_timeout = '2s'");
        await other.query("select ensure_partitions(now() + interval '300 days')");
        const { rows } = await other.query("select drop_raw_events(now() + interval '300 days') as dropped");
        expect(rows).toEqual([{ dropped: 0 }]);
        // A cron that tried to drop one would stop the folds until it gave up.
        const { rows: may } = await other.query('select may_drop_partitions() as may');
        expect(may).toEqual([{ may: false }]);
        await other.query("update sites set name = 'Renamed'");
      });
      const { rows } = await client.query("select count(*)::integer as n from sites where name = 'Renamed'");
      expect(rows).toEqual([{ n: 0 }]);
      await snapshot.end();
      const { rows: dropped } = await client.query(
        "select drop_raw_events(now() + interval '300 days') > 0 as dropped",
      );
      expect(dropped).toEqual([{ dropped: true }]);
    });
  });

  test('leaves tables of others out, and says so', async () => {
    const other = await servers().create('server');
    await connectDirectly(other, async (client) => {
      await applySchema(client);
      await client.query('create table theirs as select 1 as n');
      const lines: string[] = [];
      const path = servers().newFile();
      await takeBackup(client, path, { report: (line) => lines.push(line) });
      expect(lines).toEqual(['theirs is left out: it isn’t a table of the service.']);
    });
  });

  test('is refused of an empty database, and of a newer one', async () => {
    const empty = await servers().create('server');
    await expect(backUp(empty, servers().newFile())).rejects.toThrow('nothing to back up');
    await connectDirectly(empty, async (client) => {
      await applySchema(client);
      await client.query("insert into schema_migrations (number, name) values (999, '0999-later')");
    });
    await expect(backUp(empty, servers().newFile())).rejects.toThrow(
      /is newer: it has migration 999.*Check out the version/,
    );
  });

  test('that fails in the middle leaves no file, and ends its connection', async () => {
    const path = servers().newFile();
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();
    const failing = takeBackup(client, path, {
      onProgress: () => {
        throw new Error('the disk is full');
      },
    });
    await expect(failing).rejects.toThrow('the disk is full');
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    await expect(client.query('select')).rejects.toThrow();
  });
});

describe('a restore', () => {
  const servers = useServers();
  let url: string;
  let backup: Awaited<ReturnType<typeof backUp>>;
  beforeAll(async () => {
    url = await servers().create('server');
    await connectDirectly(url, (client) => applySchema(client));
    const neon = await startNeon({ database: { url } });
    const sql = connectDatabase(neon);
    const { siteId } = await createTenant(sql);
    await ingestMessages(
      { sql, now: Date.now },
      Array.from({ length: 50 }, () => pageview(siteId)),
    );
    await neon.close();
    const waiting = { queue: QUEUE, message: JSON.stringify(pageview(siteId)) };
    backup = await backUp(url, servers().newFile(), { queue: [waiting] });
  });

  test('is refused by a database that isn’t empty, and changes nothing there', async () => {
    const restored = await servers().create('embedded');
    await restoreInto(restored, backup);
    const tables = await connectDirectly(restored, readTables);
    await expect(restoreInto(restored, backup)).rejects.toThrow(
      /isn’t empty.*Give npm run restore an empty/s,
    );
    await expect(restoreInto(url, backup)).rejects.toThrow('isn’t empty');
    expect(await connectDirectly(restored, readTables)).toEqual(tables);
  });

  test('of a newer backup is refused', async () => {
    const newer = { ...backup, header: { ...backup.header, migration: 999, version: '9.0.0' } };
    await expect(restoreInto(await servers().create('embedded'), newer)).rejects.toThrow(
      /is of 9\.0\.0.*Nothing was written\. Check out 9\.0\.0, or a newer one/s,
    );
  });

  test('of tables in another shape is refused, and the database stays empty', async () => {
    const restored = await servers().create('embedded');
    const older = { ...backup, header: { ...backup.header, migration: 20 } };
    await expect(restoreInto(restored, older)).rejects.toThrow(/another shape/);
    await restoreInto(restored, backup);
  });

  test('that was stopped while rows are loaded can be begun anew', async () => {
    const restored = await servers().create('embedded');
    const client = new pg.Client(restored);
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    async function* parts() {
      for await (const part of backup.parts()) {
        if (part.part.kind === 'sequences')
          await connectDirectly(restored, (other) =>
            other.query('select pg_terminate_backend($1)', [rows[0]?.pid]),
          );
        yield part;
      }
    }
    await expect(loadBackup(client, { ...backup, parts })).rejects.toThrow(/connection/);
    await client.end();
    expect(await restoreInto(restored, backup)).toEqual({ stored: 1, repeated: 0, kept: 0 });
  });

  test('that was stopped after its rows goes on, also after somebody brought the database up; another backup is refused', async () => {
    const other = await backUp(url, servers().newFile());
    for (const isBroughtUp of [false, true]) {
      const restored = await servers().create('embedded');
      await connectDirectly(restored, async (client) => {
        await loadBackup(client, backup);
        if (isBroughtUp) await applySchema(client);
        expect(await checkTarget(client, backup)).toBe('loaded');
        await expect(checkTarget(client, other)).rejects.toThrow('isn’t empty');
      });
      expect(await restoreInto(restored, backup)).toEqual({ stored: 1, repeated: 0, kept: 0 });
      await expect(restoreInto(restored, backup)).rejects.toThrow('isn’t empty');
    }
  });

  test('gives new rows new keys', async () => {
    const restored = await servers().create('embedded');
    await restoreInto(restored, backup);
    const next = (at: string) =>
      connectDirectly(at, async (client) => {
        const { rows } = await client.query(`select nextval(pg_get_serial_sequence('sites', 'key'))`);
        return rows;
      });
    expect(await next(restored)).toEqual(await next(url));
  });
});
