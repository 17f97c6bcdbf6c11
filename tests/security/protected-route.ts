/** What every route behind an API token must keep to. Run it for each: `protectedRoute(stack, route)`. */
import { describe, expect, test } from 'vitest';
import type { Sql } from '../../lib/db.ts';
import { createToken } from '../../lib/tokens.ts';
import { addMember, createTenant, newToken, revoke, type Tenant } from './tenant.ts';

export interface ProtectedRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: (tenant: Tenant) => string;
  /** A body that the route accepts, where it takes one. */
  body?: object;
  /** Status of success. */
  status: number;
  /** Changes something: viewers are refused. */
  writes: boolean;
  /** Makes what else the path names. */
  prepare?: (sql: Sql, tenant: Tenant) => Promise<void>;
  /** The path names something that belongs to somebody. */
  owned: boolean;
  limit: { name: string; quota: number; windowSeconds: number };
}

/** Where requests go: the service from outside, and its database. */
export interface Target {
  sql: Sql;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

const MAX_BODY_BYTES = 64 * 1024;

/** Leaves out what can't apply to a route; nothing shows up as skipped. */
const onlyIf = (applies: boolean) => (name: string, run: () => Promise<void>) => {
  if (applies) test(name, run);
};

export function protectedRoute(target: () => Target, route: ProtectedRoute): void {
  const { method, limit } = route;

  const send = (
    tenant: Tenant,
    authorization: string | undefined,
    change: RequestInit & { query?: string } = {},
  ) => {
    const { query = '', headers, ...init } = change;
    return target().fetch(route.path(tenant) + query, {
      method,
      ...(route.body !== undefined && { body: JSON.stringify(route.body) }),
      ...init,
      headers: {
        ...(route.body !== undefined && { 'Content-Type': 'application/json' }),
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(headers as Record<string, string> | undefined),
      },
    });
  };
  const newTenant = async () => {
    const { sql } = target();
    const tenant = await createTenant(sql);
    await route.prepare?.(sql, tenant);
    return tenant;
  };
  const bearer = (token: string) => `Bearer ${token}`;

  async function expectError(response: Response, status: number, code: string) {
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.stringContaining(`"error":"${code}"`)]);
    expect(JSON.parse(text).message).toMatch(/\.$/);
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(response.headers.get('X-Request-Id')).not.toBeNull();
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  }

  describe(`${method} ${route.path({ siteId: ':siteId', projectId: '', userId: '', token: '' })}`, () => {
    test('lets its owner through', async () => {
      const tenant = await newTenant();
      const response = await send(tenant, bearer(tenant.token));
      await response.arrayBuffer();
      expect(response.status).toBe(route.status);
    });

    test.each<[string, (token: string) => string | undefined]>([
      ['no token', () => undefined],
      ['an empty header', () => ''],
      ['another scheme', (token) => `Basic ${token}`],
      ['a bare token', (token) => token],
      ['a malformed token', () => bearer('vapi_short')],
      ['SQL for a token', () => bearer("' or '1'='1")],
      ['a wrong checksum', (token) => bearer(token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'))],
      ['a token that nobody has', () => bearer(newToken())],
      ['another kind of token', () => bearer(createToken('ving', (bytes) => crypto.getRandomValues(bytes)))],
    ])('answers 401 to %s', async (_, authorizationFor) => {
      const tenant = await newTenant();
      const response = await send(tenant, authorizationFor(tenant.token));
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
      await expectError(response, 401, 'UNAUTHORIZED');
    });

    test('answers 401 to a revoked token', async () => {
      const tenant = await newTenant();
      await revoke(target().sql, tenant);
      await expectError(await send(tenant, bearer(tenant.token)), 401, 'UNAUTHORIZED');
    });

    onlyIf(route.owned)('answers 404 for what is somebody else’s, nobody’s, or no id', async () => {
      const [tenant, other] = await Promise.all([newTenant(), newTenant()]);
      await expectError(await send(tenant, bearer(other.token)), 404, 'NOT_FOUND');
      for (const siteId of [
        crypto.randomUUID(),
        '1',
        "'%3B%20drop%20table%20sites%3B--",
        '%00',
        '%ff',
        '..%2F',
      ]) {
        const nobodys = { ...tenant, siteId };
        await expectError(await send(nobodys, bearer(tenant.token)), 404, 'NOT_FOUND');
      }
      const own = await send(tenant, bearer(tenant.token));
      await own.arrayBuffer();
      expect(own.status).toBe(route.status);
    });

    test(`answers ${route.writes ? 403 : route.status} to a viewer`, async () => {
      const tenant = await newTenant();
      const viewer = await addMember(target().sql, tenant.projectId, 'viewer');
      const response = await send(tenant, bearer(viewer.token));
      if (route.writes) return expectError(response, 403, 'FORBIDDEN');
      await response.arrayBuffer();
      expect(response.status).toBe(route.status);
    });

    test('answers 400 to an unknown and to a repeated query parameter', async () => {
      const tenant = await newTenant();
      for (const query of ['?unknown=1', '?__proto__=1', '?a=1&a=1']) {
        await expectError(await send(tenant, bearer(tenant.token), { query }), 400, 'VALIDATION_ERROR');
      }
    });

    onlyIf(route.body !== undefined)('answers 400, 413 and 415 to bodies that it does not take', async () => {
      const tenant = await newTenant();
      const sendBody = (body: BodyInit, headers: Record<string, string> = {}) =>
        send(tenant, bearer(tenant.token), { body, headers });
      const invalid = [
        JSON.stringify({ ...route.body, surprise: 'S3CRET' }),
        JSON.stringify([route.body]),
        '{"__proto__":{"name":"S3CRET"}}',
        '{"name":"S3CRET"',
        '',
        new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      ];
      for (const body of invalid) {
        const response = await sendBody(body);
        expect(await response.clone().text()).not.toContain('S3CRET');
        await expectError(response, 400, 'VALIDATION_ERROR');
      }
      const large = JSON.stringify({ name: 'x'.repeat(MAX_BODY_BYTES) });
      await expectError(await sendBody(large), 413, 'PAYLOAD_TOO_LARGE');
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=utf-16',
      ]) {
        const wrong = await sendBody(JSON.stringify(route.body), { 'Content-Type': type });
        await expectError(wrong, 415, 'UNSUPPORTED_MEDIA_TYPE');
      }
    });

    test(`allows ${limit.quota} requests in ${limit.windowSeconds} s a token, and says so`, async () => {
      const [tenant, other] = await Promise.all([newTenant(), newTenant()]);
      // Two windows' worth: a window may end in between.
      const nobodys = { ...tenant, siteId: crypto.randomUUID() };
      const responses: Response[] = [];
      while (responses.length < 2 * limit.quota + 1 && responses.at(-1)?.status !== 429) {
        const response = await send(route.owned ? nobodys : tenant, bearer(tenant.token));
        await response.clone().arrayBuffer();
        responses.push(response);
      }
      const last = responses.at(-1);
      expect(responses.length).toBeGreaterThan(limit.quota);
      const policy = `"${limit.name}";q=${limit.quota};w=${limit.windowSeconds}`;
      for (const { headers } of responses) {
        expect(headers.get('RateLimit-Policy')).toBe(policy);
        expect(headers.get('RateLimit')).toMatch(new RegExp(`^"${limit.name}";r=\\d+;t=\\d+$`));
      }
      expect(responses[0]?.headers.get('RateLimit')).toMatch(new RegExp(`;r=${limit.quota - 1};`));
      expect(last?.headers.get('RateLimit')).toMatch(/;r=0;/);
      const wait = Number(last?.headers.get('Retry-After'));
      expect(Number.isInteger(wait) && wait >= 1 && wait <= limit.windowSeconds).toBe(true);
      if (last !== undefined) await expectError(last, 429, 'RATE_LIMITED');
      const untouched = await send(other, bearer(other.token));
      await untouched.arrayBuffer();
      expect(untouched.status).toBe(route.status);
    });
  });
}
