/**
 * The security tests of every route behind an API token, a session or an ingest key, and of public routes that are limited by address.
 * Run it for each route: `protectedRoute(stack, route)`.
 */
import { describe, expect, test } from 'vitest';
import type { Sql } from '../../lib/db.ts';
import { sessionLimit } from '../../lib/http/session-limits.ts';
import { type Credential, type Surface, surfaces } from './surfaces.ts';
import {
  addApiKey,
  addMember,
  createProject,
  createSite,
  createTenant,
  type KeyLimits,
  newToken,
  removeFrom,
  type Tenant,
} from './tenant.ts';

export interface ProtectedRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: (tenant: Tenant) => string;
  /** A body that the route accepts, if it has one. A function of the tenant if the body has ids of the tenant. */
  body?: object | ((tenant: Tenant) => object);
  /** The accepted credentials. Default: an API token, or a session. */
  surface?: Surface;
  /** The status of a successful answer. */
  status: number;
  /** True if the route changes something, so that viewers are refused. */
  writes: boolean;
  /** True if admins are refused too. */
  ownersOnly?: boolean;
  /** Creates what the path needs besides the tenant. */
  prepare?: (sql: Sql, tenant: Tenant) => Promise<void>;
  /** The id in the path that belongs to a tenant. Default: the site's. */
  owned: boolean;
  ownedBy?: 'siteId' | 'projectId';
  /** True if the route tells faults of its body in a form of its own, which its own tests know. */
  ownBodyErrors?: true;
  /** True if the data belongs to a person and not to a project, so that viewers are allowed too. */
  personal?: boolean;
  limit: { name: string; quota: number; windowSeconds: number };
}

/** The target of requests: the service from outside, and its database. */
export interface Target {
  sql: Sql;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

const MAX_BODY_BYTES = 64 * 1024;

/** Declares a test only if it applies to the route, so that no test counts as skipped. */
const onlyIf =
  (applies: boolean) =>
  (name: string, run: () => Promise<void>, timeoutMs?: number): void => {
    if (applies) test(name, run, timeoutMs);
  };

/** Policies whose quota a test of this worker has used up. */
const spent = new Set<string>();
const LIMIT_TIMEOUT_MS = 120_000;

export function protectedRoute(target: () => Target, route: ProtectedRoute): void {
  const { method, limit, ownedBy = 'siteId' } = route;
  const { own, equip, revoke, refused, foreign = [], ownPages = [] } = surfaces[route.surface ?? 'member'];

  const bodyOf = (tenant: Tenant) => (typeof route.body === 'function' ? route.body(tenant) : route.body);
  const send = (
    tenant: Tenant,
    credential: Credential | undefined,
    change: RequestInit & { query?: string } = {},
  ) => {
    const { query = '', headers, ...init } = change;
    const body = bodyOf(tenant);
    const path = route.path(tenant);
    return target().fetch(path + (path.includes('?') ? query.replace('?', '&') : query), {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...init,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...credential,
        ...(headers as Record<string, string> | undefined),
      },
    });
  };
  const newTenant = async () => {
    const { sql } = target();
    const tenant = await createTenant(sql);
    await route.prepare?.(sql, tenant);
    return equip === undefined ? tenant : equip(sql, tenant);
  };

  async function expectError(response: Response, status: number, code: string) {
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.stringContaining(`"error":"${code}"`)]);
    expect(JSON.parse(text).message).toMatch(/\.$/);
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(response.headers.get('X-Request-Id')).not.toBeNull();
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  }

  const policyHeader = `"${limit.name}";q=${limit.quota};w=${limit.windowSeconds}`;

  /** The tests of the route with a session instead of a token. */
  function bySession(): void {
    const { own: cookieOf, foreign: foreignPages = [] } = surfaces.session;
    test('lets its owner through, counted by person', async () => {
      const tenant = await newTenant();
      const response = await send(tenant, cookieOf(tenant), { headers: { 'Sec-Fetch-Site': 'same-origin' } });
      await response.arrayBuffer();
      const { name, quota } = sessionLimit(method);
      expect([response.status, response.headers.get('RateLimit')]).toEqual([
        route.status,
        expect.stringMatching(`^"${name}";r=${quota - 1};`),
      ]);
    });

    test.each(foreignPages)('answers 403 to a page of another site: %s', async (_, headers) => {
      const tenant = await newTenant();
      await expectError(await send(tenant, cookieOf(tenant), { headers }), 403, 'FORBIDDEN');
    });

    test('answers 401 to a session that is over, and beside a token that is wrong', async () => {
      const tenant = await newTenant();
      const both = { ...cookieOf(tenant), Authorization: `Bearer ${newToken()}` };
      await expectError(await send(tenant, both), 401, 'UNAUTHORIZED');
      await target().sql`
        update user_sessions set expires_at = now() - interval '1 second' where user_id = ${tenant.userId}`;
      await expectError(await send(tenant, cookieOf(tenant)), 401, 'UNAUTHORIZED');
    });

    onlyIf(route.owned)('answers 404 to somebody else and to a former member', async () => {
      const { sql } = target();
      const [tenant, other] = await Promise.all([newTenant(), newTenant()]);
      const former = await addMember(sql, tenant.projectId, 'owner');
      await removeFrom(sql, tenant.projectId, former);
      for (const person of [other, former])
        await expectError(await send(tenant, cookieOf(person)), 404, 'NOT_FOUND');
    });

    onlyIf(route.writes && route.personal !== true)('answers 403 to a viewer', async () => {
      const tenant = await newTenant();
      const viewer = await addMember(target().sql, tenant.projectId, 'viewer');
      await expectError(await send(tenant, cookieOf(viewer)), 403, 'FORBIDDEN');
    });
  }

  /** The tests of the route with API keys that open less than their person sees. */
  function byNarrowKey(): void {
    const keyOf = async (tenant: Tenant, limits: KeyLimits): Promise<Credential> => ({
      Authorization: `Bearer ${await addApiKey(target().sql, tenant, limits)}`,
    });

    test(`answers ${route.writes ? 403 : route.status} to a key that only reads`, async () => {
      const tenant = await newTenant();
      const response = await send(tenant, await keyOf(tenant, { access: 'read' }));
      if (route.writes) return expectError(response, 403, 'FORBIDDEN');
      await response.arrayBuffer();
      expect(response.status).toBe(route.status);
    });

    test('answers to keys of the project, of the site, and of another project or site', async () => {
      const { sql } = target();
      const tenant = await newTenant();
      const { projectId, siteId } = tenant;
      // Not as an owner: a key of one's own project may make sites there.
      const otherProjectId = await createProject(sql, tenant, 'viewer');
      const otherSiteId = await createSite(sql, projectId);
      const expiresAt = new Date(Date.now() + 3_600_000);
      const fitting: KeyLimits[] = [{ projectIds: [projectId], expiresAt }];
      // A new site is in no key's list, and what belongs to a project alone is in no list of sites.
      const isOfSite = route.owned && ownedBy === 'siteId';
      if (isOfSite) fitting.push({ siteIds: [siteId] });
      for (const limits of [
        { projectIds: [otherProjectId] },
        { siteIds: [otherSiteId] },
        ...(route.owned && !isOfSite ? [{ siteIds: [siteId] }] : []),
        { projectIds: [otherProjectId], siteIds: [siteId] },
      ]) {
        const response = await send(tenant, await keyOf(tenant, limits));
        if (route.owned) await expectError(response, 404, 'NOT_FOUND');
        else if (route.writes) await expectError(response, 403, 'FORBIDDEN');
        else {
          expect(response.status).toBe(route.status);
          expect(await response.text()).not.toContain(siteId);
        }
      }
      for (const limits of fitting) {
        // A route that deletes leaves nothing for the next key.
        const fresh = await newTenant();
        const own = {
          ...(limits.projectIds && { projectIds: [fresh.projectId], expiresAt }),
          ...(limits.siteIds && { siteIds: [fresh.siteId] }),
        };
        const response = await send(fresh, await keyOf(fresh, own));
        await response.arrayBuffer();
        expect(response.status).toBe(route.status);
      }
    });

    test('answers 401 to a key that has ended', async () => {
      const tenant = await newTenant();
      const ended = await keyOf(tenant, { expiresAt: new Date(Date.now() - 1000) });
      await expectError(await send(tenant, ended), 401, 'UNAUTHORIZED');
    });

    test('counts all keys of a person together', async () => {
      const tenant = await newTenant();
      const left: number[] = [];
      for (let n = 0; n < 3; n++) {
        const response = await send(tenant, await keyOf(tenant, {}));
        await response.arrayBuffer();
        left.push(Number(/r=(\d+)/.exec(response.headers.get('RateLimit') ?? '')?.[1]));
      }
      // A window may end once in between.
      expect(Math.min(...left)).toBeLessThanOrEqual(limit.quota - 2);
    });
  }

  const named = {
    siteId: ':siteId',
    projectId: ':projectId',
    userId: ':userId',
    email: '',
    token: '',
    cookie: '',
  };
  describe(`${method} ${route.path(named)}`, () => {
    test('lets its owner through', async () => {
      const tenant = await newTenant();
      const response = await send(tenant, own(tenant));
      await response.arrayBuffer();
      expect(response.status).toBe(route.status);
    });

    test.each(refused)('answers 401 to %s', async (_, credentialFor) => {
      const { sql } = target();
      const tenant = await newTenant();
      const response = await send(tenant, await credentialFor(sql, tenant));
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
      await expectError(response, 401, 'UNAUTHORIZED');
    });

    onlyIf(revoke !== undefined)('answers 401 to what was revoked', async () => {
      const tenant = await newTenant();
      await revoke?.(target().sql, tenant);
      await expectError(await send(tenant, own(tenant)), 401, 'UNAUTHORIZED');
    });

    test.each(foreign)('answers 403 to a page of another site: %s', async (_, headers) => {
      const tenant = await newTenant();
      await expectError(await send(tenant, own(tenant), { headers }), 403, 'FORBIDDEN');
    });

    test.each(ownPages)('lets %s through', async (_, headers) => {
      const tenant = await newTenant();
      const response = await send(tenant, own(tenant), { headers });
      await response.arrayBuffer();
      expect(response.status).toBe(route.status);
    });

    onlyIf(route.owned)('answers 404 for what is somebody else’s, nobody’s, or no id', async () => {
      const [tenant, other] = await Promise.all([newTenant(), newTenant()]);
      await expectError(await send(tenant, own(other)), 404, 'NOT_FOUND');
      for (const id of [
        crypto.randomUUID(),
        '1',
        "'%3B%20drop%20table%20sites%3B--",
        '%00',
        '%ff',
        '..%2F',
      ]) {
        const nobodys = { ...tenant, [ownedBy]: id };
        await expectError(await send(nobodys, own(tenant)), 404, 'NOT_FOUND');
      }
      const mine = await send(tenant, own(tenant));
      await mine.arrayBuffer();
      expect(mine.status).toBe(route.status);
    });

    onlyIf(route.owned)('answers 404 to a former member, whatever they still hold', async () => {
      const { sql } = target();
      const tenant = await newTenant();
      const former = await addMember(sql, tenant.projectId, 'owner');
      await removeFrom(sql, tenant.projectId, former);
      await expectError(await send(tenant, own(former)), 404, 'NOT_FOUND');
    });

    onlyIf(route.ownersOnly === true)('answers 403 to an admin', async () => {
      const tenant = await newTenant();
      const admin = await addMember(target().sql, tenant.projectId, 'admin');
      await expectError(await send(tenant, own(admin)), 403, 'FORBIDDEN');
    });

    onlyIf(route.personal !== true)(`answers ${route.writes ? 403 : route.status} to a viewer`, async () => {
      const tenant = await newTenant();
      const viewer = await addMember(target().sql, tenant.projectId, 'viewer');
      const response = await send(tenant, own(viewer));
      if (route.writes) return expectError(response, 403, 'FORBIDDEN');
      await response.arrayBuffer();
      expect(response.status).toBe(route.status);
    });

    test('answers 400 to an unknown and to a repeated query parameter', async () => {
      const tenant = await newTenant();
      for (const query of ['?unknown=1', '?__proto__=1', '?a=1&a=1']) {
        await expectError(await send(tenant, own(tenant), { query }), 400, 'VALIDATION_ERROR');
      }
    });

    onlyIf(route.body !== undefined && route.ownBodyErrors !== true)(
      'answers 400, 413 and 415 to bodies that it does not take',
      async () => {
        const tenant = await newTenant();
        const sendBody = (body: BodyInit, headers: Record<string, string> = {}) =>
          send(tenant, own(tenant), { body, headers });
        const invalid = [
          JSON.stringify({ ...bodyOf(tenant), surprise: 'S3CRET' }),
          JSON.stringify([bodyOf(tenant)]),
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
          const wrong = await sendBody(JSON.stringify(bodyOf(tenant)), { 'Content-Type': type });
          await expectError(wrong, 415, 'UNSUPPORTED_MEDIA_TYPE');
        }
      },
    );

    test('counts each request, and says so', async () => {
      const tenant = await newTenant();
      const left = [];
      for (const response of [await send(tenant, own(tenant)), await send(tenant, own(tenant))]) {
        await response.arrayBuffer();
        expect(response.headers.get('RateLimit-Policy')).toBe(policyHeader);
        left.push(Number(/^"[a-z-]+";r=(\d+);t=\d+$/.exec(response.headers.get('RateLimit') ?? '')?.[1]));
      }
      // A window may end between the two requests.
      expect([limit.quota - 2, limit.quota - 1]).toContain(left[1]);
    });

    // One limiter counts all routes of a policy, so only one test uses it up.
    onlyIf(!spent.has(limit.name))(
      `allows ${limit.quota} requests in ${limit.windowSeconds} s`,
      async () => {
        const [tenant, other] = await Promise.all([newTenant(), newTenant()]);
        // Up to twice the quota, because the first requests leave the window when this takes long.
        const nobodys = { ...tenant, [ownedBy]: crypto.randomUUID() };
        const responses: Response[] = [];
        while (responses.length < 2 * limit.quota + 1 && responses.at(-1)?.status !== 429) {
          const response = await send(route.owned ? nobodys : tenant, own(tenant));
          await response.clone().arrayBuffer();
          responses.push(response);
        }
        const last = responses.at(-1);
        expect(responses.length).toBeGreaterThan(limit.quota);
        for (const { headers } of responses) {
          expect(headers.get('RateLimit-Policy')).toBe(policyHeader);
          expect(headers.get('RateLimit')).toMatch(new RegExp(`^"${limit.name}";r=\\d+;t=\\d+$`));
        }
        expect(responses[0]?.headers.get('RateLimit')).toMatch(new RegExp(`;r=${limit.quota - 1};`));
        expect(last?.headers.get('RateLimit')).toMatch(/;r=0;/);
        const wait = Number(last?.headers.get('Retry-After'));
        expect(Number.isInteger(wait) && wait >= 1 && wait <= limit.windowSeconds).toBe(true);
        if (last !== undefined) await expectError(last, 429, 'RATE_LIMITED');
        const untouched = await send(other, own(other));
        await untouched.arrayBuffer();
        expect(untouched.status).toBe(route.status);
      },
      LIMIT_TIMEOUT_MS,
    );
    spent.add(limit.name);

    if (route.surface === undefined) {
      describe('by a session', () => bySession());
      describe('by a key that opens less', () => byNarrowKey());
    }
  });
}
