/** A Redis that is slow or away: what each surface does then (docs/api.md#rate-limits). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectRedis } from '../../lib/redis.ts';
import { mcpRequest } from '../functions/content/client.ts';
import { startRedisProxy } from '../functions/content/redis-proxy.ts';
import { asMember } from '../functions/telemetry/member.ts';
import { addPassword, PASSWORD } from '../security/account-samples.ts';
import { addIngestKey, addQueryToken } from '../security/session.ts';
import { createTenant } from '../security/tenant.ts';
import { addShare } from '../security/test-share.ts';
import { useOwnStack } from './use-stack.ts';

const proxy = await startRedisProxy();
const stack = useOwnStack({
  vars: { UPSTASH_REDIS_REST_URL: proxy.url, UPSTASH_REDIS_REST_TOKEN: proxy.token },
});
beforeAll(() => {
  proxy.target = stack().upstash;
});
beforeEach(() => {
  proxy.behave = () => 'pass';
});
afterAll(() => proxy.stop());

/** Longer than the patience, and than the second after which a command once counted as lost. */
const SLOW = { delayMs: 1200 };

async function createWorld() {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  await addPassword(sql, tenant.userId);
  const { environmentId } = await addIngestKey(sql, tenant.projectId);
  const { token: agent } = await addQueryToken(sql, tenant.userId);
  const { secret } = await addShare(sql, tenant.siteId);
  const json = { 'Content-Type': 'application/json' };
  const asToken = { Authorization: `Bearer ${tenant.token}` };
  const site = `/api/v1/sites/${tenant.siteId}`;
  const call = mcpRequest('tools/call', { name: 'get_access', arguments: {} }, '2026-07-28');
  const member = asMember(stack(), tenant, { ...tenant, environmentId });
  const statusOf = async (answer: Promise<Response>) => {
    const response = await answer;
    await response.arrayBuffer();
    return response.status;
  };
  const get = (path: string, headers: HeadersInit) => statusOf(stack().fetch(path, { headers }));
  return {
    ...tenant,
    reads: () =>
      Promise.all([
        get(`${site}/analytics/overview?period=7d`, asToken),
        get(`${site}/analytics/reports?report=overview,pages,sources`, { Cookie: tenant.cookie }),
        get('/api/v1/sites', asToken),
        get('/api/v1/projects', { Cookie: tenant.cookie }),
        statusOf(member.send('GET', 'services')),
        get(`/api/v1/shares/${secret}/analytics/overview`, {}),
      ]),
    mcp: () =>
      statusOf(
        stack().fetch('/mcp', { ...call, headers: { ...call.headers, Authorization: `Bearer ${agent}` } }),
      ),
    rename: () =>
      statusOf(
        stack().fetch(site, { method: 'PATCH', headers: { ...asToken, ...json }, body: '{"name":"Lamps"}' }),
      ),
    signIn: () =>
      statusOf(
        stack().fetch('/api/auth/sign-in', {
          method: 'POST',
          headers: json,
          body: JSON.stringify({ email: tenant.email, password: PASSWORD }),
        }),
      ),
  };
}

/** Requests that a limit has counted in Redis. */
async function countedOf(policy: string, key: string): Promise<number> {
  const groups = (await connectRedis(stack().upstash).get<string>(`limit:${policy}:${key}`)) ?? '';
  return [...groups.matchAll(/:(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('slow', () => {
  test('30 calls of an agent at once are answered, and counted when Redis answers', async () => {
    const { mcp, userId } = await createWorld();
    proxy.behave = () => SLOW;
    const statuses = await Promise.all(Array.from({ length: 30 }, mcp));
    expect(statuses).toEqual(Array.from({ length: 30 }, () => 200));
    await expect.poll(() => countedOf('mcp', userId), { timeout: 10_000 }).toBe(30);
  });

  test('reports, changes and signing in are answered', async () => {
    const { reads, rename, signIn } = await createWorld();
    proxy.behave = () => SLOW;
    expect(await reads()).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await rename()).toBe(200);
    expect(await signIn()).toBe(200);
  });
});

test('one that never answers leaves reports, changes and agents to the isolate; nobody signs in', async () => {
  const { reads, rename, mcp, signIn } = await createWorld();
  proxy.behave = () => 'hang';
  expect(await reads()).toEqual([200, 200, 200, 200, 200, 200]);
  expect([await mcp(), await rename(), await signIn()]).toEqual([200, 200, 503]);
});

test('away: the database’s reports are answered; changes, agents and signing in aren’t', async () => {
  const { reads, rename, mcp, signIn } = await createWorld();
  await proxy.stop();
  try {
    expect(await reads()).toEqual([200, 200, 200, 200, 200, 200]);
    expect([await mcp(), await rename(), await signIn()]).toEqual([503, 503, 503]);
  } finally {
    await proxy.start();
  }
  expect([await mcp(), await rename(), await signIn()]).toEqual([200, 200, 200]);
});
