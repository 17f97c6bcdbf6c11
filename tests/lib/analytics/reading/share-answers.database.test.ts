/** What a share's filters tell of each report: rows of enough people, and nothing of an answer about too few. */
import { describe, expect, test } from 'vitest';
import type { ReportContext } from '../../../../lib/context.ts';
import { SHARED_REPORTS } from '../../../../lib/shares/schemas.ts';
import { addFunnel, addGoal } from '../../../security/definitions.ts';
import { askNamed, askTogether, sharedTo } from '../ask-named.ts';
import {
  consented,
  counts,
  custom,
  engagement,
  pageview,
  type session,
  useWorlds,
} from '../reports-world.ts';

const makeWorld = useWorlds();

const DAY = '2026-06-17';
const at = (minute: number, day = DAY) => `${day}T10:${String(minute).padStart(2, '0')}:00Z`;
const lived = (city: string, message: ReturnType<typeof session>) => ({ ...message, country: 'PT', city });
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

/** `count` people of a city, each with a visit of these pages. */
const people = (prefix: string, count: number, city: string, paths: string[], day = DAY) =>
  times(count, (n) =>
    lived(
      city,
      consented(
        `${prefix}${n}`,
        paths.map((path, step) => pageview(at(step, day), path, { props: { plan: 'pro' } })),
      ),
    ),
  );
const signUp = (message: ReturnType<typeof session>, day = DAY) => ({
  ...message,
  events: [...message.events, custom(at(9, day))],
});

/**
 * Porto: six at `/a`, one of whom goes on to `/secret`; five were there the week before. Braga: six at `/c` who sign up, and two
 * at `/a`. Faro: one. Évora: one person, six times. And six page views from nowhere.
 */
async function makePopulation() {
  const world = await makeWorld();
  const { sql, fold, ctx } = world;
  await fold(
    ...people('p', 5, 'Porto', ['/a']),
    ...people('q', 1, 'Porto', ['/a', '/secret']),
    ...people('p', 5, 'Porto', ['/a'], '2026-06-09'),
    ...people('b', 6, 'Braga', ['/c']).map((message) => signUp(message)),
    ...people('o', 2, 'Braga', ['/a']),
    ...people('f', 1, 'Faro', ['/b']),
    ...times(6, (n) => lived('Évora', consented('eve', [pageview(at(0, `2026-06-1${n + 1}`), '/a')]))),
    ...times(6, () => counts([pageview(at(0), '/a', { entry: true })])),
    consented('p0', [engagement(at(1))]),
  );
  await addGoal(sql, world.siteId, { name: 'Signed up', event: 'signup' });
  await addGoal(sql, world.siteId, { name: 'Secret', page: '/secret' });
  const steps = [{ page: '/a' }, { page: '/secret' }];
  const funnelId = await addFunnel(sql, world.siteId, { name: 'To the secret', steps });
  const fieldsOf = (name: string, asked: object) => ({
    ...{ from: '2026-06-08', to: DAY },
    ...(name === 'utm' && { by: 'source' }),
    ...(name === 'funnels' && { funnelId }),
    ...asked,
  });
  const askAs =
    (asker: ReportContext) =>
    (name: string, asked: object = {}) =>
      askNamed(asker, world.siteId, name, fieldsOf(name, asked));
  const share = await sharedTo(world);
  return {
    asOwner: askAs(ctx()),
    asShare: askAs(share),
    /** The data of several reports of the share, read together. */
    together: (names: readonly string[], asked: object) =>
      askTogether(
        share,
        world.siteId,
        names.map((name) => [name, fieldsOf(name, asked)]),
      ),
  };
}

const porto = { filters: { city: 'Porto' } };
const braga = { filters: { city: 'Braga' } };
const row = (count: number) => ({ visitors: count, visits: count, pageviews: count });

const ROWS: [string, object, unknown][] = [
  ['pages', porto, [{ path: '/a', reach: 6, ...row(6), visits: 11, pageviews: 11 }]],
  ['entry-pages', porto, [{ path: '/a', reach: 6, visitors: 6, visits: 11, pageviews: 12 }]],
  ['exit-pages', porto, [{ path: '/a', reach: 5, visitors: 5, visits: 10, pageviews: 10 }]],
  ['cities', { filters: { page: '/a' } }, [{ value: 'Porto', visitors: 6, visits: 11, pageviews: 12 }]],
  ['journeys', porto, [{ pages: ['/a'], visitors: 5, visits: 10, journeys: 10 }]],
  ['journeys', { start: '/c' }, [{ pages: ['/c'], visitors: 6, visits: 6, journeys: 6 }]],
  ['events', braga, [{ name: 'signup', visitors: 6, visits: 6, events: 6, revenue: [] }]],
  ['events', porto, []],
  ['goals', porto, []],
  [
    'goals',
    braga,
    [
      expect.objectContaining({
        ...{ name: 'Signed up', conversions: 6, conversionRate: 75, visitors: 6, exact: null, apart: null },
      }),
    ],
  ],
  [
    'funnels',
    porto,
    expect.objectContaining({ steps: [{ page: '/a', visits: 11, share: 100, dropOff: 0 }] }),
  ],
  ['engagement', { filters: { page: '/a' } }, []],
  // Of the first week five are known, all of whom came back; of the second week one came first.
  [
    'retention',
    porto,
    [{ week: '2026-06-08T00:00:00.000Z', visitors: 5, returned: [5], cameBack: 5, partial: true }],
  ],
  [
    'retention',
    braga,
    [{ week: '2026-06-15T00:00:00.000Z', visitors: 8, returned: [], cameBack: null, partial: true }],
  ],
  [
    'timeseries',
    { ...porto, interval: 'week' },
    [
      { time: '2026-06-08T00:00:00.000Z', ...row(5), bounceRate: 100, avgDuration: 0 },
      expect.objectContaining({ time: '2026-06-15T00:00:00.000Z', ...row(6), pageviews: 7 }),
    ],
  ],
  // Days on which nobody came, and on which few did, are alike.
  ['timeseries', porto, [expect.objectContaining(row(5)), expect.objectContaining({ visits: 6 })]],
  // Tier 3 leaves out the anonymous ones. The second part has no city of at least five people on the first day.
  [
    'timeseries',
    { filters: { privacy_tier: 3 }, by: 'city', interval: 'week' },
    [
      expect.objectContaining({ parts: [{ value: 'Porto', ...row(5) }] }),
      expect.objectContaining({
        parts: [
          { value: 'Porto', visitors: 6, visits: 6, pageviews: 7 },
          { value: 'Braga', ...row(8) },
        ],
      }),
    ],
  ],
  [
    'timeseries',
    { ...braga, by: 'tier', interval: 'month' },
    [expect.objectContaining({ parts: [{ value: '3', ...row(8) }] })],
  ],
  [
    'cities',
    { goal: 'Signed up' },
    [
      {
        value: 'Porto',
        visitors: 6,
        visits: 11,
        pageviews: 12,
        exactVisits: 11,
        conversions: null,
        conversionRate: null,
      },
      { value: 'Braga', ...row(8), exactVisits: 8, conversions: 6, conversionRate: 75 },
    ],
  ],
];

/** What the owner sees beside. */
const HIDDEN: [string, object, string[]][] = [
  ['pages', porto, ['"/secret"']],
  ['entry-pages', { filters: { privacy_tier: 3 } }, ['"/b"']],
  ['exit-pages', porto, ['"/secret"']],
  ['cities', { filters: { page: '/a' } }, ['"Braga"', '"Évora"']],
  ['journeys', porto, ['"/secret"']],
  ['goals', porto, ['"Secret"']],
  ['funnels', porto, ['"/secret"']],
  ['retention', porto, ['"2026-06-15T00:00:00.000Z"']],
  ['timeseries', porto, ['"2026-06-10T00:00:00.000Z"']],
  ['timeseries', { filters: { privacy_tier: 3 }, by: 'city', interval: 'week' }, ['"Faro"', '"Évora"']],
  ['cities', { goal: 'Signed up' }, ['"Faro"', '"Évora"', '"conversions":0']],
];

test('of a group that is large enough, there are the rows that are large enough', async () => {
  const { asOwner, asShare } = await makePopulation();
  for (const [name, asked, data] of ROWS) {
    const answer = await asShare(name, asked);
    expect([name, asked, answer.data]).toEqual([name, asked, data]);
    expect(answer.meta).toMatchObject({ withheldBelow: 5 });
    for (const field of ['suppressed', 'approximate']) expect(answer.meta).not.toHaveProperty(field);
  }
  for (const [name, asked, hidden] of HIDDEN) {
    const [shown, own] = [await asShare(name, asked), await asOwner(name, asked)];
    expect(own.meta).not.toHaveProperty('withheldBelow');
    for (const text of hidden) {
      expect(JSON.stringify(own.data)).toContain(text);
      expect(JSON.stringify(shown.data)).not.toContain(text);
    }
  }
});

const WITHHELD = SHARED_REPORTS.filter((name) => !['dropped', 'live', 'engagement'].includes(name));

/** One person, nobody, all but one, one person often, one of many, all but one of many, and few beside many. */
const OF_FEW = [
  ...[{ city: 'Faro' }, { city: 'Nowhere' }, { city: '!Faro' }, { city: 'Évora' }],
  ...[{ city: 'Porto', page: '/secret' }, { city: 'Porto', page: '!/secret' }, { city: 'Porto|Faro' }],
];

test('of few, or of all but few, each report tells nothing', async () => {
  const { asShare, together } = await makePopulation();
  const nothing = Object.fromEntries(WITHHELD.map((name) => [name, null]));
  for (const filters of OF_FEW) {
    expect([filters, await together(WITHHELD, { filters })]).toEqual([filters, nothing]);
    expect((await asShare('pages', { filters })).meta).toMatchObject({
      ...{ suppressed: true, withheldBelow: 5, nextCursor: null },
    });
  }
});

test('of everything a share has what its owner has, also by filters that keep every visit', async () => {
  const { asOwner, asShare } = await makePopulation();
  for (const name of ['overview', 'pages', 'cities', 'goals', 'retention', 'timeseries'])
    expect(await asShare(name)).toEqual(await asOwner(name));
  for (const filters of [{ page: '!/nowhere' }, { country: '~PT|Unknown' }])
    expect((await asShare('overview', { filters })).data).toMatchObject({ visits: 32 });
});

describe('by hour', () => {
  test.each([
    ['five', 5, 100, 0],
    ['four', 4, null, null],
  ])('a share tells a rate of %s', async (_, count, bounceRate, avgDuration) => {
    const world = await makeWorld();
    await world.fold(...people('p', count, 'Porto', ['/a']));
    const shared = await sharedTo(world, ['timeseries']);
    const askFor = async (ctx: ReportContext, interval: string) => {
      const { data } = await askNamed(ctx, world.siteId, 'timeseries', { period: '7d', interval });
      return (data as { visits: number }[]).filter(({ visits }) => visits > 0);
    };
    expect(await askFor(shared, 'hour')).toMatchObject([{ visits: count, bounceRate, avgDuration }]);
    for (const [ctx, interval] of [
      [shared, 'day'],
      [world.ctx(), 'hour'],
    ] as const)
      expect(await askFor(ctx, interval)).toMatchObject([{ visits: count, bounceRate: 100, avgDuration: 0 }]);
  });
});
