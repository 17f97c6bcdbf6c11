/** Values of dictionaries go when nothing names them any more: with retention, and with the visitor who alone had them. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { reportEdgePages } from '../../lib/analytics/lists/edge-pages.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import { reportEngagement } from '../../lib/analytics/measures/engagement.ts';
import { expireValues } from '../../lib/collection/expire-values.ts';
import { expireVisits } from '../../lib/collection/expire-visits.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import type { MemberContext } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import { DIMENSIONS } from '../../lib/visits/dimensions.ts';
import { ENDS, ZONES } from '../oracle/streams.ts';
import { assertUntil, ORACLE_RUNS } from '../oracle-runs.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite, retireSites } from './ingest-site.ts';
import { asMessage, drawnVisit } from './months.ts';
import { DICTIONARIES, knownValues, NAMING, namedValues, textsOfEntries } from './named-values.ts';
import { seal } from './seal-days.ts';

const database = useDatabase();
const DAY_MS = 24 * 60 * 60 * 1000;

beforeEach(async () => {
  const { sql } = database();
  await sql`delete from sites`;
  await sql`delete from erased_values`;
});

const contextOf = (sql: Sql, userId: string, now: number): MemberContext => ({
  sql,
  now: () => now,
  actor: { kind: 'session', sessionId: '', userId },
});

const setRetention = (sql: Sql, siteId: string, months: number) => sql`
  update sites set jurisdiction = 'NP', consent_mode = 'required', pre_consent_tier = 'counts', retention_months = ${months}
  where id = ${siteId}`;

const erase = (sql: Sql, siteId: string, visitorId: string) =>
  sql`select delete_visitor(${siteId}::uuid, ${visitorId}::uuid)`;

/** All that is named is there. */
async function expectAllThere(sql: Sql, siteId: string): Promise<void> {
  const [named, known] = [await namedValues(sql, siteId), await knownValues(sql, siteId)];
  for (const dictionary of DICTIONARIES)
    expect([dictionary, [...named[dictionary]].filter((id) => !known[dictionary].has(id))]).toEqual([
      dictionary,
      [],
    ]);
}

test('each column with numbers or texts in arrays is known to name values, or not to', async () => {
  const { sql } = database();
  const rows = await sql`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c
    join pg_class t on t.relname = c.table_name and t.relnamespace = 'public'::regnamespace and not t.relispartition
    where c.table_schema = 'public' and t.relkind in ('r', 'p')
      and (c.data_type = 'integer' or c.udt_name in ('_int4', '_text')) and c.column_name <> 'site_key'
      and exists (
        select from information_schema.columns k
        where k.table_schema = 'public' and k.table_name = c.table_name and k.column_name = 'site_key')`;
  const naming = new Set(
    Object.entries(NAMING).flatMap(([table, of]) => Object.keys(of).map((name) => `${table}.${name}`)),
  );
  const others = rows
    .filter(({ table, column }) => !naming.delete(`${table}.${column}`))
    .filter(
      ({ column }) =>
        !/^(hits|visits|visitors|journeys)_\d$|_ms$|^(measured|bounces|scrolled_\d+|returned|resumed)$/.test(
          column,
        ),
    )
    .map(({ table, column }) => `${table}.${column}`);
  expect([...naming]).toEqual([]);
  expect(others.sort()).toEqual([
    'erased_values.id',
    'imported_days.pageviews',
    'imported_days.visitors',
    'imported_days.visits',
    'new_values.taken',
    'rollup_journeys.most',
    'rollup_props.gap_value',
    'rollup_props.value',
    'rollup_vitals.band_told',
    'rollup_vitals.told',
    'seal_faults.faults',
    'sealed_days.targets',
    'site_filters.asked_days',
    'site_imports.dimensions',
    'site_imports.pieces',
    'site_imports.text_id',
    'site_origins.id',
    'site_places.id',
    'site_profiles.id',
    'site_seals.named',
    'site_seals.targets',
    'site_texts.id',
    'value_ids.last_id',
  ]);
});

/** Visits whose paths few have. */
const drawnVisits = (minLength: number, maxLength: number) =>
  fc.uniqueArray(
    fc
      .record({ of: drawnVisit, page: fc.nat({ max: 14 }) })
      .map(({ of, page }) => ({ ...of, path: `/${page}` })),
    { selector: ({ ago }) => ago, minLength, maxLength, size: 'max' },
  );

const visitOf = (visitor: number, daysAgo: number) => ({
  ...{ id: randomUUID(), ago: daysAgo * DAY_MS, visitor, tier: 3 as const, continued: false },
  ...{ kind: 'pageview' as const, path: `/${visitor}`, values: visitor },
});
const AT_REST = {
  ...{ now: ENDS[0], zone: ZONES[0], months: 1 as const, pieces: 10 as const },
  ...{ later: [], seals: [] },
};

test('whatever is folded, sealed, expired and erased, what is named is there, and the reports stay the same', async () => {
  const { sql } = database();
  const drawn = fc.record({
    now: fc.constantFrom(...ENDS),
    zone: fc.constantFrom(...ZONES),
    months: fc.constantFrom(1, 2),
    visits: drawnVisits(20, 60),
    later: drawnVisits(0, 8),
    erased: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 2 }),
    pieces: fc.constantFrom(3, 10, 1000),
    seals: fc.array(
      fc.record({
        daysBack: fc.nat({ max: 40 }),
        agoMs: fc.constant(0),
        eighths: fc.constant(0),
        slow: fc.constant(false),
      }),
      { maxLength: 6 },
    ),
  });
  let expired = 0;
  let searched = 0;
  await assertUntil(
    () => expired > 0 && searched > 0,
    fc.asyncProperty(drawn, async ({ now, zone, months, visits, later, erased, pieces, seals }) => {
      await retireSites(sql);
      const { siteId, userId } = await makeOwnedSite(sql, zone);
      const ctx = contextOf(sql, userId, now);
      const fold = (some: typeof visits) =>
        foldBatch(
          sql,
          some.map((visit) => asMessage(visit, now, siteId)),
          now,
        );
      const reports = async () => {
        const input = {
          siteId,
          range: { from: localDay(now - (months * 28 - 1) * DAY_MS), to: localDay(now) },
          limit: 100,
        };
        // One after the other, on one connection: each connection would plan every report by itself.
        const all: { data: unknown }[] = [
          await reportPages(ctx, { ...input, sort: 'reach' }),
          await reportEdgePages(ctx, { ...input, edge: 'entry' }),
          await reportEngagement(ctx, input),
        ];
        for (const dimension of DIMENSIONS) all.push(await reportVisitValues(ctx, { ...input, dimension }));
        return all.map(({ data }) => data);
      };
      await fold(visits);
      await sql`select drop_raw_events(${new Date(now).toISOString()}::timestamptz)`;
      for (const drawnSeal of seals) {
        await seal(sql, siteId, now, drawnSeal, 'begin');
        await seal(sql, siteId, now, drawnSeal, 'end');
      }
      await sealVisits(ctx, { timeMs: 60_000 });
      const before = await reports();

      // Retention: of each dictionary what is left was named on a day that is kept.
      await setRetention(sql, siteId, months);
      await expireVisits(ctx, { maxRows: 50 });
      const { deletedValues } = await expireValues(ctx, { maxRows: pieces });
      expired += deletedValues;
      expect(await reports()).toEqual(before);
      await expectAllThere(sql, siteId);
      const [kept] =
        await sql`select (kept_from at time zone 'UTC')::date::text as day from sites where id = ${siteId}`;
      const texts = await textsOfEntries(sql, siteId);
      for (const dictionary of DICTIONARIES) {
        const rows = await sql`
          select id from ${sql.unsafe(`site_${dictionary}s`)}
          where site_key = (select key from sites where id = ${siteId}) and last_day < ${kept?.day}::date`;
        expect(rows.filter(({ id }) => dictionary !== 'text' || !texts.has(id))).toEqual([]);
      }

      // Late events bring back what went, under new numbers.
      const ids = await knownValues(sql, siteId);
      await fold(later);
      await expectAllThere(sql, siteId);
      const [gone] = await sql`
        select dictionary, last_id from value_ids where site_key = (select key from sites where id = ${siteId}) and dictionary = 'text'`;
      for (const id of (await knownValues(sql, siteId)).text)
        if (!ids.text.has(id)) expect(id).toBeGreaterThan(gone?.last_id ?? 0);

      // Deleted visitors: of what they named, what nothing else names is gone.
      for (const visitor of erased) {
        const [row] = await sql`
          select visitor_id from visits where site_key = (select key from sites where id = ${siteId}) and tier = 3
            and right(visitor_id::text, 7)::integer = ${visitor} limit 1`;
        if (row === undefined) continue;
        await erase(sql, siteId, row.visitor_id);
        await expectAllThere(sql, siteId);
      }
      const doubted = await sql`select dictionary, id from erased_values`;
      const broken = await reports();
      await expireValues(ctx, { maxVisits: pieces });
      expect(await sql`select from erased_values`).toEqual([]);
      expect(await reports()).toEqual(broken);
      await expectAllThere(sql, siteId);
      const [known, named, ofEntries] = [
        await knownValues(sql, siteId),
        await namedValues(sql, siteId),
        await textsOfEntries(sql, siteId),
      ];
      for (const { dictionary, id } of doubted as { dictionary: 'text'; id: number }[]) {
        const stays = named[dictionary].has(id) || (dictionary === 'text' && ofEntries.has(id));
        expect([dictionary, id, known[dictionary].has(id)]).toEqual([dictionary, id, stays]);
        searched += stays ? 0 : 1;
      }

      // Sealed again the reports are the same.
      await sealVisits(ctx, { timeMs: 60_000 });
      await expectAllThere(sql, siteId);
      expect(await reports()).toEqual(broken);
      const [infinite] = await sql`
        select count(*)::int as rows from site_texts where site_key = (select key from sites where id = ${siteId}) and first_day = 'infinity'`;
      expect(infinite?.rows).toBe(0);
    }),
    {
      numRuns: Math.ceil(ORACLE_RUNS / 20) + 1,
      // Few draws may erase nobody: this one certainly expires and erases something.
      examples: [[{ ...AT_REST, visits: [visitOf(0, 3), visitOf(1, 80)], erased: [0] }]],
      endOnFailure: true,
    },
  );
}, 300_000);

const localDay = (at: number) => new Date(at).toISOString().slice(0, 10);

const NOON = Date.parse('2026-11-18T12:00:00Z');

const viewOf = (siteId: string, at: number, path: string, utmCampaign?: string): TrackMessage => ({
  version: 1,
  siteId,
  tier: 1,
  continued: false,
  events: [
    {
      type: 'pageview',
      id: randomUUID(),
      at,
      hostname: 'example.com',
      path,
      entry: true,
      ...(utmCampaign && { utmCampaign }),
    },
  ],
});

test('a path and a campaign go with the last visit that retention deletes, and their numbers are not given again', async () => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const ctx = contextOf(sql, userId, NOON);
  const days = (n: number) => NOON - n * DAY_MS;
  await foldBatch(
    sql,
    [viewOf(siteId, days(40), '/a', 'old'), viewOf(siteId, days(40), '/b', 'kept')],
    days(40),
  );
  await foldBatch(sql, [viewOf(siteId, days(20), '/b', 'kept')], days(20));
  await sql`select drop_raw_events(${new Date(NOON).toISOString()}::timestamptz)`;
  await sealVisits(ctx, { timeMs: 60_000 });
  const entries = async () =>
    (
      await sql`
        select value, t.id from site_texts t join sites on key = site_key
        where sites.id = ${siteId} and value in ('/a', '/b', '/c', 'old', 'kept') order by value collate "C"`
    ).map(({ value, id }) => [value, id]);
  const before = await entries();
  expect(before.map(([value]) => value)).toEqual(['/a', '/b', 'kept', 'old']);
  const campaigns = async () => {
    const range = { from: '2026-10-20', to: '2026-11-18' };
    return (await reportVisitValues(ctx, { siteId, range, limit: 10, dimension: 'utm_campaign' })).data;
  };
  const [shown] = [await campaigns()];
  expect(shown).toMatchObject([{ value: 'kept', visits: 1 }]);

  // Without a policy all is kept.
  await expireVisits(ctx);
  expect(await expireValues(ctx)).toEqual({ deletedValues: 0 });
  await setRetention(sql, siteId, 1);
  await expireVisits(ctx);
  // The path, the origin, and the campaign.
  expect(await expireValues(ctx)).toEqual({ deletedValues: 3 });
  expect(await expireValues(ctx)).toEqual({ deletedValues: 0 });
  expect(await entries()).toEqual(before.filter(([value]) => value === '/b' || value === 'kept'));
  expect(await campaigns()).toEqual(shown);

  await foldBatch(sql, [viewOf(siteId, NOON, '/a', 'old'), viewOf(siteId, NOON, '/c')], NOON);
  const used = new Set(before.map(([, id]) => id));
  const again = (await entries()).filter(([value]) => value === '/a' || value === '/c');
  expect(again).toHaveLength(2);
  for (const [, id] of again) expect(used.has(id)).toBe(false);
  // What comes again is new again: a day's limits count it.
  const taken = await sql`
    select day::text, kind, taken from new_values join sites on key = site_key where sites.id = ${siteId} order by 1, 2`;
  expect(taken.slice(-2)).toEqual([
    { day: '2026-11-18', kind: 'campaigns', taken: 1 },
    { day: '2026-11-18', kind: 'pages', taken: 2 },
  ]);
  await sealVisits(contextOf(sql, userId, NOON + 2 * DAY_MS), { timeMs: 60_000 });
  expect(await campaigns()).toMatchObject([
    { value: 'kept', visits: 1 },
    { value: 'old', visits: 1 },
  ]);
});

test('an entry that goes leaves a gap, and seals and lists of the others are right', async () => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const campaigns = Array.from({ length: 12 }, (_, n) => `c${n}`);
  for (const [n, campaign] of campaigns.entries())
    await foldBatch(sql, [viewOf(siteId, NOON - (n % 3 === 0 ? 40 : 2) * DAY_MS, '/', campaign)], NOON);
  await sql`select drop_raw_events(${new Date(NOON).toISOString()}::timestamptz)`;
  const ctx = contextOf(sql, userId, NOON);
  await setRetention(sql, siteId, 1);
  await expireVisits(ctx);
  await expireValues(ctx);
  const list = async () => {
    const range = { period: '7d' as const };
    const { data } = await reportVisitValues(ctx, { siteId, range, limit: 100, dimension: 'utm_campaign' });
    return data.map(({ value, visits }) => [value, visits]).sort();
  };
  const kept = campaigns.filter((_, n) => n % 3 !== 0).map((campaign) => [campaign, 1]);
  expect(await list()).toEqual(kept.toSorted());
  expect(await sealVisits(ctx, { timeMs: 60_000 })).toMatchObject({ faults: [] });
  expect(await list()).toEqual(kept.toSorted());
});

test('a value is kept from the day on which it was seen last, whatever the order of its events', async () => {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, 'UTC');
  const daysOf = async () =>
    (
      await sql`
        select first_day::text, last_day::text from site_texts join sites on key = site_key
        where sites.id = ${siteId} and value = '/'`
    )[0];
  const at = (day: string) => viewOf(siteId, Date.parse(`2026-${day}T12:00:00Z`), '/');
  await foldBatch(sql, [at('11-12'), at('11-10')], NOON);
  expect(await daysOf()).toEqual({ first_day: '2026-11-10', last_day: '2026-11-12' });
  await foldBatch(sql, [at('11-14')], NOON);
  await foldBatch(sql, [at('11-11')], NOON);
  expect(await daysOf()).toEqual({ first_day: '2026-11-10', last_day: '2026-11-14' });
  await foldBatch(sql, [at('11-09')], NOON);
  expect(await daysOf()).toEqual({ first_day: '2026-11-09', last_day: '2026-11-14' });
  // One update a day: what is known of the day isn't written again.
  const storedSizes = async () =>
    (
      await sql`select t.ctid::text from site_texts t join sites on key = site_key where sites.id = ${siteId} and value = '/'`
    )[0];
  const before = await storedSizes();
  await foldBatch(sql, [at('11-13')], NOON);
  expect(await storedSizes()).toEqual(before);
  expect(
    (
      await reportPages(contextOf(sql, userId, NOON), {
        siteId,
        range: { period: '30d' },
        limit: 5,
        sort: 'reach',
      })
    ).data,
  ).toMatchObject([{ path: '/', pageviews: 6 }]);
});
