/** Who comes back, and how far visits get: of days that are sealed, and of days that aren't. */
import { expect, test } from 'vitest';
import { reportFunnel } from '../../../../lib/analytics/behaviour/funnel.ts';
import { addFunnel, addGoal } from '../../../security/definitions.ts';
import { askNamed } from '../ask-named.ts';
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

const on = (day: string, hour = 10) => `2026-${day}T${hour}:00:00Z`;
const visit = (who: string, day: string, city = 'Porto') => ({
  ...consented(who, [pageview(on(day))]),
  ...{ country: 'PT', city },
});

const ask = async ({ ctx, siteId }: World, name: string, asked: object = {}) =>
  (await askNamed(ctx(), siteId, name, asked)).data;

/** Mondays. The 15th is in the present week. */
const WEEKS = ['06-01', '06-08', '06-15'].map((day) => `2026-${day}T00:00:00.000Z`);
const weeks = (...rows: [number, number[], number][]) =>
  rows.map(([visitors, returned, cameBack], n) => ({ week: WEEKS[n], visitors, returned, cameBack }));

test.each([
  ['not sealed', async () => {}],
  ['sealed', seal],
])('who comes back in a later week, of days that are %s', async (_, sealed) => {
  const world = await makeWorld();
  await world.fold(
    // Known before the range: in no week.
    ...[visit('old', '04-01'), visit('old', '06-02'), visit('old', '06-09')],
    // Twice in the first week, in the second and in the third.
    ...[visit('a', '06-01'), visit('a', '06-07'), visit('a', '06-08'), visit('a', '06-15')],
    // In the first and the third; in the first alone; in the second and third, from elsewhere at first.
    ...[visit('b', '06-03'), visit('b', '06-16'), visit('c', '06-03')],
    ...[visit('d', '06-10', 'Faro'), visit('d', '06-11'), visit('d', '06-17')],
    // Nobody is known by other tiers, and nobody is there when a server says something.
    ...[session('s', [pageview(on('06-02'))]), session('s', [pageview(on('06-09'))])],
    ...[counts([pageview(on('06-02'))]), counts([pageview(on('06-09'))])],
    consented('e', [{ ...custom(on('06-09')), entry: false } as ReturnType<typeof custom>]),
  );
  await sealed(world);
  const of = (asked: object) => ask(world, 'retention', { from: '2026-06-01', to: '2026-06-21', ...asked });
  const whole = weeks([3, [1, 2], 2], [1, [1], 1], [0, [], 0]).map((week) => ({ ...week, partial: true }));
  expect(await of({})).toEqual(whole);
  expect(await of({ filters: { privacy_tier: 3 } })).toEqual(whole);
  expect(await of({ limit: 1 })).toEqual(whole.slice(0, 1));
  const none = weeks([0, [0, 0], 0], [0, [0], 0], [0, [], 0]).map((week) => ({ ...week, partial: true }));
  for (const tier of [1, 2]) expect(await of({ filters: { privacy_tier: tier } })).toEqual(none);
  expect(await of({ filters: { city: 'Porto' } })).toEqual(
    weeks([3, [1, 2], 2], [0, [0], 0], [0, [], 0]).map((week) => ({ ...week, partial: true })),
  );
  // Weeks that are over, and whole: nothing is partial. Of the other range the first day isn't a Monday's.
  expect(await of({ to: '2026-06-14' })).toEqual(weeks([3, [1], 1], [1, [], 0]));
  expect(await of({ to: '2026-06-13' })).toMatchObject([{ partial: true }, { partial: true }]);
  expect(await of({ from: '2026-06-18' })).toEqual([]);
});

test.each([
  ['not sealed', async () => {}],
  ['sealed', seal],
])('how far visits get on days that are %s, and why rates may be approximate', async (_, sealed) => {
  const world = await makeWorld();
  const { siteId, sql, fold, ctx } = world;
  const steps = [{ page: '/' }, { page: '/buy/*' }, { event: 'signup' }] as const;
  const funnelId = await addFunnel(sql, siteId, { name: 'Way', steps });
  await addGoal(sql, siteId, { name: 'Signed up', event: 'signup' });
  await addGoal(sql, siteId, { name: 'Bought', page: '/buy/*' });
  const walk = (who: string, ...paths: string[]) =>
    session(
      who,
      paths.map((path, n) => {
        const at = `2026-06-10T10:00:0${n}Z`;
        return path === 'signup' ? custom(at) : pageview(at, path);
      }),
    );
  await fold(
    ...[walk('a', '/', '/buy/1', 'signup'), walk('b', '/', '/buy/2'), walk('c', '/buy/1', '/', 'signup')],
    ...[walk('d', '/', '/about', '/buy/1'), walk('e', '/about')],
  );
  await sealed(world);
  const [first, second, third] = [
    { page: '/', visits: 4, share: 100, dropOff: 0 },
    { page: '/buy/*', visits: 3, share: 75, dropOff: 25 },
    { event: 'signup', visits: 1, share: 25, dropOff: 66.7 },
  ];
  const answer = { id: funnelId, name: 'Way', steps: [first, second, third] };
  const answerOf = (asked: object = {}) => askNamed(ctx(), siteId, 'funnels', { funnelId, ...asked });
  expect(await answerOf()).toMatchObject({
    data: answer,
    meta: { scope: { tiers: [2, 3] }, approximate: [] },
  });
  expect((await answerOf({ filters: { page: '!/about' } })).data).toMatchObject({
    steps: [{ visits: 3 }, { visits: 2, dropOff: 33.3 }, { visits: 1, share: 33.3 }],
  });
  const none = [0, 0, 0].map((visits) => ({ visits, share: 0, dropOff: 0 }));
  expect((await answerOf({ filters: { privacy_tier: 3 } })).data).toMatchObject({ steps: none });
  const unsaved = await reportFunnel(ctx(), { siteId, range: { period: '30d' }, steps: [...steps] });
  expect(unsaved.data).toEqual({ ...answer, id: null, name: null });
  await expect(answerOf({ funnelId: siteId })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'No such funnel.',
  });

  const goals = async (asked: object = {}) => {
    const { data, meta } = await askNamed(ctx(), siteId, 'goals', asked);
    const items = data as { name: string; conversions: number; exact: object; apart: object }[];
    return {
      ...(meta as { approximate?: string[] }),
      goals: items.map(({ name, conversions, exact, apart }) => [
        name,
        conversions,
        exact,
        Object.values(apart),
      ]),
    };
  };
  const exact = (conversions: number, visits: number, conversionRate: number) => ({
    ...{ conversions, visits, conversionRate },
  });
  expect(await goals()).toMatchObject({
    approximate: [],
    goals: [
      ['Bought', 4, exact(4, 5, 80), [0, 0, 0]],
      ['Signed up', 2, exact(2, 5, 40), [0, 0, 0]],
    ],
  });
  await fold(
    ...[counts([pageview(on('06-09'), '/buy/1')]), counts([pageview(on('06-09'), '/', { entry: false })])],
    consented('f', [pageview(on('06-09'), '/buy/1')], { continued: true }),
    consented('g', [{ ...custom(on('06-09')), entry: false } as ReturnType<typeof custom>]),
  );
  await sealed(world);
  const reasons = ['anonymousCounts', 'continuations', 'serverEvents'];
  const mixed = await goals();
  expect(mixed).toMatchObject({ approximate: reasons });
  expect(mixed.goals.map(([name, conversions, exactly]) => [name, conversions, exactly])).toEqual([
    ['Bought', 6, exact(4, 5, 80)],
    ['Signed up', 3, exact(2, 5, 40)],
  ]);
  expect(await goals({ filters: { privacy_tier: 1 } })).toMatchObject({ approximate: ['anonymousCounts'] });
  expect((await answerOf()).meta).toMatchObject({ approximate: ['continuations'] });
});
