/** What can't be stored is kept aside, once, and holds up nothing else. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite } from './site.ts';
import { storedVisits } from './stored.ts';

const database = useDatabase();

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const ports = () => ({ sql: database().sql, now: () => NOW });

const pageview = (siteId: string, at = NOW) => ({
  version: 1,
  siteId,
  tier: 1,
  continued: false,
  events: [{ type: 'pageview', id: randomUUID(), at, hostname: 'example.com', path: '/', entry: true }],
});

const letters = async (siteId: string) =>
  database().sql`select reason, message from dead_letters where site_id = ${siteId} order by reason`;

test('the rest of a poisoned batch is stored', async () => {
  const { sql } = database();
  const [healthy, poisoned] = [await makeSite(sql), await makeSite(sql, 'Nowhere/Land')];
  const batch = [
    pageview(healthy),
    pageview(poisoned),
    pageview(healthy),
    pageview(healthy),
    pageview(poisoned),
  ];

  expect(await ingestMessages(ports(), batch)).toEqual({ stored: 3, repeated: 0, dead: 2 });
  expect(await storedVisits(sql, healthy)).toHaveLength(3);
  expect((await letters(poisoned)).map(({ reason }) => reason)).toEqual(
    Array(2).fill('refused by the database: 22023'),
  );

  expect(await ingestMessages(ports(), batch)).toEqual({ stored: 0, repeated: 3, dead: 2 });
  expect(await letters(poisoned)).toHaveLength(2);
});

test.each<[string, (siteId: string) => object, RegExp]>([
  ['an unknown field', (siteId) => ({ ...pageview(siteId), address: '192.0.2.1' }), /^malformed: address$/],
  ['an unknown version', (siteId) => ({ ...pageview(siteId), version: 2 }), /^malformed: version$/],
  ['a NUL in text', (siteId) => ({ ...pageview(siteId), browser: 'a\0b' }), /^malformed: browser$/],
  ['a lone surrogate', (siteId) => ({ ...pageview(siteId), browser: 'a\ud800b' }), /^malformed: browser$/],
  ['an event of three days before', (siteId) => pageview(siteId, NOW - 3 * 86_400_000), /^late or ahead/],
  ['an event of tomorrow', (siteId) => pageview(siteId, NOW + 86_400_000), /^late or ahead/],
])('a message with %s is kept aside', async (_, make, reason) => {
  const siteId = await makeSite(database().sql);
  expect(await ingestMessages(ports(), [make(siteId), pageview(siteId)])).toEqual({
    stored: 1,
    repeated: 0,
    dead: 1,
  });
  expect((await letters(siteId)).map((letter) => letter.reason)).toEqual([expect.stringMatching(reason)]);
});

test.each([[null], ['text'], [7], [[]], [{}]])('a message that is %j is kept aside', async (body) => {
  expect(await ingestMessages(ports(), [body])).toEqual({ stored: 0, repeated: 0, dead: 1 });
});

test('events of a site that is gone are left out', async () => {
  expect(await ingestMessages(ports(), [pageview(randomUUID())])).toEqual({
    stored: 0,
    repeated: 0,
    dead: 0,
  });
});

test('a schema that is not there asks for another delivery', async () => {
  const { sql } = database();
  await sql`alter function ingest_events rename to ingest_events_away`;
  try {
    await expect(ingestMessages(ports(), [pageview(randomUUID())])).rejects.toThrow(/ingest_events/);
  } finally {
    await sql`alter function ingest_events_away rename to ingest_events`;
  }
});

test('maintenance makes partitions ahead and drops raw events that nobody needs', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  await ingestMessages(ports(), [pageview(siteId)]);
  const later = { sql, now: () => NOW + 4 * 86_400_000 };
  await maintainVisits(later);
  const partitions = await sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass`;
  const names = partitions.map(({ name }) => name);
  expect(names).toContain('events_20261128');
  expect(names).not.toContain('events_20261121');
  expect(await storedVisits(sql, siteId)).toHaveLength(1);
});
