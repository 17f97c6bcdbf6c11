/** The rows, orders and comparisons of lists, with and without filters. */
import { expect, test } from 'vitest';
import { countTargetHits } from '../../../../lib/analytics/behaviour/target-hits.ts';
import { countEventCurrencies } from '../../../../lib/analytics/lists/event-currencies.ts';
import { reportEventTimes } from '../../../../lib/analytics/lists/event-times.ts';
import { listPropertyValues } from '../../../../lib/analytics/lists/property-values.ts';
import type { StoredEvent } from '../../../../lib/collection/track-message.ts';
import { addFunnel, addGoal } from '../../../security/definitions.ts';
import { askNamed } from '../ask-named.ts';
import { consented, counts, custom, pageview, session, useWorlds } from '../reports-world.ts';

const makeWorld = useWorlds();

type CustomEvent = Extract<StoredEvent, { type: 'event' }>;
const brought = (at: string, name: string, more: Partial<CustomEvent>): StoredEvent => ({
  ...(custom(at, name) as CustomEvent),
  ...more,
});
const eur = (amount: string) => ({ revenue: { amount, currency: 'EUR' } });
const by = (author: string) => ({ props: { author, paid: false } });
const mobile = { device: 'mobile' } as const;

/**
 * Bob, on a phone: `/` and `/b` and a sign-up; a day later `/` alone, on a desktop. Ana, in a session on a phone: `/b` and `/`. Somebody at `/`. Eve, who
 * goes on at `/b` after consent. And Joe, of whom a server says that he signed up.
 */
async function visitedWorld() {
  const world = await makeWorld();
  const { sql, siteId, fold } = world;
  await fold(
    consented(
      'bob',
      [
        pageview('2026-06-15T10:00:00Z', '/', { ...by('Ana'), source: 'Google' }),
        pageview('2026-06-15T10:05:00Z', '/b', by('Bea')),
        brought('2026-06-15T10:06:00Z', 'signup', { props: { plan: 'pro', seats: 3 }, ...eur('1.50') }),
        brought('2026-06-15T10:07:00Z', 'signup', { props: { plan: 'free' }, ...eur('0.25') }),
        custom('2026-06-15T10:10:00Z', 'share'),
      ],
      mobile,
    ),
    consented('bob', [pageview('2026-06-16T10:00:00Z', '/', by('Ana'))], { device: 'desktop' }),
    session('ana', [pageview('2026-06-16T10:00:00Z', '/b'), pageview('2026-06-16T10:01:00Z', '/')], mobile),
    counts([pageview('2026-06-16T10:00:00Z', '/', by('Bea'))]),
    consented('eve', [pageview('2026-06-16T10:00:00Z', '/b')], { continued: true }),
    consented('joe', [
      brought('2026-06-16T10:00:00Z', 'signup', { entry: false, props: { plan: 'pro' } }),
      brought('2026-06-16T10:01:00Z', 'signup', { entry: false, revenue: { amount: '7', currency: 'USD' } }),
    ]),
  );
  await addGoal(sql, siteId, { name: 'Signed up', event: 'signup' });
  const funnelId = await addFunnel(sql, siteId, { name: 'Way', steps: [{ page: '/' }, { page: '/b' }] });
  const ask = (name: string, asked: object = {}) =>
    askNamed(world.ctx(), siteId, name, { period: '7d', ...asked });
  const input = { siteId, range: { period: '7d' } } as const;
  return { ...world, funnelId, ask, input };
}

const row = (visitors: number, visits: number, pageviews: number) => ({ visitors, visits, pageviews });
const page = (path: string, reach: number, ...figures: [number, number, number]) => ({
  ...{ path, reach },
  ...row(...figures),
});
const quality = (
  value: string,
  visits: number,
  pageviews: number,
  ...[measured, rate, seconds]: (number | null)[]
) => ({
  ...{ value, visits, pageviews, measured, bounceRate: rate, avgDuration: seconds },
});

test('how good visits are, by what they have', async () => {
  const { ask } = await visitedWorld();
  const rows = async (asked: object) => (await ask('visit-quality', asked)).data;
  const [all, b] = [quality('/', 4, 6, 2, 50, 300), quality('/b', 2, 5, 1, 0, 600)];
  expect(await rows({ by: 'page' })).toEqual([all, b]);
  expect(await rows({ by: 'page', sort: 'avgDuration' })).toEqual([b, all]);
  expect(await rows({ by: 'page', sort: 'bounceRate' })).toEqual([all, b]);
  expect(await rows({ by: 'page', minVisits: 3 })).toEqual([all]);
  expect(await rows({ by: 'page', search: 'B' })).toEqual([b]);
  expect(await rows({ by: 'page', limit: 1 })).toEqual([all]);
  expect(await rows({ by: 'entry_page' })).toEqual([
    quality('/', 3, 4, 2, 50, 300),
    quality('/b', 1, 2, 0, null, null),
  ]);
  expect(await rows({ by: 'exit_page' })).toEqual([
    quality('/', 2, 3, 1, 100, 0),
    quality('/b', 1, 3, 1, 0, 600),
  ]);
  expect(await rows({ by: 'device' })).toEqual([
    quality('mobile', 2, 4, 1, 0, 600),
    quality('Unknown', 1, 2, 0, null, null),
    quality('desktop', 1, 1, 1, 100, 0),
  ]);
  expect(await rows({ by: 'source', filters: { device: 'mobile' } })).toEqual([
    quality('Direct', 1, 2, 0, null, null),
    quality('Google', 1, 2, 1, 0, 600),
  ]);
});

/** What lists of pages and values answer, in any way in which they may read the visits. */
test.each([
  ['of sums', {}],
  ['of visits', { filters: { page: '!/nowhere' } }],
])('lists %s, in each order', async (_, filters) => {
  const { ask, funnelId } = await visitedWorld();
  const rows = async (name: string, asked: object = {}) => (await ask(name, { ...filters, ...asked })).data;
  const [first, second] = [page('/', 3, 2, 4, 4), page('/b', 3, 3, 2, 3)];
  expect(await rows('pages')).toEqual([first, second]);
  expect(await rows('pages', { sort: 'visitors' })).toEqual([second, first]);
  expect(await rows('pages', { sort: 'visits' })).toEqual([first, second]);
  expect(await rows('pages', { sort: 'pageviews', search: 'B' })).toEqual([second]);
  const [entry, entryB] = [page('/', 2, 1, 3, 4), page('/b', 1, 1, 1, 2)];
  expect(await rows('entry-pages')).toEqual([entry, entryB]);
  expect(await rows('entry-pages', { search: 'B' })).toEqual([entryB]);
  const [exit, exitB] = [page('/', 2, 2, 2, 3), page('/b', 2, 2, 1, 3)];
  expect(await rows('exit-pages')).toEqual([exit, exitB]);
  expect(await rows('exit-pages', { sort: 'pageviews', limit: 1 })).toEqual([exit]);
  expect(await rows('devices')).toEqual([
    { value: 'mobile', ...row(2, 2, 4) },
    { value: 'Unknown', ...row(1, 1, 2) },
    { value: 'desktop', ...row(1, 1, 1) },
  ]);
  expect(await rows('devices', { sort: 'pageviews', search: 'o', limit: 2 })).toEqual([
    { value: 'mobile', ...row(2, 2, 4) },
    { value: 'Unknown', ...row(1, 1, 2) },
  ]);
  expect(await rows('sources', { sort: 'visitors' })).toEqual([
    { value: 'Direct', ...row(2, 3, 4) },
    { value: 'Google', ...row(1, 1, 2) },
  ]);
  const journey = (pages: string[], journeys: number, visitors: number, visits: number) => ({
    ...{ pages, journeys, visitors, visits },
  });
  const [there, back] = [journey(['/', '/b'], 1, 1, 1), journey(['/b', '/'], 1, 1, 1)];
  expect(await rows('journeys')).toEqual([
    ...[journey(['/'], 1, 1, 1), there, journey(['/b'], 1, 1, 0), back],
  ]);
  expect(await rows('journeys', { start: '/b' })).toEqual([journey(['/b'], 2, 2, 1), back]);
  expect(await rows('journeys', { end: '/b' })).toEqual([journey(['/b'], 2, 2, 1), there]);
  expect(await rows('journeys', { start: '/b', end: '/' })).toEqual([back]);
  const money = (amount: string, currency: string) => ({ amount, currency });
  const signup = { name: 'signup', visitors: 1, visits: 1 };
  const [sold, dollars] = [money('1.75', 'EUR'), money('7', 'USD')];
  expect(await rows('events')).toEqual([
    { ...signup, events: 4, revenue: [sold, dollars] },
    { ...signup, name: 'share', events: 1, revenue: [] },
  ]);
  const compare = '2026-06-15..2026-06-15';
  const none = '2026-06-01..2026-06-02';
  const before = { visitors: 1, visits: 1 };
  expect(await rows('events', { compare, search: 'SIGN' })).toEqual([
    { ...signup, events: 4, revenue: [sold, dollars], previous: { ...before, events: 2, revenue: [sold] } },
  ]);
  expect(await rows('events', { compare: none, limit: 1 })).toMatchObject([
    { previous: { visitors: 0, visits: 0, events: 0, revenue: [] } },
  ]);
  const prop = (key: string, value: string | null, events: number, previous?: object) => ({
    ...{ key, value, visitors: 1, visits: 1, events },
    ...(previous && { previous }),
  });
  const ofSignup = { name: 'signup', compare };
  expect(await rows('event-props', { name: 'signup' })).toEqual([
    prop('plan', null, 3),
    prop('seats', null, 1),
  ]);
  expect(await rows('event-props', { ...ofSignup, search: 'P' })).toEqual([
    prop('plan', null, 3, { ...before, events: 2 }),
  ]);
  expect(await rows('event-props', { ...ofSignup, key: 'plan' })).toEqual([
    prop('plan', 'pro', 2, { ...before, events: 1 }),
    prop('plan', 'free', 1, { ...before, events: 1 }),
  ]);
  expect(await rows('event-props', { name: 'signup', key: 'seats', compare: none })).toEqual([
    prop('seats', '3', 1, { visitors: 0, visits: 0, events: 0 }),
  ]);
  const pageProp = (key: string, value: string | null, figures: object, previous?: object) => ({
    ...{ key, value, ...figures },
    ...(previous && { previous }),
  });
  expect(await rows('page-props')).toEqual([
    pageProp('author', null, row(1, 3, 4)),
    pageProp('paid', null, row(1, 3, 4)),
  ]);
  expect(await rows('page-props', { compare, search: 'A', limit: 1 })).toEqual([
    pageProp('author', null, row(1, 3, 4), row(1, 1, 2)),
  ]);
  expect(await rows('page-props', { compare, key: 'author' })).toEqual([
    pageProp('author', 'Ana', row(1, 2, 2), row(1, 1, 1)),
    pageProp('author', 'Bea', row(1, 2, 2), row(1, 1, 1)),
  ]);
  expect(await rows('page-props', { compare: none, key: 'paid' })).toEqual([
    pageProp('paid', 'false', row(1, 3, 4), row(0, 0, 0)),
  ]);
  expect(await rows('funnels', { funnelId })).toEqual({
    ...{ id: funnelId, name: 'Way' },
    steps: [
      { page: '/', visits: 3, share: 100, dropOff: 0 },
      { page: '/b', visits: 1, share: 33.3, dropOff: 66.7 },
    ],
  });
  const reached = (conversions: number, events: number, revenue: object[], sent: number, exact: object) => ({
    ...{ conversions, events, visitors: 1, revenue, exact },
    apart: { anonymousCounts: 0, continuations: 0, serverEvents: sent },
  });
  expect(await rows('goals', { compare })).toEqual([
    {
      ...{ id: expect.any(String), name: 'Signed up', event: 'signup', conversionRate: 50 },
      ...reached(2, 4, [sold, dollars], 1, { conversions: 1, visits: 3, conversionRate: 33.3 }),
      previous: {
        conversionRate: 100,
        ...reached(1, 2, [sold], 0, { conversions: 1, visits: 1, conversionRate: 100 }),
      },
    },
  ]);
  expect(await rows('goals', { search: 'down' })).toEqual([]);
});

const converted = (exactVisits: number, conversions: number | null, conversionRate: number | null) => ({
  ...{ exactVisits, conversions, conversionRate },
});

test('the conversions of a goal by row, of the goal that is named or filtered', async () => {
  const { ask } = await visitedWorld();
  const rows = async (name: string, asked: object = {}) => (await ask(name, asked)).data;
  const goal = 'Signed up';
  const [first, second] = [
    { ...page('/', 3, 2, 4, 4), ...converted(3, 1, 33.3) },
    { ...page('/b', 3, 3, 2, 3), ...converted(2, 1, 50) },
  ];
  expect(await rows('pages', { goal })).toEqual([first, second]);
  expect(await rows('pages', { goal, sort: 'conversions', limit: 1 })).toEqual([first]);
  expect(await rows('pages', { filters: { goal } })).toEqual([
    { ...page('/', 1, 1, 1, 1), ...converted(3, 1, 33.3) },
    { ...page('/b', 1, 1, 1, 1), ...converted(2, 1, 50) },
  ]);
  expect(await rows('pages', { filters: { goal: `!${goal}` }, limit: 1 })).toEqual([page('/', 3, 2, 3, 3)]);
  expect(await rows('sources', { goal, sort: 'conversions' })).toEqual([
    { value: 'Google', ...row(1, 1, 2), ...converted(1, 1, 100) },
    { value: 'Direct', ...row(2, 3, 4), ...converted(2, 0, 0) },
  ]);
  expect(await rows('exit-pages', { goal, compare: '2026-06-16..2026-06-16' })).toEqual([
    {
      ...{ ...page('/', 2, 2, 2, 3), ...converted(2, 0, 0) },
      previous: { reach: 2, ...row(2, 2, 3), ...converted(2, 0, 0) },
    },
    {
      ...{ ...page('/b', 2, 2, 1, 3), ...converted(1, 1, 100) },
      previous: { reach: 1, ...row(1, 0, 1), ...converted(0, 0, null) },
    },
  ]);
  for (const name of ['pages', 'entry-pages', 'devices'])
    expect(await rows(name, { goal, compare: '2026-06-01..2026-06-02', limit: 1 })).toMatchObject([
      { previous: { ...row(0, 0, 0), ...converted(0, 0, null) } },
    ]);
  // A goal that is gone: whoever names it gets an error, and a filter keeps nothing.
  for (const name of ['pages', 'exit-pages', 'sources'])
    await expect(rows(name, { goal: 'None' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'No such goal.',
    });
  expect(await rows('pages', { filters: { goal: 'None' } })).toEqual([]);
});

test('by their rates, only rows of at least ten visits, with what these had before', async () => {
  const { siteId, sql, ctx, fold } = await makeWorld();
  await addGoal(sql, siteId, { name: 'Signed up', event: 'signup' });
  const visits = (path: string, count: number, signUps: number, day = '2026-06-16') =>
    Array.from({ length: count }, (_, n) =>
      consented(`${path}${n}`, [
        pageview(`${day}T10:00:00Z`, path, { source: path }),
        ...(n < signUps ? [custom(`${day}T10:01:00Z`)] : []),
      ]),
    );
  await fold(
    ...visits('/a', 10, 5),
    ...visits('/b', 10, 8),
    ...visits('/c', 9, 9),
    ...visits('/b', 2, 1, '2026-06-09'),
  );
  const asked = { period: '7d', goal: 'Signed up', sort: 'conversionRate', compare: 'previous' };
  for (const name of ['pages', 'entry-pages', 'exit-pages', 'sources'])
    expect((await askNamed(ctx(), siteId, name, asked)).data).toMatchObject([
      { ...converted(10, 8, 80), previous: converted(2, 1, 50) },
      { ...converted(10, 5, 50), previous: converted(0, 0, null) },
    ]);
});

test('what else is asked of events and goals that aren’t saved', async () => {
  const { ctx, input } = await visitedWorld();
  const hits = (target: { event: string } | { page: string }) => countTargetHits(ctx(), { ...input, target });
  expect(await hits({ event: 'signup' })).toEqual({ exact: { conversions: 1 }, conversions: 2, events: 4 });
  expect(await hits({ page: '/*' })).toEqual({ exact: { conversions: 2 }, conversions: 3, events: 3 });
  expect(await hits({ event: '/' })).toEqual({ exact: { conversions: 0 }, conversions: 0, events: 0 });
  const currencies = (...names: string[]) => countEventCurrencies(ctx(), { ...input, names });
  expect(new Set(await currencies('signup', 'share'))).toEqual(
    new Set([
      { name: 'signup', currency: 'EUR', events: 2 },
      { name: 'signup', currency: 'USD', events: 1 },
    ]),
  );
  expect(await currencies('share')).toEqual([]);
  const values = (key: string, ...asked: string[]) => listPropertyValues(ctx(), { ...input, key, asked });
  const keys = ['author', 'paid', 'plan', 'seats'];
  expect(await values('author')).toEqual({ keys, values: ['Ana', 'Bea'] });
  expect(await values('author', 'Bea')).toEqual({ keys, values: ['Bea', 'Ana'] });
  expect(await values('plan')).toEqual({ keys, values: ['free', 'pro'] });
  const { rows } = await reportEventTimes(ctx(), { ...input, name: 'signup', interval: 'day' });
  expect(rows).toMatchObject([
    { visitors: 1, visits: 1, events: 2, revenue: [{ amount: '1.75', currency: 'EUR' }] },
    { visitors: 0, visits: 0, events: 2, revenue: [{ amount: '7', currency: 'USD' }] },
  ]);
  expect(rows.map(({ time }) => new Date(time).toISOString())).toEqual([
    '2026-06-15T00:00:00.000Z',
    '2026-06-16T00:00:00.000Z',
  ]);
});
