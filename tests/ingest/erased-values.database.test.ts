/** What only a deleted visitor's visits named goes with them, also out of the sums by page; what anything else names stays. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { reportEngagement } from '../../lib/analytics/measures/engagement.ts';
import { reportVitals } from '../../lib/analytics/measures/vitals.ts';
import { expireValues } from '../../lib/collection/expire-values.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { maintainVisits } from '../../lib/collection/maintain-visits.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { StoredEvent, TrackMessage } from '../../lib/collection/track-message.ts';
import type { MemberContext } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite } from './ingest-site.ts';

const database = useDatabase();
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOON = Date.parse('2026-11-18T12:00:00Z');

// The search goes on with the site whose turn it is.
beforeEach(async () => {
  await database().sql`delete from erased_values`;
});

const ctxOf = (sql: Sql, userId: string, now = NOON): MemberContext => ({
  sql,
  now: () => now,
  actor: { kind: 'session', sessionId: '', userId },
});

type Pageview = Extract<StoredEvent, { type: 'pageview' }>;
const view = (at: number, path: string, more: Partial<Pageview> = {}): StoredEvent => ({
  type: 'pageview',
  id: randomUUID(),
  at,
  hostname: 'example.com',
  path,
  entry: true,
  ...more,
});
const from = (siteId: string, visitorId: string, ...events: StoredEvent[]): TrackMessage => ({
  version: 1,
  siteId,
  tier: 3,
  visitorId,
  continued: false,
  country: 'PT',
  events,
});

const erase = (sql: Sql, siteId: string, visitorId: string) =>
  sql`select delete_visitor(${siteId}::uuid, ${visitorId}::uuid)`;

const valuesOf = async (sql: Sql, siteId: string) => {
  const rows = await sql`
    select value from site_texts t join sites on sites.key = site_key where sites.id = ${siteId}
    union all
    select concat_ws(' ', city, country) from site_places t join sites on sites.key = site_key where sites.id = ${siteId}
    order by 1`;
  return rows.map(({ value }) => value as string);
};

test('paths, names, campaigns and places', async () => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const [jane, other] = [randomUUID(), randomUUID()];
  const at = NOON - 10 * DAY_MS;
  const named = (name: string): StoredEvent => ({
    type: 'event',
    id: randomUUID(),
    at: at + 2,
    hostname: 'example.com',
    path: '/',
    name,
  });
  await foldBatch(
    sql,
    [
      {
        ...from(
          siteId,
          jane,
          view(at, '/', { utmCampaign: 'to jane' }),
          view(at + 1, '/users/jane'),
          view(at + 3, '/both'),
          named('jane'),
        ),
        city: 'Faro',
      },
      {
        ...from(
          siteId,
          other,
          view(at + 4, '/', { utmCampaign: 'to all' }),
          view(at + 5, '/both'),
          named('signup'),
        ),
        city: 'Porto',
      },
    ],
    NOON,
  );
  await sql`select drop_raw_events(${new Date(NOON).toISOString()}::timestamptz)`;
  await sealVisits(ctxOf(sql, userId), { timeMs: 60_000 });
  const all = await valuesOf(sql, siteId);
  for (const value of [
    '/users/jane',
    '/both',
    'jane',
    'signup',
    'to jane',
    'to all',
    'Faro',
    'Porto',
    'Faro PT',
    'Porto PT',
    'PT',
  ])
    expect(all).toContain(value);
  await erase(sql, siteId, jane);
  // The search hasn't been there yet.
  expect(await valuesOf(sql, siteId)).toEqual(all);
  await expireValues(ctxOf(sql, userId));
  const gone = ['/users/jane', 'jane', 'to jane', 'Faro', 'Faro PT'];
  expect(await valuesOf(sql, siteId)).toEqual(all.filter((value) => !gone.includes(value)));
  expect(await sql`select from erased_values`).toEqual([]);
});

/** A page with attention and vitals. */
const measured = (at: number, path: string, lcp: number): StoredEvent[] => {
  const pageId = randomUUID();
  return [
    view(at, path, { pageId }),
    { type: 'engagement', id: randomUUID(), at: at + 2000, pageId, seconds: lcp / 100, scrollDepth: 50 },
    {
      type: 'vitals',
      id: randomUUID(),
      at: at + 1000,
      hostname: 'example.com',
      path,
      pageId,
      lcp,
      inp: lcp / 10,
      cls: lcp / 1e5,
    },
  ];
};

test('a page that nobody else saw leaves the sums by page; the others stay as they are', async () => {
  const { sql } = database();
  const [whole, without] = [await makeOwnedSite(sql, 'UTC'), await makeOwnedSite(sql, 'UTC')];
  const jane = randomUUID();
  const at = NOON - 40 * DAY_MS;
  const others = ['/a', '/m', '/z'].flatMap((path, n) =>
    [800, 1700, 3300].map((lcp, turn) => ({
      visitorId: randomUUID(),
      at: at + (3 * n + turn) * MINUTE_MS,
      path,
      lcp: lcp + 100 * n,
    })),
  );
  for (const { siteId } of [whole, without])
    for (const { visitorId, path, lcp, ...seen } of others)
      await foldBatch(sql, [from(siteId, visitorId, ...measured(seen.at, path, lcp))], at);
  const own = ['/b', '/n', '/zz'].flatMap((path, n) => measured(at + (20 + n) * MINUTE_MS, path, 1234 + n));
  await foldBatch(sql, [from(whole.siteId, jane, ...own)], at);
  await maintainVisits({ sql, now: () => at + 2 * DAY_MS });
  await maintainVisits({ sql, now: () => at + 9 * DAY_MS });
  await maintainVisits({ sql, now: () => at + 39 * DAY_MS });

  const reports = async ({ siteId, userId }: typeof whole) => {
    const input = { siteId, range: { from: '2026-10-09', to: '2026-10-09' }, limit: 10 };
    const ctx = ctxOf(sql, userId);
    return [(await reportEngagement(ctx, input)).data, (await reportVitals(ctx, input)).data];
  };
  const expected = await reports(without);
  expect(expected.map((list) => list.length)).toEqual([3, 3]);
  expect((await reports(whole)).map((list) => list.length)).toEqual([6, 6]);
  await erase(sql, whole.siteId, jane);
  await expireValues(ctxOf(sql, whole.userId));
  expect(await reports(whole)).toEqual(expected);
  expect((await valuesOf(sql, whole.siteId)).filter((value) => value.startsWith('/'))).toEqual([
    '/a',
    '/m',
    '/z',
  ]);

  // Row by row: nothing of it is left.
  const rows = async (siteId: string, table: string) => {
    const found = await sql`
      select to_jsonb(t) - 'site_key' as row from ${sql.unsafe(table)} t join sites on sites.key = t.site_key
      where sites.id = ${siteId} order by span, starts_at`;
    const texts =
      await sql`select t.id, value from site_texts t join sites on key = site_key where sites.id = ${siteId}`;
    const byId = new Map(texts.map(({ id, value }) => [id, value]));
    return found.map(({ row }) =>
      Object.fromEntries(
        Object.entries(row as object).map(([column, cell]) => [
          column,
          column.endsWith('path') || column === 'path_id'
            ? (cell as number[]).map((id) => byId.get(id))
            : cell,
        ]),
      ),
    );
  };
  for (const table of ['rollup_engagement', 'rollup_vitals']) {
    const left = await rows(whole.siteId, table);
    expect(left.length).toBeGreaterThan(0);
    expect(left).toEqual(await rows(without.siteId, table));
  }
});

test('what comes again while it is searched for stays', async () => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const [jane, other] = [randomUUID(), randomUUID()];
  const at = NOON - DAY_MS;
  const busy = Array.from({ length: 30 }, (_, n) =>
    from(siteId, randomUUID(), view(at - 60 * MINUTE_MS + n * MINUTE_MS, '/')),
  );
  await foldBatch(sql, [...busy, from(siteId, jane, view(at, '/x'), view(at + 1, '/y'))], NOON);
  await sql`delete from events`;
  await erase(sql, siteId, jane);
  // A piece that doesn't come to an end.
  const piece = () => sql`select * from search_values(${new Date(NOON).toISOString()}::timestamptz, 10)`;
  expect(await piece()).toEqual([{ deleted: 0, finished: false }]);
  await foldBatch(sql, [from(siteId, other, view(at, '/x'))], NOON);
  await sql`delete from events`;
  await expireValues(ctxOf(sql, userId), { maxVisits: 10 });
  expect((await valuesOf(sql, siteId)).filter((value) => value.startsWith('/'))).toEqual(['/', '/x']);
  const [days] = await sql`
    select first_day::text, last_day::text from site_texts join sites on key = site_key where sites.id = ${siteId} and value = '/x'`;
  expect(days).toEqual({ first_day: '2026-11-17', last_day: '2026-11-17' });

  // With its next visitor it goes too.
  await erase(sql, siteId, other);
  await expireValues(ctxOf(sql, userId));
  expect((await valuesOf(sql, siteId)).filter((value) => value.startsWith('/'))).toEqual(['/']);
});

test('visits that a late event joins between two pieces are not missed', async () => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const [jane, other] = [randomUUID(), randomUUID()];
  const at = NOON - DAY_MS;
  await foldBatch(
    sql,
    [
      from(siteId, other, view(at, '/')),
      from(siteId, other, view(at + 50 * MINUTE_MS, '/x')),
      from(siteId, jane, view(at, '/x'), view(at + 90 * MINUTE_MS, '/')),
    ],
    NOON,
  );
  await sql`delete from events`;
  await erase(sql, siteId, jane);
  const [before] =
    await sql`select count(*)::int as visits from visits join sites on key = site_key where sites.id = ${siteId}`;
  expect(before?.visits).toBe(2);
  // Both visits of the other visitor become one, which begins with the earlier one; at any point of the search.
  const piece = () => sql`select * from search_values(${new Date(NOON).toISOString()}::timestamptz, 1)`;
  await sql`update erased_values set searched_to = ${new Date(at + 60 * MINUTE_MS).toISOString()}::timestamptz`;
  await foldBatch(sql, [from(siteId, other, view(at + 25 * MINUTE_MS, '/'))], NOON);
  await sql`delete from events`;
  for (let finished = false; !finished; ) finished = (await piece())[0]?.finished;
  expect(await valuesOf(sql, siteId)).toContain('/x');
  await erase(sql, siteId, other);
  await expireValues(ctxOf(sql, userId));
  expect(await valuesOf(sql, siteId)).toEqual([]);
});

test('an imported day, a raw event, a visit of days and an entry name values too', async () => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const [jane, endless] = [randomUUID(), randomUUID()];
  const begun = { at: NOON - 20 * DAY_MS };
  const [imported] = await sql`
    select import_id from begin_import(${siteId}, 'plausible', '{page}', '', 100, ${new Date(NOON).toISOString()})`;
  await sql`
    select add_import_days(${siteId}, ${imported?.import_id}, 1, '[["2026-10-01", 1, 1, 1]]', ${new Date(NOON).toISOString()}) as days,
      add_import_values(${siteId}, ${imported?.import_id}, 2, 'page', '[["2026-10-01", "/imported", 1, 1, 1]]', 100) as values`;
  await sql`select finish_import(${siteId}, ${imported?.import_id}, 2, ${new Date(NOON).toISOString()})`;
  // A visit of days whose hits come within half an hour of each other.
  const hits = Array.from({ length: 120 }, (_, n) =>
    from(siteId, endless, view(begun.at + n * 29 * MINUTE_MS, n === 119 ? '/late' : '/')),
  );
  await foldBatch(sql, hits, NOON);
  const at = begun.at + 119 * 29 * MINUTE_MS;
  await foldBatch(
    sql,
    [
      from(
        siteId,
        jane,
        ...['/imported', '/late', '/raw', '/jane'].map((path, n) =>
          view(at + n, path, { utmCampaign: 'Direct' }),
        ),
      ),
    ],
    NOON,
  );
  await sql`delete from events`;
  const vitals: StoredEvent = {
    type: 'vitals',
    id: randomUUID(),
    at,
    hostname: 'example.com',
    path: '/raw',
    lcp: 1,
    pageId: randomUUID(),
  };
  await foldBatch(sql, [from(siteId, endless, vitals)], NOON);
  await sealVisits(ctxOf(sql, userId), { timeMs: 60_000 });
  await erase(sql, siteId, jane);
  await expireValues(ctxOf(sql, userId));
  const left = await valuesOf(sql, siteId);
  expect(left.filter((value) => value.startsWith('/'))).toEqual(['/', '/imported', '/late', '/raw']);
  // Jane's campaign is also what lists call visits without a source.
  expect(left).toContain('Direct');

  await sql`select undo_import(${siteId}, ${imported?.import_id})`;
  await expireValues(ctxOf(sql, userId));
  expect((await valuesOf(sql, siteId)).filter((value) => value.startsWith('/'))).toEqual([
    '/',
    '/late',
    '/raw',
  ]);
});
