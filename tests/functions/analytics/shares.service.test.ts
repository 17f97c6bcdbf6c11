import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { createAnalyticsApp } from '../../../functions/analytics/app.ts';
import { routes } from '../../../functions/analytics/contract.ts';
import { ALL_GUESSES } from '../../../functions/analytics/limits.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { redisLimiter } from '../../../lib/http/redis-limiter.ts';
import { connectRedis } from '../../../lib/redis.ts';
import { SHARED_REPORTS, SharedSite } from '../../../lib/shares/schemas.ts';
import { consented, counts, pageview } from '../../lib/analytics/reports-world.ts';
import { addFunnel, addGoal } from '../../security/definitions.ts';
import { createTenant } from '../../security/tenant.ts';
import { addShare, PASSWORD, type ShareOptions } from '../../security/test-share.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors, envOf } from './doors.ts';

const stack = useStack();

const UNSHARED = ['page-props', 'visit-quality', 'associations'];

test('every report can be shared but those of properties, of the quality of visits and of backends', () => {
  const tags = ['Analytics', 'Goals', 'Funnels'];
  const reports = Object.values(routes)
    .filter(({ tag }) => tags.includes(tag))
    .map(({ path }) => path.split('/')[6])
    .filter((report) => !UNSHARED.includes(report ?? ''));
  expect(new Set(SHARED_REPORTS)).toEqual(new Set(reports));
});

describe.each<[string, Door]>(Object.entries(doors))('shares in %s', (_, door) => {
  async function call(path: string, init: RequestInit = {}) {
    const response = await door(stack(), path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
  }

  async function createShared(options: ShareOptions = {}) {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const at = new Date().toISOString();
    const messages = [consented('bob', [pageview(at, '/a')]), counts([pageview(at, '/b')])];
    await foldBatch(
      sql,
      messages.map((message) => ({ ...message, siteId: tenant.siteId })),
      Date.now(),
    );
    const share = await addShare(sql, tenant.siteId, options);
    const path = `/api/v1/shares/${share.secret}`;
    return { ...tenant, ...share, path };
  }
  const bearing = (token: string): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });
  const unlock = (path: string, password: string) =>
    call(`${path}/unlock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ password }),
    });

  test('a share tells what it is, and shows each report as its owner sees it', async () => {
    const { path, siteId, token } = await createShared();
    const { body } = await call(path);
    expect(v.parse(v.strictObject(SharedSite.entries), body.data)).toEqual({
      name: 'For the board',
      site: { name: 'Example', domain: 'example.com', timezone: 'UTC' },
      reports: [...SHARED_REPORTS],
      expiresAt: null,
    });
    for (const report of SHARED_REPORTS) {
      const query = report === 'utm' ? '?by=campaign' : '';
      const shared = await call(`${path}/analytics/${report}${query}`);
      const own = await call(`/api/v1/sites/${siteId}/analytics/${report}${query}`, bearing(token));
      expect([report, shared.status, shared.body.data]).toEqual([report, 200, own.body.data]);
      expect(shared.headers.get('RateLimit-Policy')).toBe('"shares";q=100;w=60');
    }
  });

  test('parameters and cursors are those of the report', async () => {
    const { path } = await createShared();
    const first = await call(`${path}/analytics/pages?limit=1&period=7d`);
    expect(first.body.data).toHaveLength(1);
    const { nextCursor } = first.body.meta;
    const second = await call(`${path}/analytics/pages?limit=1&period=7d&cursor=${nextCursor}`);
    expect(second.body.data).toHaveLength(1);
    expect(second.body.data).not.toEqual(first.body.data);
    expect(await call(`${path}/analytics/pages?limit=0`)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'limit' }] },
    });
    expect((await call(`${path}?x=1`)).status).toBe(400);
    expect((await call(`${path}/analytics/overview`, { method: 'HEAD' })).status).toBe(200);
  });

  test('goals and funnels are shown with their reports, and can’t be changed', async () => {
    const { sql } = stack();
    const { path, siteId, token } = await createShared();
    const [other, few] = await Promise.all([createShared(), addShare(sql, siteId, { reports: ['goals'] })]);
    await addGoal(sql, siteId, { name: 'Saw a', page: '/a' });
    const steps = [{ page: '/a' }, { page: '/b' }];
    const funnelId = await addFunnel(sql, siteId, { name: 'From a to b', steps });
    for (const report of ['goals', 'goals/report', 'funnels', `funnels/${funnelId}/report`]) {
      const shared = await call(
        `${path}/analytics/${report}?${report.endsWith('report') ? 'period=7d' : ''}`,
      );
      const own = await call(`/api/v1/sites/${siteId}/analytics/${report}`, bearing(token));
      expect([report, shared.status, shared.body.data]).toEqual([report, 200, own.body.data]);
      expect(JSON.stringify(shared.body.data)).toMatch(/Saw a|From a to b/);
      const isGoals = report.startsWith('goals');
      const ofFew = await call(`/api/v1/shares/${few.secret}/analytics/${report}`);
      expect([report, ofFew.status]).toEqual([report, isGoals ? 200 : 404]);
    }
    expect((await call(`${other.path}/analytics/goals`)).body).toEqual({ data: [] });
    expect((await call(`${other.path}/analytics/funnels/${funnelId}/report`)).status).toBe(404);
    for (const [method, end] of [
      ['POST', 'goals'],
      ['PATCH', `funnels/${funnelId}`],
      ['DELETE', `funnels/${funnelId}`],
    ] as const) {
      expect((await call(`${path}/analytics/${end}`, { method })).status).toBeOneOf([404, 405]);
    }
  });

  test('it shows no more than the reports that it names, and nothing else of the site', async () => {
    const { path, siteId } = await createShared({ reports: ['pages'] });
    expect((await call(`${path}/analytics/pages`)).status).toBe(200);
    const others = [
      'overview',
      'annotations',
      'goals',
      'funnels',
      'export',
      'traces',
      '',
      'pages/',
      '%2e%2e',
    ];
    for (const report of others) {
      expect([report, (await call(`${path}/analytics/${report}`)).status]).toEqual([report, 404]);
    }
    for (const end of ['/shares', '/telemetry', '/analytics', `/sites/${siteId}`]) {
      expect([end, (await call(path + end)).status]).toEqual([end, 404]);
    }
    expect((await call(`${path}/analytics/pages`, { method: 'POST' })).status).toBe(405);
  });

  test('its secret is no token, and no token is its secret', async () => {
    const { path, secret, siteId, token } = await createShared({ locked: true });
    for (const bearer of [secret, `vapi_${secret}`]) {
      expect((await call(`/api/v1/sites/${siteId}/analytics/pages`, bearing(bearer))).status).toBe(401);
    }
    expect((await call(`${path}/analytics/pages`, bearing(token))).status).toBe(401);
  });

  test('what is no share, an ended or a deleted one is not found', async () => {
    const past = await createShared({ expiresAt: new Date(Date.now() - 1000).toISOString() });
    const nobodys = `/api/v1/shares/${'A'.repeat(43)}`;
    const malformed = [
      past.secret.slice(1),
      `${past.secret}A`,
      `${past.secret.slice(0, -1)}%00`,
      past.shareId,
      '%ff',
    ];
    for (const path of [past.path, nobodys, ...malformed.map((secret) => `/api/v1/shares/${secret}`)]) {
      for (const end of ['', '/analytics/overview']) {
        expect([path, await call(path + end)]).toMatchObject([
          path,
          { status: 404, body: { error: 'NOT_FOUND' } },
        ]);
      }
      expect((await unlock(path, PASSWORD)).status).toBe(404);
    }
  });

  test('one that ends later is open until then', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { path } = await createShared({ expiresAt });
    expect((await call(path)).body.data.expiresAt).toBe(expiresAt);
  });

  test('a revoked one shows nothing at once, though it was just read', async () => {
    const { path, shareId } = await createShared();
    expect((await call(`${path}/analytics/overview`)).status).toBe(200);
    await stack().sql`delete from site_shares where id = ${shareId}`;
    for (const report of ['overview', 'pages', 'live']) {
      expect((await call(`${path}/analytics/${report}`)).status).toBe(404);
    }
  });

  test('with a password it is locked until that is given, for a day', async () => {
    const { path } = await createShared({ locked: true });
    for (const end of ['', '/analytics/overview']) {
      const refused = await call(path + end);
      expect(refused).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
      expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
    expect(await unlock(path, 'pepper and brine')).toMatchObject({
      status: 401,
      body: { error: 'UNAUTHORIZED' },
    });
    const before = Date.now();
    const { status, body } = await unlock(path, PASSWORD);
    expect(status).toBe(200);
    const lasts = (Date.parse(body.data.expiresAt) - before) / 1000;
    expect(lasts).toBeGreaterThan(86_398);
    expect(lasts).toBeLessThan(86_410);
    const { token } = body.data;
    expect((await call(path, bearing(token))).status).toBe(200);
    expect((await call(`${path}/analytics/overview`, bearing(token))).body.data).toMatchObject({ visits: 2 });

    const other = await createShared({ locked: true });
    const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    for (const [at, bearer] of [
      [other.path, token],
      [path, changed],
      [path, ''],
      [path, PASSWORD],
    ]) {
      expect((await call(at, bearing(bearer))).status).toBe(401);
    }
  });

  test('a share without a password is not unlocked', async () => {
    const { path } = await createShared();
    expect(await unlock(path, PASSWORD)).toMatchObject({ status: 409, body: { error: 'CONFLICT' } });
  });
});

describe('guesses', () => {
  const guess = (
    secret: string,
    address: string,
    password = 'not this one',
    headers: Record<string, string> = {},
  ) =>
    stack().fetch(`/api/v1/shares/${secret}/unlock`, {
      method: 'POST',
      address,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ password }),
    });

  test('are limited by share and address, the right one too', async () => {
    const { sql } = stack();
    const { siteId } = await createTenant(sql);
    const [share, other] = await Promise.all([1, 2].map(() => addShare(sql, siteId, { locked: true })));
    if (share === undefined || other === undefined) throw new Error('no share');
    const statuses: number[] = [];
    // Up to twice the quota, because the first requests leave the window when this takes long.
    while (statuses.length < 21 && statuses.at(-1) !== 429) {
      const response = await guess(share.secret, '192.0.2.1');
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    expect(statuses.length).toBeGreaterThan(10);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    const refused = await guess(share.secret, '192.0.2.1', PASSWORD);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('RateLimit-Policy')).toBe('"unlock";q=10;w=600');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await guess(share.secret, '192.0.2.2', PASSWORD)).status).toBe(200);
    expect((await guess(other.secret, '192.0.2.1', PASSWORD)).status).toBe(200);
  });

  test('that are right don’t count, however many readers have the password', async () => {
    const { siteId } = await createTenant(stack().sql);
    const { secret } = await addShare(stack().sql, siteId, { locked: true });
    for (let n = 0; n < 15; n++) expect((await guess(secret, '192.0.2.9', PASSWORD)).status).toBe(200);
  });

  test('from many addresses lock out nobody who has a token', async () => {
    const { siteId } = await createTenant(stack().sql);
    const { secret, shareId } = await addShare(stack().sql, siteId, { locked: true });
    const first = await guess(secret, '192.0.2.10', PASSWORD);
    const { data } = (await first.json()) as { data: { token: string } };
    const all = redisLimiter(connectRedis(stack().upstash), ALL_GUESSES);
    for (let n = 0; n < ALL_GUESSES.quota - 1; n++) await all.take(shareId, 'wait');
    expect((await guess(secret, '192.0.2.11', PASSWORD)).status).toBe(200);
    expect((await guess(secret, '192.0.2.11')).status).toBe(401);
    expect((await guess(secret, '192.0.2.12')).status).toBe(429);
    expect((await guess(secret, '192.0.2.13', PASSWORD)).status).toBe(429);
    const asReader = { Authorization: `Bearer ${data.token}` };
    expect((await guess(secret, '192.0.2.14', PASSWORD, asReader)).status).toBe(200);
    expect((await guess(secret, '192.0.2.14', 'not this one', asReader)).status).toBe(401);
    const read = await stack().fetch(`/api/v1/shares/${secret}/analytics/overview`, { headers: asReader });
    expect(read.status).toBe(200);
  });

  test('and requests without a token spend nothing of a reader’s behind the same address', async () => {
    const { siteId } = await createTenant(stack().sql);
    const { secret } = await addShare(stack().sql, siteId, { locked: true });
    const address = '192.0.2.20';
    const unlocked = await guess(secret, address, PASSWORD);
    const { data } = (await unlocked.json()) as { data: { token: string } };
    const read = (headers?: Record<string, string>) =>
      stack().fetch(`/api/v1/shares/${secret}/analytics/overview`, { address, ...(headers && { headers }) });
    const statuses: number[] = [];
    while (statuses.length < 201 && statuses.at(-1) !== 429) statuses.push((await read()).status);
    expect(statuses.at(-1)).toBe(429);
    const own = await read({ Authorization: `Bearer ${data.token}` });
    expect([own.status, own.headers.get('RateLimit')]).toEqual([200, expect.stringMatching(/r=98;/)]);
  });

  test('and a password is refused while Redis is away, but reads go on', async () => {
    const { siteId } = await createTenant(stack().sql);
    const [open, locked] = [
      await addShare(stack().sql, siteId),
      await addShare(stack().sql, siteId, { locked: true }),
    ];
    const app = createAnalyticsApp({ log: () => {} });
    const env = { ...envOf(stack()), UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:1' };
    const read = await app.request(`/api/v1/shares/${open.secret}/analytics/overview`, {}, env);
    expect(read.status).toBe(200);
    const unlocked = await app.request(
      `/api/v1/shares/${locked.secret}/unlock`,
      {
        method: 'POST',
        body: JSON.stringify({ password: PASSWORD }),
        headers: { 'Content-Type': 'application/json' },
      },
      env,
    );
    expect([unlocked.status, await unlocked.json()]).toMatchObject([503, { error: 'UNAVAILABLE' }]);
  });
});
