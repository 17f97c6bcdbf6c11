/** An isolate that knows no site, while the database is away: the copies of policies in Redis keep collection going. */
import { expect, test } from 'vitest';
import { createPoliciesApp } from '../../../functions/sites/policies-app.ts';
import { createTrackApp } from '../../../functions/track/app.ts';
import { addApiKey, addMember, createTenant, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { envOf as sitesEnvOf } from '../sites/doors.ts';
import { CHROME, pageview } from './track-world.ts';

const stack = useStack();
/** An address where nothing listens. */
const NOWHERE = 'http://127.0.0.1:1';

/** A `track` just started, whose `sites` has no database. Its queue is a list. */
function coldIsolate() {
  const queued: unknown[] = [];
  const track = createTrackApp({ log: () => {} });
  const policies = createPoliciesApp({ log: () => {} });
  const away = { ...sitesEnvOf(stack()), DATABASE_HTTP_ENDPOINT: `${NOWHERE}/sql` };
  const env = {
    UPSTASH_REDIS_REST_URL: stack().upstash.url,
    UPSTASH_REDIS_REST_TOKEN: stack().upstash.token,
    ADDRESS_KEY: 'k'.repeat(32),
    SITES: { fetch: async (url: string) => policies.request(new URL(url).pathname, {}, away) },
    INGEST: { fetch: async () => new Response(null, { status: 503 }) },
    EVENTS: { sendBatch: async (messages: Iterable<unknown>) => void queued.push(...messages) },
  };
  const answerOf = async (response: Response) => [response.status, await response.json()];
  return {
    queued,
    policy: async (site: string) => answerOf(await track.request(`/api/v1/policy?site=${site}`, {}, env)),
    track: async (site: string, url: string) =>
      answerOf(
        await track.request(
          '/api/v1/track',
          {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', 'User-Agent': CHROME },
            body: JSON.stringify({ site, visitorId: crypto.randomUUID(), events: [pageview({ url })] }),
          },
          env,
        ),
      ),
  };
}

const AWAY = [503, expect.objectContaining({ error: 'UNAVAILABLE' })];

/** A site whose policy somebody has asked for while the database was there. */
async function seenSite(names: (tenant: Tenant) => string[] = ({ siteId }) => [siteId]) {
  const tenant = await createTenant(stack().sql);
  const change = async (method: string, path: string, body?: object, token = tenant.token) => {
    const response = await stack().fetch(`/api/v1/sites/${tenant.siteId}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  if (names(tenant).length > 1) await change('PATCH', '', { aliases: names(tenant).slice(1) });
  for (const name of names(tenant)) {
    expect((await stack().fetch(`/api/v1/policy?site=${name}`)).status).toBe(200);
    await expect.poll(async () => (await coldIsolate().policy(name))[0]).toBe(200);
  }
  return { ...tenant, change };
}

const STRICT = { jurisdiction: 'PT', consentMode: 'required', preConsentTier: 'off', retentionMonths: 25 };

test('page views are accepted, under the policy that the site has', async () => {
  const { siteId } = await seenSite();
  const cold = coldIsolate();
  expect(await cold.policy(siteId)).toEqual([200, { maxTier: 3 }]);
  expect(await cold.track(siteId, 'https://example.com/a')).toMatchObject([
    202,
    { data: { accepted: 1, dropped: 0 }, policy: { maxTier: 3 } },
  ]);
  expect(cold.queued).toHaveLength(1);
  expect(await coldIsolate().policy(crypto.randomUUID())).toEqual(AWAY);
});

test('a policy that was saved before the outage counts at once, be it tighter or looser', async () => {
  const { siteId, change } = await seenSite();
  expect(await change('PUT', '/privacy', STRICT)).toBe(200);
  expect(await coldIsolate().policy(siteId)).toEqual([200, { maxTier: 0, stop: 'policy' }]);
  expect(await change('PUT', '/privacy', { ...STRICT, preConsentTier: 'counts' })).toBe(200);
  expect(await coldIsolate().policy(siteId)).toEqual([200, { maxTier: 1 }]);
});

test('so do domains and aliases', async () => {
  const { siteId, change } = await seenSite(({ siteId }) => [siteId, `shop-${siteId}`]);
  expect(await change('PATCH', '', { domain: 'moved.example' })).toBe(200);
  expect(await coldIsolate().track(`shop-${siteId}`, 'https://moved.example/a')).toMatchObject([
    202,
    { data: { accepted: 1 } },
  ]);
  expect(await change('PATCH', '', { aliases: [] })).toBe(200);
  expect(await coldIsolate().policy(`shop-${siteId}`)).toEqual(AWAY);
  expect((await coldIsolate().policy(siteId))[0]).toBe(200);
});

test('a deleted site has no copy', async () => {
  const { siteId, change } = await seenSite();
  expect(await change('DELETE', '')).toBe(204);
  expect(await coldIsolate().policy(siteId)).toEqual(AWAY);
});

test('who may not change a site doesn’t touch its copy', async () => {
  const { siteId, projectId, change } = await seenSite();
  const viewer = await addMember(stack().sql, projectId, 'viewer');
  const stranger = await createTenant(stack().sql);
  expect(await change('PUT', '/privacy', STRICT, await addApiKey(stack().sql, viewer))).toBe(403);
  expect(await change('PUT', '/privacy', STRICT, stranger.token)).toBe(404);
  expect(await change('PATCH', '', { domain: 'taken.example' }, stranger.token)).toBe(404);
  expect(await coldIsolate().policy(siteId)).toEqual([200, { maxTier: 3 }]);
});
