/** A limit stays one limit, whatever a caller makes to get more of it: tokens, keys, unlock tokens, batches. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createAnalyticsApp } from '../../functions/analytics/app.ts';
import { SHARED_QUERIES } from '../../functions/analytics/limits.ts';
import { MESSAGES } from '../../functions/mcp/limits.ts';
import { addressKeys } from '../../lib/http/client-address.ts';
import type { LimitPolicy } from '../../lib/http/limiter.ts';
import { REPORTS_OF_PERSON, REPORTS_OF_SHARE } from '../../lib/http/question-limits.ts';
import { sharedCount } from '../../lib/http/redis-limiter.ts';
import { connectRedis } from '../../lib/redis.ts';
import { createUnlockTokens } from '../../lib/shares/unlock-tokens.ts';
import { envOf } from '../functions/analytics/doors.ts';
import { mcpRequest } from '../functions/content/client.ts';
import { addQueryToken } from '../security/session.ts';
import { createTenant } from '../security/tenant.ts';
import { addShare, PASSWORD } from '../security/test-share.ts';
import { useStack } from './use-stack.ts';

const stack = useStack();
const app = createAnalyticsApp({ log: () => {} });

const statusOf = async (answer: Promise<Response> | Response): Promise<number> => {
  const response = await answer;
  await response.arrayBuffer();
  return response.status;
};

/** Statuses of requests in turn. */
async function inTurn(count: number, ask: (n: number) => Promise<Response> | Response): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push(await statusOf(ask(statuses.length)));
  return statuses;
}

/** Counts earlier requests, so that `left` are left of the quota. */
const leave = (policy: LimitPolicy, key: string, left: number) =>
  sharedCount(connectRedis(stack().upstash), policy)(key, policy.quota - left);

test('a person’s query tokens share one limit', async () => {
  const { userId } = await createTenant(stack().sql);
  const tokens = await Promise.all([1, 2, 3].map(() => addQueryToken(stack().sql, userId)));
  const init = mcpRequest('tools/call', { name: 'get_access', arguments: {} }, '2026-07-28');
  const ask = (n: number) =>
    stack().fetch('/mcp', {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${tokens[n]?.token}` },
    });
  await leave(MESSAGES, userId, 2);
  expect(await inTurn(3, ask)).toEqual([200, 200, 429]);
});

describe('a share', () => {
  const address = '192.0.2.44';
  const createLocked = async () => {
    const { siteId } = await createTenant(stack().sql);
    const { secret, shareId } = await addShare(stack().sql, siteId, { locked: true });
    const [lock] = await stack().sql`select password from site_shares where id = ${shareId}`;
    const env = envOf(stack());
    const readers = await addressKeys(env.ADDRESS_KEY)(address, `${shareId} unlocked`);
    return { path: `/api/v1/shares/${secret}`, lock: { shareId, password: lock?.password }, env, readers };
  };
  const from = { 'CF-Connecting-IP': address };

  test('that is unlocked again gives no new quota', async () => {
    const { path, lock, env, readers } = await createLocked();
    const { issue } = createUnlockTokens(env.SHARE_KEY);
    const endsAt = Math.floor(Date.now() / 1000) + 3600;
    await leave(SHARED_QUERIES, readers, 2);
    // The tokens that `unlock` answers in one second and in the next ones.
    const ask = async (n: number) => {
      const headers = { ...from, Authorization: `Bearer ${await issue(lock, endsAt - n)}` };
      return app.request(path, { headers }, env);
    };
    expect(await inTurn(3, ask)).toEqual([200, 200, 429]);
  });

  test('takes right passwords as requests of a reader, since each costs a hash', async () => {
    const { path, env, readers } = await createLocked();
    await leave(SHARED_QUERIES, readers, 2);
    const headers = { ...from, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ password: PASSWORD }) };
    expect(await inTurn(3, () => app.request(`${path}/unlock`, init, env))).toEqual([200, 200, 429]);
  });
});

describe('each report of a batch counts', () => {
  const LISTS = 'pages,entry-pages,exit-pages,sources,channels,countries,regions,cities,devices,browsers';
  const batch = `reports?report=overview,timeseries,heatmap,${LISTS},languages,hostnames,events`;

  test('for a person, by session, API keys and query tokens together', async () => {
    const { siteId, userId, cookie, token } = await createTenant(stack().sql);
    const path = `/api/v1/sites/${siteId}/analytics/${batch}`;
    // Room for three batches: each is 16 reports and the description of their range.
    await leave(REPORTS_OF_PERSON, userId, 3 * 17);
    const ask = (n: number) =>
      stack().fetch(path, {
        headers: n % 2 === 0 ? { Cookie: cookie } : { Authorization: `Bearer ${token}` },
      });
    expect(await inTurn(4, ask)).toEqual([200, 200, 200, 429]);
    const { token: agent } = await addQueryToken(stack().sql, userId);
    const init = mcpRequest('tools/call', { name: 'summarize_site', arguments: {} }, '2026-07-28');
    const headers = { ...init.headers, Authorization: `Bearer ${agent}` };
    const answer = await stack().fetch('/mcp', { ...init, headers });
    expect(await answer.text()).toContain('RATE_LIMITED');
  });

  test('by the same request to Redis as the request itself', async () => {
    const { siteId, token } = await createTenant(stack().sql);
    const { upstash } = stack();
    const bodies: string[] = [];
    const redis = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      bodies.push(body);
      const headers = { Authorization: `Bearer ${upstash.token}`, 'Content-Type': 'application/json' };
      const answer = await fetch(new URL(request.url ?? '/', upstash.url), { method: 'POST', headers, body });
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
    });
    await new Promise<void>((resolve) => redis.listen(0, '127.0.0.1', resolve));
    const { port } = redis.address() as AddressInfo;
    const env = { ...envOf(stack()), UPSTASH_REDIS_REST_URL: `http://127.0.0.1:${port}` };
    const init = { headers: { Authorization: `Bearer ${token}` } };
    const ask = () => app.request(`/api/v1/sites/${siteId}/analytics/${batch}`, init, env);
    try {
      // The first one may teach Redis the script.
      expect(await inTurn(1, ask)).toEqual([200]);
      bodies.length = 0;
      expect(await inTurn(2, ask)).toEqual([200, 200]);
      expect(bodies.map((body) => (body.match(/limit:(analytics|reports):/g) ?? []).sort())).toEqual(
        Array.from({ length: 2 }, () => ['limit:analytics:', 'limit:reports:']),
      );
    } finally {
      redis.close();
    }
  });

  test('for readers of a share behind an address', async () => {
    const { siteId } = await createTenant(stack().sql);
    const { secret, shareId } = await addShare(stack().sql, siteId);
    const env = envOf(stack());
    const headers = { 'CF-Connecting-IP': '192.0.2.45' };
    await leave(REPORTS_OF_SHARE, await addressKeys(env.ADDRESS_KEY)('192.0.2.45', shareId), 3 * 17);
    const ask = () => app.request(`/api/v1/shares/${secret}/analytics/${batch}`, { headers }, env);
    expect(await inTurn(4, ask)).toEqual([200, 200, 200, 429]);
  });
});
