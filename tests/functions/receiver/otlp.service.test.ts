/** OTLP over HTTP from a sender's view: the rules that need the complete receiver. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { decode, encode, REQUESTS, RESPONSES } from '../../lib/otlp/generated-messages.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTenant, newToken } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();
const JSON_TYPE = 'application/json';
const PROTOBUF_TYPE = 'application/x-protobuf';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
const SIGNALS = ['traces', 'logs', 'metrics'] as const;
type Signal = (typeof SIGNALS)[number];

let key = '';
beforeAll(async () => {
  const { projectId } = await createTenant(stack().sql);
  ({ key } = await addIngestKey(stack().sql, projectId));
});

const now = () => `${Date.now()}000000`;
const hex = (digits: number) => crypto.randomUUID().replaceAll('-', '').slice(0, digits);
const newSpan = () => ({
  traceId: hex(32),
  spanId: hex(16),
  name: 'GET /',
  startTimeUnixNano: now(),
  endTimeUnixNano: now(),
});

/** A request with one item, in OTLP's JSON. */
function oneItem(signal: Signal, startTimeUnixNano = now()) {
  switch (signal) {
    case 'traces':
      return {
        resourceSpans: [
          {
            scopeSpans: [
              { spans: [{ ...newSpan(), startTimeUnixNano, endTimeUnixNano: startTimeUnixNano }] },
            ],
          },
        ],
      };
    case 'logs':
      return { resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: startTimeUnixNano }] }] }] };
    case 'metrics': {
      const gauge = { dataPoints: [{ timeUnixNano: startTimeUnixNano, asInt: '4' }] };
      return { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'queue', gauge }] }] }] };
    }
  }
}

interface Sent {
  type?: string;
  headers?: Record<string, string>;
  authorization?: string;
}

function send(signal: string, body: BodyInit, { type = JSON_TYPE, headers, authorization }: Sent = {}) {
  return stack().fetch(`/v1/${signal}`, {
    method: 'POST',
    headers: { Authorization: authorization ?? `Bearer ${key}`, 'Content-Type': type, ...headers },
    body,
  });
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe.each(SIGNALS)('%s', (signal) => {
  test('full success is an empty message, in either encoding', async () => {
    const json = await send(signal, JSON.stringify(oneItem(signal)));
    expect([json.status, json.headers.get('Content-Type'), await json.text()]).toEqual([
      200,
      JSON_TYPE,
      '{}',
    ]);
    const protobuf = await send(signal, new Uint8Array(), { type: `${PROTOBUF_TYPE}; charset=utf-8` });
    expect([protobuf.status, protobuf.headers.get('Content-Type'), await bytesOf(protobuf)]).toEqual([
      200,
      PROTOBUF_TYPE,
      new Uint8Array(),
    ]);
  });

  test('a partial success counts what was refused', async () => {
    const long = `${Date.now() - 40 * 86_400_000}000000`;
    const response = await send(signal, JSON.stringify(oneItem(signal, long)));
    const rejected = { traces: 'rejectedSpans', logs: 'rejectedLogRecords', metrics: 'rejectedDataPoints' }[
      signal
    ];
    expect([response.status, await response.json()]).toEqual([
      200,
      { partialSuccess: { [rejected]: '1', errorMessage: expect.stringMatching(/^Refused 1 /) } },
    ]);
  });

  test('what can’t be decoded is 400 with a google.rpc.Status, in the encoding of the request', async () => {
    const json = await send(signal, '{"resourceSpans": 1, "resourceLogs": 1, "resourceMetrics": 1}');
    expect([json.status, json.headers.get('Content-Type'), await json.json()]).toEqual([
      400,
      JSON_TYPE,
      {
        code: 3,
        message: expect.stringMatching(/\. resource\w+ must be a list\.$/),
        details: [
          {
            '@type': BAD_REQUEST,
            fieldViolations: [
              { field: expect.stringMatching(/^resource\w+$/), description: 'must be a list' },
            ],
          },
        ],
      },
    ]);
    const protobuf = await send(signal, new Uint8Array([10, 255]), { type: PROTOBUF_TYPE });
    expect([protobuf.status, protobuf.headers.get('Content-Type')]).toEqual([400, PROTOBUF_TYPE]);
    const status = await bytesOf(protobuf);
    // Field 1, a varint: the code.
    expect(status.slice(0, 2)).toEqual(new Uint8Array([8, 3]));
    expect(Buffer.from(status).toString('latin1')).toContain(BAD_REQUEST);
  });
});

test('an official protobuf request, gzipped, is stored', async () => {
  const span = newSpan();
  const base64 = (digits: string) => Buffer.from(digits, 'hex').toString('base64');
  const spans = [{ ...span, traceId: base64(span.traceId), spanId: base64(span.spanId) }];
  const body = encode(REQUESTS.traces, { resourceSpans: [{ scopeSpans: [{ spans }] }] });
  const headers = { 'Content-Encoding': 'gzip' };
  const response = await send('traces', gzipSync(body), { type: PROTOBUF_TYPE, headers });
  expect([response.status, decode(RESPONSES.traces, await bytesOf(response))]).toEqual([200, {}]);
  const rows = await stack().sql`select name from spans where trace_id = ${span.traceId}::uuid`;
  expect(rows).toEqual([{ name: 'GET /' }]);
});

describe('gzip of several members', () => {
  const headers = { 'Content-Encoding': 'gzip' };
  const spans = (count: number) => Array.from({ length: count }, newSpan);
  const bodyOf = (items: object[]) =>
    Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: items }] }] }));
  const storedOf = async (items: { traceId: string }[]) => {
    const ids = items.map(({ traceId }) => traceId);
    const [row] = await stack().sql`
      select count(*)::integer as stored from spans where trace_id = any(${ids}::text[]::uuid[])
    `;
    return row?.stored;
  };
  const cut = (body: Buffer, size: number) =>
    Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
      gzipSync(body.subarray(at * size, (at + 1) * size)),
    );

  test.each([10_000, 64, 7])('of %i bytes each are all read', async (size) => {
    const items = spans(size === 7 ? 8 : 40);
    const response = await send('traces', Buffer.concat(cut(bodyOf(items), size)), { headers });
    expect([response.status, await response.json(), await storedOf(items)]).toEqual([200, {}, items.length]);
  });

  test('are read where their data look like the beginning of one', async () => {
    const items = spans(1).map((span) => ({
      ...span,
      traceId: Buffer.from(span.traceId, 'hex'),
      spanId: Buffer.from(span.spanId, 'hex'),
      attributes: [{ key: 'k', value: { bytesValue: new Uint8Array(gzipSync('').subarray(0, 10)) } }],
    }));
    const body = encode(REQUESTS.traces, { resourceSpans: [{ scopeSpans: [{ spans: items }] }] });
    // Not compressed, so that the bytes stand in the member as they are.
    const members = [body.subarray(0, 9), body.subarray(9)].map((part) => gzipSync(part, { level: 0 }));
    const response = await send('traces', Buffer.concat(members), { headers, type: PROTOBUF_TYPE });
    const ids = items.map(({ traceId }) => ({ traceId: traceId.toString('hex') }));
    expect([response.status, await storedOf(ids)]).toEqual([200, 1]);
  });

  const whole = gzipSync('{}');
  test.each<[string, Buffer, number]>([
    ['and something else after them', Buffer.concat([whole, whole, Buffer.from('what is this?')]), 400],
    ['the last of them cut off', Buffer.concat([whole, whole.subarray(0, -3)]), 400],
    [
      'a wrong checksum in the first',
      Buffer.concat([whole.map((byte, at) => (at === whole.length - 6 ? byte ^ 1 : byte)), whole]),
      400,
    ],
    ['more than 512 of them', Buffer.concat(Array.from({ length: 513 }, () => gzipSync(''))), 400],
    ['beginnings alone', Buffer.alloc(400_000, Buffer.from([0x1f, 0x8b, 8, 0])), 400],
    [
      'over 16 MiB together',
      Buffer.concat([whole, ...Array.from({ length: 17 }, () => gzipSync(Buffer.alloc(2 ** 20, 32)))]),
      413,
    ],
  ])('%s', async (_, body, status) => {
    const response = await send('traces', body as BodyInit, { headers });
    expect([response.status, await response.json()]).toMatchObject([status, { message: expect.any(String) }]);
  });
});

test('numbers without quotes keep all digits, in the runtime that is deployed', async () => {
  const { traceId, spanId } = newSpan();
  const start = BigInt(now()) + 123_457n;
  const span =
    `{"traceId":"${traceId}","spanId":"${spanId}","name":"n","startTimeUnixNano":${start},` +
    `"endTimeUnixNano":${start + 5n},"attributes":[{"key":"k","value":{"intValue":9007199254740993}}]}`;
  const response = await send('traces', `{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`);
  expect([response.status, await response.json()]).toEqual([200, {}]);
  const rows = await stack().sql`
    select start_nano::text as start, duration_nano::text as duration, attributes from spans where trace_id = ${traceId}::uuid
  `;
  expect(rows).toEqual([{ start: String(start), duration: '5', attributes: { k: '9007199254740993' } }]);
});

test.each([
  ['another type', { type: 'text/plain' }, '{}', 415],
  ['another compression', { headers: { 'Content-Encoding': 'br' } }, '{}', 415],
  ['what says that it is gzip and isn’t', { headers: { 'Content-Encoding': 'gzip' } }, '{}', 400],
  ['over 4 MiB', {}, `{"pad":"${'x'.repeat(4 * 1024 * 1024)}"}`, 413],
  [
    'over 16 MiB inflated',
    { headers: { 'Content-Encoding': 'gzip' } },
    gzipSync(Buffer.alloc(17 * 1024 * 1024, 32)),
    413,
  ],
  ['no key', { authorization: '' }, '{}', 401],
  ['a key that nobody has', { authorization: `Bearer ${newToken().replace('vapi', 'ving')}` }, '{}', 401],
  ['a key in the address', { authorization: '' }, '{}', 401],
  ['an unknown parameter', {}, '{}', 400],
])('%s: %s', async (what, sent, body, status) => {
  const path = what.endsWith('address')
    ? `traces?key=${key}`
    : what.endsWith('parameter')
      ? 'traces?a=1'
      : 'traces';
  const response = await send(path, body as BodyInit, sent as Sent);
  const answer = await response.json();
  expect([response.status, answer]).toEqual([
    status,
    {
      code: expect.any(Number),
      message: expect.stringMatching(/\.$/),
      ...(status === 400 && { details: [{ '@type': BAD_REQUEST, fieldViolations: [expect.any(Object)] }] }),
    },
  ]);
});

test.each(['GET', 'PUT', 'DELETE'])('%s is 405 with a google.rpc.Status', async (method) => {
  const response = await stack().fetch('/v1/traces', { method });
  expect([response.status, response.headers.get('Allow'), await response.json()]).toEqual([
    405,
    'POST',
    { code: 12, message: expect.any(String) },
  ]);
});

test('a page of any origin may send, without credentials', async () => {
  const preflight = await stack().fetch('/v1/traces', {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://example.com',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,content-encoding',
    },
  });
  const headers = Object.fromEntries(preflight.headers);
  expect([preflight.status, headers]).toMatchObject([204, { 'access-control-allow-origin': '*' }]);
  expect(headers['access-control-allow-headers']?.toLowerCase()).toBe(
    'authorization, content-type, content-encoding',
  );
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
  const response = await send('logs', '{}', { headers: { Origin: 'https://example.com' } });
  expect([response.status, response.headers.get('Access-Control-Allow-Origin')]).toEqual([200, '*']);
});

test('600 requests a minute a key; then 429, to come back in a time that exporters wait', {
  timeout: 300_000,
}, async () => {
  const { projectId } = await createTenant(stack().sql);
  const { key: busy } = await addIngestKey(stack().sql, projectId);
  const authorization = `Bearer ${busy}`;
  const policy = (await send('logs', '{}', { authorization })).headers.get('RateLimit-Policy');
  expect(policy).toBe('"receiver";q=600;w=60');
  // Windows are aligned to the clock, so the quota is used up within two windows.
  let refused: Response | undefined;
  for (let sent = 0; sent < 1250 && refused === undefined; sent += 10) {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => send('logs', '{}', { authorization })),
    );
    refused = responses.find(({ status }) => status === 429);
    await Promise.all(
      responses.filter((response) => response !== refused).map((response) => response.arrayBuffer()),
    );
  }
  expect([await refused?.json(), Number(refused?.headers.get('Retry-After'))]).toEqual([
    { code: 8, message: expect.any(String) },
    expect.toBeOneOf([1, 2, 3]),
  ]);
});

test('a revoked key is refused within a minute, here at the first asking', async () => {
  const { sql } = stack();
  const { projectId } = await createTenant(sql);
  const { key: old, ingestKeyId } = await addIngestKey(sql, projectId);
  await sql`update ingest_keys set revoked_at = now() where id = ${ingestKeyId}`;
  const response = await send('traces', '{}', { authorization: `Bearer ${old}` });
  expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
});
