/** Sends invented ids, tokens, keys, cookies and links to every surface that looks them up (docs/limits.md#requests). */
import { describe, expect, test } from 'vitest';
import type { StackRequestInit } from '../../dev/stack.ts';
import { createToken } from '../../lib/tokens.ts';
import { addIngestKey, createCookie } from '../security/session.ts';
import { createTenant, type Tenant } from '../security/tenant.ts';
import { addShare, newShareSecret } from '../security/test-share.ts';
import { useStack } from './use-stack.ts';

const stack = useStack();
const QUOTA = 60;
const random = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
const bearer = (token: string): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });

type Asked = readonly [path: string, init?: RequestInit];

interface Surface {
  /** A request with the tenant's own value, and the status of its answer. */
  known: (tenant: Tenant) => Promise<Asked> | Asked;
  status: number;
  /** The same request with an invented value. */
  madeUp: (tenant: Tenant) => Promise<Asked> | Asked;
  unknown: 401 | 404;
}

const tracked = (site: string): Asked => [
  '/api/v1/track',
  {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body: JSON.stringify({
      site,
      events: [
        {
          id: crypto.randomUUID(),
          type: 'pageview',
          pageId: crypto.randomUUID(),
          url: 'https://example.com/',
        },
      ],
    }),
  },
];
const sent = (path: string, key: string, body: object): Asked => [
  path,
  {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  },
];
const byToken = (path: (tenant: Tenant) => string): Surface => ({
  known: (tenant) => [path(tenant), bearer(tenant.token)],
  status: 200,
  madeUp: (tenant) => [path(tenant), bearer(createToken('vapi', random))],
  unknown: 401,
});
const byCookie = (path: (tenant: Tenant) => string): Surface => ({
  known: (tenant) => [path(tenant), { headers: { Cookie: tenant.cookie } }],
  status: 200,
  madeUp: async (tenant) => [path(tenant), { headers: { Cookie: (await createCookie()).cookie } }],
  unknown: 401,
});
const environments = async ({ projectId }: Tenant): Promise<string> =>
  (await addIngestKey(stack().sql, projectId)).environmentId;

const surfaces: Record<string, Surface> = {
  'site ids of policies': {
    known: ({ siteId }) => [`/api/v1/policy?site=${siteId}`],
    status: 200,
    madeUp: () => [`/api/v1/policy?site=${crypto.randomUUID()}`],
    unknown: 404,
  },
  'site ids of page views': {
    known: ({ siteId }) => tracked(siteId),
    status: 202,
    madeUp: () => tracked(crypto.randomUUID()),
    unknown: 404,
  },
  'tokens of sites': byToken(() => '/api/v1/sites'),
  'tokens of reports': byToken(({ siteId }) => `/api/v1/sites/${siteId}/analytics/overview`),
  'cookies of sites': byCookie(() => '/api/v1/sites'),
  'cookies of reports': byCookie(({ siteId }) => `/api/v1/sites/${siteId}/analytics/overview`),
  'cookies of accounts': byCookie(() => '/api/v1/projects'),
  'cookies of telemetry': {
    ...byCookie(() => ''),
    known: async (tenant) => [
      `/api/v1/telemetry/projects/${tenant.projectId}/environments/${await environments(tenant)}/services`,
      { headers: { Cookie: tenant.cookie } },
    ],
    madeUp: async ({ projectId }) => [
      `/api/v1/telemetry/projects/${projectId}/environments/${crypto.randomUUID()}/services`,
      { headers: { Cookie: (await createCookie()).cookie } },
    ],
  },
  'keys of traces': {
    known: async ({ projectId }) =>
      sent('/v1/traces', (await addIngestKey(stack().sql, projectId)).key, { resourceSpans: [] }),
    status: 200,
    madeUp: () => sent('/v1/traces', createToken('ving', random), { resourceSpans: [] }),
    unknown: 401,
  },
  shares: {
    known: async ({ siteId }) => [`/api/v1/shares/${(await addShare(stack().sql, siteId)).secret}`],
    status: 200,
    madeUp: () => [`/api/v1/shares/${newShareSecret()}/analytics/overview`],
    unknown: 404,
  },
};

let subscribers = 0;

describe.each(Object.entries(surfaces))('%s', (_, { known, status, madeUp, unknown }) => {
  test('made up by the hundred are refused, and what is known behind the same address is not', async () => {
    const tenant = await createTenant(stack().sql);
    const own = await known(tenant);
    subscribers += 1;
    const network = `2001:db8:77:${subscribers.toString(16)}`;
    const ask = async ([path, init]: Asked, host: string, prefix = network) => {
      const asked: StackRequestInit = { ...init, address: `${prefix}::${host}` };
      const response = await stack().fetch(path, asked);
      const body = await response.text();
      return { status: response.status, headers: response.headers, body };
    };
    expect(await ask(own, 'a')).toMatchObject({ status });
    const statuses: number[] = [];
    while (statuses.length < 2 * QUOTA && statuses.at(-1) !== 429)
      statuses.push((await ask(await madeUp(tenant), statuses.length.toString(16))).status);
    expect(statuses.slice(0, -1)).toEqual(new Array(QUOTA).fill(unknown));
    const refused = await ask(await madeUp(tenant), 'b');
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('Retry-After'));
    expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true);
    expect(refused.headers.get('RateLimit-Policy')).toBe('"look-ups";q=60;w=60');
    expect(await ask(own, 'c')).toMatchObject({ status });
    expect(await ask(await madeUp(tenant), 'a', `2001:db8:78:${subscribers.toString(16)}`)).toMatchObject({
      status: unknown,
    });
  });
});

test('tracking names no limit before its site is known', async () => {
  const { siteId } = await createTenant(stack().sql);
  const unknown = await stack().fetch(`/api/v1/policy?site=${crypto.randomUUID()}`);
  expect(unknown.headers.get('RateLimit')).toBeNull();
  const known = await stack().fetch(`/api/v1/policy?site=${siteId}`);
  expect(known.headers.get('RateLimit')).toMatch(/^"tracking";r=999;/);
});
