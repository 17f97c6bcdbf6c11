/** A day of a site takes a limited number of new values, whoever sends them. The rest is `(other)` and adds up, and the owner sees it. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { reportGoals } from '../../lib/analytics/behaviour/goals.ts';
import { reportCustomEvents } from '../../lib/analytics/lists/custom-events.ts';
import { reportPages } from '../../lib/analytics/lists/pages.ts';
import { reportVisitValues } from '../../lib/analytics/lists/visit-values.ts';
import { reportLive } from '../../lib/analytics/series/live.ts';
import { reportOverview } from '../../lib/analytics/series/overview.ts';
import { expireVisits } from '../../lib/collection/expire-visits.ts';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { sealVisits } from '../../lib/collection/seal-visits.ts';
import type { StoredEvent, TrackMessage } from '../../lib/collection/track-message.ts';
import type { MemberContext } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import type { Dimension } from '../../lib/visits/dimensions.ts';
import { OTHER } from '../../lib/visits/other-value.ts';
import { addFunnel, addGoal } from '../security/definitions.ts';
import { useDatabase } from '../services/database.ts';
import { makeOwnedSite } from './ingest-site.ts';

const database = useDatabase();

const DAY_MS = 24 * 60 * 60 * 1000;
const NOON = Date.parse('2026-11-18T12:00:00Z');
const EVENTS_A_MESSAGE = 20;
const MESSAGES_A_BATCH = 100;

type Pageview = Extract<StoredEvent, { type: 'pageview' }>;

interface Site {
  siteId: string;
  sql: Sql;
  ctx: MemberContext;
  fold: (messages: readonly Omit<TrackMessage, 'siteId'>[]) => Promise<void>;
}

async function makeWorld(zone = 'UTC'): Promise<Site> {
  const { sql } = database();
  const { siteId, userId } = await makeOwnedSite(sql, zone);
  return {
    siteId,
    sql,
    ctx: { sql, now: () => NOON + DAY_MS, actor: { kind: 'session', sessionId: '', userId } },
    fold: async (messages) => {
      for (let n = 0; n < messages.length; n += MESSAGES_A_BATCH) {
        const batch = messages.slice(n, n + MESSAGES_A_BATCH).map((message) => ({ ...message, siteId }));
        await foldBatch(sql, batch, NOON + DAY_MS);
      }
    },
  };
}

const view = (path: string, at = NOON, more: Partial<Pageview> = {}): Pageview => ({
  type: 'pageview',
  id: randomUUID(),
  at,
  hostname: 'example.com',
  path,
  entry: true,
  ...more,
});
const custom = (name: string, at = NOON): StoredEvent => ({
  type: 'event',
  id: randomUUID(),
  at,
  hostname: 'example.com',
  path: '/',
  name,
});

/** At tier 1, as anybody can send them. */
function sent(events: readonly StoredEvent[], more: Partial<TrackMessage> = {}) {
  const messages: Omit<TrackMessage, 'siteId'>[] = [];
  for (let n = 0; n < events.length; n += EVENTS_A_MESSAGE)
    messages.push({
      version: 1,
      tier: 1,
      continued: false,
      events: events.slice(n, n + EVENTS_A_MESSAGE),
      ...more,
    });
  return messages;
}

const numbered = (count: number, first = 0) => Array.from({ length: count }, (_, n) => first + n);
const range = { from: '2026-11-17', to: '2026-11-19' };
const NOTHING = {
  pages: 0,
  events: 0,
  terms: 0,
  campaigns: 0,
  sources: 0,
  places: 0,
  languages: 0,
  properties: 0,
};

const otherOf = async ({ ctx, siteId }: Site, days: { from: string; to: string } = range) =>
  (await reportOverview(ctx, { siteId, range: days })).meta.coverage.other;

async function countsOf({ sql, siteId }: Site) {
  const [row] = await sql`
    select (select count(*) from site_texts where site_key = key and value ~ '^(/|\\(other)')::int as paths,
      (select count(*) from site_profiles where site_key = key)::int as profiles,
      (select count(*) from site_places where site_key = key)::int as places,
      (select count(*) from site_origins where site_key = key)::int as origins
    from sites where id = ${siteId}`;
  return row as Record<'paths' | 'profiles' | 'places' | 'origins', number>;
}

const pagesOf = async ({ ctx, siteId }: Site) =>
  (await reportPages(ctx, { siteId, range, limit: 100, sort: 'pageviews' })).data;

const listOf = async ({ ctx, siteId }: Site, dimension: Dimension, limit = 100) =>
  Object.fromEntries(
    (await reportVisitValues(ctx, { siteId, range, limit, dimension })).data.map(({ value, visits }) => [
      value,
      visits,
    ]),
  );

test('of 5200 new paths in a minute 5000 stay, and the figures add up', async () => {
  const site = await makeWorld();
  const events = numbered(5200).map((n) => view(`/${n}`, NOON + n));
  const messages = sent(events);
  await site.fold(messages);
  await site.sql`analyze`;
  expect((await countsOf(site)).paths).toBe(5001);
  expect(await otherOf(site)).toEqual({ ...NOTHING, pages: 200 });
  const { data } = await reportOverview(site.ctx, { siteId: site.siteId, range });
  expect(data).toMatchObject({ visits: 5200, pageviews: 5200 });
  const pages = await pagesOf(site);
  expect(pages.slice(0, 2)).toMatchObject([
    { path: OTHER, pageviews: 200 },
    { path: '/0', pageviews: 1 },
  ]);

  // What is sent again counts once, as everywhere; what is known stays known.
  await site.fold(messages);
  await site.fold(sent([view('/4999', NOON + 6000), view('/5000', NOON + 6000)]));
  expect(await otherOf(site)).toEqual({ ...NOTHING, pages: 201 });
  expect((await countsOf(site)).paths).toBe(5001);

  // Sealed days say the same.
  const unsealed = await pagesOf(site);
  expect(await sealVisits(site.ctx, { timeMs: 60_000 })).toEqual({ sealedDays: 1, faults: [] });
  expect(await pagesOf(site)).toEqual(unsealed);

  // Each UTC day has room of its own.
  await site.fold(sent([view('/5000', NOON + DAY_MS), view('/5001', NOON + DAY_MS)]));
  expect((await countsOf(site)).paths).toBe(5003);
  expect(await otherOf(site)).toEqual({ ...NOTHING, pages: 201 });
}, 300_000);

test('the first to come have the room, by UTC days, in one batch as in many', async () => {
  const site = await makeWorld('Asia/Kathmandu');
  await site.sql`
    insert into new_values (site_key, day, kind, taken)
    select key, day::date, 'pages', 4998 from sites, (values ('2026-11-17'), ('2026-11-18')) as d(day) where id = ${site.siteId}`;
  const midnight = Date.parse('2026-11-18T00:00:00Z');
  const at = (path: string, ms: number) => view(path, midnight + ms);
  await site.fold(sent([at('/late', 5), at('/c', 3), at('/b', 2), at('/a', 1), at('/z', -1), at('/y', -2)]));
  await site.fold(sent([at('/x', -3)]));
  const texts = await site.sql`
    select value from site_texts join sites on key = site_key where sites.id = ${site.siteId} order by value collate "C"`;
  expect(texts.map(({ value }) => value)).toEqual([OTHER, '/a', '/b', '/y', '/z']);
  // The owner sees days of the site's zone, 5:45 ahead: all of it is on the 18th there.
  expect(await otherOf(site, { from: '2026-11-18', to: '2026-11-18' })).toEqual({ ...NOTHING, pages: 3 });
  expect(await otherOf(site, { from: '2026-11-17', to: '2026-11-17' })).toEqual(NOTHING);
});

test('of 520 new event names 500 stay', async () => {
  const site = await makeWorld();
  await site.fold(sent(numbered(520).map((n) => custom(`event ${n}`, NOON + n))));
  expect(await otherOf(site)).toEqual({ ...NOTHING, events: 20 });
  const { data } = await reportCustomEvents(site.ctx, { siteId: site.siteId, range, limit: 100 });
  expect(data[0]).toMatchObject({ name: OTHER, events: 20 });
});

const full = (site: Site, ...kinds: string[]) => site.sql`
  insert into new_values (site_key, day, kind, taken)
  select key, '2026-11-18', kind, case kind when 'pages' then 5000 when 'events' then 500 else 2000 end
  from sites, unnest(${kinds}::text[]) as kind where id = ${site.siteId}
  on conflict (site_key, day, kind) do update set taken = excluded.taken`;

test('links with made-up terms lose those, then their campaign, then their source', async () => {
  const site = await makeWorld();
  const from = (more: Partial<Pageview>) =>
    sent([view('/', NOON, { channel: 'Paid search', source: 'Google', utmCampaign: 'spring', ...more })]);
  await site.fold(from({ utmTerm: 'known' }));
  await site.fold(numbered(2005).flatMap((n) => from({ utmTerm: `made up ${n}`, utmContent: 'top' })));
  expect(await otherOf(site)).toEqual({ ...NOTHING, terms: 6 });
  await site.fold(from({ utmTerm: 'known' }));
  expect(await listOf(site, 'utm_term')).toMatchObject({ known: 2, [OTHER]: 6 });
  expect(await listOf(site, 'utm_content')).toEqual({ top: 1999, [OTHER]: 6 });
  expect(await listOf(site, 'utm_campaign')).toEqual({ spring: 2007 });

  await full(site, 'campaigns');
  await site.fold(from({ utmTerm: 'new', utmCampaign: 'new' }));
  expect(await listOf(site, 'utm_campaign')).toEqual({ spring: 2007, [OTHER]: 1 });
  expect(await listOf(site, 'source')).toEqual({ Google: 2008 });

  await full(site, 'sources');
  await site.fold(
    from({ source: 'new.example', utmTerm: 'new', utmCampaign: 'new', hostname: 'a.example.com' }),
  );
  await site.fold(sent([view('/', NOON, { source: 'made.example' })]));
  expect(await listOf(site, 'source')).toEqual({ Google: 2008, [OTHER]: 2 });
  expect(await listOf(site, 'hostname')).toEqual({ 'example.com': 2009, [OTHER]: 1 });
  expect(await listOf(site, 'channel')).toEqual({ 'Paid search': 2009, Direct: 1 });
  expect(await otherOf(site)).toEqual({ ...NOTHING, terms: 8, campaigns: 2, sources: 2 });
  expect((await countsOf(site)).origins).toBe(2000 + 4);
});

test('languages and places that nobody had: what comes from lists of ours stays', async () => {
  const site = await makeWorld();
  await full(site, 'languages', 'places');
  const more = {
    tier: 3 as const,
    visitorId: randomUUID(),
    device: 'mobile' as const,
    browser: 'Firefox',
    os: 'Android',
    language: 'pt-x-made-up',
    country: 'PT',
    region: 'PT-99',
    city: 'Nowhere',
  };
  await site.fold(sent([view('/')], more));
  await site.fold(sent([view('/')], { device: 'mobile', browser: 'Firefox', country: 'PT' }));
  expect(await otherOf(site)).toEqual({ ...NOTHING, languages: 1, places: 1 });
  for (const [dimension, value, visits] of [
    ['language', OTHER, 1],
    ['region', OTHER, 1],
    ['city', OTHER, 1],
    ['country', 'PT', 2],
    ['device', 'mobile', 2],
    ['browser', 'Firefox', 2],
    ['os', 'Android', 1],
  ] as const)
    expect([dimension, await listOf(site, dimension)]).toEqual([dimension, { [value]: visits }]);
});

test('nobody sends (other): what says so counts as other', async () => {
  const site = await makeWorld();
  const forged = { source: OTHER, utmSource: OTHER, utmTerm: OTHER };
  await site.fold(sent([view('/', NOON, forged), custom(OTHER), custom(OTHER)]));
  await site.fold(sent([view('/')], { tier: 2, visitorId: randomUUID(), language: OTHER, city: OTHER }));
  expect(await otherOf(site)).toEqual(NOTHING);
  const { data } = await reportCustomEvents(site.ctx, { siteId: site.siteId, range, limit: 10 });
  expect(data).toMatchObject([{ name: 'other', events: 2 }]);
  expect(await listOf(site, 'source')).toEqual({ other: 1, Direct: 1 });
  expect(await listOf(site, 'utm_term')).toEqual({ other: 1 });
  expect(await listOf(site, 'city')).toEqual({ other: 1 });

  await full(site, 'events');
  await site.fold(sent([custom('new')]));
  const after = await reportCustomEvents(site.ctx, { siteId: site.siteId, range, limit: 10 });
  expect(after.data.map(({ name, events }) => [name, events])).toEqual([
    ['other', 2],
    [OTHER, 1],
  ]);
});

test('goals and steps of funnels keep what they name; patterns miss what is (other)', async () => {
  const site = await makeWorld();
  const { sql, siteId, ctx } = site;
  await addGoal(sql, siteId, { name: 'Thanks', page: '/thanks' });
  await addGoal(sql, siteId, { name: 'Paid', event: 'purchase' });
  await addGoal(sql, siteId, { name: 'Any page', page: '/**' });
  await addFunnel(sql, siteId, { name: 'Buy', steps: [{ page: '/cart' }, { event: 'paid' }] });
  await full(site, 'pages', 'events');
  await site.fold(
    sent([
      view('/thanks'),
      view('/cart'),
      view('/blog/1'),
      custom('purchase'),
      custom('paid'),
      custom('new'),
    ]),
  );
  expect(await otherOf(site)).toEqual({ ...NOTHING, pages: 4, events: 1 });
  const { data } = await reportGoals(ctx, { siteId, range });
  expect(Object.fromEntries(data.map(({ name, conversions }) => [name, conversions]))).toEqual({
    Thanks: 1,
    Paid: 1,
    'Any page': 2,
  });
});

test('it can be filtered by, `live` says it, and it goes with the days', async () => {
  const site = await makeWorld();
  const { sql, siteId, ctx } = site;
  await full(site, 'pages');
  await site.fold(
    sent([view('/a', NOON - 1000), view('/b', NOON - 1000)], { tier: 3, visitorId: randomUUID() }),
  );
  const filters = [{ dimension: 'page' as const, operator: 'is' as const, values: [OTHER] }];
  const { data } = await reportOverview(ctx, { siteId, range, filters });
  expect(data).toMatchObject({ visits: 1, pageviews: 2 });
  const live = await reportLive({ ...ctx, now: () => NOON }, { siteId });
  expect(live.data.pages).toEqual([{ path: OTHER, visitors: 1 }]);
  expect(live.meta.coverage.other).toEqual({ ...NOTHING, pages: 2 });

  await sql`
    update sites set jurisdiction = 'NP', consent_mode = 'required', pre_consent_tier = 'counts', retention_months = 1
    where id = ${siteId}`;
  await expireVisits({ sql, now: () => NOON + 40 * DAY_MS });
  const left = await sql`select from other_days join sites on key = site_key where sites.id = ${siteId}`;
  expect(left).toEqual([]);
});

test('a plan that was made while a site had few values doesn’t read all of them later', async () => {
  const { sql, fold } = await makeWorld();
  const readAll = async () => {
    await sql`select pg_stat_force_next_flush()`;
    const [row] =
      await sql`select seq_tup_read::integer as rows from pg_stat_user_tables where relname = 'site_texts'`;
    return row?.rows;
  };
  await sql`delete from site_texts`;
  await fold(sent([view('/first')]));
  await sql`analyze site_texts`;
  await fold(sent([view('/second')]));
  const before = await readAll();
  await fold(sent(numbered(2000).map((n) => view(`/${n}`))));
  await fold(sent(numbered(2000).map((n) => view(`/${n}`))));
  expect(await readAll()).toBe(before);
});
