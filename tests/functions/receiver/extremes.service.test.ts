/** The smallest and largest numbers that OTLP's fields can hold are stored. None of them makes the receiver refuse a batch. */
import { beforeAll, expect, test } from 'vitest';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();
const UINT32 = 4_294_967_295;
const INT32 = 2_147_483_647;

let key = '';
beforeAll(async () => {
  const { projectId } = await createTenant(stack().sql);
  ({ key } = await addIngestKey(stack().sql, projectId));
});

const now = () => `${Date.now()}000000`;
const hex = (digits: number) => crypto.randomUUID().replaceAll('-', '').slice(0, digits);

async function send(signal: string, body: object) {
  const response = await stack().fetch(`/v1/${signal}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [response.status, await response.json()];
}

const spans = (span: object, around: object = {}, scope: object = {}) => ({
  resourceSpans: [
    {
      resource: around,
      scopeSpans: [
        {
          scope,
          spans: [{ traceId: hex(32), spanId: hex(16), name: 'GET /', startTimeUnixNano: now(), ...span }],
        },
      ],
    },
  ],
});
const logs = (record: object) => ({
  resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: now(), ...record }] }] }],
});
const metrics = (metric: object) => ({
  resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'queue', ...metric }] }] }],
});
const gauge = (point: object) =>
  metrics({ gauge: { dataPoints: [{ timeUnixNano: now(), asInt: '4', ...point }] } });
const sum = (aggregationTemporality: number) =>
  metrics({ sum: { aggregationTemporality, dataPoints: [{ timeUnixNano: now(), asInt: '4' }] } });
const exponential = (point: object) =>
  metrics({
    exponentialHistogram: {
      aggregationTemporality: 1,
      dataPoints: [
        {
          timeUnixNano: now(),
          count: '3',
          zeroCount: '1',
          scale: 0,
          positive: { offset: 0, bucketCounts: ['1'] },
          negative: { offset: 0, bucketCounts: ['1'] },
          ...point,
        },
      ],
    },
  });

test.each<[string, string, () => object]>([
  ['traces', 'the flags of a span', () => spans({ flags: UINT32 })],
  ['traces', 'the kind of a span', () => spans({ kind: UINT32 })],
  ['traces', 'a negative kind', () => spans({ kind: -INT32 })],
  ['traces', 'the status of a span', () => spans({ status: { code: UINT32 } })],
  [
    'traces',
    'what a span lacks',
    () => spans({ droppedAttributesCount: UINT32, droppedEventsCount: UINT32 }),
  ],
  ['traces', 'what a resource lacks', () => spans({}, { droppedAttributesCount: UINT32 })],
  ['traces', 'what a scope lacks', () => spans({}, {}, { name: 'a', droppedAttributesCount: UINT32 })],
  ['traces', 'the end of a span', () => spans({ endTimeUnixNano: '9223372036854775807' })],
  ['logs', 'the severity of a log record', () => logs({ severityNumber: UINT32 })],
  ['logs', 'a negative severity', () => logs({ severityNumber: -INT32 })],
  ['logs', 'the flags of a log record', () => logs({ flags: UINT32 })],
  ['logs', 'what a log record lacks', () => logs({ droppedAttributesCount: UINT32 })],
  ['metrics', 'the flags of a point', () => gauge({ flags: UINT32 })],
  ['metrics', 'a value', () => gauge({ asInt: '-9223372036854775808' })],
  ['metrics', 'a value next to zero', () => gauge({ asInt: undefined, asDouble: 5e-324 })],
  ['metrics', 'the temporality', () => sum(UINT32)],
  ['metrics', 'a scale', () => exponential({ scale: INT32 })],
  ['metrics', 'a negative scale', () => exponential({ scale: -INT32 })],
  ['metrics', 'a scale without a sign', () => exponential({ scale: UINT32 })],
  ['metrics', 'an offset', () => exponential({ positive: { offset: INT32, bucketCounts: ['1'] } })],
  [
    'metrics',
    'an offset without a sign',
    () => exponential({ positive: { offset: UINT32, bucketCounts: ['1'] } }),
  ],
  ['metrics', 'a count', () => exponential({ count: '9007199254740991', zeroCount: '9007199254740991' })],
])('%s: %s', async (signal, _, body) => {
  expect(await send(signal, body())).toEqual([200, {}]);
});
