/** The smallest and largest numbers that OTLP's fields can hold are stored. None of them makes the receiver refuse a batch. */
import { beforeAll, expect, test } from 'vitest';
import { sumMetrics } from '../../../lib/telemetry/metrics/sum-metrics.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();
const UINT32 = 4_294_967_295;
const INT32 = 2_147_483_647;

let key = '';
let environmentKey = 0;
beforeAll(async () => {
  const { projectId } = await createTenant(stack().sql);
  const made = await addIngestKey(stack().sql, projectId);
  ({ key } = made);
  ({ environmentKey } = made.actor);
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
          spans: [
            {
              ...{ traceId: hex(32), spanId: hex(16), name: 'GET /' },
              ...{ startTimeUnixNano: now(), endTimeUnixNano: now() },
              ...span,
            },
          ],
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
  ['metrics', 'an offset', () => exponential({ positive: { offset: INT32, bucketCounts: ['1'] } })],
  ['metrics', 'a count', () => exponential({ count: '9007199254740991', zeroCount: '9007199254740991' })],
])('%s: %s', async (signal, _, body) => {
  expect(await send(signal, body())).toEqual([200, {}]);
});

test.each<[string, object]>([
  ['scale', { scale: UINT32 }],
  ['offset', { positive: { offset: UINT32, bucketCounts: ['1'] } }],
])('metrics: %s has a sign', async (name, point) => {
  const [status, answer] = await send('metrics', exponential(point));
  expect(status).toBe(400);
  expect(answer.message).toContain(`${name} must be an integer from -2147483648 to 2147483647`);
});

test('the minutes of the smallest and largest numbers can be summed, also those that 0.1.0 stored', async () => {
  const { sql } = stack();
  const [row] = await sql`
    update metric_points set distribution = jsonb_set(distribution, '{scale}', ${String(UINT32)}::jsonb)
    where environment_key = ${environmentKey}::integer and distribution ->> 'scale' = ${String(INT32)}
    returning 1 as stored`;
  expect(row?.stored).toBe(1);
  await sumMetrics({ sql, now: () => Date.now() + 3 * 3_600_000 });
  const [left] = await sql`
    select count(*)::integer as minutes from metric_touched where environment_key = ${environmentKey}::integer`;
  expect(left?.minutes).toBe(0);
});
