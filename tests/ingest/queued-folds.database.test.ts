/** A site whose events can't be folded, or not now, holds up no other site's: one poisoned and one healthy site in each batch. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ingestBatch, type Limits } from '../../lib/collection/ingest-messages.ts';
import { useDatabase } from '../services/database.ts';
import { SERVER } from '../services/server.ts';
import { makeSite } from './ingest-site.ts';
import { storedVisits } from './stored.ts';

const database = useDatabase();
const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const LIMITS: Limits = {
  shared: { lockMs: 50, statementMs: 500 },
  alone: { lockMs: 100, statementMs: 500 },
  totalMs: 20_000,
};

const pageview = (siteId: string) => ({
  ...{ version: 1, siteId, tier: 1, continued: false },
  events: [{ type: 'pageview', id: randomUUID(), at: NOW, hostname: 'example.com', path: '/', entry: true }],
});

const ingest = (bodies: readonly unknown[], limits = LIMITS) =>
  ingestBatch({ sql: database().sql, now: () => Date.now() - START + NOW }, bodies, limits);
const START = Date.now();

/** A busy machine may take longer than the limits for what is healthy. Twice as patient each time, up to this. */
const MAX_PATIENCE = 64;
const TIMEOUT = 300_000;

const limitsOf = (patience: number): Limits => ({
  shared: { lockMs: LIMITS.shared.lockMs * patience, statementMs: LIMITS.shared.statementMs * patience },
  alone: { lockMs: LIMITS.alone.lockMs * patience, statementMs: LIMITS.alone.statementMs * patience },
  totalMs: LIMITS.totalMs * patience,
});

/**
 * Delivers a batch, and again what waits, as the queue does, until no others wait than these indexes. Returns what all deliveries did, with
 * the indexes and the faults of the last.
 */
async function ingestUntil(bodies: readonly unknown[], held: readonly number[]) {
  let [stored, dead] = [0, 0];
  let indexes = [...bodies.keys()];
  for (let patience = 1; ; patience *= 2) {
    const sent = indexes;
    const answer = await ingest(
      sent.map((index) => bodies[index]),
      limitsOf(patience),
    );
    stored += answer.stored;
    dead += answer.dead;
    indexes = answer.waiting.map((at) => sent[at] as number).toSorted((one, other) => one - other);
    if (indexes.every((index) => held.includes(index)) || patience === MAX_PATIENCE)
      return { stored, dead, waiting: indexes, faults: answer.faults };
  }
}

// The partition of the day is there, as in use. Whoever is the first of a day makes it, and the others wait for that.
beforeAll(async () => {
  await ingest([pageview(await makeSite(database().sql))], limitsOf(MAX_PATIENCE));
});

const letters = async (siteId: string) =>
  (await database().sql`select reason from dead_letters where site_id = ${siteId}`).map(
    ({ reason }) => reason,
  );

/** Runs a statement whenever an event of the site is stored, as long as `use` takes. */
async function withFault(siteId: string, statement: string, use: () => Promise<void>): Promise<void> {
  const { sql } = database();
  const [site] = await sql`select key from sites where id = ${siteId}`;
  await sql.query(`
    create or replace function fault() returns trigger language plpgsql as $$
    begin
      if new.site_key = ${site?.key} then ${statement}; end if;
      return new;
    end $$`);
  await sql`create trigger fault before insert on events for each row execute function fault()`;
  try {
    await use();
  } finally {
    await sql`drop trigger fault on events`;
  }
}

/** One message of the healthy site between two of the poisoned. */
async function makeBatch() {
  const { sql } = database();
  const [poisoned, healthy] = [await makeSite(sql), await makeSite(sql)];
  const batch = [poisoned, healthy, poisoned, healthy, healthy].map(pageview);
  return { poisoned, healthy, batch };
}

test.each([
  ...(SERVER === undefined ? [] : [['that takes too long', 'perform pg_sleep(60)']]),
  ['with a fault of the database', `raise exception 'as the test says' using errcode = 'XX000'`],
  ['that is always in a deadlock', `raise exception 'as the test says' using errcode = '40P01'`],
])('a site %s waits, and the others are stored', { timeout: TIMEOUT }, async (_, statement) => {
  const { poisoned, healthy, batch } = await makeBatch();
  await withFault(poisoned, statement, async () => {
    const { faults, ...result } = await ingestUntil(batch, [0, 2]);
    expect(result).toEqual({ stored: 3, dead: 0, waiting: [0, 2] });
    expect(faults.length).toBeGreaterThan(0);
    expect(await storedVisits(database().sql, healthy)).toHaveLength(3);
    expect(await letters(poisoned)).toEqual([]);
  });
  // Delivered again once all is well.
  expect(await ingestUntil(batch, [])).toEqual({ stored: 2, dead: 0, waiting: [], faults: [] });
});

test.each([
  ['22023', 'wrong data'],
  ['54000', 'too much data'],
])(
  'data that are refused again and again (%s) are kept aside, and the others stored',
  { timeout: TIMEOUT },
  async (code) => {
    const { poisoned, healthy, batch } = await makeBatch();
    await withFault(poisoned, `raise exception 'as the test says' using errcode = '${code}'`, async () => {
      expect(await ingestUntil(batch, [])).toEqual({ stored: 3, dead: 2, waiting: [], faults: [] });
    });
    expect(await storedVisits(database().sql, healthy)).toHaveLength(3);
    expect(await letters(poisoned)).toEqual(Array(2).fill(`refused by the database: ${code}`));
  },
);

test('one message that takes too long lets the others of its site pass', { timeout: TIMEOUT }, async () => {
  const siteId = await makeSite(database().sql);
  const batch = Array.from({ length: 8 }, () => pageview(siteId));
  const slow = batch[5]?.events[0]?.id;
  await withFault(siteId, `if new.event_id = '${slow}' then perform pg_sleep(60); end if`, async () => {
    const { stored, waiting } = await ingestUntil(batch, [5]);
    expect([stored, waiting]).toEqual([7, [5]]);
  });
});

test('after its time a batch tries nothing more', async () => {
  const { poisoned, batch } = await makeBatch();
  await withFault(poisoned, 'perform pg_sleep(60)', async () => {
    const { waiting } = await ingest(batch, { ...LIMITS, totalMs: 0 });
    expect(waiting.toSorted()).toEqual([0, 1, 2, 3, 4]);
  });
});

test('a database without the fold asks for the whole batch again', async () => {
  const { sql } = database();
  const { batch } = await makeBatch();
  await sql`alter function ingest_events rename to ingest_events_away`;
  try {
    await expect(ingest(batch)).rejects.toThrow(/ingest_events/);
  } finally {
    await sql`alter function ingest_events_away rename to ingest_events`;
  }
});

describe('on a server', () => {
  let other: pg.Client;
  beforeAll(async () => {
    other = new pg.Client(database().server);
    await other.connect();
  });
  afterAll(() => other?.end());

  test('a site that others hold waits, and the others are stored meanwhile', {
    timeout: TIMEOUT,
  }, async () => {
    const { poisoned, healthy, batch } = await makeBatch();
    await other.query('select pg_advisory_lock(hashtextextended($1, 0))', [poisoned]);
    try {
      const { stored, waiting } = await ingestUntil(batch, [0, 2]);
      expect([stored, waiting]).toEqual([3, [0, 2]]);
      expect(await storedVisits(database().sql, healthy)).toHaveLength(3);
    } finally {
      await other.query('select pg_advisory_unlock(hashtextextended($1, 0))', [poisoned]);
    }
    expect(await ingestUntil(batch, [])).toMatchObject({ stored: 2, waiting: [] });
  });
});
