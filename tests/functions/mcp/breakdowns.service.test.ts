/** Figures that only tools have: each against what REST tells of the same visits, or against the spans that were sent. */
import { expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { groupSpans } from '../../../lib/telemetry/group-spans.ts';
import { counts, pageview } from '../../lib/analytics/reports-world.ts';
import { useStack } from '../../services/use-stack.ts';
import { createWorld, minutesAgo, type TestSpan } from '../telemetry/sent-spans.ts';
import { spanIdOf, traceIdOf } from '../telemetry/test-environment.ts';
import { askRest, createAgent, createVisitedSite, type Json } from './agent.ts';

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
  for (const { visits, visitsPerHour } of (
    await agent.ask('break_down_visits', { by: 'weekday', period: '90d' })
  ).data)
    expect(visits === 0 || visitsPerHour >= Math.floor((10 * visits) / 48) / 10).toBe(true);
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
        ...{ [label]: row[label], visits, pageviews, measured: tiers.visits.consented },
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
  expect(both.answer.details).toEqual([{ path: 'funnel', message: 'must not come with `goal` or `by`' }]);
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
  const old = new Date(Date.now() - 320 * 3_600_000).toISOString();
  const { siteId } = tenant;
  await foldBatch(stack().sql, [{ ...counts([pageview(old), pageview(old, '/gone')]), siteId }], Date.now());
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

test('the number of log records stands where a page has not all of them', async () => {
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
  expect(await agent.ask('find_logs', { text: 'declined' })).not.toHaveProperty('total');
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
  expect(notes.join()).toContain('`returned`: how many of them came in the week after');
});
