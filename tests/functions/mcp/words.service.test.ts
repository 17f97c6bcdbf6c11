/** What answers say of themselves: ranges that have a name, what isn't known, and where to go on. */
import { expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { SAMPLE } from '../../../lib/http/examples.ts';
import { consented, custom, pageview } from '../../lib/analytics/reports-world.ts';
import { linkPage } from '../../lib/associations/link-page.ts';
import { createSite, createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import type { TestSpan } from '../telemetry/sent-spans.ts';
import { spanIdOf, traceIdOf } from '../telemetry/test-environment.ts';
import { BACKEND_CALLS, createAgent, createBackend, type Json } from './agent.ts';

const stack = useStack();
const DAY_MS = 86_400_000;
const date = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

async function createVisited(days: readonly number[]) {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  const messages = days.map((ago, n) => {
    const at = new Date(Date.now() - ago * DAY_MS).toISOString();
    return { ...consented(`${n} comes`, [pageview(at, '/thanks'), custom(at)]), siteId: tenant.siteId };
  });
  await foldBatch(sql, messages, Date.now());
  return { tenant, agent: await createAgent(stack(), tenant.userId) };
}

test('yesterday, the last week and the last month are whole days of the site’s zone', async () => {
  const { tenant, agent } = await createVisited([1]);
  const one = await agent.ask('summarize_site', { period: 'yesterday' });
  expect([one.range.from, one.range.to]).toEqual([date(1), date(1)]);
  expect(one.data.totals.visits).toBe(1);
  for (const [period, days] of [
    ['last_week', 7],
    ['last_month', 31],
  ] as const) {
    const { range } = await agent.ask('break_down_visits', { by: 'page', period, site: tenant.siteId });
    const length = (Date.parse(range.to) - Date.parse(range.from)) / DAY_MS + 1;
    expect(days - length).toBeLessThan(4);
    expect(Date.parse(range.to)).toBeLessThanOrEqual(Date.now());
  }
  const both = await agent.call('summarize_site', { period: 'yesterday', from: date(3), to: date(2) });
  expect(both.answer.details).toEqual([{ path: 'period', message: 'must not come with `from` and `to`' }]);
});

test('a site on which nobody is says since when', async () => {
  const { agent } = await createVisited([1]);
  const { data, notes, freshness } = await agent.ask('get_live');
  expect(data).toEqual({ visitors: 0, anonymousPageviews: 0, pages: [] });
  expect(notes[0]).toMatch(/^Nobody was seen in these 5 minutes; `freshness.lastEventAt`/);
  expect(notes.join()).not.toMatch(/do not mean/);
  expect(freshness.lastEventAt.slice(0, 10)).toBe(date(1));
  const { agent: unvisited } = await createVisited([]);
  expect((await unvisited.ask('get_live')).notes[0]).toMatch(/^This site has collected nothing yet/);
});

test('a change from or to a range without observation is null, and says why', async () => {
  const { agent } = await createVisited([1]);
  const summary = await agent.ask('summarize_site', { period: '7d' });
  expect(summary.data.totals).toMatchObject({ visits: 1, visitsChange: null, visitorsChange: null });
  expect(summary.notes.join()).toMatch(/Nothing was observed in the range before/);
  const compared = await agent.ask('compare_visits', { period: '7d' });
  expect(compared.data).toMatchObject({ totals: { visits: { now: 1, changePercent: null } }, movers: [] });
  expect(compared.notes.join()).toMatch(/Nothing was observed in the range before/);
  const future = await agent.ask('compare_visits', { from: date(-3), to: date(-9).slice(0, 10) });
  expect(future.data.totals.visits.changePercent).toBeNull();
  expect(future.notes[0]).toMatch(/lies in the future/);
  const early = await agent.ask('summarize_site', { from: '2025-01-01', to: '2025-01-31' });
  expect(early.notes[0]).toBe(
    `Collection began on ${date(1)}, after this range, so nothing is known of it. Ask from that day on.`,
  );
});

test('errors name the arguments of the tool, and what could be asked instead', async () => {
  const { agent } = await createVisited([]);
  const details = async (tool: string, args: object) => (await agent.call(tool, { ...args })).answer;
  const speed = await details('rate_pages', { by: 'engagement', filters: ['tier is 3', 'device is mobile'] });
  expect(speed.details[0].path).toBe('filters.1');
  expect(speed.details[0].message).toMatch(/It takes `page` and `tier`$/);
  expect(speed.message).toMatch(/Ask for all visits of a page/);
  for (const args of [{ by: 'email' }, { by: 'page', filters: ['user_id is 7'] }])
    expect((await details('break_down_visits', args)).message).toMatch(
      /no names, e-mail addresses or IP addresses\. Ask for/,
    );
  for (const args of [
    { by: 'utm_campaign', measure: 'revenue' },
    { by: 'source', sort: 'revenue' },
  ])
    expect((await details('break_down_visits', args)).message).toMatch(
      /Visits have no revenue: `report_conversions` with `goal` and `by` has what/,
    );
  expect((await details('report_conversions', { by: 'country', sort: 'revenue' })).message).toMatch(
    /Rows have `revenue` by currency/,
  );
  expect((await details('rate_pages', { by: 'requests', per: 'browser' })).details[0].message).toMatch(
    /filter by one value instead, as `browser is Safari`$/,
  );
  const bought = await agent.ask('report_events', { filters: ['prop_plan is pro'] });
  expect(bought.notes.join()).toMatch(/A filter by a property keeps whole visits/);
  for (const args of [{ by: 'campaign' }, { filters: ['source is Google'] }])
    expect((await details('report_outcomes', args)).message).toMatch(/Outcomes have no source or campaign: /);
  expect((await details('report_outcomes', { nothing: 1 })).message).not.toMatch(/campaign/);
  for (const by of ['weekday', 'hour_of_day'])
    expect((await details('report_conversions', { by })).message).toMatch(
      /`break_down_visits` with this `by` and the filter `goal is …`/,
    );
  for (const args of [{ by: 'day' }, { event: 'signup', interval: 'week' }])
    expect((await details('report_events', args)).message).toMatch(/Events over time: `event` with `by`/);
  expect((await details('find_traces', { interval: '1h' })).message).toMatch(/`summarize_service` with/);
  expect((await details('find_logs', { interval: '1h' })).message).toMatch(/Logs over time: .*`total`/);
  for (const filter of ['event is signup', 'event_name is signup'])
    expect((await details('break_down_visits', { by: 'day', filters: [filter] })).message).toMatch(
      /Filters know events that are goals, as `goal is …`/,
    );
  for (const [filter, rule] of [
    [
      'tier is 2|3',
      /^must be one tier: ask `tier is 2` and `tier is 3`, and add counts up, .*`totals\.tiers`/,
    ],
    ['tier is not 1', /^must be one tier: ask `tier is 2` and `tier is 3`, and add counts up/],
    ['tier is not 1|2', /^must be one tier: ask `tier is 3`$/],
    ['tier is 2 or 3', /^must be one tier: ask `tier is 2` and `tier is 3`, and add counts up/],
    ['tier is consented', /^must be one tier, like `tier is 3`: .*3 consented$/],
  ] as const) {
    const tiers = await details('break_down_visits', { by: 'page', filters: [filter] });
    expect(tiers.details[0].message).toMatch(rule);
  }
  expect((await details('break_down_visits', { by: 'hour', period: '90d' })).details[0].path).toBe('by');
  expect((await details('break_down_visits', { by: 'page', cursor: 'x' })).details[0]).toEqual({
    path: 'cursor',
    message: 'must be `cursor` of an answer, unchanged',
  });
});

test('a backend takes 6 hours and yesterday; intervals have one limit, with one that fits', async () => {
  const backend = await createBackend(stack());
  const agent = await createAgent(stack(), backend.owner.userId);
  const { range } = await agent.ask('check_backend', { period: '6h' });
  expect(Date.parse(range.to) - Date.parse(range.from)).toBeGreaterThanOrEqual(6 * 3_600_000);
  const yesterday = await agent.ask('find_logs', { period: 'yesterday' });
  expect([yesterday.range.from, yesterday.range.to]).toEqual([
    `${date(1)}T00:00:00Z`,
    `${date(0)}T00:00:00Z`,
  ]);
  // Days as websites take them, both inclusive; the last one ends with the present.
  const days = await agent.ask('find_logs', { from: date(3), to: date(1) });
  expect([days.range.from, days.range.to]).toEqual([`${date(3)}T00:00:00Z`, `${date(0)}T00:00:00Z`]);
  const open = await agent.ask('report_outcomes', { from: date(1), to: date(0) });
  expect(Date.parse(open.range.to)).toBeLessThanOrEqual(Date.parse(open.freshness.evaluatedAt));
  expect(open.range.to > `${date(0)}T`).toBe(true);
  const mixed = await agent.ask('find_logs', { from: `${date(2)}T06:00:00Z`, to: date(1) });
  expect([mixed.range.from, mixed.range.to]).toEqual([`${date(2)}T06:00:00Z`, `${date(0)}T00:00:00Z`]);
  for (const range of [
    { from: '2026-02-30', to: date(0) },
    { from: date(0), to: '2026-02-30' },
  ])
    expect((await agent.call('find_logs', range)).answer.code).toBe('VALIDATION_ERROR');
  expect((await agent.ask('check_backend', { from: date(-2), to: date(-3) })).notes[0]).toMatch(/future/);
  for (const [tool, args] of [
    ['summarize_service', { service: 'shop', interval: '1h' }],
    ['query_metric', { name: 'queue.length', aggregation: 'avg', interval: '1m' }],
  ] as const)
    expect((await agent.call(tool, { ...args, period: '7d' })).answer.details[0].message).toMatch(
      /^must make at most 60 intervals: `(6h|1d)` or longer$/,
    );
  const metric = await agent.ask('query_metric', { name: 'queue.length', aggregation: 'avg', period: '7d' });
  expect(metric.data.intervalSeconds).toBe(21_600);
});

test('a range that begins before the first observation says so, ends with the present, and its cut intervals are partial', async () => {
  const backend = await createBackend(stack());
  const agent = await createAgent(stack(), backend.owner.userId);
  for (const [tool, args] of [
    ['report_outcomes', { period: '24h' }],
    ['break_down_backend', { by: 'error', period: '30d' }],
    ['check_backend', { period: 'this_month' }],
  ] as const) {
    const { range, coverage, freshness, notes } = await agent.ask(tool, args);
    expect(notes[0]).toBe(
      `Observed from ${coverage.since.slice(0, 16)}Z on: sums aren’t those of the whole range.`,
    );
    expect(coverage.since < freshness.lastEventAt || freshness.lastEventAt === undefined).toBe(true);
    expect(range.to <= freshness.evaluatedAt).toBe(true);
  }
  const since = Date.parse((await agent.ask('report_outcomes')).coverage.since);
  const later = { from: new Date(since + 1000).toISOString(), to: new Date(since + 9000).toISOString() };
  expect((await agent.ask('report_outcomes', later)).notes.join()).not.toMatch(/Observed from/);
  const summary = await agent.ask('summarize_service', { service: 'shop', interval: '1d', period: '24h' });
  expect(summary.data.intervals.at(-1)).toMatchObject({ partial: true });
  const metric = { name: 'queue.length', aggregation: 'avg', period: '24h', interval: '6h' };
  const { values } = (await agent.ask('query_metric', metric)).data.groups[0];
  expect([values[0].partial, values.at(-1).partial]).toEqual([undefined, true]);
  const { range } = await agent.ask('list_metrics');
  expect(Date.parse(range.to) - Date.parse(range.from)).toBe(3_600_000);
});

test('what comes next is the newest example, or a longer period', async () => {
  const backend = await createBackend(stack());
  const agent = await createAgent(stack(), backend.owner.userId);
  const traces = await agent.ask('find_traces', { status: 'error' });
  expect(traces.next[0]).toMatchObject({
    tool: 'get_trace',
    arguments: { traceId: traces.data[0].traceId },
  });
  const none = await agent.ask('find_traces', { status: 'error', minDurationMs: 80_000 });
  expect(none.next[0]).toMatchObject({ tool: 'find_traces', arguments: { status: 'error', period: '24h' } });
  const logs = await agent.ask('find_logs');
  expect(logs.next[0]).toMatchObject({ tool: 'get_trace', arguments: { traceId: SAMPLE.traceId } });
  const outcomes = await agent.ask('report_outcomes');
  const noOutcomes = await agent.ask('report_outcomes', { type: 'nothing' });
  expect(noOutcomes.data.outcomes).toEqual([]);
  for (const { notes } of [outcomes, noOutcomes])
    expect(notes.join()).toMatch(/`report_conversions` with `goal` and `by` has the revenue/);
  expect(outcomes.data.outcomes.length).toBeGreaterThan(0);
  const unknown = await agent.call('get_trace', { traceId: 'f'.repeat(32) });
  expect(unknown.answer).toMatchObject({ code: 'NOT_FOUND', untrusted: ['choices'] });
  expect(unknown.answer.message).toMatch(/may belong to another one.*`find_traces` finds others\.$/);
  expect(unknown.answer.choices[0].traceId).toHaveLength(32);
});

test('an empty answer says when the last error was; next calls keep the service, and why is of the order', async () => {
  const backend = await createBackend(stack());
  const agent = await createAgent(stack(), backend.owner.userId);
  const earlier = {
    from: new Date(Date.now() - 3 * 3_600_000).toISOString(),
    to: new Date(Date.now() - 2 * 3_600_000).toISOString(),
  };
  for (const [tool, args] of [
    ['break_down_backend', { by: 'error', service: 'shop', ...earlier }],
    ['find_traces', { status: 'error', service: 'shop', ...earlier }],
  ] as const) {
    const { data, notes, next } = await agent.ask(tool, args);
    expect([tool, data]).toEqual([tool, []]);
    expect(notes.at(-1)).toMatch(
      /^The last error of this service was at \d{4}-\d\d-\d\dT[\d:]{8}Z\. Refusals by a server \(4xx\)/,
    );
    expect(next[0].arguments).toMatchObject({ service: 'shop', period: '24h' });
    expect(next[0].arguments).not.toHaveProperty('from');
  }
  // What failed two days ago is in the week, not in the day.
  const hour = 3_600_000;
  const atHour = (hours: number) => new Date(Date.now() - hours * hour).toISOString();
  const past = { from: atHour(20), to: atHour(19) };
  expect((await agent.ask('find_traces', { status: 'error', ...past })).next[0].arguments.period).toBe('24h');
  await stack().sql`
    update error_groups set last_nano = ${`${Date.now() - 50 * hour}000000`}::bigint
    where environment_key = (select key from environments where id = ${backend.environmentId})`;
  for (const tool of ['find_traces', 'break_down_backend']) {
    const args = tool === 'find_traces' ? { status: 'error' } : { by: 'error' };
    expect((await agent.ask(tool, { ...args, ...past })).next[0].arguments.period).toBe('7d');
  }
  const none = await agent.ask('break_down_backend', { by: 'error', service: 'mail', ...earlier });
  expect(none.notes.at(-1)).toMatch(/^The last error of this service was at/);
  const logs = await agent.ask('find_logs', { service: 'shop', severity: 'error', ...earlier });
  expect(logs).toMatchObject({
    data: [],
    total: 0,
    scope: { filters: { service: 'shop', severity: 'error' } },
  });
  expect(logs.next[0].arguments).toMatchObject({ service: 'shop', severity: 'error', period: '24h' });
  expect(await agent.ask('find_logs', { limit: 100 })).toMatchObject({ total: 12 });
  const summary = await agent.ask('summarize_service', { service: 'Shop' });
  expect(summary.next[0]).toMatchObject({ tool: 'find_traces', arguments: { service: 'shop' } });
  for (const [sort, first] of [
    ['duration', 'slowest'],
    ['errors', 'one with most errors'],
  ] as const)
    expect((await agent.ask('find_traces', { sort })).next[0].why).toBe(
      `What happened in the ${first} of them.`,
    );
  const ok = await agent.ask('find_traces', { status: 'ok', service: 'shop' });
  expect(ok).toMatchObject({
    ...{
      data: [],
      notes: [expect.stringMatching(/^Observed/), expect.stringMatching(/that did not fail are `unset`/)],
    },
    next: [{ tool: 'find_traces', arguments: { status: 'unset', service: 'shop' } }, {}, {}],
  });
  expect((await agent.call('find_logs', { text: '@' })).answer.details).toEqual([
    { path: 'text', message: expect.stringMatching(/^must have a word: letters or digits/) },
  ]);
});

test('filters have the words of the tool, and untrusted names only what is there', async () => {
  const backend = await createBackend(stack());
  const agent = await createAgent(stack(), backend.owner.userId);
  const traces = { text: 'orders', attributes: ['http.route=/orders', 'resource.host.name=a'] };
  expect((await agent.ask('find_traces', traces)).scope.filters).toEqual(traces);
  expect((await agent.ask('break_down_backend', { by: 'error' })).scope).not.toHaveProperty('filters');
  const isThere = (at: Json, [step = '', ...rest]: string[]): boolean => {
    const value = at?.[step.replace('[]', '')];
    if (rest.length === 0 || value == null) return value != null;
    return step.endsWith('[]') ? value.some((one: Json) => isThere(one, rest)) : isThere(value, rest);
  };
  for (const [tool, args] of Object.entries(BACKEND_CALLS)) {
    const answer = await agent.ask(tool, args);
    for (const path of answer.untrusted)
      expect([tool, path, isThere(answer, path.split('.'))]).toEqual([tool, path, true]);
  }
});

test('a trace has the time of its logs, the remote host, each exception once, and why no page is there', async () => {
  const backend = await createBackend(stack());
  const traceId = traceIdOf(900);
  const now = Date.now() - 60_000;
  const exception = {
    name: 'exception',
    attributes: { 'exception.type': 'Timeout', 'exception.message': 'no answer\n\tin time' },
  };
  const span = (n: number, more: Partial<TestSpan>): TestSpan => ({
    ...{ traceId, spanId: spanIdOf(n), service: 'shop', name: `span ${n}`, startMs: now, status: 2 },
    ...more,
  });
  await backend.send([
    span(901, { durationMs: 90, events: [exception] }),
    span(902, {
      ...{ parentSpanId: spanIdOf(901), durationMs: 80, events: [exception], kind: 3 },
      attributes: { 'server.address': 'acquirer.example' },
    }),
  ]);
  await backend.sendLogs([{ traceId, spanId: spanIdOf(901), timeMs: now, text: 'gave up' }]);
  const agent = await createAgent(stack(), backend.owner.userId);
  const { data } = await agent.ask('get_trace', { traceId });
  expect(data.logs[0].time).toBe(new Date(now).toISOString());
  expect(data.criticalPath[0]).toMatchObject({ name: 'span 902', remote: 'acquirer.example' });
  expect(data.failed.flatMap(({ events }: Json) => events)).toEqual([exception]);
  const journey = await agent.ask('get_trace', { traceId, view: 'journey' });
  expect(journey.data.association).toBeNull();
  expect(journey.notes.join()).toMatch(
    /`association` is null\. No visit is known: no page reported this trace/,
  );
});

test('a failed request leads to its visit where a page reported it, and else says why none is known', async () => {
  const { sql } = stack();
  const backend = await createBackend(stack());
  const { projectId, environmentId } = backend;
  const siteId = await createSite(sql, projectId);
  const agent = await createAgent(stack(), backend.owner.userId);
  const failed = { status: 'error', limit: 50 };
  const before = await agent.ask('find_traces', failed);
  expect(before.notes.at(-1)).toMatch(/^No visit is known: no page reported these traces/);
  const errors = async () => agent.ask('break_down_backend', { by: 'error', limit: 50 });
  const unknown = await errors();
  expect(unknown.notes.join()).toMatch(/No visit is known: no page reported these traces/);
  expect(unknown.data.some((row: Json) => 'affected' in row)).toBe(false);
  expect(unknown.data.every(({ traces, occurrences }: Json) => traces > 0 && traces <= occurrences)).toBe(
    true,
  );
  const { traceId } = SAMPLE;
  await linkPage(sql, { environmentId, siteId, traceId, at: Date.now() - 119_000, pages: ['/', '/cart'] });
  const found = await agent.ask('find_traces', failed);
  expect(found.data.filter(({ visit }: Json) => visit).map((row: Json) => row.traceId)).toEqual([traceId]);
  expect(found.next).toContainEqual(
    expect.objectContaining({
      tool: 'get_trace',
      arguments: expect.objectContaining({ traceId, view: 'journey' }),
    }),
  );
  expect(found.notes.join()).not.toMatch(/No visit is known/);
  const trace = await agent.ask('get_trace', { traceId });
  expect(trace.next[0].arguments).toMatchObject({ traceId, view: 'journey' });
  expect((await agent.ask('get_trace', trace.next[0].arguments)).data.pageViews).toHaveLength(2);
  const other = await agent.ask('get_trace', { traceId: traceIdOf(4) });
  expect(other.notes).toEqual([expect.stringMatching(/^No visit is known: no page reported this trace/)]);
  const { data, notes } = await errors();
  const orders = data.find((row: Json) => row.title.includes('POST /orders'));
  expect(orders.affected).toEqual({ visits: 1, traces: 1 });
  expect(notes.join()).toMatch(/`affected\.visits`: consented visits/);
  // Who may not read the website's side isn't misled.
  const lesser = await createAgent(stack(), backend.owner.userId, { scopes: ['telemetry:read'] });
  const hidden = await lesser.ask('find_traces', failed);
  expect(hidden.data.some((row: Json) => 'visit' in row)).toBe(false);
  expect(hidden.notes.join()).not.toMatch(/No visit is known/);
});

test('a goal says how often its target was reached, and what it may have meant', async () => {
  const { agent } = await createVisited([1, 2]);
  const saved = (target: string) => agent.ask('save_goal', { name: 'Thanked', target, dryRun: true });
  const reached = { exact: { conversions: 2 }, conversions: 2, events: 2 };
  expect((await saved('page /thanks')).data.last30Days).toEqual(reached);
  expect((await saved('page /*')).data.last30Days).toEqual(reached);
  expect((await saved('event signup')).data.last30Days).toEqual(reached);
  const none = await saved('page /thank');
  expect(none.data.last30Days).toEqual({ exact: { conversions: 0 }, conversions: 0, events: 0 });
  expect(none.data.nearest[0]).toBe('/thanks');
  expect(none.untrusted).toContain('data.nearest');
  expect((await saved('event Sign up')).data.nearest).toEqual(['signup']);
});

test('the instructions have the present time', async () => {
  const { agent } = await createVisited([]);
  const response = await agent.send('server/discover');
  const { result } = (await response.json()) as Json;
  const [, now = ''] = /Now: (\S+)\. /.exec(result.instructions) ?? [];
  expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(120_000);
});

test('the name or message of an exception finds its trace; a word that no span has leads to the logs', async () => {
  const backend = await createBackend(stack());
  const at = Date.now() - 90_000;
  const exception = {
    name: 'exception',
    attributes: { 'exception.type': 'AcquirerTimeout', 'exception.message': 'gave up at 30%' },
  };
  const traceId = 'e'.repeat(32);
  await backend.send(
    [
      ...[{ traceId, spanId: spanIdOf(801), service: 'shop', name: 'POST /pay', startMs: at, durationMs: 9 }],
    ].map((span) => ({ ...span, status: 2, events: [exception] })),
  );
  const agent = await createAgent(stack(), backend.owner.userId);
  for (const text of ['acquirertimeout', 'up at 30%']) {
    const { data } = await agent.ask('find_traces', { text });
    expect(data.map((trace: Json) => trace.traceId)).toEqual([traceId]);
  }
  const { data, next } = await agent.ask('find_traces', { text: 'declined' });
  expect(data).toEqual([]);
  expect(next[0]).toMatchObject({ tool: 'find_logs', arguments: { text: 'declined' } });
});

test('orders of a week that goes on lead to as much of the week before; goals with revenue lead to outcomes', async () => {
  const backend = await createBackend(stack());
  const agent = await createAgent(stack(), backend.owner.userId);
  for (const args of [{}, { interval: '1d' }]) {
    const { range, notes, next } = await agent.ask('report_outcomes', { period: 'this_week', ...args });
    expect(notes.join()).toMatch(/The range ends now: compare it with as much time/);
    expect(next.map(({ tool }: Json) => tool)).toContain('check_backend');
    expect(Date.parse(range.to)).toBeGreaterThan(Date.now() - 60_000);
  }
});

test('of several environments the only one that receives is read without a name; changes must name theirs', async () => {
  const backend = await createBackend(stack());
  const { sql } = stack();
  const [{ project_id, id }] = (await sql`
    insert into environments (project_id, name, created_at)
    select project_id, 'staging', created_at - interval '1 day' from environments where id = ${backend.environmentId}
    returning project_id, id`) as [{ project_id: string; id: string }];
  const agent = await createAgent(stack(), backend.owner.userId);
  const { scope, data } = await agent.ask('check_backend');
  expect([scope.environment, data.services.length > 0]).toEqual(['Test/production', true]);
  const named = await agent.ask('check_backend', { environment: 'staging' });
  expect([named.scope.environment, named.coverage.observed]).toEqual(['Test/staging', false]);
  const { answer } = await agent.call('set_retention', { logs: 14 });
  expect(answer).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'environment' }] });
  await sql`
    insert into telemetry_connections (environment_key, signal, service, last_received_at)
    select key, 'logs', 'shop', now() from environments where id = ${id} and project_id = ${project_id}`;
  expect((await agent.call('check_backend', {})).answer).toMatchObject({ code: 'VALIDATION_ERROR' });
});

test('a metric that is there, but not with these filters, is no unknown one', async () => {
  const backend = await createBackend(stack());
  const agent = await createAgent(stack(), backend.owner.userId);
  const asked = { name: 'queue.length', aggregation: 'avg' };
  for (const filters of [{ attributes: ['queue=print'] }, { attributes: ['colour=red'] }]) {
    const { answer } = await agent.call('query_metric', { ...asked, ...filters });
    expect(answer).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(/no series of it has/),
    });
  }
  expect((await agent.call('query_metric', { ...asked, name: 'queue.size' })).answer).toMatchObject({
    ...{ code: 'NOT_FOUND', choices: ['queue.length'] },
  });
});
