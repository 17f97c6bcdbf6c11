/** A database of 0.1.0 is upgraded while events are folded: nothing is lost, and nothing counts twice. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../dev/scratch-database.ts';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { isPassingFault } from '../../lib/db.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';
import { type Migration, readSchema, type Schema } from '../../tooling/schema/read-schema.ts';
import { SERVER } from '../services/server.ts';
import { type Before, readBefore, restore } from './releases.ts';
import { openService, type Service } from './service.ts';

const TIMEOUT_MS = 180_000;
const CONSUMERS = 4;
const BATCH_SIZE = 20;
const PATIENCE = { lockMs: 250, statementMs: 5_000 };
const LIMITS = { shared: PATIENCE, alone: PATIENCE, totalMs: 5_000 };

/** Migrations of a possible later release: a column, an index of a large table, and a backfill. */
const LATER: Omit<Migration, 'number'>[] = [
  { name: 'a-column', kind: 'transaction', sql: 'alter table rollup_hours add column weekday smallint' },
  {
    name: 'an-index',
    kind: 'concurrently',
    sql: 'create index concurrently visits_counted on visits (site_key, started_at) where counted;',
  },
  {
    name: 'a-backfill',
    kind: 'pieces',
    sql: `
      with position as (select coalesce($1::timestamptz, '-infinity') as after),
        piece as (select distinct hour from rollup_hours, position where hour > after order by hour limit 50),
        done as (
          update rollup_hours set weekday = extract(isodow from hour)
          where hour in (select hour from piece) and weekday is null)
      select max(hour)::text as next from piece`,
  },
];

async function laterSchema(): Promise<Schema> {
  const { migrations, functions } = await readSchema();
  const later = LATER.map((migration, index) => ({ ...migration, number: migrations.length + index + 1 }));
  return {
    migrations: [...migrations, ...later],
    functions: { sql: functions.sql, hash: `${functions.hash} later` },
  };
}

describe('on a server', () => {
  let scratch: ScratchDatabase;
  let service: Service;
  let before: Before;
  beforeAll(async () => {
    scratch = await createScratchDatabase(SERVER, { isDurable: false });
    service = await openService({ url: scratch.url });
    before = await readBefore('0.1.0');
    await service.neon.withClient((client) => restore(client, '0.1.0'));
    service.at(before.now);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service?.close();
    await scratch?.drop();
  });

  test(
    'nothing is lost, nothing counts twice',
    async () => {
      const { sql } = service;
      const { now, filled } = before;
      const [siteId = ''] = filled.siteIds;
      const totals = async () => {
        const [row] = await sql`
          select (select sum(pageviews)::integer from rollup_hours where site_key = key) as pageviews,
            (select count(*)::integer from visits where site_key = key) as visits,
            (select count(*)::integer from events where site_key = key) as events,
            (select count(*)::integer from dead_letters) as dead
          from sites where id = ${siteId}`;
        return row as Record<'pageviews' | 'visits' | 'events' | 'dead', number>;
      };
      const start = await totals();
      const load = { running: true, sent: 0, waited: 0 };
      const pageview = () => ({
        ...{ version: 1, siteId, tier: 1, continued: false, device: 'desktop', browser: 'Firefox' },
        events: [
          {
            type: 'pageview',
            id: randomUUID(),
            at: now,
            hostname: 'localhost',
            path: '/under/load',
            entry: true,
          },
        ],
      });

      /** A consumer of the queue: it delivers a batch until it is stored, and sometimes once more. */
      const consume = async (): Promise<void> => {
        while (load.running) {
          const batch = Array.from({ length: BATCH_SIZE }, pageview);
          for (let stored = false; !stored; ) {
            try {
              await ingestMessages({ sql, now: () => now }, batch, LIMITS);
              if (load.sent % 3 === 0) await ingestMessages({ sql, now: () => now }, batch);
              stored = true;
            } catch (error) {
              if (!isPassingFault(error)) throw error;
              load.waited += 1;
              await setTimeout(20);
            }
          }
          load.sent += BATCH_SIZE;
        }
      };
      const consumers = Array.from({ length: CONSUMERS }, consume);
      const sentBy = async (more: number): Promise<void> => {
        for (const from = load.sent; load.sent < from + more; ) await setTimeout(10);
      };

      await sentBy(200);
      // Like a release that changes the arguments of the fold: until the new code is deployed, no code can call it.
      await sql`drop function ingest_events(jsonb, timestamptz)`;
      const waited = load.waited;
      while (load.waited < waited + CONSUMERS) await setTimeout(10);

      const client = new pg.Client(scratch.url);
      await client.connect();
      const lines: string[] = [];
      const applied = await applySchema(client, {
        schema: await laterSchema(),
        report: (line) => lines.push(line),
      });
      await client.end();
      expect(applied.functionsMade).toBe(true);
      expect(applied.migrations.slice(-LATER.length)).toEqual(LATER.map(({ name }) => name));
      await sentBy(200);
      load.running = false;
      await Promise.all(consumers);

      const end = await totals();
      expect(end).toEqual({
        ...start,
        pageviews: start.pageviews + load.sent,
        visits: start.visits + load.sent,
        events: start.events + load.sent,
      });
      const [left] =
        await sql`select count(*)::integer as n from rollup_hours where weekday is null and hour < '2026-10-28'`;
      expect(left).toEqual({ n: 0 });
    },
    TIMEOUT_MS,
  );
});
