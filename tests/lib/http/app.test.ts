import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { DomainError, type ErrorCode, unavailable } from '../../../lib/errors.ts';
import { createApp } from '../../../lib/http/app.ts';
import type { LogLine } from '../../../lib/http/log.ts';
import { readJson, refuseQuery } from '../../../lib/http/read.ts';

const Env = v.object({ SECRET: v.string() });

function makeApp(options: { logSuccess?: boolean } = {}) {
  const lines: LogLine[] = [];
  const app = createApp({
    name: 'test',
    env: Env,
    resources: (env, _bindings: { SECRET?: string }) => ({ length: env.SECRET.length }),
    log: (line) => lines.push(line),
    ...options,
  });
  app
    .get('/things/:id', (c) => c.json({ data: c.var.resources.length }))
    .put('/things/:id', async (c) => {
      refuseQuery(c);
      return c.json(await readJson(c, v.strictObject({ a: v.string() })));
    })
    .get('/throw/:code', (c) => {
      throw new DomainError(c.req.param('code') as ErrorCode, 'A plain sentence.', {
        cause: new Error('the rich reason'),
      });
    })
    .get('/away', () => {
      throw unavailable(new Error('refused'));
    })
    .get('/broken', () => {
      throw new TypeError('postgres://user:password@host');
    })
    .get('/broken-oddly', () => {
      throw 'a string';
    })
    .get('/fields', (c) => {
      c.set('errorFields', { policy: { maxTier: 0 } });
      throw new DomainError('NOT_FOUND', 'No such site.');
    })
    .get('/forwarded', () => fetch('data:application/json,{}'));
  const request = (path: string, init?: RequestInit) => app.request(path, init, { SECRET: 'abc' });
  return { app, lines, request };
}

test('env and resources are there before the handler, made once an env object', async () => {
  let made = 0;
  const app = createApp({ name: 'test', env: Env, resources: () => ++made, log: () => {} });
  app.get('/', (c) => c.json(c.var.env));
  const env = { SECRET: 'abc' };
  expect(await (await app.request('/', {}, env)).json()).toEqual({ SECRET: 'abc' });
  await app.request('/', {}, env);
  expect(made).toBe(1);
});

test.each(['/*', '/a/*', '/a'])('what is for all paths runs once: %s', async (path) => {
  const { app, request } = makeApp();
  let runs = 0;
  app.use('*', (_, next) => {
    runs += 1;
    return next();
  });
  await request(path, { method: 'PUT', body: '{}' });
  expect(runs).toBe(1);
});

test('a parameter may be an asterisk', async () => {
  const { app, request } = makeApp();
  app.get('/named/:name', (c) => c.json(c.req.param('name')));
  expect(await (await request('/named/a*b')).json()).toBe('a*b');
});

test('a missing variable is named in the log, and the answer is a bare 500', async () => {
  const { app, lines } = makeApp();
  for (const env of [{}, { SECRET: undefined }]) {
    const response = await app.request('/things/1', {}, env as { SECRET?: string });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('SECRET');
    expect(lines.at(-1)?.causes?.[0]?.message).toContain('SECRET');
  }
});

describe('request ids', () => {
  test.each(['abc', 'A.b_c-1', 'x'.repeat(64)])('%s is kept', async (id) => {
    const response = await makeApp().request('/things/1', { headers: { 'X-Request-Id': id } });
    expect(response.headers.get('X-Request-Id')).toBe(id);
  });
  test.each(['', 'a b', 'x'.repeat(65), 'é', '<script>', undefined])(
    '%s is replaced by a uuid',
    async (id) => {
      const response = await makeApp().request(
        '/nowhere',
        id === undefined ? {} : { headers: { 'X-Request-Id': id } },
      );
      expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    },
  );
});

test.each<[ErrorCode, number]>([
  ['VALIDATION_ERROR', 400],
  ['REGIONAL_NOT_ALLOWED', 400],
  ['UNAUTHORIZED', 401],
  ['FORBIDDEN', 403],
  ['NOT_FOUND', 404],
  ['METHOD_NOT_ALLOWED', 405],
  ['CONFLICT', 409],
  ['PAYLOAD_TOO_LARGE', 413],
  ['UNSUPPORTED_MEDIA_TYPE', 415],
  ['RATE_LIMITED', 429],
  ['INTERNAL_ERROR', 500],
  ['UNAVAILABLE', 503],
])('%s is %i in the envelope; its cause is in the log only', async (code, status) => {
  const { request, lines } = makeApp();
  const response = await request(`/throw/${code}`);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: code, message: 'A plain sentence.' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    status,
    error: code,
    route: '/throw/:code',
    causes: [{ message: 'the rich reason' }],
  });
});

test.each(['/broken', '/broken-oddly'])(
  '%s: an unknown error says nothing on the wire and all in the log',
  async (path) => {
    const { request, lines } = makeApp();
    const response = await request(path);
    expect(response.status).toBe(500);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error: 'INTERNAL_ERROR' });
    expect(text).not.toMatch(/password|string/);
    expect(lines[0]?.level).toBe('error');
    expect(lines[0]?.causes?.length).toBeGreaterThan(0);
  },
);

test('what is out of reach is 503 with Retry-After', async () => {
  const response = await makeApp().request('/away');
  expect(response.status).toBe(503);
  expect(response.headers.get('Retry-After')).toBe('2');
  expect((await response.json()).message).toMatch(/ Wait 2 seconds before the next try\.$/);
});

test('fields that are known when an error is thrown come with it', async () => {
  const response = await makeApp().request('/fields');
  expect(await response.json()).toEqual({
    error: 'NOT_FOUND',
    message: 'No such site.',
    policy: { maxTier: 0 },
  });
});

test('an unknown path is 404 and a wrong method 405 with Allow', async () => {
  const { request, lines } = makeApp();
  const unknown = await request('/nowhere');
  expect(unknown.status).toBe(404);
  expect(unknown.headers.has('Allow')).toBe(false);
  expect(await unknown.json()).toMatchObject({ error: 'NOT_FOUND' });
  const wrong = await request('/things/1', { method: 'DELETE' });
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get('Allow')).toBe('GET, HEAD, PUT');
  expect(await wrong.json()).toMatchObject({ error: 'METHOD_NOT_ALLOWED' });
  expect(lines.map((line) => line.route)).toEqual([null, null]);
});

test('HEAD answers as GET does, without a body', async () => {
  const response = await makeApp().request('/things/1', { method: 'HEAD' });
  expect(response.status).toBe(200);
  expect(response.headers.get('X-Request-Id')).not.toBeNull();
  expect(await response.text()).toBe('');
});

test('security headers are on answers, also on those with headers that can not be changed', async () => {
  const { request } = makeApp();
  for (const path of ['/things/1', '/nowhere', '/forwarded', '/broken']) {
    const { headers } = await request(path);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('Strict-Transport-Security')).toMatch(/^max-age=\d{7,}/);
    expect(headers.get('X-Request-Id')).not.toBeNull();
  }
});

test('a log line has no URL, address, agent or token', async () => {
  const { request, lines } = makeApp();
  await request('/things/secret-path?q=secret-query', {
    headers: {
      'User-Agent': 'secret-agent',
      'CF-Connecting-IP': '203.0.113.9',
      Authorization: 'Bearer secret-token',
    },
  });
  expect(lines[0]).toMatchObject({
    function: 'test',
    method: 'GET',
    route: '/things/:id',
    status: 200,
    level: 'info',
  });
  expect(JSON.stringify(lines)).not.toMatch(/secret|203\.0\./);
});

test('a function may leave out the lines of what went well, and of nothing else', async () => {
  const { request, lines } = makeApp({ logSuccess: false });
  for (const path of ['/things/1', '/nowhere', '/broken', '/things/2', '/away']) await request(path);
  expect(lines.map(({ status }) => status)).toEqual([404, 500, 503]);
});
