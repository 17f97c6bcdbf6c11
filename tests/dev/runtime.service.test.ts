import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPort } from '../../dev/free-port.ts';
import { prepareRuntime, type Runtime } from '../../dev/runtime.ts';
import { ROOT } from '../../tooling/deployment.ts';
import { bind, makeFunction } from '../scripts/fixtures.ts';

const lines: string[] = [];
let port: number;
let folder: string;
let runtime: Runtime;

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init });
const tell = async (path: string, headers: Record<string, string> = {}) =>
  (await (await ask(path, { headers })).json()) as {
    url: string;
    cf: unknown;
    headers: Record<string, string>;
    env: string[];
  };
const MIB = 1024 * 1024;
/** A body with this number of bytes and without `Content-Length`. */
const stream = (bytes: number): RequestInit & { duplex: 'half' } => ({
  method: 'PUT',
  duplex: 'half',
  body: new Blob([new Uint8Array(bytes)]).stream(),
});
const writeChanging = (code: string): Promise<void> => writeFile(join(folder, 'index.ts'), code);

beforeAll(async () => {
  port = await findPort(0, '--port');
  folder = await mkdtemp(join(tmpdir(), 'vendor-runtime-'));
  await writeFile(join(folder, 'env.ts'), 'export const Env = { entries: {} };');
  await writeChanging('export default { fetch: () => new Response("first") };');
  const probe = join(ROOT, 'tests/dev/probe/index.ts');
  const prepared = await prepareRuntime({
    port,
    contentPort: 0,
    functions: [
      makeFunction('track', {
        main: probe,
        producers: [{ binding: 'QUEUE', queue: 'probe' }],
        consumers: [
          {
            queue: 'probe',
            maxBatchSize: 10,
            maxBatchTimeout: 0,
            maxRetries: 1,
            deadLetterQueue: 'probe-dead',
          },
          { queue: 'probe-dead', maxBatchSize: 10, maxBatchTimeout: 0 },
        ],
      }),
      makeFunction('sites', { main: join(folder, 'index.ts') }),
      makeFunction('docs', { main: probe }),
      makeFunction('gateway', {
        main: join(ROOT, 'functions/gateway/index.ts'),
        services: [bind('track'), bind('sites'), bind('docs')],
      }),
    ],
    values: { NEEDED: 'yes', SECRET_OF_ANOTHER: 'no' },
    edgeVars: Promise.resolve({ DEMO_SITE_ID: 'the-site' }),
    log: (line) => lines.push(line),
  });
  runtime = await prepared.start();
});

afterAll(async () => {
  await runtime?.stop();
  await rm(folder, { recursive: true });
});

describe('the edge', () => {
  test('gives the location, the network and the address that a developer chose, through the gateway', async () => {
    const seen = await tell('/api/v1/track?a=1', {
      'X-Dev-Country': 'PT',
      'X-Dev-Region': '13',
      'X-Dev-City': 'Porto',
      'X-Dev-Asn': '3243',
      'X-Forwarded-For': '203.0.113.9, 10.0.0.1',
    });
    expect(seen.cf).toEqual({ country: 'PT', regionCode: '13', city: 'Porto', asn: 3243 });
    expect(seen.headers).toMatchObject({ 'cf-connecting-ip': '203.0.113.9' });
    expect(Object.keys(seen.headers).filter((name) => name.startsWith('x-dev-'))).toEqual([]);
    expect(seen.headers).not.toHaveProperty('x-forwarded-for');
    expect(seen.url).toBe(`http://127.0.0.1:${port}/api/v1/track?a=1`);
  });

  test('knows no country by itself, and believes no CF-Connecting-IP', async () => {
    const seen = await tell('/api/v1/track', { 'CF-Connecting-IP': '198.51.100.1' });
    expect(seen.cf).toEqual({});
    expect(seen.headers).toMatchObject({ 'cf-connecting-ip': '127.0.0.1' });
  });

  test('hands redirects on, and answers a thrown error with a bare 500', async () => {
    const redirect = await ask('/api/v1/track/redirect');
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([302, 'https://elsewhere.test/']);
    const thrown = await ask('/api/v1/track/throw');
    expect([thrown.status, await thrown.text()]).toEqual([500, 'Internal error\n']);
    await expect.poll(() => lines.join('\n')).toContain('as asked');
  });

  test('takes in whole what a function leaves unread, as the client of a reset would never learn the answer', async () => {
    const bodies = [
      ...Array<string>(200).fill('{"small":true}'),
      ...Array<Blob>(5).fill(new Blob([new Uint8Array(MIB * 10)])),
    ];
    for (const body of bodies) expect((await ask('/api/v1/track', { method: 'PUT', body })).status).toBe(200);
    expect((await ask('/api/v1/track', stream(MIB * 10))).status).toBe(200);
  });

  test('hands bodies on whole, and as they said or did not say their length', async () => {
    const asked = async (init: RequestInit) => (await ask('/api/v1/track/length', init)).json();
    expect(await asked({ method: 'PUT', body: new Uint8Array(MIB * 2) })).toBe(MIB * 2);
    expect(await asked(stream(MIB * 2))).toBe(MIB * 2);
    const headers = async (init: RequestInit) => (await (await ask('/api/v1/track', init)).json()).headers;
    expect(await headers({ method: 'PUT', body: '1234' })).toMatchObject({ 'content-length': '4' });
    expect(await headers(stream(4))).not.toHaveProperty('content-length');
  });

  test('serves the demo site with the tracker on it', async () => {
    const page = await ask('/demo');
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(/<script defer src="\/tracker.js" data-site="the-site" /);
    expect((await ask('/demo/journal/how-to-change-strings')).status).toBe(200);
    expect((await ask('/demo/nowhere')).status).toBe(404);
    expect((await ask('/demo', { method: 'POST' })).status).toBe(405);
  });
});

describe('functions', () => {
  test('get the vars that their schema names, and no other', async () => {
    expect((await tell('/api/v1/track')).env.toSorted()).toEqual(['NEEDED', 'QUEUE']);
  });

  test('share a queue: batches, another try, dead letters', async () => {
    await ask('/api/v1/track', { method: 'POST', body: '{"n":1}' });
    await expect.poll(() => lines).toContain('track     | probe [[{"n":1},1]]');
    await ask('/api/v1/track', { method: 'POST', body: '{"fails":true}' });
    await expect.poll(() => lines).toContain('track     | probe [[{"fails":true},1]]');
    await expect.poll(() => lines).toContain('track     | probe [[{"fails":true},2]]');
    await expect.poll(() => lines).toContain('track     | probe-dead [[{"fails":true},1]]');
  });

  test('take a batch past the queue', async () => {
    expect(await runtime.queue('docs', 'probe', [{ n: 2 }])).toMatchObject({ outcome: 'ok' });
    expect(await runtime.queue('docs', 'probe', [{ fails: true }])).toMatchObject({ outcome: 'exception' });
  });

  test('run their crons on request', async () => {
    await runtime.scheduled('track', '*/15 * * * *', new Date(900_000));
    await expect.poll(() => lines).toContain('track     | cron */15 * * * * 900000');
    await expect(runtime.scheduled('track', 'fails')).rejects.toThrow(
      'track: the cron fails ended with exception',
    );
  });
});

test('a reload runs new code, and broken code leaves the old one running', async () => {
  const site = async (): Promise<string> => (await ask('/api/v1/sites')).text();
  expect(await site()).toBe('first');
  await writeChanging('export default { fetch: () => new Response("second") };');
  await runtime.reload();
  expect(await site()).toBe('second');
  await writeChanging('export default { fetch: () => new Response("third" };');
  await expect(runtime.reload()).rejects.toThrow(/index\.ts:1:\d+ Expected "\)"/);
  expect(await site()).toBe('second');
});
