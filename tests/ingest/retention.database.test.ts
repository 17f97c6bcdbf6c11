/** Retention deletes exactly what is older than a site's policy allows, to the day, however often it runs and wherever a run stops. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { expireValues } from '../../lib/collection/expire-values.ts';
import { expireVisits } from '../../lib/collection/expire-visits.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import type { Sql } from '../../lib/db.ts';
import { count, fill, identityOf } from '../functions/sites/site-tables.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite, makeSite } from './ingest-site.ts';
import { foldedTables, siteRows } from './site-rows.ts';
import { storedRollups, storedVisits } from './stored.ts';

const database = useDatabase();
const NOW = Date.parse('2026-11-21T03:30:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const parse = (times: string[]) => times.map((time) => Date.parse(time));

const setRetention = (sql: Sql, siteId: string, months: number | null) => sql`
  update sites set jurisdiction = ${months === null ? null : 'NP'}, consent_mode = ${months === null ? null : 'required'},
    pre_consent_tier = ${months === null ? null : 'counts'}, retention_months = ${months}
  where id = ${siteId}`;

async function visit(sql: Sql, siteId: string, times: readonly number[], visitorId?: string): Promise<void> {
  for (const at of times)
    await foldBatch(
      sql,
      [
        {
          version: 1,
          siteId,
          tier: 3,
          visitorId: visitorId ?? randomUUID(),
          continued: false,
          events: [
            { type: 'pageview', id: randomUUID(), at, hostname: 'example.com', path: '/', entry: true },
            { type: 'dropped', id: randomUUID(), at, reason: 'hostname' },
          ],
        },
      ],
      at,
    );
}

const startsOf = async (sql: Sql, siteId: string) =>
  (await storedVisits(sql, siteId)).map(({ startedAt }) => startedAt).sort();

// Sites of other tests would keep partitions alive and be processed too.
beforeEach(async () => {
  const { sql } = database();
  await sql`delete from sites`;
  await sql`delete from visits`;
});

/** Around the start of 21 September in Kathmandu (UTC+5:45), two months before the run. */
const KATHMANDU = parse(['2026-09-20T18:14:00Z', '2026-09-20T18:15:00Z', '2026-11-20T10:00:00Z']);
/** Around the beginning of 21 October in Berlin, when its clocks were still an hour ahead. */
const BERLIN = parse(['2026-10-20T21:59:00Z', '2026-10-20T22:00:00Z', '2026-11-20T10:00:00Z']);

test.each([
  ['Asia/Kathmandu', KATHMANDU, 2, 2],
  ['Asia/Kathmandu', KATHMANDU, 1, 1],
  ['Asia/Kathmandu', KATHMANDU, 25, 3],
  ['Asia/Kathmandu', KATHMANDU, null, 3],
  ['Europe/Berlin', BERLIN, 1, 2],
])('in %s, of %j with %j months, %i visits stay', async (zone, times, months, left) => {
  const { sql } = database();
  const siteId = await makeSite(sql, zone);
  await setRetention(sql, siteId, months);
  await visit(sql, siteId, times);
  const ports = { sql, now: () => NOW };
  await expireVisits(ports);
  const kept = times.slice(times.length - left);

  expect(await startsOf(sql, siteId)).toEqual(kept);
  const { hours, visitors, dropped } = await storedRollups(sql, siteId);
  expect(hours).toHaveLength(left);
  expect(visitors).toHaveLength(2 * left);
  expect(dropped.reduce((sum, { events }) => sum + Number(events), 0)).toBe(left);

  expect(await expireVisits(ports)).toEqual({ deletedRows: 0, droppedPartitions: 0 });
  expect(await startsOf(sql, siteId)).toEqual(kept);
});

test('retention is applied from 03:30 UTC on', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  await setRetention(sql, siteId, 1);
  const at = Date.parse('2026-10-20T12:00:00Z');
  await visit(sql, siteId, [at]);
  await expireVisits({ sql, now: () => NOW - 1 });
  expect(await startsOf(sql, siteId)).toEqual([at]);
  await expireVisits({ sql, now: () => NOW });
  expect(await startsOf(sql, siteId)).toEqual([]);
});

/** Tables without a time: since when a site is observed, and how far sealing and counting by the minute have come. They are kept. */
const TIMELESS = ['site_freshness', 'site_seals', 'site_watches'];

test('whatever table bears a time loses what has expired', async () => {
  const { sql } = database();
  const siteId = await makeSite(sql);
  await setRetention(sql, siteId, 1);
  const identity = await identityOf(sql, siteId);
  await fill(sql, identity);
  await sql`select ensure_partition('visits', '2026-09-10'::timestamptz)`;
  await sql`select ensure_partition('associations', '2026-09-10'::timestamptz)`;
  const timed: string[] = [];
  for (const { name } of await foldedTables(sql)) {
    const columns = await sql`
      select column_name as time from information_schema.columns
      where table_schema = 'public' and table_name = ${name} and column_name <> 'previous'
        and (data_type = 'date' or data_type like 'timestamp%')`;
    for (const { time } of TIMELESS.includes(name) ? [] : columns) {
      timed.push(name);
      await sql`
        update ${sql.unsafe(name)} set ${sql.unsafe(time)} = '2026-09-10'
        where site_key = ${identity.site_key}`;
    }
  }
  expect(timed).toEqual(
    expect.arrayContaining(['visits', 'rollup_hours', 'rollup_visitors', 'dropped_days']),
  );
  const left = () =>
    Promise.all(timed.map((name) => count(sql, { name, column: 'site_key' }, identity.site_key)));
  expect(await left()).toEqual(timed.map(() => 1));
  await expireVisits({ sql, now: () => NOW });
  await expireValues({ sql, now: () => NOW });
  expect(await left()).toEqual(timed.map(() => 0));
});

/** Tables of sites that have a time and that `expiring_tables` leaves out. */
const OTHERWISE = {
  byDay: ['events', 'known_properties', 'new_values'],
  withTheLastUse: ['erased_values', 'site_origins', 'site_places', 'site_profiles', 'site_texts'],
  withItsDays: ['site_imports'],
  never: TIMELESS,
};

const unlistedTables = async (sql: Sql): Promise<string[]> => {
  const rows = await sql`
    select distinct c.relname::text as name
    from pg_class c
    join pg_attribute k on k.attrelid = c.oid and k.attname = 'site_key'
    join pg_attribute t on t.attrelid = c.oid and t.atttypid in ('date'::regtype, 'timestamptz'::regtype)
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and c.oid not in (select name from expiring_tables)
    order by 1`;
  return rows.map(({ name }) => name);
};

test('the list of tables that expire has each table with a time, or the reason is known', async () => {
  const { sql } = database();
  const known = Object.values(OTHERWISE).flat().sort();
  expect(await unlistedTables(sql)).toEqual(known);
  await sql`create table forgotten_days (site_key integer not null, day date not null)`;
  expect(await unlistedTables(sql)).toEqual([...known, 'forgotten_days'].sort());
  await sql`drop table forgotten_days`;
});

test('a table loses what has expired, though no other table has expired rows', async () => {
  const { sql } = database();
  await sql`select ensure_partition('visits', '2026-09-10'::timestamptz)`;
  await sql`select ensure_partition('associations', '2026-09-10'::timestamptz)`;
  const listed = await sql`
    select e.name::text, array(
      select a.attname::text from pg_attribute a
      where a.attrelid = e.name and a.attname <> 'previous' and a.attgenerated = ''
        and a.atttypid in ('date'::regtype, 'timestamptz'::regtype)
    ) as times from expiring_tables e order by e.position`;
  const sites: { name: string; key: number | string }[] = [];
  for (const { name, times } of listed) {
    const siteId = await makeSite(sql);
    await setRetention(sql, siteId, 1);
    const identity = await identityOf(sql, siteId);
    await fill(sql, identity);
    for (const time of times)
      await sql`update ${sql.unsafe(name)} set ${sql.unsafe(time)} = '2026-09-10' where site_key = ${identity.site_key}`;
    sites.push({ name, key: identity.site_key });
  }
  await expireVisits({ sql, now: () => NOW });
  for (const site of sites) {
    const left = await Promise.all(
      sites.map(async ({ name }) => ({
        name,
        rows: await count(sql, { name, column: 'site_key' }, site.key),
      })),
    );
    expect(left.filter(({ rows }) => rows === 0)).toEqual([{ name: site.name, rows: 0 }]);
  }
});

const REGULAR = randomUUID();
const OTHERS = Array.from({ length: 27 }, () => randomUUID());

/** A visitor who comes every third day, and others who come once, over 80 days. */
async function siteWithVisitors(sql: Sql): Promise<{ siteId: string; userId: string; oldest: number }> {
  const site = await makeOwnedSite(sql, 'UTC');
  for (const [n, other] of OTHERS.entries()) {
    const at = NOW - (80 - 3 * n) * DAY_MS;
    await visit(sql, site.siteId, [at], REGULAR);
    await visit(sql, site.siteId, [at + 60_000], other);
  }
  return { ...site, oldest: Date.parse('2026-10-21T00:00:00Z') };
}

describe('in pieces', () => {
  const killed = new Error('killed');
  /** A clock that ends the run after this number of pieces. */
  const clockOf = (pieces: number) => {
    let asked = 0;
    return () => {
      asked += 1;
      if (asked > pieces + 1) throw killed;
      return NOW;
    };
  };

  test('a run that is killed after any piece is continued, and reports of what stays never change', async () => {
    const { sql } = database();
    const [whole, cut] = [await siteWithVisitors(sql), await siteWithVisitors(sql)];
    const ctx = {
      sql,
      now: () => NOW,
      actor: { kind: 'session' as const, sessionId: '', userId: cut.userId },
    };
    const overview = async () =>
      (
        await reportOverview(ctx, {
          siteId: cut.siteId,
          range: { from: '2026-10-21', to: '2026-11-21' },
        })
      ).data;
    await setRetention(sql, whole.siteId, 1);
    await expireVisits({ sql, now: () => NOW });
    expect(Math.min(...(await startsOf(sql, whole.siteId)))).toBeGreaterThanOrEqual(cut.oldest);

    await setRetention(sql, cut.siteId, 1);
    const { visitors, visits, pageviews } = await overview();
    let deleted = 0;
    let runs = 0;
    const left = async () => Object.values(await siteRows(sql, cut.siteId)).flat().length;
    for (let before = await left(); ; runs++) {
      const pieces = 1 + (runs % 3);
      const outcome = await expireVisits({ sql, now: clockOf(pieces) }, { maxRows: 7 }).catch(
        (error: unknown) => error,
      );
      expect(await overview()).toMatchObject({ visitors, visits, pageviews });
      if (outcome !== killed) break;
      // The work of a killed run is kept, so no run starts again from the beginning.
      const now = await left();
      expect(now).toBeLessThanOrEqual(before);
      deleted += before - now;
      before = now;
    }
    expect(runs).toBeGreaterThan(5);
    expect(deleted).toBeGreaterThan(40);
    expect(await siteRows(sql, cut.siteId)).toEqual(await siteRows(sql, whole.siteId));
  });

  test('days without a run are made up for by the next', async () => {
    const { sql } = database();
    const { siteId } = await siteWithVisitors(sql);
    await setRetention(sql, siteId, 2);
    await expireVisits({ sql, now: () => NOW - 15 * DAY_MS });
    const before = await startsOf(sql, siteId);
    await expireVisits({ sql, now: () => NOW });
    const after = await startsOf(sql, siteId);
    expect(after).toEqual(before.filter((at) => at >= Date.parse('2026-09-21T00:00:00Z')));
    expect(after.length).toBeLessThan(before.length);
  });

  test('many sites, one by one', async () => {
    const { sql } = database();
    const sites = await Promise.all(Array.from({ length: 12 }, () => makeSite(sql)));
    for (const siteId of sites) {
      await setRetention(sql, siteId, 1);
      await visit(sql, siteId, [NOW - 50 * DAY_MS, NOW - DAY_MS]);
    }
    await expect(expireVisits({ sql, now: clockOf(2) }, { maxRows: 9 })).rejects.toBe(killed);
    const done = async () =>
      (await Promise.all(sites.map((id) => startsOf(sql, id)))).filter((s) => s.length === 1);
    const first = (await done()).length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(12);
    await expireVisits({ sql, now: () => NOW });
    expect(await done()).toHaveLength(12);
  });

  test('retention lowered and raised again: what was deleted is gone, what came since is kept as long', async () => {
    const { sql } = database();
    const siteId = await makeSite(sql);
    const [old, recent] = [NOW - 50 * DAY_MS, NOW - 20 * DAY_MS];
    await visit(sql, siteId, [old, recent]);
    const runAt = (days: number) => expireVisits({ sql, now: () => NOW + days * DAY_MS });
    for (const [months, days, starts] of [
      [2, 0, [old, recent]],
      [1, 0, [recent]],
      [2, 0, [recent]],
      [2, 35, [recent]],
      [1, 35, []],
    ] as const) {
      await setRetention(sql, siteId, months);
      await runAt(days);
      expect(await startsOf(sql, siteId)).toEqual(starts);
    }
  });
});

describe('whole partitions', () => {
  const partitions = async (sql: Sql) =>
    (
      await sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'visits'::regclass order by 1`
    ).map(({ name }) => name as string);
  const JULY = Date.parse('2026-07-10T00:00:00Z');

  test('one of which no site keeps anything is dropped, and its rows with it', async () => {
    const { sql } = database();
    const sites = [await makeSite(sql), await makeSite(sql, 'Asia/Kathmandu')];
    for (const siteId of sites) {
      await setRetention(sql, siteId, 3);
      await visit(sql, siteId, [JULY, NOW]);
    }
    expect(await partitions(sql)).toContain('visits_20260701');
    const { droppedPartitions } = await expireVisits({ sql, now: () => NOW });
    expect(droppedPartitions).toBeGreaterThan(0);
    expect(await partitions(sql)).not.toContain('visits_20260701');
    expect(await partitions(sql)).toContain('visits_20261101');
    for (const siteId of sites) {
      expect(await startsOf(sql, siteId)).toEqual([NOW]);
      expect((await storedRollups(sql, siteId)).hours).toHaveLength(1);
    }
  });

  test.each([
    ['without a policy', null],
    ['whose policy reaches into it', 4],
  ])('one with a visit of a site %s stays, with that visit alone', async (_, months) => {
    const { sql } = database();
    const [short, keeper] = [await makeSite(sql), await makeSite(sql)];
    await setRetention(sql, short, 1);
    await setRetention(sql, keeper, months);
    // On the last day of July: 4 months before 21 November reach back into July.
    const at = Date.parse('2026-07-31T00:00:00Z');
    for (const siteId of [short, keeper]) await visit(sql, siteId, [at]);
    await expireVisits({ sql, now: () => NOW });
    expect(await partitions(sql)).toContain('visits_20260701');
    expect([await startsOf(sql, short), await startsOf(sql, keeper)]).toEqual([[], [at]]);

    await setRetention(sql, keeper, 1);
    await expireVisits({ sql, now: () => NOW });
    expect(await partitions(sql)).not.toContain('visits_20260701');
  });

  test('the present and the last month stay, empty or not', async () => {
    const { sql } = database();
    await sql`select ensure_partition('visits', at) from unnest(${['2026-10-05', '2026-11-05']}::timestamptz[]) at`;
    await expireVisits({ sql, now: () => NOW });
    expect(await partitions(sql)).toEqual(expect.arrayContaining(['visits_20261001', 'visits_20261101']));
  });
});
