/** What answers say of themselves: ranges that have a name, what isn't known, and where to go on. */
import { expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { SAMPLE } from '../../../lib/http/examples.ts';
import { consented, custom, pageview } from '../../lib/analytics/reports-world.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import type { TestSpan } from '../telemetry/sent-spans.ts';
import { spanIdOf, traceIdOf } from '../telemetry/test-environment.ts';
import { createAgent, createBackend, type Json } from './agent.ts';

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
  expect(outcomes.data.outcomes.length).toBeGreaterThan(0);
  const unknown = await agent.call('get_trace', { traceId: 'f'.repeat(32) });
  expect(unknown.answer).toMatchObject({ code: 'NOT_FOUND', untrusted: ['choices'] });
  expect(unknown.answer.message).toMatch(/may belong to another one.*`find_traces` finds others\.$/);
  expect(unknown.answer.choices[0].traceId).toHaveLength(32);
});

test('a trace has the time of its logs, the remote host, each exception once, and why no page is there', async () => {
  const backend = await createBackend(stack());
  const traceId = traceIdOf(900);
  const now = Date.now() - 60_000;
  const exception = {
    name: 'exception',
    attributes: { 'exception.type': 'Timeout', 'exception.message': 'no answer' },
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
  expect(data.failed.flatMap(({ events }: Json) => events)).toHaveLength(1);
  const journey = await agent.ask('get_trace', { traceId, view: 'journey' });
  expect(journey.data.association).toBeNull();
  expect(journey.notes.join()).toMatch(/`association` is null: no page reported this trace/);
});

test('a goal says how often its target was reached, and what it may have meant', async () => {
  const { agent } = await createVisited([1, 2]);
  const saved = (target: string) => agent.ask('save_goal', { name: 'Thanked', target, dryRun: true });
  expect((await saved('page /thanks')).data.last30Days).toEqual({ visits: 2, hits: 2 });
  expect((await saved('page /*')).data.last30Days).toEqual({ visits: 2, hits: 2 });
  expect((await saved('event signup')).data.last30Days).toEqual({ visits: 2, hits: 2 });
  const none = await saved('page /thank');
  expect(none.data.last30Days).toEqual({ visits: 0, hits: 0 });
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
