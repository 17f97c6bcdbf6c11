/** A message that can't be stored becomes a dead letter, once, and doesn't stop other messages. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { bury } from '../../lib/collection/bury.ts';
import { dismissDeadLetters, listDeadLetters, replayDeadLetters } from '../../lib/collection/dead-letters.ts';
import { ingestMessages } from '../../lib/collection/ingest-messages.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import { connectDatabase } from '../../lib/db.ts';
import { useDatabase } from '../services/database.ts';
import { makeSite } from './ingest-site.ts';
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

test('dead letters stay for as long as their sites keep visits', async () => {
  const { sql } = database();
  const [kept, short] = [await makeSite(sql), await makeSite(sql)];
  await sql`
    update sites set jurisdiction = 'PT', consent_mode = 'required', pre_consent_tier = 'counts', retention_months = 2 where id = ${short}`;
  const reason = 'not stored after the last retry';
  await bury(
    sql,
    [kept, short].map((siteId) => ({ body: pageview(siteId), reason })),
  );
  await sql`update dead_letters set failed_at = ${new Date(NOW).toISOString()} where site_id = any(${[kept, short]}::uuid[])`;
  await maintainVisits({ sql, now: () => NOW + 40 * 86_400_000 });
  expect([await letters(kept), await letters(short)]).toMatchObject([[{ reason }], [{ reason }]]);
  await maintainVisits({ sql, now: () => NOW + 100 * 86_400_000 });
  expect([await letters(kept), await letters(short)]).toMatchObject([[{ reason }], []]);
});

test('a message whose events are stored is not kept aside', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  const [stored, lost] = [pageview(siteId), pageview(siteId)];
  await ingestMessages(ports(), [stored]);
  await bury(
    sql,
    [stored, lost].map((body) => ({ body, reason: 'not stored after the last retry' })),
  );
  expect(await letters(siteId)).toEqual([
    { reason: 'not stored after the last retry', message: JSON.stringify(lost) },
  ]);
});

/** Keeps messages as dead letters, as the consumer of the dead letter queue does, at `NOW`. */
async function buryAll(messages: readonly object[]): Promise<void> {
  const { sql } = database();
  await bury(
    sql,
    messages.map((body) => ({ body, reason: 'not stored after the last retry' })),
  );
  await sql`update dead_letters set failed_at = ${new Date(NOW).toISOString()} where reason like 'not stored%'`;
}

test('letters are replayed once, by however many and however late', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  const messages = Array.from({ length: 150 }, (_, n) => pageview(siteId, NOW - (n % 40) * 3_600_000));
  await buryAll(messages);
  // A fifth of them is stored meanwhile, because the queue delivered them once more.
  await ingestMessages(ports(), messages.slice(0, 30));
  const later = { sql, now: () => NOW + 3_600_000 };
  const all = async () => {
    const total = { letters: 0, stored: 0, repeated: 0 };
    for (let after: number | null = 0; after !== null; ) {
      const done = await replayDeadLetters(later, { siteId, after });
      expect(done.kept).toEqual([]);
      total.letters += done.letters;
      total.stored += done.stored;
      total.repeated += done.repeated;
      after = done.next;
    }
    return total;
  };
  const [one, two] = await Promise.all([all(), all()]);
  expect(one.letters + two.letters).toBe(150);
  expect([one.stored + two.stored, one.repeated + two.repeated]).toEqual([120, 30]);
  expect(await storedVisits(sql, siteId)).toHaveLength(150);
  expect(await letters(siteId)).toEqual([]);

  // Weeks later the raw events of these days are deleted, and only the letters have the events.
  const old = [pageview(siteId), pageview(siteId)];
  await buryAll(old);
  const weeksLater = { sql, now: () => NOW + 30 * 86_400_000 };
  await maintainVisits(weeksLater);
  expect(await replayDeadLetters(weeksLater, { siteId })).toMatchObject({
    letters: 2,
    stored: 2,
    kept: [],
    next: null,
  });
  expect(await replayDeadLetters(weeksLater, { siteId })).toMatchObject({ letters: 0, stored: 0 });
  expect(await storedVisits(sql, siteId)).toHaveLength(152);
});

test('a replay says which letters have attention or vitals that reports leave out', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  /** Later than all days whose raw events other tests dropped. */
  const at = NOW + 200 * 86_400_000;
  const visit = (tier: number, ...types: string[]) => ({
    ...pageview(siteId),
    tier,
    visitorId: randomUUID(),
    events: types.map((type) => ({
      ...{ type, id: randomUUID(), at, pageId: randomUUID() },
      ...(type === 'engagement' ? { seconds: 5, scrollDepth: 20 } : { hostname: 'example.com', path: '/' }),
      ...(type === 'pageview' && { entry: true }),
      ...(type === 'vitals' && { lcp: 900 }),
    })),
  });
  const letters = [
    visit(3, 'pageview'),
    visit(3, 'pageview', 'engagement'),
    visit(3, 'vitals'),
    visit(2, 'engagement'),
  ];
  const replay = async (now: number) => {
    const ctx = { sql, now: () => now };
    await maintainVisits(ctx);
    return replayDeadLetters(ctx, { siteId });
  };
  await buryAll(letters);
  expect(await replay(at + 86_400_000)).toMatchObject({ kept: [], letters: 4, stored: 5, unmeasured: 0 });
  await buryAll(
    letters.map(({ events, ...letter }) => ({
      ...letter,
      events: events.map((event) => ({ ...event, id: randomUUID() })),
    })),
  );
  expect(await replay(at + 60 * 86_400_000)).toMatchObject({
    kept: [],
    letters: 4,
    stored: 5,
    unmeasured: 2,
  });
});

test('letters that still can not be stored stay, and say why; the rest is stored', async () => {
  const { sql } = database();
  const [siteId, poisoned] = [await makeSite(sql), await makeSite(sql, 'Nowhere/Land')];
  const messages = [
    pageview(siteId),
    pageview(poisoned),
    { ...pageview(siteId), version: 2 },
    pageview(siteId, NOW - 5 * 86_400_000),
  ];
  await buryAll(messages);
  const ids = await Promise.all(
    messages.map(async (message) => {
      const [row] =
        await sql`select id::integer from dead_letters where message = ${JSON.stringify(message)}`;
      return row?.id as number;
    }),
  );
  const { kept, ...replayed } = await replayDeadLetters(ports(), { ids });
  expect(replayed).toMatchObject({ letters: 1, stored: 1 });
  expect(Object.fromEntries(kept.map(({ id, reason }) => [ids.indexOf(id), reason]))).toEqual({
    1: 'refused by the database: 22023',
    2: 'malformed: version',
    3: 'came over 48 hours late: may be stored already',
  });
  expect(await replayDeadLetters(ports(), { ids, late: true })).toMatchObject({ letters: 1, stored: 1 });
  const { groups, newest } = await listDeadLetters({ sql }, { limit: 1 });
  expect(groups).toContainEqual(expect.objectContaining({ siteId: poisoned, letters: 1 }));
  expect(newest).toHaveLength(1);
  expect(await dismissDeadLetters({ sql }, { siteId })).toBe(1);
  expect(await letters(siteId)).toEqual([]);
  expect(await letters(poisoned)).toHaveLength(1);
});

/** The ids of letters of a site, in the order of the bodies. */
async function buryOf(siteId: string, bodies: readonly object[]): Promise<number[]> {
  for (const body of bodies) await buryAll([body]);
  const rows = await database().sql`
    select id::integer from dead_letters where site_id = ${siteId} order by id`;
  return rows.map(({ id }) => id);
}

test('the letters of a day are one statement, whatever their hours', async () => {
  const { sql, address, fetch } = database();
  const siteId = await makeSite(sql);
  let calls = 0;
  const counted = connectDatabase({
    url: address.url,
    fetch: (url, init) => {
      calls += 1;
      return fetch(url, init);
    },
  });
  const HOUR_MS = 3_600_000;
  await buryOf(
    siteId,
    [0, 1, 5, 11, 13, 15].map((hours) => pageview(siteId, NOW - hours * HOUR_MS)),
  );
  expect(await replayDeadLetters({ sql: counted, now: () => NOW }, { siteId })).toMatchObject({ stored: 6 });
  // One reads the letters, and one stores those of each day: four of the 21st, two of the 20th.
  expect(calls).toBe(3);
});

test('a letter is in time to the millisecond', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  const [LATE_MS, AHEAD_MS] = [48 * 3_600_000, 3_600_000];
  const ids = await buryOf(
    siteId,
    [-LATE_MS - 1, -LATE_MS, AHEAD_MS, AHEAD_MS + 1].map((from) => pageview(siteId, NOW + from)),
  );
  const { kept, stored } = await replayDeadLetters(ports(), { siteId });
  expect([stored, kept]).toEqual([
    2,
    [
      { id: ids[0], reason: 'came over 48 hours late: may be stored already' },
      { id: ids[3], reason: 'ahead of time' },
    ],
  ]);
  // Whoever says that late ones may count twice doesn't say so of those ahead.
  expect(await replayDeadLetters(ports(), { siteId, late: true })).toMatchObject({
    stored: 1,
    kept: [{ id: ids[3], reason: 'ahead of time' }],
  });
});

test('a letter that is no JSON stays', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  await sql`insert into dead_letters (site_id, reason, message) values (${siteId}, 'test', 'undefined')`;
  expect(await replayDeadLetters(ports(), { siteId })).toMatchObject({
    letters: 0,
    kept: [{ reason: 'malformed: message' }],
    next: null,
  });
});

test('a batch is 100 letters; a full one says where the next begins', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  const ids = await buryOf(
    siteId,
    Array.from({ length: 100 }, () => pageview(siteId)),
  );
  const last = ids.at(-1);
  expect(await replayDeadLetters(ports(), { siteId })).toMatchObject({ letters: 100, next: last });
  expect(await replayDeadLetters(ports(), { siteId, after: last })).toMatchObject({ letters: 0, next: null });
});

test('letters are chosen by their ids, and by their site', async () => {
  const { sql } = database();
  const [siteId, other] = [await makeSite(sql), await makeSite(sql)];
  const ids = await buryOf(
    siteId,
    [0, 1, 2].map(() => pageview(siteId)),
  );
  const [alien] = await buryOf(other, [pageview(other)]);
  const first = ids.slice(0, 1);
  expect(await dismissDeadLetters({ sql }, { ids: [...first, alien ?? 0], siteId })).toBe(1);
  expect(await replayDeadLetters(ports(), { ids: ids.slice(0, 2) })).toMatchObject({ letters: 1, stored: 1 });
  expect(await letters(siteId)).toHaveLength(1);
  expect(await letters(other)).toHaveLength(1);
});
