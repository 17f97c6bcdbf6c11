/** An environment of a tenant of its own: spans go in through the receiver, answers come out by HTTP. */
import { expect } from 'vitest';
import type { Stack } from '../../../dev/stack.ts';
import { rollUpSpans } from '../../../lib/telemetry/roll-up-spans.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant, type Tenant } from '../../security/tenant.ts';

export interface TestSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  service: string;
  name?: string;
  /** As OTLP has them; default 2, a server. */
  kind?: number;
  /** Epoch milliseconds. */
  startMs: number;
  /** Default: 10. */
  durationMs?: number;
  /** 2 is an error. */
  status?: number;
  message?: string;
  attributes?: Record<string, string | number | boolean>;
  resource?: Record<string, string>;
}

export interface World {
  tenant: Tenant;
  environmentId: string;
  base: string;
  /** Sends one request of OTLP in JSON. */
  send(spans: readonly TestSpan[]): Promise<void>;
  sendLogs(
    logs: readonly { traceId: string; spanId?: string; timeMs: number; text: string }[],
  ): Promise<void>;
  /** Sends an outcome; the status. */
  tell(outcome: object): Promise<number>;
  /** What is answered to the owner; fails unless the status is 200. */
  get<Body = { data: unknown; meta: Record<string, unknown> }>(path: string): Promise<Body>;
  status(path: string): Promise<number>;
  /** What the cron does every minute. */
  rollUp(now?: number): Promise<void>;
}

const anyValue = (value: string | number | boolean) => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};
const attributesOf = (attributes: Record<string, string | number | boolean>) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
const nano = (ms: number): string => String(Math.round(ms * 1000)).concat('000');

const otlpSpan = (span: TestSpan) => ({
  ...{ traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentSpanId },
  ...{ name: span.name ?? 'GET /', kind: span.kind ?? 2, startTimeUnixNano: nano(span.startMs) },
  endTimeUnixNano: nano(span.startMs + (span.durationMs ?? 10)),
  status: { code: span.status ?? 0, message: span.message },
  attributes: attributesOf(span.attributes ?? {}),
});

export async function createWorld(stack: Stack): Promise<World> {
  const tenant = await createTenant(stack.sql);
  const { environmentId, key } = await addIngestKey(stack.sql, tenant.projectId);
  const base = `/api/v1/telemetry/projects/${tenant.projectId}/environments/${environmentId}`;
  const post = async (path: string, body: object): Promise<void> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const response = await stack.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([response.status, await response.json()]).toEqual([200, {}]);
  };
  const ask = (path: string) => stack.fetch(`${base}/${path}`, { headers: { Cookie: tenant.cookie } });
  return {
    tenant,
    environmentId,
    base,
    send: (spans) =>
      post('/v1/traces', {
        resourceSpans: spans.map((span) => ({
          resource: { attributes: attributesOf({ 'service.name': span.service, ...span.resource }) },
          scopeSpans: [{ scope: { name: 'test' }, spans: [otlpSpan(span)] }],
        })),
      }),
    sendLogs: (logs) =>
      post('/v1/logs', {
        resourceLogs: [
          {
            resource: { attributes: attributesOf({ 'service.name': 'shop' }) },
            scopeLogs: [
              {
                logRecords: logs.map(({ traceId, spanId, timeMs, text }) => ({
                  ...{ traceId, spanId, timeUnixNano: nano(timeMs), severityNumber: 17 },
                  body: { stringValue: text },
                })),
              },
            ],
          },
        ],
      }),
    async tell(outcome) {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(outcome) };
      const response = await stack.fetch('/api/v1/telemetry/outcomes', init);
      await response.arrayBuffer();
      return response.status;
    },
    async get<Body>(path: string): Promise<Body> {
      const response = await ask(path);
      const text = await response.text();
      expect([response.status, text]).toEqual([200, expect.any(String)]);
      return JSON.parse(text) as Body;
    },
    async status(path) {
      const response = await ask(path);
      await response.arrayBuffer();
      return response.status;
    },
    rollUp: (now = Date.now()) => rollUpSpans({ sql: stack.sql, now: () => now }),
  };
}

/** Ids from numbers. */
export const traceIdOf = (n: number): string => (n + 1).toString(16).padStart(32, '0');
export const spanIdOf = (n: number): string => (n + 1).toString(16).padStart(16, '0');

export const minutesAgo = (n: number) => Date.now() - n * 60_000;

/** `web` calls `shop`, which fails after it asked `stock`, whose clock is an hour behind. */
export function order(n: number, at: number): TestSpan[] {
  const traceId = traceIdOf(n);
  const id = (m: number) => spanIdOf(n * 10 + m);
  return [
    { traceId, spanId: id(0), service: 'web', name: 'POST /order', startMs: at, durationMs: 100 },
    {
      ...{ traceId, spanId: id(1), parentSpanId: id(0), service: 'web', name: 'POST', kind: 3 },
      ...{ startMs: at + 10, durationMs: 80 },
    },
    {
      ...{ traceId, spanId: id(2), parentSpanId: id(1), service: 'shop', name: 'POST /order', status: 2 },
      ...{ startMs: at + 20, durationMs: 60, message: 'Card declined', resource: { 'host.name': 'h1' } },
      attributes: { 'http.response.status_code': 402, 'order.id': `o-${n}`, retried: false },
    },
    {
      ...{ traceId, spanId: id(3), parentSpanId: id(2), service: 'stock', name: 'GET /stock/:id' },
      ...{ startMs: at - 3_600_000, durationMs: 20 },
    },
  ];
}
