/** A site with several domains, and one whose domain changes: from the tracker's request to the reports. */
import { expect, test } from 'vitest';
import { foldBatch } from '../../lib/collection/fold-batch.ts';
import { consented, pageview, session } from '../lib/analytics/reports-world.ts';
import { createTenant, type Tenant } from '../security/tenant.ts';
import { useStack } from './use-stack.ts';

const stack = useStack();
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

async function ask(tenant: Tenant, method: string, below: string, body?: object) {
  const response = await stack().fetch(`/api/v1/sites/${tenant.siteId}${below}`, {
    method,
    headers: { Authorization: `Bearer ${tenant.token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { data: { value: string; visits: number; pageviews: number }[] };
}

const listOf = async (tenant: Tenant, report: string) =>
  (await ask(tenant, 'GET', `/analytics/${report}`)).data.map(
    ({ value, visits, pageviews }) => `${value} ${visits} ${pageviews}`,
  );

function view(tenant: Tenant, url: string, referrer = '') {
  const event = { id: crypto.randomUUID(), type: 'pageview', pageId: crypto.randomUUID(), url, referrer };
  return stack().fetch('/api/v1/track', {
    method: 'POST',
    body: JSON.stringify({ site: tenant.siteId, events: [event] }),
    address: '203.0.113.78',
    headers: { 'Content-Type': 'text/plain;charset=UTF-8', 'User-Agent': CHROME },
  });
}

test('pages of each domain count, steps between them are internal, and a visit goes on', async () => {
  const tenant = await createTenant(stack().sql);
  await stack().sql`
    update sites
    set jurisdiction = 'PT', consent_mode = 'required', pre_consent_tier = 'sessions', retention_months = 25
    where id = ${tenant.siteId}`;
  await ask(tenant, 'PATCH', '', { domains: ['shop.example'] });
  const answers = [
    await view(tenant, 'https://example.com/', 'https://www.google.com/'),
    await view(tenant, 'https://shop.example/cart', 'https://example.com/'),
    await view(tenant, 'https://www.shop.example/paid', 'https://shop.example/'),
    await view(tenant, 'https://pay.shop.example/', 'https://www.shop.example/'),
    await view(tenant, 'https://other.example/', 'https://shop.example/'),
  ];
  const policies = await Promise.all(
    answers.map(async (answer) => ((await answer.json()) as { data: unknown }).data),
  );
  expect(policies).toEqual([
    ...Array(4).fill({ accepted: 1, dropped: 0 }),
    { accepted: 0, dropped: 1, reasons: { hostname: 1 } },
  ]);
  await expect.poll(() => listOf(tenant, 'sources?period=24h')).toEqual(['Google 1 4']);
  expect(await listOf(tenant, 'hostnames?period=24h')).toEqual(['example.com 1 4']);
});

test('events of a server may name pages of each domain', async () => {
  const tenant = await createTenant(stack().sql);
  await ask(tenant, 'PATCH', '', { domains: ['shop.example'] });
  const events = ['https://shop.example/a', 'https://example.com/b', 'https://other.example/c'].map(
    (url) => ({
      ...{ id: crypto.randomUUID(), name: 'paid', url },
    }),
  );
  const response = await stack().fetch(`/api/v1/sites/${tenant.siteId}/events`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tenant.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ events }),
  });
  expect(await response.json()).toEqual({ data: { accepted: 2, dropped: 1, reasons: { hostname: 1 } } });
});

test('after another domain the reports name the hosts that visits came to', async () => {
  const tenant = await createTenant(stack().sql);
  const at = new Date(Date.now() - 60_000).toISOString();
  const fold = async (name: string, hostname: string) => {
    const page = { ...pageview(at, '/'), hostname };
    const message = name === 'Bo' ? session(name, [page]) : consented(name, [page]);
    await foldBatch(stack().sql, [{ ...message, siteId: tenant.siteId }], Date.now());
  };
  const hostnames = () => listOf(tenant, 'hostnames?period=24h');
  await fold('Ada', 'example.com');
  await ask(tenant, 'PATCH', '', { domain: 'example.pt' });
  expect(await hostnames()).toEqual(['example.com 1 1']);
  await fold('Bo', 'example.pt');
  expect(await hostnames()).toEqual(['example.com 1 1', 'example.pt 1 1']);
  await ask(tenant, 'PATCH', '', { domain: 'example.org', domains: ['example.com'] });
  await fold('Cleo', 'example.com');
  await fold('Dan', 'example.org');
  const all = ['example.com 2 2', 'example.org 1 1', 'example.pt 1 1'];
  expect(await hostnames()).toEqual(all);
  expect(await listOf(tenant, 'hostnames?period=24h&filter_hostname=example.com')).toEqual([
    'example.com 2 2',
  ]);
  await ask(tenant, 'PATCH', '', { domain: 'example.com' });
  expect(await hostnames()).toEqual(all);
});
