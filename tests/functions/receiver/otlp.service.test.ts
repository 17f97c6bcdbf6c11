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
const SIGNALS = ['traces', 'logs', 'metrics'] as const;
type Signal = (typeof SIGNALS)[number];

let key = '';
beforeAll(async () => {
  const { projectId } = await createTenant(stack().sql);
  ({ key } = await addIngestKey(stack().sql, projectId));
});

const now = () => `${Date.now()}000000`;
const hex = (digits: number) => crypto.randomUUID().replaceAll('-', '').slice(0, digits);
const newSpan = () => ({ traceId: hex(32), spanId: hex(16), name: 'GET /', startTimeUnixNano: now() });

/** A request with one item, in OTLP's JSON. */
function oneItem(signal: Signal, startTimeUnixNano = now()) {
  switch (signal) {
    case 'traces':
      return { resourceSpans: [{ scopeSpans: [{ spans: [{ ...newSpan(), startTimeUnixNano }] }] }] };
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
      { code: 3, message: expect.stringContaining('must be a list') },
    ]);
    const protobuf = await send(signal, new Uint8Array([10, 255]), { type: PROTOBUF_TYPE });
    expect([protobuf.status, protobuf.headers.get('Content-Type')]).toEqual([400, PROTOBUF_TYPE]);
    // Field 1, a varint: the code.
    expect((await bytesOf(protobuf)).slice(0, 2)).toEqual(new Uint8Array([8, 3]));
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
    { code: expect.any(Number), message: expect.stringMatching(/\.$/) },
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
  timeout: 120_000,
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
