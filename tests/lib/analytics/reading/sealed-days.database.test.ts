/** Reports of days that are summed up say the same as before, and don't read the visits of these days again. */
import { expect, test } from 'vitest';
import { clausesOf } from '../../../../lib/analytics/sums/filter-clauses.ts';
import { sumFilter } from '../../../../lib/analytics/sums/sum-filters.ts';
import type { StoredEvent } from '../../../../lib/collection/track-message.ts';
import { addFunnel, addGoal } from '../../../security/definitions.ts';
import { askTogether } from '../ask-named.ts';
import {
  consented,
  counts,
  custom,
  pageview,
  seal,
  session,
  useWorlds,
  type World,
} from '../reports-world.ts';

const makeWorld = useWorlds();

const GOAL = 'Signed up';
const prop = (plan: string) => ({ props: { plan } });
const origin = { source: 'Google', channel: 'Organic search', utmSource: 'letter' } as const;
const bought = (at: string, amount: string): StoredEvent => ({
  ...(custom(at) as Extract<StoredEvent, { type: 'event' }>),
  ...{ props: { plan: 'pro' }, revenue: { amount, currency: 'EUR' } },
});

/** Ten days with each kind of visit: one that comes back, one across midnight, one that goes on after consent, and all tiers. */
async function visitedWorld() {
  const world = await makeWorld();
  const { siteId, sql, fold } = world;
  await addGoal(sql, siteId, { name: GOAL, event: 'signup' });
  await addGoal(sql, siteId, { name: 'Prices', page: '/prices' });
  const funnelId = await addFunnel(sql, siteId, { name: 'Way', steps: [{ page: '/' }, { event: 'signup' }] });
  const porto = { country: 'PT', city: 'Porto', device: 'mobile', os: 'iOS', language: 'pt' } as const;
  await fold(
    {
      ...porto,
      ...consented('bob', [
        pageview('2026-06-02T10:00:00Z', '/', { ...origin, ...prop('pro') }),
        pageview('2026-06-02T10:05:00Z', '/prices'),
        bought('2026-06-02T10:06:00Z', '1.50'),
      ]),
    },
    {
      ...porto,
      ...consented('bob', [
        pageview('2026-06-10T10:00:00Z', '/prices', prop('free')),
        bought('2026-06-10T10:01:00Z', '2.25'),
      ]),
    },
    consented('eve', [pageview('2026-06-10T23:50:00Z'), pageview('2026-06-11T00:10:00Z', '/prices')]),
    consented('joe', [pageview('2026-06-11T08:00:00Z')], { continued: true }),
    {
      ...porto,
      ...session('ana', [pageview('2026-06-11T08:00:00Z', '/', prop('pro')), custom('2026-06-11T08:01:00Z')]),
    },
    { ...counts([pageview('2026-06-11T08:00:00Z', '/', origin)]), country: 'PT' },
    counts([pageview('2026-06-12T08:00:00Z', '/prices', { entry: false })]),
    counts([custom('2026-06-12T08:00:00Z')]),
  );
  return { ...world, funnelId };
}

const deleteVisits = ({ sql, siteId }: World) =>
  sql`delete from visits where site_key = (select key from sites where id = ${siteId})`;

/** What is asked, by the report's name or with a further word. */
const QUESTIONS: Record<string, object> = {
  ...{ overview: { compare: 'previous' }, timeseries: {}, heatmap: {}, pages: {}, 'entry-pages': {} },
  ...{ 'exit-pages': {}, utm: { by: 'source' }, events: {}, 'event-props': { name: 'signup' }, journeys: {} },
  ...{ retention: {}, goals: { compare: 'previous' }, sources: {}, cities: {}, devices: {} },
  ...{ 'page-props': { compare: 'previous' }, 'operating-systems': { search: 'o' } },
  'timeseries by city': { by: 'city' },
  'timeseries by exit_page': { by: 'exit_page', interval: 'week', limit: 1 },
  'timeseries by tier': { by: 'tier', interval: 'month' },
  'event-props by key': { name: 'signup', key: 'plan' },
  'page-props by key': { key: 'plan' },
  'pages by page views': { sort: 'pageviews', limit: 1 },
};

test.each([undefined, 1, 2, 3])('of all visits, at tier %s', async (tier) => {
  const world = await visitedWorld();
  const filters = tier === undefined ? {} : { filters: { privacy_tier: tier } };
  const questions = Object.entries({ ...QUESTIONS, funnels: { funnelId: world.funnelId } }).map(
    ([name, asked]): [string, object] => [name, { ...asked, ...filters }],
  );
  const ask = () => askTogether(world.ctx(), world.siteId, questions);
  const open = await ask();
  expect(Object.values(open).filter((answer) => answer instanceof Error)).toEqual([]);
  await seal(world);
  expect(await ask()).toEqual(open);
  await deleteVisits(world);
  expect(await ask()).toEqual(open);
});

const PT = { country: 'PT' };
const FILTERED: Record<string, object> = {
  ...{ overview: { filters: PT }, timeseries: { filters: PT, interval: 'week' }, cities: { filters: PT } },
  ...{ pages: { filters: PT }, 'entry-pages': { filters: PT }, 'exit-pages': { filters: PT } },
};
const CONVERTED = Object.fromEntries(
  ['pages', 'cities', 'entry-pages', 'exit-pages'].map((name) => [
    `${name} with a goal`,
    { goal: GOAL, filters: PT },
  ]),
);

test('of what filters keep, once that is summed: all that reach a goal are not enough', async () => {
  const world = await visitedWorld();
  const { siteId, sql, ctx } = world;
  await seal(world);
  const ask = () => askTogether(ctx(), siteId, Object.entries({ ...FILTERED, ...CONVERTED }));
  const unsummed = await ask();
  expect(unsummed).toMatchObject({
    cities: [{ value: 'Porto', visitors: 2, visits: 3, pageviews: 4 }],
    'cities with a goal': [{ value: 'Porto', exactVisits: 3, conversions: 3, conversionRate: 100 }],
    'pages with a goal': [
      { path: '/', exactVisits: 2, conversions: 2, conversionRate: 100 },
      { path: '/prices', exactVisits: 2, conversions: 2 },
    ],
  });
  const country = { dimension: 'country', operator: 'is', values: ['PT'] } as const;
  const goal = { dimension: 'goal', operator: 'is', values: [GOAL] } as const;
  const sum = (filters: Parameters<typeof clausesOf>[0], asker = ctx()) =>
    sumFilter(asker, { siteId, clauses: clausesOf(filters), timeMs: 60_000 });
  expect(await sum([country])).toBe(false);
  // As if the site had many visits: only then its filters have sums.
  await sql`
    insert into rollup_hours (site_key, hour, tier, pageviews, visits, measured, bounces, duration_ms)
    select key, '2026-06-17 03:00Z', 1, 9000, 9000, 0, 0, 0 from sites where id = ${siteId}`;
  const stranger = (await makeWorld()).ctx();
  expect(await sum([country], stranger)).toBe(false);
  expect(await sum([country, goal])).toBe(true);
  expect(await ask()).toEqual(unsummed);
  expect(await sum([country])).toBe(true);
  expect(await ask()).toEqual(unsummed);
  await deleteVisits(world);
  expect(await ask()).toEqual(unsummed);
});
