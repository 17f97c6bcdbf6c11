/** What filters of a share reveal: only what its lists show, and nothing about a few visits (docs/reports.md#shares). */
import { describe, expect, test } from 'vitest';
import { FILTER_DIMENSIONS, type FilterDimension } from '../../../lib/analytics/reading/filters.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { TrackMessage } from '../../../lib/collection/track-message.ts';
import { SHARED_REPORTS, type SharedReport } from '../../../lib/shares/schemas.ts';
import { STACKED, VALUE_LISTS } from '../../../lib/visits/dimensions.ts';
import { consented, counts, custom, pageview, session } from '../../lib/analytics/reports-world.ts';
import { byName } from '../../oracle/dimensions.ts';
import { addFunnel, addGoal } from '../../security/definitions.ts';
import { createTenant } from '../../security/tenant.ts';
import { addShare } from '../../security/test-share.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors } from './doors.ts';

const stack = useStack();

type Message = Omit<TrackMessage, 'siteId'>;

/** The list that shows a dimension's values. */
const LIST_OF = {
  ...byName((name): SharedReport => VALUE_LISTS.find((list) => list.dimension === name)?.path ?? 'utm'),
  page: 'pages',
  entry_page: 'entry-pages',
  exit_page: 'exit-pages',
  goal: 'goals',
} satisfies Record<FilterDimension, SharedReport>;

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const lived = (city: string, message: Message): Message => ({ ...message, country: 'PT', city });

/** One visit each of `count` people, with these pages in this order. */
const people = (prefix: string, count: number, city: string, ...pages: string[]): Message[] =>
  Array.from({ length: count }, (_, n) =>
    lived(
      city,
      consented(
        `${prefix}${n}`,
        pages.map((path, step) => pageview(minutesAgo(20 - step), path)),
      ),
    ),
  );

/**
 * 6 people from Porto at `/a`, one of whom continued to `/secret`; 6 from Lisbon at `/a`; one from Faro at `/b`; 6 from Braga at `/c`,
 * who signed up; and one from Évora, who came 6 times.
 */
const POPULATION: Message[] = [
  ...people('p', 5, 'Porto', '/a'),
  ...people('q', 1, 'Porto', '/a', '/secret'),
  ...people('l', 6, 'Lisbon', '/a'),
  ...people('f', 1, 'Faro', '/b'),
  ...people('b', 6, 'Braga', '/c').map(({ events, ...message }) => ({
    ...message,
    events: [...events, custom(minutesAgo(15))],
  })),
  ...Array.from({ length: 6 }, (_, n) =>
    lived('Évora', consented('eve', [pageview(minutesAgo(20 + 40 * n), '/a')])),
  ),
];

async function makeSite(messages: Message[] = POPULATION) {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  const own = messages.map((message) => ({ ...message, siteId: tenant.siteId }));
  await foldBatch(sql, own, Date.now());
  await addGoal(sql, tenant.siteId, { name: 'Signed up', event: 'signup' });
  await addGoal(sql, tenant.siteId, { name: 'Secret', page: '/secret' });
  return tenant;
}

describe.each<[string, Door]>(Object.entries(doors))('a filter of a share in %s', (_, door) => {
  async function call(path: string, token?: string) {
    const headers: HeadersInit = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const response = await door(stack(), path, { headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  async function open(siteId: string, reports?: SharedReport[]) {
    const { secret } = await addShare(stack().sql, siteId, { ...(reports && { reports }) });
    return (report: string, query: Record<string, string> = {}) =>
      call(
        `/api/v1/shares/${secret}/analytics/${report}?${new URLSearchParams({ ...(report !== 'live' && { period: '7d' }), ...query })}`,
      );
  }
  const withheld = { status: 200, body: { data: null, meta: { suppressed: true } } };

  test('must be of a dimension whose list it shows', async () => {
    const { siteId } = await makeSite([]);
    const alone = await open(siteId, ['timeseries']);
    for (const dimension of FILTER_DIMENSIONS) {
      const name = `filter_${dimension}`;
      for (const text of ['x', '!x', '~x'])
        expect([name, await alone('timeseries', { [name]: text })]).toMatchObject([
          name,
          { status: 400, body: { error: 'VALIDATION_ERROR', details: [{ path: name }] } },
        ]);
      const both = await open(siteId, ['timeseries', LIST_OF[dimension]]);
      expect([name, (await both('timeseries', { [name]: 'x' })).status]).toEqual([name, 200]);
    }
    // No share lists properties.
    for (const report of SHARED_REPORTS.filter((name) => !['live', 'funnels'].includes(name)))
      expect([
        report,
        await (await open(siteId))(report === 'goals' ? 'goals/report' : report, {
          ...(report === 'utm' && { by: 'source' }),
          filter_prop_plan: 'pro',
        }),
      ]).toMatchObject([
        report,
        { status: 400, body: { error: 'VALIDATION_ERROR', details: [{ path: 'filter_prop_plan' }] } },
      ]);
    expect(await alone('timeseries', { filter_privacy_tier: '3' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'filter_privacy_tier' }] },
    });
    expect((await (await open(siteId, ['overview']))('overview', { filter_privacy_tier: '3' })).status).toBe(
      200,
    );
    expect(await (await open(siteId, ['live']))('live', { filter_privacy_tier: '3' })).toMatchObject({
      status: 400,
    });
    const journeys = await open(siteId, ['journeys']);
    for (const end of ['start', 'end'])
      expect(await journeys('journeys', { [end]: '/secret' })).toMatchObject({
        status: 400,
        body: { details: [{ path: end }] },
      });
  });

  test('has no word on which values the site has', async () => {
    const { siteId } = await makeSite();
    const share = await open(siteId);
    for (const city of ['Atlantis', 'porto', 'Porto']) {
      const { status, body } = await share('overview', { filter_city: city });
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('unmatched');
    }
  });

  test('tells by hour no rate and no duration of a few, also without a filter', async () => {
    const [many, few] = [await createTenant(stack().sql), await createTenant(stack().sql)];
    const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 7_200_000;
    const read = (person: string): Message =>
      consented(person, [
        pageview(new Date(hour + 60_000).toISOString(), '/a'),
        pageview(new Date(hour + 90_000).toISOString(), '/b'),
      ]);
    const send = (siteId: string, count: number) =>
      foldBatch(
        stack().sql,
        Array.from({ length: count }, (_, n) => ({ ...read(`r${n}`), siteId })),
        Date.now(),
      );
    await Promise.all([send(many.siteId, 5), send(few.siteId, 4)]);
    const seen = async (siteId: string, query: Record<string, string>) => {
      const ask = await open(siteId, ['timeseries']);
      const { body } = await ask('timeseries', query);
      const points = body.data as { visits: number; bounceRate: number; avgDuration: number }[];
      return points
        .filter(({ visits }) => visits > 0)
        .map(({ visits, bounceRate, avgDuration }) => [visits, bounceRate, avgDuration]);
    };
    expect(await seen(many.siteId, { period: '24h' })).toEqual([[5, 0, 30]]);
    expect(await seen(few.siteId, { period: '24h' })).toEqual([[4, null, null]]);
    expect(await seen(few.siteId, { period: '7d', interval: 'day' })).toEqual([[4, 0, 30]]);
  });

  test('is no way to lists that it doesn’t show: neither are the parts of a series', async () => {
    const { siteId } = await makeSite();
    const alone = await open(siteId, ['timeseries']);
    for (const by of STACKED)
      expect([by, await alone('timeseries', { by })]).toMatchObject([
        by,
        { status: 400, body: { error: 'VALIDATION_ERROR', details: [{ path: 'by' }] } },
      ]);
    const both = await open(siteId, ['timeseries', 'cities', 'overview']);
    expect((await both('timeseries', { by: 'tier' })).status).toBe(200);
    expect(await both('timeseries', { by: 'city', interval: 'hour' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'interval' }] },
    });
    expect((await both('timeseries', { by: 'city', period: '24h' })).status).toBe(400);
    const partsOf = async (query: Record<string, string>) => {
      const { body } = await both('timeseries', { by: 'city', interval: 'month', period: '30d', ...query });
      const points = body.data as { parts: { value: string; visits: number }[] }[];
      return points.flatMap(({ parts }) => parts).filter(({ visits }) => visits > 0);
    };
    expect(new Set((await partsOf({})).map(({ value }) => value))).toEqual(
      new Set(['Braga', 'Lisbon', 'Porto', 'Évora', 'Faro']),
    );
    // With a filter of tier 3, which keeps all, parts of few people are left out, also of `(other)`.
    for (const { visits } of await partsOf({ filter_privacy_tier: '3' })) expect(visits).toBeGreaterThan(4);
    const names = (await partsOf({ filter_privacy_tier: '3' })).map(({ value }) => value);
    expect(names).not.toContain('Faro');
    expect(names).not.toContain('Évora');
    expect((await partsOf({ filter_privacy_tier: '3', limit: '1' })).map(({ value }) => value)).toContain(
      '(other)',
    );
  });

  test('names at most 5 values together with the others', async () => {
    const { siteId } = await makeSite([]);
    const ask = await open(siteId);
    const values = (count: number) => Array.from({ length: count }, (_, n) => `v${n}`).join('|');
    expect((await ask('pages', { filter_city: values(2), filter_page: values(3) })).status).toBe(200);
    expect(await ask('pages', { filter_city: values(3), filter_page: values(3) })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'filter_page' }] },
    });
  });

  const filterable = SHARED_REPORTS.filter((name) => !['dropped', 'live', 'engagement'].includes(name));

  test.each(filterable)('of a few visits answers as one of none: %s', async (name) => {
    const { siteId } = await makeSite();
    const steps = [{ page: '/a' }, { page: '/secret' }];
    const funnelId = await addFunnel(stack().sql, siteId, { name: 'To the secret', steps });
    const path = { goals: 'goals/report', funnels: `funnels/${funnelId}/report` }[name as string] ?? name;
    const ask = await open(siteId);
    const by: Record<string, string> = name === 'utm' ? { by: 'campaign' } : {};
    const answers = [
      await ask(path, { ...by, filter_city: 'Faro' }),
      await ask(path, { ...by, filter_city: 'Nowhere' }),
      await ask(path, { ...by, filter_city: 'Porto', filter_page: '/secret' }),
      // One person, although there are many visits.
      await ask(path, { ...by, filter_city: 'Évora' }),
      // The group that a filter excludes counts too, because a reader could subtract.
      await ask(path, { ...by, filter_city: '!Faro' }),
      await ask(path, { ...by, filter_city: 'Porto', filter_page: '!/secret' }),
      // Each value that the filter names counts too.
      await ask(path, { ...by, filter_city: 'Porto|Faro' }),
      await ask(path, { ...by, filter_city: '!Porto|Faro' }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject(withheld);
      expect(Object.keys(answer.body.meta as object).sort()).toEqual(
        Object.keys(answers[0]?.body.meta as object).sort(),
      );
    }
    expect(await ask(path, { ...by, filter_city: 'Porto' })).toMatchObject({
      status: 200,
      body: { data: expect.anything() },
    });
  });

  test('shows of a group that is large enough no row of a smaller one', async () => {
    const { siteId, token } = await makeSite();
    const ask = await open(siteId);
    const rows = async (report: string, query: Record<string, string>) => {
      const { body } = await ask(report, query);
      expect([report, body.meta]).toEqual([report, expect.objectContaining({ withheldBelow: 5 })]);
      expect(body.meta).not.toHaveProperty('suppressed');
      return body.data;
    };
    const porto = { filter_city: 'Porto' };
    const figures = { visitors: 6, visits: 6, pageviews: 6 };
    expect(await rows('pages', porto)).toEqual([{ path: '/a', reach: 6, ...figures }]);
    expect(await rows('pages', { ...porto, sort: 'pageviews' })).toHaveLength(1);
    expect(await rows('entry-pages', porto)).toMatchObject([{ path: '/a' }]);
    expect(await rows('exit-pages', porto)).toMatchObject([{ path: '/a', visits: 5 }]);
    expect(await rows('cities', { filter_page: '/a' })).toMatchObject([
      { value: 'Lisbon' },
      { value: 'Porto' },
    ]);
    expect(await rows('journeys', porto)).toMatchObject([{ pages: ['/a'], journeys: 5 }]);
    expect(await rows('journeys', { start: '/a' })).toMatchObject([{ pages: ['/a'] }]);
    expect(await rows('goals/report', porto)).toEqual([]);
    expect(await rows('goals/report', { filter_city: 'Braga' })).toMatchObject([{ name: 'Signed up' }]);
    expect(await rows('events', { filter_city: 'Braga' })).toMatchObject([{ name: 'signup', events: 6 }]);
    const steps = [{ page: '/a' }, { page: '/secret' }];
    const funnelId = await addFunnel(stack().sql, siteId, { name: 'To the secret', steps });
    expect(await rows(`funnels/${funnelId}/report`, porto)).toMatchObject({
      steps: [{ page: '/a', visits: 6 }],
    });
    const [day] = (await rows('timeseries', porto)) as object[];
    expect(day).toMatchObject({ visits: 6 });
    // The owner sees these visits.
    const own = await call(`/api/v1/sites/${siteId}/analytics/pages?period=7d&filter_city=Porto`, token);
    expect(own.body.data).toHaveLength(2);
  });

  test('and no page of rows that are left out', async () => {
    const { siteId } = await makeSite();
    const ask = await open(siteId);
    const { body } = await ask('pages', { filter_city: 'Porto', limit: '1' });
    expect(body).toMatchObject({ data: [{ path: '/a' }], meta: { nextCursor: null } });
  });

  test('leaves out hours in which few came', async () => {
    const at = (hours: number, count: number, prefix: string) =>
      Array.from({ length: count }, (_, n) =>
        lived('Porto', session(`${prefix}${n}`, [pageview(minutesAgo(60 * hours), '/a')])),
      );
    const { siteId } = await makeSite([
      ...at(1, 6, 'a'),
      ...at(2, 2, 'b'),
      ...people('l', 6, 'Lisbon', '/b'),
    ]);
    const ask = await open(siteId);
    const { body } = await ask('timeseries', { period: '24h', filter_city: 'Porto' });
    expect(body.data).toMatchObject([{ visits: 6, visitors: 6 }]);
    const whole = await ask('timeseries', { period: '24h' });
    expect(whole.body.data).toHaveLength(24);
  });

  test('tells of a small part of its overview what it tells of none', async () => {
    const yesterday = (count: number): Message[] =>
      Array.from({ length: count }, (_, n) =>
        lived('Porto', consented(`y${n}`, [pageview(minutesAgo(25 * 60), '/a')])),
      );
    const anonymous: Message[] = Array.from({ length: 8 }, () => ({
      ...counts([pageview(minutesAgo(1), '/a')]),
      device: 'mobile',
    }));
    const [one, none] = await Promise.all(
      [1, 0].map(async (few) => {
        const messages = [
          ...anonymous,
          ...yesterday(few).map((message) => ({ ...message, device: 'mobile' as const })),
          ...people('c', few, 'Porto', '/a').map((message) => ({ ...message, device: 'mobile' as const })),
          ...people('d', 9, 'Porto', '/a').map((message) => ({ ...message, device: 'desktop' as const })),
        ];
        const { siteId } = await makeSite(messages);
        const { body } = await (await open(siteId))('overview', { period: '24h', filter_device: 'mobile' });
        return body.data as Record<string, unknown>;
      }),
    );
    expect(one).toMatchObject({ visits: 9, visitsChange: null, bounceRate: null, avgDuration: null });
    expect(one).not.toHaveProperty('tiers');
    expect(none).toMatchObject({ visits: 8, visitsChange: null, bounceRate: null, avgDuration: null });
    expect(none).not.toHaveProperty('tiers');
  });

  test('a goal whose conversions rows have is as a filter by it', async () => {
    const signed = people('s', 2, 'Porto', '/a').map(({ events, ...message }) => ({
      ...message,
      events: [...events, custom(minutesAgo(15))],
    }));
    const { siteId } = await makeSite([...POPULATION, ...signed]);
    const ask = await open(siteId);
    const { body } = await ask('cities', { goal: 'Signed up' });
    const rows = body.data as Record<string, unknown>[];
    expect(rows.find(({ value }) => value === 'Braga')).toMatchObject({
      ...{ visits: 6, exactVisits: 6, conversions: 6, conversionRate: 100 },
    });
    for (const city of ['Porto', 'Lisbon'])
      expect(rows.find(({ value }) => value === city)).toMatchObject({
        conversions: null,
        conversionRate: null,
      });
    expect(await ask('cities', { goal: 'Secret' })).toMatchObject(withheld);
    const alone = await open(siteId, ['cities']);
    expect(await alone('cities', { goal: 'Signed up' })).toMatchObject({
      ...{ status: 400, body: { details: [{ path: 'goal' }] } },
    });
  });

  test('that keeps every visit is none', async () => {
    const { siteId } = await makeSite();
    const ask = await open(siteId);
    const all = await ask('overview');
    for (const query of [
      { filter_country: 'PT' },
      { filter_page: '!/nowhere' },
      { filter_privacy_tier: '3' },
    ])
      expect((await ask('overview', query as Record<string, string>)).body.data).toMatchObject({
        visits: (all.body.data as { visits: number }).visits,
      });
    const { body } = await ask('overview', { filter_country: 'PT', filter_city: 'Porto' });
    expect(body.data).toMatchObject({ visits: 6 });
  });

  test('holds for who is there now', async () => {
    const here = (who: string, visit: typeof session) => visit(who, [pageview(minutesAgo(1), `/${who}`)]);
    const { siteId } = await makeSite([
      here('x', consented),
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((who) => here(who, session)),
    ]);
    const ask = await open(siteId);
    expect(await ask('live', { filter_privacy_tier: '3' })).toMatchObject(withheld);
    expect(await ask('live', { filter_privacy_tier: '1' })).toMatchObject(withheld);
    const sessions = await ask('live', { filter_privacy_tier: '2' });
    // Only one person is outside this group, and each page has only one visitor.
    expect(sessions).toMatchObject(withheld);
    expect((await ask('live')).body.data).toMatchObject({ visitors: 7 });
  });

  test.each(['engagement', 'vitals'])('holds for sums by page: %s', async (report) => {
    const { siteId } = await makeSite();
    const ask = await open(siteId);
    expect(await ask(report, { filter_page: '/b' })).toMatchObject(withheld);
    expect(await ask(report, { filter_page: '/a' })).toMatchObject({ body: { data: [] } });
    expect(await ask(report, { filter_privacy_tier: '2' })).toMatchObject(withheld);
  });
});
