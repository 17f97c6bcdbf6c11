/** An agent with a query token, and sites with visits to ask about. */
import { expect } from 'vitest';
import type { Stack } from '../../../dev/stack.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { StoredEvent } from '../../../lib/collection/track-message.ts';
import { SAMPLE } from '../../../lib/http/examples.ts';
import { consented, counts, custom, engagement, pageview } from '../../lib/analytics/reports-world.ts';
import { addFunnel, addGoal } from '../../security/definitions.ts';
import { addQueryToken, type TokenLimits } from '../../security/session.ts';
import { createTenant, type Tenant } from '../../security/tenant.ts';
import { type Era, mcpRequest } from '../content/client.ts';
import { newOutcome } from '../receiver/backend-sender.ts';
import { createWorld } from '../telemetry/sent-spans.ts';
import { attributesOf, nano, spanIdOf, traceIdOf } from '../telemetry/test-environment.ts';

/** Parsed JSON, whose fields the tests know. */
export type Json = ReturnType<typeof JSON.parse>;

export interface ToolResult {
  isError: boolean;
  /** The object of the answer, or of the error. */
  answer: Json;
}

export interface Agent {
  token: string;
  tokenId: string;
  send(method: string, params?: Record<string, unknown>, era?: Era): Promise<Response>;
  /** Calls a tool; expects that text and object are the same. */
  call(name: string, args?: Record<string, unknown>, era?: Era): Promise<ToolResult>;
  /** The answer of a call that succeeds. */
  ask(name: string, args?: Record<string, unknown>): Promise<Json>;
}

export async function createAgent(stack: Stack, userId: string, limits: TokenLimits = {}): Promise<Agent> {
  const { token, queryTokenId: tokenId } = await addQueryToken(stack.sql, userId, limits);
  const send: Agent['send'] = (method, params = {}, era = '2026-07-28') => {
    const init = mcpRequest(method, params, era);
    return stack.fetch('/mcp', { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
  };
  const call: Agent['call'] = async (name, args = {}, era) => {
    const response = await send('tools/call', { name, arguments: args }, era);
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringContaining('"result"')]);
    const { result } = JSON.parse(text);
    const answer = JSON.parse(result.content[0].text);
    const isError = result.isError === true;
    if (isError) expect(result.structuredContent).toBeUndefined();
    else expect(result.structuredContent).toEqual(answer);
    return { isError, answer: isError ? answer.error : answer };
  };
  const ask: Agent['ask'] = async (name, args) => {
    const { isError, answer } = await call(name, args);
    expect([isError, answer]).toEqual([false, expect.anything()]);
    return answer;
  };
  return { token, tokenId, send, call, ask };
}

/** A report of REST, with the API token of the tenant. */
export async function askRest(stack: Stack, { token, siteId }: Tenant, path: string) {
  const response = await stack.fetch(`/api/v1/sites/${siteId}/analytics/${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: (await response.json()) as Json };
}

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

/** A tenant whose site has visits of all tiers on several days, goals and a funnel. */
export async function createVisitedSite({ sql }: Stack): Promise<Tenant> {
  const tenant = await createTenant(sql);
  const { siteId } = tenant;
  await addGoal(sql, siteId, { name: 'Signed up', event: 'signup' });
  await addGoal(sql, siteId, { name: 'Read the docs', page: '/docs/**' });
  await addFunnel(sql, siteId, { name: 'From prices', steps: [{ page: '/pricing' }, { event: 'signup' }] });
  const of = { device: 'mobile', browser: 'Safari' } as const;
  const names = ['ada', 'bob', 'cyd', 'dan', 'eve'];
  const paths = ['/pricing', '/docs/start', '/', '/journal', '/about'];
  const messages = names.flatMap((name, index) =>
    [1, 30, 60, 200].slice(0, 1 + (index % 4)).map((hours) => {
      const at = hoursAgo(hours + index);
      // Events of one instant have no order: what comes later needs an instant of its own.
      const later = hoursAgo(hours + index - 1 / 60);
      const events: StoredEvent[] = [
        pageview(at, paths[index % paths.length], { source: index % 2 === 0 ? 'Google' : 'Bing' }),
        pageview(later, paths[(index + 1) % paths.length], { entry: false }),
        ...(index % 2 === 0 ? [custom(later)] : []),
        engagement(later),
      ];
      return consented(name, events, of);
    }),
  );
  const anonymous = paths.map((path, index) => counts([pageview(hoursAgo(5 + index), path)], of));
  await foldBatch(
    sql,
    [...messages, ...anonymous].map((message) => ({ ...message, siteId })),
    Date.now(),
  );
  return tenant;
}

/** A visit of some days ago: collection began then. */
export const visitOf = ({ sql }: Stack, { siteId }: Tenant, days: number, path = '/') =>
  foldBatch(sql, [{ ...counts([pageview(hoursAgo(24 * days), path)]), siteId }], Date.now());

/** Each tool with arguments that it takes, for tests of all of them. */
export const SITE_CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  summarize_site: {},
  break_down_visits: { by: 'page' },
  compare_visits: { by: 'source', period: '7d' },
  report_conversions: {},
  report_events: {},
  report_behaviour: { what: 'journeys' },
  rate_pages: { by: 'engagement' },
  get_live: {},
};

/** The same of backends. */
export const BACKEND_CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  check_backend: {},
  break_down_backend: { by: 'version' },
  summarize_service: { service: 'shop' },
  find_traces: { status: 'error' },
  get_trace: { traceId: SAMPLE.traceId },
  find_logs: {},
  list_metrics: {},
  query_metric: { name: 'queue.length', aggregation: 'avg' },
  report_outcomes: {},
};

/** Tools that change something of a site. */
export const SITE_CHANGES: Readonly<Record<string, Record<string, unknown>>> = {
  annotate: { date: '2026-11-21', text: 'Release 2.1' },
  save_goal: { name: 'Thanked', target: 'page /thanks' },
  save_funnel: { name: 'To thanks', steps: ['page /pricing', 'event signup', 'page /thanks'] },
  remove_definition: { kind: 'goal', name: 'Signed up' },
};

/** The same of an environment. */
export const BACKEND_CHANGES: Readonly<Record<string, Record<string, unknown>>> = {
  set_retention: { logs: 14 },
  set_origin: { origin: 'https://api.example.com' },
};

/** A tenant whose backend sent a failed trace with a log record, a metric and outcomes. */
export async function createBackend(stack: Stack) {
  const world = await createWorld(stack);
  const { traceId } = SAMPLE;
  const now = Date.now() - 120_000;
  await world.send([
    {
      traceId,
      spanId: spanIdOf(1),
      service: 'shop',
      name: 'POST /orders',
      startMs: now,
      durationMs: 90,
      status: 2,
    },
    ...Array.from({ length: 12 }, (_, n) => ({
      ...{ traceId: traceIdOf(n), spanId: spanIdOf(n), service: n % 3 === 0 ? 'mail' : 'shop' },
      ...{ name: `GET /${n}`, startMs: now - n * 1000, durationMs: 5 + n, status: n % 4 === 0 ? 2 : 0 },
    })),
  ]);
  await world.sendLogs(
    Array.from({ length: 12 }, (_, n) => ({
      traceId,
      spanId: spanIdOf(1),
      timeMs: now + n,
      text: `card ${n} declined`,
    })),
  );
  await world.post('/v1/metrics', {
    resourceMetrics: [
      {
        resource: { attributes: attributesOf({ 'service.name': 'shop' }) },
        scopeMetrics: [
          {
            scope: { name: 'test' },
            metrics: [
              {
                ...{ name: 'queue.length', unit: '{job}' },
                gauge: {
                  dataPoints: [
                    { timeUnixNano: nano(now), asInt: '7', attributes: attributesOf({ queue: 'mail' }) },
                  ],
                },
              },
            ],
          },
        ],
      },
    ],
  });
  for (let n = 0; n < 12; n++)
    await world.tell(
      newOutcome({
        occurredAt: new Date(now - n * 1000).toISOString(),
        value: { amount: '12.30', currency: 'EUR' },
      }),
    );
  await world.rollUp();
  return world;
}
