import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DomainError } from '../../../lib/errors.ts';
import { errorHeaders, statusOf } from '../../../lib/http/http-errors.ts';
import { isolateLimiter, PATIENCE_MS } from '../../../lib/http/isolate-limiter.ts';
import type { WithoutAnswer } from '../../../lib/http/limiter.ts';
import { limitHeaders, rateLimit } from '../../../lib/http/rate-limit.ts';
import { redisLimiter, sharedCount } from '../../../lib/http/redis-limiter.ts';
import { connectRedis } from '../../../lib/redis.ts';

const policy = { name: 'test', quota: 3, windowSeconds: 60 };

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

/** A broken server instead of Redis. It counts its requests. */
async function startBroken(respond: 'never' | number) {
  const state = { requests: 0 };
  const server = createServer((_, response) => {
    state.requests += 1;
    if (respond !== 'never') response.writeHead(respond).end('{"error":"ERR broken"}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function closedPort(): Promise<string> {
  const { url } = await startBroken(500);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  return url;
}

function appWith(url: string, without: WithoutAnswer) {
  const limiter = redisLimiter(connectRedis({ url, token: 'token' }), policy);
  const app = new Hono();
  app.get('/', rateLimit({ limiter: () => limiter, key: () => 'key', without }), (c) => c.text('passed'));
  app.onError((error, c) => {
    if (!(error instanceof DomainError)) throw error;
    return c.json({ error: error.code }, statusOf(error.code), errorHeaders(error));
  });
  return app;
}

const ask = async (app: Hono, times: number): Promise<number[]> => {
  const statuses: number[] = [];
  while (statuses.length < times) statuses.push((await app.request('/')).status);
  return statuses;
};

describe.each<[string, boolean, () => Promise<string>]>([
  ['refuses connections', true, closedPort],
  ['answers errors', true, async () => (await startBroken(500)).url],
  ['answers nonsense', true, async () => (await startBroken(200)).url],
  ['never answers', false, async () => (await startBroken('never')).url],
])('a Redis that %s', (_, isAway, start) => {
  test('leaves the quota to the isolate where the surface says so', async () => {
    const app = appWith(await start(), 'count-here');
    const response = await app.request('/');
    expect(response.status).toBe(200);
    expect(response.headers.get('RateLimit-Policy')).toBe('"test";q=3;w=60');
    expect(response.headers.get('RateLimit')).toBe('"test";r=2;t=60');
    expect(await ask(app, 3)).toEqual([200, 200, 429]);
  });

  test('where only a slow one leaves it to the isolate', async () => {
    const app = appWith(await start(), 'count-here-if-slow');
    // The patience ends only where the test says so: on a busy machine an answer may take longer.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = ask(app, 4);
    if (!isAway) await vi.advanceTimersByTimeAsync(4 * PATIENCE_MS);
    expect(await asked).toEqual(isAway ? [503, 503, 503, 503] : [200, 200, 200, 429]);
  });

  test('is 503 against guesses, which count nothing then', async () => {
    const app = appWith(await start(), 'wait');
    const response = await app.request('/');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ error: 'UNAVAILABLE' });
    expect(response.headers.get('Retry-After')).toBe('2');
    expect(await app.request('/')).toHaveProperty('status', 503);
  });
});

test('a Redis in trouble is asked once a request, never again', async () => {
  const { url, state } = await startBroken(503);
  await appWith(url, 'wait').request('/');
  expect(state.requests).toBe(1);
});

test('an isolate that counts by itself asks a Redis in trouble once', async () => {
  const { url, state } = await startBroken(503);
  const limiter = isolateLimiter({
    policy: { ...policy, quota: 100 },
    shared: sharedCount(connectRedis({ url, token: 'token' }), policy),
    free: 10,
    now: () => 0,
  });
  for (let n = 0; n < 100; n++)
    expect(await limiter.take('key', 'count-here')).toMatchObject({ outcome: 'allowed' });
  expect(await limiter.take('key', 'count-here')).toMatchObject({ outcome: 'refused' });
  expect(state.requests).toBe(1);
});

test('headers have the syntax of the IETF draft', () => {
  const sites = { name: 'sites', quota: 60, windowSeconds: 60 };
  expect(limitHeaders(sites, { outcome: 'allowed', remaining: 59, resetSeconds: 42 })).toEqual([
    ['RateLimit-Policy', '"sites";q=60;w=60'],
    ['RateLimit', '"sites";r=59;t=42'],
  ]);
  expect(limitHeaders(sites, { outcome: 'away', cause: undefined })).toEqual([
    ['RateLimit-Policy', '"sites";q=60;w=60'],
  ]);
});
