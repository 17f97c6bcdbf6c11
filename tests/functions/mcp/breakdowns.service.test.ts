/** Figures that only tools have: each against what REST tells of the same visits, or against the spans that were sent. */
import { expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { StoredEvent } from '../../../lib/collection/track-message.ts';
import { groupSpans } from '../../../lib/telemetry/group-spans.ts';
import { consented, counts, custom, pageview, session } from '../../lib/analytics/reports-world.ts';
import { addGoal } from '../../security/definitions.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { createWorld, minutesAgo, type TestSpan } from '../telemetry/sent-spans.ts';
import { spanIdOf, traceIdOf } from '../telemetry/test-environment.ts';
import { askRest, createAgent, createBackend, createVisitedSite, type Json, visitOf } from './agent.ts';

const stack = useStack();

async function createVisited() {
  const tenant = await createVisitedSite(stack());
  const rest = async (path: string): Promise<Json> => (await askRest(stack(), tenant, path)).body.data;
  return { tenant, rest, agent: await createAgent(stack(), tenant.userId) };
}

test('who is there now is what REST tells', async () => {
  const { agent, rest } = await createVisited();
  const { visitors, anonymousPageviews, pages } = await rest('live');
  expect((await agent.ask('get_live')).data).toEqual({ visitors, anonymousPageviews, pages });
});

test('hours of the week are the heatmap’s, the busiest on average first', async () => {
  const visited = await createVisited();
  const { agent, rest } = visited;
  // The first visit began less than 9 days ago: each weekday has been there once or twice since.
  for (const { visits, visitsPerDay } of (
    await agent.ask('break_down_visits', { by: 'weekday', period: '90d' })
  ).data)
    expect(visits === 0 || visitsPerDay >= Math.floor((10 * visits) / 2) / 10).toBe(true);
  const { tenant } = visited;
  // Nothing is averaged over hours before collection began.
  const old = new Date(Date.now() - 45 * 86_400_000).toISOString();
  await foldBatch(stack().sql, [{ ...counts([pageview(old)]), siteId: tenant.siteId }], Date.now());
  const cells: Json[] = (await rest('heatmap?period=30d')).filter(({ hours }: Json) => hours > 0);
  const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  const { data, more, cursor } = await agent.ask('break_down_visits', { by: 'weekday_and_hour', limit: 100 });
  const rows = [
    ...data,
    ...(await agent.ask('break_down_visits', { by: 'weekday_and_hour', limit: 100, cursor })).data,
  ];
  expect([more, rows.length]).toEqual([true, cells.length]);
  for (const { weekday, hour, visits, visitsPerHour } of rows) {
    const cell = cells.find((one) => WEEKDAYS[one.weekday - 1] === weekday && one.hour === hour);
    expect([visits, visitsPerHour]).toEqual([cell.visits, Math.round((10 * cell.visits) / cell.hours) / 10]);
  }
  const averages = rows.map((row: Json) => row.visitsPerHour);
  expect(averages).toEqual(averages.toSorted((a: number, b: number) => b - a));
  const hours = (await agent.ask('break_down_visits', { by: 'hour_of_day' })).data;
  expect(hours.map(({ hour }: Json) => hour).sort((a: number, b: number) => a - b)).toEqual(
    [...new Set(cells.map(({ hour }) => hour))].sort((a, b) => a - b),
  );
  const sum = (list: Json[]) => list.reduce((all, { visits }) => all + visits, 0);
  const days = (await agent.ask('break_down_visits', { by: 'weekday' })).data;
  expect([sum(hours), sum(days), days.length]).toEqual([sum(cells), sum(cells), 7]);
});

test('bounce rates of a value are those of the visits that a filter by it keeps', async () => {
  const { agent, rest } = await createVisited();
  for (const [by, list, label] of [
    ['entry_page', 'entry-pages', 'path'],
    ['source', 'sources', 'value'],
  ] as const) {
    const { data } = await agent.ask('break_down_visits', { by, sort: 'bounce_rate', minVisits: 1 });
    const listed = await rest(`${list}?limit=100`);
    expect(data.length).toBe(listed.length);
    for (const row of data) {
      const { visits, pageviews } = listed.find((one: Json) => one[label] === row[label]);
      const { bounceRate, avgDuration, tiers } = await rest(`overview?filter_${by}=${row[label]}`);
      expect(row).toEqual({
        ...{ [label]: row[label], visits, measured: tiers.visits.consented },
        // Of a page on which visits began these are mostly of other pages.
        ...(label === 'value' && { pageviews }),
        ...(tiers.visits.consented === 0
          ? { bounceRate: null, avgDuration: null }
          : { bounceRate, avgDuration }),
      });
    }
    const rates = data.map(({ bounceRate }: Json) => bounceRate ?? -1);
    expect(rates).toEqual(rates.toSorted((a: number, b: number) => b - a));
    const fewest = Math.max(...data.map(({ visits }: Json) => visits));
    const large = await agent.ask('break_down_visits', { by, minVisits: fewest });
    expect(large.data.every(({ visits }: Json) => visits >= fewest)).toBe(true);
    expect(large.data.length).toBeGreaterThan(0);
  }
  for (const args of [
    { by: 'entry_page', minVisits: 0 },
    { by: 'hour', sort: 'bounce_rate' },
    { by: 'weekday', minVisits: 5 },
  ])
    expect((await agent.call('break_down_visits', args)).answer.code).toBe('VALIDATION_ERROR');
});

test('a list that lacks tiers says so, and how many visits it leaves out', async () => {
  const { agent, rest } = await createVisited();
  const { tiers } = await rest('overview?filter_device=mobile');
  const { anonymousCounts } = tiers.visits;
  expect(anonymousCounts).toBeGreaterThan(0);
  for (const by of ['language', 'city', 'exit_page']) {
    const { scope, notes } = await agent.ask('break_down_visits', { by, filters: ['device is mobile'] });
    expect(scope.tiers).toEqual([2, 3]);
    expect(notes).toContain(
      `Visits of tier 1 have no \`${by}\`: ${anonymousCounts} of them are not in this list.`,
    );
  }
  expect((await agent.ask('break_down_visits', { by: 'os' })).scope.tiers).toEqual([3]);
  const all = await agent.ask('break_down_visits', { by: 'source' });
  expect(all.scope.tiers).toBeUndefined();
  expect(all.notes.join()).not.toMatch(/not in this list/);
});

test('a list of campaigns says how many visits have none', async () => {
  const { agent, rest, tenant } = await createVisited();
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const tagged = ['autumn', 'autumn', 'winter'].map((campaign, n) =>
    consented(`${n} tagged`, [pageview(at, '/', { utmCampaign: campaign })], { device: 'mobile' }),
  );
  await foldBatch(
    stack().sql,
    tagged.map((message) => ({ ...message, siteId: tenant.siteId })),
    Date.now(),
  );
  const { visits } = await rest('overview');
  for (const limit of [1, 10]) {
    const { notes } = await agent.ask('break_down_visits', { by: 'utm_campaign', limit });
    expect(notes).toContain(
      `${visits - 3} of ${visits} visits have no \`utm_campaign\`: they are not in this list.`,
    );
  }
  const { notes } = await agent.ask('break_down_visits', {
    by: 'utm_campaign',
    filters: ['utm_campaign is autumn'],
  });
  expect(notes.join()).not.toMatch(/not in this list/);
});

test('conversions by a value have what its visits brought, by currency', async () => {
  const { agent, rest, tenant } = await createVisited();
  const at = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const bought = (amount: string, currency: string) => ({
    ...custom(at),
    revenue: { amount, currency },
  });
  const messages = [
    consented('zoe', [
      pageview(at, '/pricing', { source: 'Google' }),
      bought('12.50', 'EUR'),
      bought('1', 'USD'),
    ]),
    consented('yan', [pageview(at, '/about', { source: 'Google' }), bought('0.25', 'EUR')]),
    consented('xia', [pageview(at, '/about', { source: 'Bing' }), bought('7', 'USD')]),
    consented('vic', [pageview(at, '/about'), custom(at)]),
    // Of no counted visit: these belong to no row.
    counts([pageview(at, '/about', { source: 'Bing' }), bought('100', 'EUR')]),
    consented('wil', [pageview(at, '/about', { source: 'Bing' }), bought('100', 'EUR')], { continued: true }),
  ];
  await foldBatch(
    stack().sql,
    messages.map((message) => ({ ...message, siteId: tenant.siteId })),
    Date.now(),
  );
  const ask = async (by: string, filters: string[] = []): Promise<Record<string, object>> => {
    const { rows } = (await agent.ask('report_conversions', { goal: 'Signed up', by, filters, limit: 100 }))
      .data;
    return Object.fromEntries(rows.map((row: Json) => [row.path ?? row.value, row.revenue]));
  };
  expect(await ask('source')).toMatchObject({
    Google: { EUR: '12.75', USD: '1' },
    Bing: { USD: '7' },
    Direct: {},
  });
  for (const by of ['page', 'entry_page', 'exit_page'])
    expect(await ask(by)).toMatchObject({
      '/about': { EUR: '0.25', USD: '7' },
      '/pricing': { EUR: '12.50', USD: '1' },
    });
  expect(await ask('source', ['page is /about'])).toMatchObject({
    Google: { EUR: '0.25' },
    Bing: { USD: '7' },
  });
  const [{ revenue }] = (await rest('goals/report?filter_source=Google')).filter(
    ({ name }: Json) => name === 'Signed up',
  );
  expect(Object.entries((await ask('source')).Google ?? {})).toEqual(
    revenue.map(({ currency, amount }: Json) => [currency, amount]),
  );
  const { rows } = (await agent.ask('report_conversions', { goal: 'Read the docs', by: 'source' })).data;
  expect(rows.every((row: Json) => row.revenue === undefined)).toBe(true);
  const paid = (await agent.ask('report_conversions', { goal: 'Signed up', by: 'source' })).data.rows;
  expect(paid.find(({ value }: Json) => value === 'Google').paid).toEqual({ EUR: 2, USD: 1 });

  expect((await agent.ask('summarize_site')).notes.join()).toMatch(
    /`revenue` is of all tiers, .* divide it by/,
  );

  // Of events, also what belongs to no counted visit.
  const revenueOf = async (filters: string[]) => {
    const { data } = await agent.ask('report_events', { filters });
    return data.find((row: Json) => row.name === 'signup').revenue;
  };
  expect(await revenueOf([])).toEqual([
    { currency: 'EUR', amount: '212.75', events: 4 },
    { currency: 'USD', amount: '8', events: 2 },
  ]);
  expect(await revenueOf(['source is Google'])).toEqual([
    { currency: 'EUR', amount: '12.75', events: 2 },
    { currency: 'USD', amount: '1', events: 1 },
  ]);
});

test('values of a property have what the events that brought them earned, by currency, also with a filter', async () => {
  const { sql } = stack();
  const { siteId, userId } = await createTenant(sql);
  const at = new Date(Date.now() - 26 * 3_600_000).toISOString();
  const bought = (plan: string | boolean, amount?: string, currency = 'EUR') => ({
    ...{ ...custom(at, 'bought'), props: { plan } },
    ...(amount !== undefined && { revenue: { amount, currency } }),
  });
  const messages = [
    consented('zoe', [pageview(at, '/a'), bought('pro', '12.50'), bought('pro', '1', 'USD')]),
    consented('yan', [pageview(at, '/b'), bought('pro', '0.25'), bought(true, '3'), bought('free')]),
    counts([bought('pro', '100')]),
  ];
  await foldBatch(
    sql,
    messages.map((message) => ({ ...message, siteId })),
    Date.now(),
  );
  const agent = await createAgent(stack(), userId);
  const earned = async (filters: string[] = []) => {
    const { data } = await agent.ask('report_events', { event: 'bought', property: 'plan', filters });
    return Object.fromEntries(data.map(({ value, revenue }: Json) => [value, revenue]));
  };
  expect(await earned()).toEqual({
    pro: [
      { currency: 'EUR', amount: '112.75' },
      { currency: 'USD', amount: '1' },
    ],
    true: [{ currency: 'EUR', amount: '3' }],
    free: undefined,
  });
  expect(await earned(['page is /b'])).toMatchObject({ pro: [{ currency: 'EUR', amount: '0.25' }] });
  const { data } = await agent.ask('report_events', { event: 'bought' });
  expect(data[0].revenue).toBeUndefined();
});

test('a goal over time has the rate of visits of tiers 2 and 3, which add up to the exact figures', async () => {
  const { agent, rest } = await createVisited();
  const { goals } = (await agent.ask('report_conversions', { goal: 'Signed up' })).data;
  const { exact } = goals[0];
  const { tiers } = await rest('overview');
  const visits = tiers.visits.anonymousSessions + tiers.visits.consented;
  for (const by of ['hour', 'day', 'week', 'month']) {
    const { data } = await agent.ask('report_conversions', { goal: 'Signed up', by });
    const sum = (figure: string) => data.rows.reduce((all: number, row: Json) => all + row[figure], 0);
    expect([by, sum('visits'), sum('conversions')]).toEqual([by, visits, exact.conversions]);
    for (const row of data.rows)
      expect(row.conversionRate).toBe(Math.round((1000 * row.conversions) / row.visits) / 10);
  }
  const ofTwo = await agent.ask('report_conversions', {
    goal: 'Signed up',
    by: 'day',
    filters: ['tier is 2'],
  });
  expect(ofTwo.data.rows).toEqual([]);
  for (const filter of ['tier is 1', 'goal is Signed up']) {
    const args = { goal: 'Signed up', by: 'day', filters: [filter] };
    const { answer } = await agent.call('report_conversions', args);
    expect(answer).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'filters.0' }] });
  }
});

test('a filter with `not` keeps what belongs to no visit: it says so, and has no rate with it', async () => {
  const { agent } = await createVisited();
  for (const filter of ['goal is not Read the docs', 'page is not /about']) {
    const { data, notes } = await agent.ask('report_conversions', { filters: [filter] });
    expect(notes.join()).toMatch(/filters with `not` keep all of it/);
    expect(notes.join()).not.toMatch(/leaves out conversions of no visit/);
    for (const goal of data.goals) expect(goal).not.toHaveProperty('allTiers');
  }
  const { notes } = await agent.ask('report_conversions', { filters: ['goal is Read the docs'] });
  expect(notes.join()).toMatch(/leaves out conversions of no visit/);
});

test('a filter by a property that nothing has is answered with the nearest, one in other letters is asked again', async () => {
  const { sql } = stack();
  const { siteId, userId } = await createTenant(sql);
  const at = new Date(Date.now() - 26 * 3_600_000).toISOString();
  const withProps = (event: StoredEvent, props: Record<string, string>) =>
    ({ ...event, props }) as StoredEvent;
  const messages = [
    consented('zoe', [withProps(pageview(at, '/a'), { author: 'Inês Duarte' })]),
    consented('yan', [pageview(at, '/b'), withProps(custom(at, 'Form'), { form: 'newsletter' })]),
    // More values than are compared.
    ...Array.from({ length: 51 }, (_, n) =>
      consented(`${n} reader`, [
        pageview(at, '/b'),
        ...Array.from({ length: 10 }, (_, m) =>
          withProps(custom(at, 'Read'), { text: `text ${1000 + 10 * n + m}` }),
        ),
      ]),
    ),
  ];
  await foldBatch(
    sql,
    messages.map((message) => ({ ...message, siteId })),
    Date.now(),
  );
  const agent = await createAgent(stack(), userId);
  const ask = (filter: string) => agent.ask('break_down_visits', { by: 'page', filters: [filter] });
  const stored = await ask('prop_author is ines duarte');
  expect(stored.data).toMatchObject([{ path: '/a' }]);
  expect(stored.scope.filters).toMatchObject({ prop_author: { values: ['Inês Duarte'] } });
  expect((await ask('prop_form is newsletters')).scope.unmatched).toMatchObject([
    { filter: 'prop_form', value: 'newsletters', nearest: ['newsletter'] },
  ]);
  const none = await ask('prop_forms is newsletter');
  expect(none.scope.unmatched).toMatchObject([
    { value: 'prop_forms', nearest: expect.arrayContaining(['prop_form']) },
  ]);
  expect(none.untrusted).toContain('scope.unmatched');
  expect((await ask('prop_form is newsletter')).scope.unmatched).toBeUndefined();
  expect((await ask('prop_form contains news')).scope.unmatched).toBeUndefined();
  expect((await ask('prop_text is text 1509')).scope.unmatched).toBeUndefined();
});

test('an event over time has its counts and revenue, by the days of the site', async () => {
  const { sql } = stack();
  const { siteId, userId } = await createTenant(sql);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const bought = (days: number, amount: string) => ({
    ...{ ...custom(daysAgo(days), 'bought'), revenue: { amount, currency: 'EUR' } },
  });
  const messages = [
    consented('zoe', [pageview(daysAgo(3)), bought(3, '1.50'), bought(3, '2'), custom(daysAgo(3), 'read')]),
    session('yan', [pageview(daysAgo(3)), custom(daysAgo(3), 'bought')]),
    counts([pageview(daysAgo(1), '/b'), bought(1, '4')]),
  ];
  await foldBatch(
    sql,
    messages.map((message) => ({ ...message, siteId })),
    Date.now(),
  );
  const agent = await createAgent(stack(), userId);
  const ask = (args: Json) =>
    agent.ask('report_events', { event: 'bought', by: 'day', period: '7d', ...args });
  const [earlier, later] = [daysAgo(3), daysAgo(1)].map((at) => at.slice(0, 10));
  const { data } = await ask({});
  expect(data).toEqual([
    { time: earlier, visitors: 2, visits: 2, events: 3, revenue: [{ currency: 'EUR', amount: '3.50' }] },
    { time: later, visitors: 0, visits: 0, events: 1, revenue: [{ currency: 'EUR', amount: '4' }] },
  ]);
  const all = (await agent.ask('report_events', { period: '7d' })).data;
  expect(all.find(({ name }: Json) => name === 'bought')).toMatchObject({
    visitors: 2,
    visits: 2,
    events: 4,
  });
  expect((await ask({ filters: ['tier is 3'] })).data).toMatchObject([{ time: earlier, events: 2 }]);
  const first = await ask({ limit: 1 });
  expect((await ask({ limit: 1, cursor: first.cursor })).data).toMatchObject([{ time: later }]);
  const hours = (await ask({ by: 'hour' })).data;
  expect(hours.map(({ time }: Json) => time.slice(0, 10))).toEqual([earlier, later]);
  expect((await ask({ event: 'Bought' })).data).toEqual(data);
  const { answer } = await agent.call('report_events', { by: 'day' });
  expect(answer.details).toMatchObject([{ path: 'by' }]);
});

test('conversions by a value are the exact ones of a filter by it', async () => {
  const { agent, rest } = await createVisited();
  for (const [by, label] of [
    ['source', 'value'],
    ['entry_page', 'path'],
    ['page', 'path'],
    ['device', 'value'],
  ] as const) {
    const args = { goal: 'signed UP', by, limit: 100 };
    const { data } = await agent.ask('report_conversions', args);
    expect([data.goal, data.by]).toEqual(['Signed up', by]);
    expect(data.rows.length).toBeGreaterThan(0);
    for (const row of data.rows) {
      const goals: Json[] = await rest(`goals/report?filter_${by}=${encodeURIComponent(row[label])}`);
      const { exact } = goals.find(({ name }) => name === 'Signed up');
      expect(row).toEqual({ [label]: row[label], ...exact });
    }
    const sorted = data.rows.map(({ conversions }: Json) => conversions);
    expect(sorted).toEqual(sorted.toSorted((a: number, b: number) => b - a));
  }
  const [one] = (await agent.ask('report_conversions', { goal: 'Read the docs' })).data.goals;
  const all = (await agent.ask('report_conversions')).data.goals;
  expect(one).toEqual(all.find(({ name }: Json) => name === 'Read the docs'));
  const both = await agent.call('report_conversions', { by: 'source', funnel: 'From prices' });
  expect(both.answer.details).toEqual([
    { path: 'funnel', message: 'must not come with `goal` or `by`: use `filters`' },
  ]);
  const { answer } = await agent.call('report_conversions', { by: 'source' });
  expect([answer.code, answer.details]).toEqual([
    'VALIDATION_ERROR',
    [{ path: 'goal', message: 'is required with `by`' }],
  ]);
  expect(answer.choices.map(({ name }: Json) => name).sort()).toEqual(['Read the docs', 'Signed up']);
  expect((await agent.call('report_conversions', { by: 'source', goal: 'Nothing' })).answer.code).toBe(
    'NOT_FOUND',
  );
});

test('a comparison goes one way if it is asked to', async () => {
  const { agent, tenant } = await createVisited();
  const old = new Date(Date.now() - 288 * 3_600_000).toISOString();
  const { siteId } = tenant;
  await foldBatch(stack().sql, [{ ...counts([pageview(old), pageview(old, '/gone')]), siteId }], Date.now());
  await visitOf(stack(), tenant, 40);
  const ask = async (direction?: string): Promise<Json[]> =>
    (
      await agent.ask('compare_visits', {
        period: '7d',
        by: 'page',
        limit: 100,
        ...(direction && { direction }),
      })
    ).data.movers;
  const [all, gained, lost] = [await ask(), await ask('gained'), await ask('lost')];
  expect([gained.length, lost.length].every((length) => length > 0)).toBe(true);
  expect(gained).toEqual(all.filter(({ change }) => change > 0));
  expect(lost).toEqual(all.filter(({ change }) => change < 0));
});

/** Two databases' statements, a host that sends no spans, one that does, and two versions of which the newer one fails. */
function calls(at: number): TestSpan[] {
  return [0, 1, 2, 3].flatMap((n) => {
    const traceId = traceIdOf(n);
    const id = (m: number) => spanIdOf(n * 10 + m);
    const version = n < 3 ? '1.0.0' : '1.1.0';
    const of = { traceId, parentSpanId: id(0), service: 'shop', kind: 3, startMs: at + n * 1000 };
    const resource = { 'service.version': version };
    return [
      {
        ...{ traceId, spanId: id(0), service: 'shop', startMs: of.startMs, durationMs: 100 },
        status: n === 3 ? 2 : 0,
        resource,
      },
      {
        ...{ ...of, spanId: id(1), name: 'SELECT orders', durationMs: 10 + n, resource },
        attributes: { 'db.system.name': 'postgresql', 'db.query.summary': 'SELECT orders' },
      },
      {
        ...{ ...of, spanId: id(2), name: 'GET', durationMs: 1, resource },
        attributes: { 'db.system': 'redis', 'db.statement': 'GET basket' },
      },
      {
        ...{ ...of, spanId: id(3), name: 'POST', durationMs: 50, status: n === 0 ? 2 : 0, resource },
        attributes: { 'server.address': 'bank.example' },
      },
      {
        ...{ ...of, spanId: id(4), name: 'GET', durationMs: 5, resource },
        attributes: { 'server.address': 'stock.internal' },
      },
      { traceId, spanId: id(5), parentSpanId: id(4), service: 'stock', startMs: of.startMs, durationMs: 4 },
    ];
  });
}

test('statements, outside hosts and versions are those of the spans that were sent', async () => {
  const backend = await createWorld(stack());
  await backend.send(calls(minutesAgo(5)));
  const agent = await createAgent(stack(), backend.owner.userId);
  const ask = async (args: object): Promise<Json[]> =>
    (await agent.ask('break_down_backend', { ...args })).data;
  expect(await ask({ by: 'statement' })).toMatchObject([
    {
      statement: 'SELECT orders',
      service: 'shop',
      system: 'postgresql',
      calls: 4,
      errors: 0,
      totalMs: 46,
      p95Ms: 13,
    },
    { statement: 'GET basket', system: 'redis', calls: 4, totalMs: 4, meanMs: 1 },
  ]);
  expect(await ask({ by: 'host' })).toEqual([
    {
      ...{ host: 'bank.example', service: 'shop', calls: 4, errors: 1, errorRate: 0.25 },
      ...{ totalMs: 200, meanMs: 50, p95Ms: 50, traceId: traceIdOf(0) },
    },
  ]);
  expect(await ask({ by: 'version', service: 'SHOP' })).toMatchObject([
    { service: 'shop', version: '1.1.0', entries: 1, errors: 1, errorRate: 1 },
    { service: 'shop', version: '1.0.0', entries: 3, errors: 0, errorRate: 0 },
  ]);
  expect((await ask({ by: 'version' })).map(({ service }) => service)).toEqual(['shop', 'shop', 'stock']);
  expect(await ask({ by: 'statement', limit: 1 })).toHaveLength(1);
  const { notes } = await agent.ask('break_down_backend', { by: 'statement', limit: 1 });
  expect(notes.join()).toMatch(/There are more/);
  expect(await ask({ by: 'host', service: 'stock' })).toEqual([]);
});

test('of too many spans the newest are examined, and a note says since when', async () => {
  const backend = await createWorld(stack());
  const at = minutesAgo(5);
  await backend.send(calls(at));
  const { projectId, environmentId, owner } = backend;
  const ctx = {
    sql: stack().sql,
    now: Date.now,
    actor: { kind: 'session', sessionId: '', userId: owner.userId } as const,
  };
  const ask = (maxExamined: number) =>
    groupSpans(ctx, { projectId, environmentId, by: 'statement', limit: 10, maxExamined });
  const [cut, whole] = [await ask(6), await ask(24)];
  expect(cut.data.groups.map(({ spans }) => spans)).toEqual([1, 1]);
  expect(cut.meta.notes).toEqual([
    `Of the newest 6 spans, since ${new Date(at + 2000).toISOString()}: ask for a shorter range.`,
  ]);
  expect([whole.data.groups.map(({ spans }) => spans), whole.meta.notes]).toEqual([[4, 4], undefined]);
});

test('errors are those of REST, the most frequent first', async () => {
  const backend = await createWorld(stack());
  const thrown = (n: number, type: string): TestSpan => ({
    ...{ traceId: traceIdOf(n), spanId: spanIdOf(n), service: 'shop', startMs: minutesAgo(5) + n, status: 2 },
    resource: { 'service.version': '1.0.0' },
    events: [{ name: 'exception', attributes: { 'exception.type': type, 'exception.message': type } }],
  });
  await backend.send([thrown(1, 'TypeError'), thrown(2, 'RangeError'), thrown(3, 'RangeError')]);
  await backend.rollUp();
  const agent = await createAgent(stack(), backend.owner.userId);
  const { data } = await agent.ask('break_down_backend', { by: 'error' });
  const { data: groups } = await backend.get<Json>('errors?order=count&period=1h');
  expect(data.map(({ occurrences }: Json) => occurrences)).toEqual([2, 1]);
  expect(data.map(({ title, lastRelease, traceId }: Json) => [title, lastRelease, traceId])).toEqual(
    groups.map(({ title, lastRelease, example }: Json) => [title, lastRelease, example.traceId]),
  );
});

test('the number of log records stands beside the first page', async () => {
  const backend = await createWorld(stack());
  const now = minutesAgo(5);
  await backend.sendLogs(
    Array.from({ length: 12 }, (_, n) => ({
      ...{ traceId: traceIdOf(1), spanId: spanIdOf(1), timeMs: now + n },
      text: n < 9 ? `card ${n} declined` : `paid ${n}`,
    })),
  );
  const agent = await createAgent(stack(), backend.owner.userId);
  const { total, data } = await agent.ask('find_logs', { text: 'declined', limit: 2 });
  expect([total, data.length]).toEqual([9, 2]);
  expect(await agent.ask('find_logs', { text: 'declined' })).toMatchObject({ total: 9 });
  // The same over a longer period only if the call can repeat every filter.
  const longerOf = async (tool: string, args: Record<string, unknown>) =>
    (await agent.ask(tool, args)).next.filter(({ tool: named }: Json) => named === tool);
  expect(await longerOf('find_logs', { severity: 'fatal' })).toMatchObject([
    { arguments: { severity: 'fatal', period: '24h' } },
  ]);
  expect(await longerOf('find_logs', { severity: 'fatal', text: 'two words' })).toEqual([]);
  expect(await longerOf('find_traces', { operation: 'GET /nothing' })).toEqual([]);
});

test('what people say of the present is a period; an argument that a tool lacks is answered with those that it has', async () => {
  const { agent } = await createVisited();
  const today = new Date().toISOString().slice(0, 10);
  for (const period of ['today', 'this_week', 'this_month']) {
    const { range, data } = await agent.ask('summarize_site', { period });
    expect(range.to).toBe(today);
    expect(range.from <= today).toBe(true);
    expect(data.totals.visits).toBeGreaterThanOrEqual(0);
  }
  const { answer } = await agent.call('get_live', { page: '/' });
  expect(answer.details).toEqual([{ path: 'page', message: 'is not a known field: the tool takes site' }]);
  const { data, notes } = await agent.ask('report_behaviour', { what: 'retention' });
  for (const { week } of data) expect(week).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(notes.join()).toContain('`returned`: how many of them came one week later');
});

test('conversions with filters say what these leave out', async () => {
  const { agent } = await createVisited();
  const notesOf = async (...filters: string[]) =>
    (await agent.ask('report_conversions', { filters })).notes.join();
  expect(await notesOf('source is Google')).toMatch(
    /`source` leave out .* at tier 1 and of continued visits but/,
  );
  expect(await notesOf('region is Lisbon')).toMatch(/Filters by `region` leave out conversions at tier 1: /);
  expect(await notesOf('os is iOS')).toMatch(/Filters by `os` leave out conversions at tiers 1 and 2: /);
  const all = ['page is /', 'tier is 1', 'device is mobile', 'country is PT', 'source is not Google'];
  for (const filters of [[], ...all.map((filter) => [filter])])
    expect(await notesOf(...filters)).not.toMatch(/leave out/);
});

test('what rows count and what a filter by the same counts are as the notes say', async () => {
  const { sql } = stack();
  const { siteId, userId } = await createTenant(sql);
  await addGoal(sql, siteId, { name: 'Read', page: '/read' });
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const of = { device: 'mobile', country: 'DE' } as const;
  const read = (fields: object = {}) => [pageview(at, '/read', { source: 'Bing', ...fields })];
  const messages = [
    consented('ada', read(), of),
    consented('bob', read({ entry: false }), { ...of, continued: true }),
    counts(read(), of),
    counts(read({ entry: false }), of),
  ];
  await foldBatch(
    sql,
    messages.map((message) => ({ ...message, siteId })),
    Date.now(),
  );
  const agent = await createAgent(stack(), userId);
  for (const [by, value, counted, conversions] of [
    ['country', 'DE', /; a filter by `country` also counts both\./, 4],
    ['device', 'mobile', /; a filter by `device` also counts both\./, 4],
    ['page', '/read', /; a filter by `page` also counts both\./, 4],
    ['exit_page', '/read', /; a filter by `exit_page` also counts those of continued visits\./, 2],
    ['source', 'Bing', /at tier 1 or of continued visits\. A conversion is credited to its own visit/, 2],
    [
      'entry_page',
      '/read',
      /at tier 1 or of continued visits\. A conversion is credited to its own visit/,
      2,
    ],
  ] as const) {
    const { data, notes } = await agent.ask('report_conversions', { goal: 'Read', by });
    expect([by, data.rows.map((row: Json) => row.conversions)]).toEqual([by, [1]]);
    expect(notes.find((note: string) => note.startsWith('Rows count visits of tiers 2 and 3'))).toMatch(
      counted,
    );
    const filtered = await agent.ask('report_conversions', { goal: 'Read', filters: [`${by} is ${value}`] });
    expect([by, filtered.data.goals[0].allTiers.conversions]).toEqual([by, conversions]);
  }
});

test('who came back at all is said of each week and of all, and a range that is over leads up to now', async () => {
  const { sql } = stack();
  const { siteId, userId } = await createTenant(sql);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const visits = [
    ...['ada', 'bob', 'cyd'].map((name) => [name, 20] as const),
    ...['ada', 'bob'].map((name) => [name, 10] as const),
    ['ada', 1] as const,
  ];
  const messages = visits.map(([name, days]) => ({ ...consented(name, [pageview(daysAgo(days))]), siteId }));
  await foldBatch(sql, messages, Date.now());
  const agent = await createAgent(stack(), userId);
  const total = { newVisitors: 3, seenBefore: 0, followed: 3, cameBack: 2, percent: 66.7 };
  for (const limit of [1, 14]) {
    const answer = await agent.ask('report_behaviour', { what: 'retention', period: '30d', limit });
    expect(answer.total).toEqual(total);
    expect(answer.data[0]).toMatchObject({ visitors: 3, cameBack: 2 });
  }
  const args = { what: 'retention', from: daysAgo(21).slice(0, 10), to: daysAgo(15).slice(0, 10) };
  const over = await agent.ask('report_behaviour', args);
  expect(over.data[0]).toMatchObject({ visitors: 3, cameBack: 0 });
  const [next] = over.next;
  expect(next.arguments).toMatchObject({ what: 'retention', to: daysAgo(0).slice(0, 10) });
  expect((await agent.ask(next.tool, next.arguments)).total).toEqual(total);
  const late = { what: 'retention', from: daysAgo(13).slice(0, 10), to: daysAgo(0).slice(0, 10) };
  expect((await agent.ask('report_behaviour', late)).total).toMatchObject({ newVisitors: 0, seenBefore: 2 });
  const { total: filtered } = await agent.ask('report_behaviour', { ...late, filters: ['page is /'] });
  expect(Object.keys(filtered)).not.toContain('seenBefore');
});

test('steps that aren’t saved are counted as those of a funnel', async () => {
  const { agent, tenant } = await createVisited();
  const steps = ['page /pricing', 'event signup'];
  for (const filters of [[], ['source is Google'], ['tier is 3']]) {
    const saved = await agent.ask('report_conversions', { funnel: 'From prices', filters });
    const answer = await agent.ask('report_conversions', { steps, filters });
    expect(answer.data).toEqual({ steps: saved.data.steps });
    expect(answer.data.steps[0].visits).toBeGreaterThan(0);
    expect([answer.notes, answer.scope]).toEqual([saved.notes, saved.scope]);
  }
  const stranger = await createVisited();
  for (const [args, path] of [
    [{ steps: steps.slice(1) }, 'steps'],
    [{ steps: ['/pricing', 'event signup'] }, 'steps.0'],
    [{ steps: ['page pricing', 'event signup'] }, 'steps.0'],
    [{ steps, by: 'source' }, 'steps'],
  ] as const)
    expect((await agent.call('report_conversions', args)).answer.details[0].path).toBe(path);
  const hidden = await stranger.agent.call('report_conversions', { steps, site: tenant.siteId });
  expect(hidden.answer.code).toBe('NOT_FOUND');
});

test('a failure that services pass on leads with where it began', async () => {
  const backend = await createWorld(stack());
  const at = minutesAgo(5);
  const services = ['web', 'shop', 'payments'];
  const failed = (n: number, depth: number): TestSpan[] =>
    services.slice(0, depth).map((service, level) => ({
      ...{ traceId: traceIdOf(n), spanId: spanIdOf(10 * n + level), service, status: 2 },
      ...(level > 0 && { parentSpanId: spanIdOf(10 * n + level - 1) }),
      ...{ startMs: at + 100 * n + level, durationMs: 50 - level },
      events: [{ name: 'exception', attributes: { 'exception.type': `${service}Error` } }],
    }));
  // The newest request of `web` failed in `payments`, those before in `web` itself.
  await backend.send([...failed(1, 1), ...failed(2, 1), ...failed(3, 3)]);
  await backend.rollUp();
  const agent = await createAgent(stack(), backend.owner.userId);
  const { data, notes } = await agent.ask('break_down_backend', { by: 'error' });
  expect(data.map(({ service, passedOnFrom }: Json) => [service, passedOnFrom])).toEqual([
    ['payments', undefined],
    ['web', 'payments'],
    ['shop', 'payments'],
  ]);
  const PASSED_ON = '`passedOnFrom`: in its newest request the failure began in that service.';
  expect(notes).toContain(PASSED_ON);
  const health = await agent.ask('check_backend');
  expect(health.data.errors.noted[0]).toMatchObject({ service: 'payments', traces: 1 });
  expect(health.data.errors.noted.slice(1).every((row: Json) => row.passedOnFrom === 'payments')).toBe(true);
  expect(health.notes).toContain(PASSED_ON);
  const own = await agent.ask('break_down_backend', { by: 'error', service: 'payments' });
  expect(own.notes).not.toContain(PASSED_ON);
});

test('an hour with a few very slow requests shows them', async () => {
  const backend = await createWorld(stack());
  const at = minutesAgo(10);
  await backend.send(
    Array.from({ length: 40 }, (_, n) => ({
      ...{ traceId: traceIdOf(n + 1), spanId: spanIdOf(n + 1), service: 'shop', startMs: at + n },
      durationMs: n === 0 ? 60_000 : 10,
    })),
  );
  await backend.rollUp();
  const agent = await createAgent(stack(), backend.owner.userId);
  const args = { service: 'shop', interval: '1h' };
  const { data, notes } = await agent.ask('summarize_service', { ...args, period: '6h' });
  const [hour] = data.intervals;
  for (const { meanMs, p95Ms, maxMs } of [data, hour]) {
    expect(meanMs).toBeGreaterThan(1000);
    expect(p95Ms).toBeLessThan(12);
    expect(Math.abs(maxMs - 60_000)).toBeLessThan(60_000 * 0.045);
  }
  const slow = /`meanMs` above `p95Ms`: a few were very slow/;
  expect(notes.join()).toMatch(slow);
  expect(notes.join()).toMatch(/`maxMs` are within 4.5 %/);
  const [slowest] = (await agent.ask('find_traces', { service: 'shop', sort: 'duration', limit: 1 })).data;
  expect(slowest.durationMs).toBe(60_000);
});

test('one request is no slower than the slowest', async () => {
  const backend = await createWorld(stack());
  const durations = [173, 44, 1016, 7, 92.5];
  await backend.send(
    durations.map((durationMs, n) => ({
      ...{ traceId: traceIdOf(n + 1), spanId: spanIdOf(n + 1), service: `one-${n}`, startMs: minutesAgo(10) },
      durationMs,
    })),
  );
  await backend.rollUp();
  const agent = await createAgent(stack(), backend.owner.userId);
  for (const n of durations.keys()) {
    const args = { service: `one-${n}`, interval: '1h', period: '6h' };
    const { data, notes } = await agent.ask('summarize_service', args);
    expect(data.maxMs).toBeGreaterThanOrEqual(Math.max(data.meanMs, data.p99Ms));
    expect(data.intervals[0].maxMs).toBe(data.maxMs);
    expect(notes.join()).not.toMatch(/very slow/);
  }
});

test('a statement with a few very slow calls says so, as a service does', async () => {
  const backend = await createWorld(stack());
  const spans = Array.from({ length: 40 }, (_, n) => ({
    ...{ traceId: traceIdOf(n + 1), spanId: spanIdOf(n + 1), service: 'shop', startMs: minutesAgo(10) + n },
    ...{ kind: 3, attributes: { 'db.query.text': 'SELECT orders', 'db.system.name': 'postgresql' } },
    durationMs: n === 0 ? 60_000 : 10,
  }));
  await backend.send(spans);
  const agent = await createAgent(stack(), backend.owner.userId);
  const { data, notes } = await agent.ask('break_down_backend', { by: 'statement' });
  expect(data[0].meanMs).toBeGreaterThan(data[0].p95Ms);
  expect(notes.join()).toMatch(/`meanMs` above `p95Ms`: a few were very slow/);
});

test('a service that sends no logs says so, with those that do', async () => {
  const backend = await createBackend(stack());
  const agent = await createAgent(stack(), backend.owner.userId);
  const { data } = await agent.ask('find_logs', { limit: 1 });
  const [{ service }] = data;
  const [silent] = (await agent.ask('check_backend')).data.services
    .map(({ name }: Json) => name)
    .filter((name: string) => name !== service);
  // It is connected: it sent a batch without a record.
  await stack().sql`
    insert into telemetry_connections (environment_key, signal, service, last_received_at)
    select key, 'logs', ${silent}, now() from environments where id = ${backend.environmentId}`;
  const answer = await agent.ask('find_logs', { service: silent, severity: 'error' });
  expect([answer.data, answer.total]).toEqual([[], 0]);
  expect(answer.notes[0]).toBe('This service sent no logs in this range. `services` are those that did.');
  expect(answer.services).toEqual([service]);
  expect(answer.untrusted).toContain('services');
  const others = await agent.ask('find_logs', { service, text: 'nowhere' });
  expect([others.data, others.services]).toEqual([[], undefined]);
});
