/** Sends spans to a new environment. */
import type { Stack } from '../../../dev/stack.ts';
import { sumErrors } from '../../../lib/telemetry/errors/sum-errors.ts';
import { rollUpSpans } from '../../../lib/telemetry/roll-up-spans.ts';
import { attributesOf, createTestEnvironment, nano, spanIdOf, traceIdOf } from './test-environment.ts';

export interface TestSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  service: string;
  name?: string;
  /** OTLP's number. Default: 2, a server. */
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
  events?: readonly { name: string; attributes: Record<string, string> }[];
}

const otlpSpan = (span: TestSpan) => ({
  ...{ traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentSpanId },
  ...{ name: span.name ?? 'GET /', kind: span.kind ?? 2, startTimeUnixNano: nano(span.startMs) },
  endTimeUnixNano: nano(span.startMs + (span.durationMs ?? 10)),
  status: { code: span.status ?? 0, message: span.message },
  attributes: attributesOf(span.attributes ?? {}),
  events: (span.events ?? []).map(({ name, attributes }) => ({
    ...{ name, timeUnixNano: nano(span.startMs), attributes: attributesOf(attributes) },
  })),
});

export async function createWorld(stack: Stack) {
  const environment = await createTestEnvironment(stack);
  return {
    ...environment,
    send: (spans: readonly TestSpan[]): Promise<void> =>
      environment.post('/v1/traces', {
        resourceSpans: spans.map((span) => ({
          resource: { attributes: attributesOf({ 'service.name': span.service, ...span.resource }) },
          scopeSpans: [{ scope: { name: 'test' }, spans: [otlpSpan(span)] }],
        })),
      }),
    sendLogs: (logs: readonly { traceId: string; spanId?: string; timeMs: number; text: string }[]) =>
      environment.post('/v1/logs', {
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
    /** Runs what the cron runs every minute. */
    rollUp: async (now = Date.now()) => {
      const ports = { sql: stack.sql, now: () => now };
      await rollUpSpans(ports);
      await sumErrors(ports);
    },
  };
}

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
