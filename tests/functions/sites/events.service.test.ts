/** Events that a server sends, from the front door through queue and fold to the reports. */
import { expect, test } from 'vitest';
import { createSitesApp } from '../../../functions/sites/app.ts';
import { addMember, createTenant, type Person, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { envOf } from './doors.ts';

const lines: string[] = [];
const stack = useStack({ log: (line) => lines.push(line) });

const ADDRESS = '203.0.113.91';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const SOON = { timeout: 15_000, interval: 50 };

const purchase = <Changes extends object>(changes?: Changes) => ({
  id: crypto.randomUUID() as string,
  name: 'purchase',
  revenue: { amount: '129.90', currency: 'EUR' },
  ...(changes as Changes),
});

async function send(
  { token }: Person,
  siteId: string,
  events: object[],
  headers: Record<string, string> = {},
) {
  const response = await stack().fetch(`/api/v1/sites/${siteId}/events`, {
    method: 'POST',
    country: 'PT',
    address: ADDRESS,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'User-Agent': 'backoffice/1.0',
      ...headers,
    },
    body: JSON.stringify({ events }),
  });
  return { status: response.status, body: await response.json() };
}
const taken = (accepted: number, reasons: Record<string, number> = {}) => {
  const dropped = Object.values(reasons).reduce((sum, count) => sum + count, 0);
  return { status: 202, body: { data: { accepted, dropped, ...(dropped > 0 && { reasons }) } } };
};

/** Sends events of a consented visitor as the tracker does. */
const track = (siteId: string, visitorId: string, events: object[]) =>
  stack().fetch('/api/v1/track', {
    method: 'POST',
    country: 'ES',
    address: '198.51.100.4',
    headers: { 'Content-Type': 'application/json', 'User-Agent': CHROME },
    body: JSON.stringify({ site: siteId, visitorId, consent: 'granted', events }),
  });
const pageview = () => ({
  id: crypto.randomUUID(),
  type: 'pageview',
  pageId: crypto.randomUUID(),
  url: 'https://example.com/shop?utm_source=newsletter',
});

async function report({ token, siteId }: Tenant, path: string) {
  const response = await stack().fetch(`/api/v1/sites/${siteId}/analytics/${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { data: unknown }).data;
}

/** Waits until the site has `count` raw events and returns them by id. */
async function stored(siteId: string, count: number): Promise<Map<string, Record<string, unknown>>> {
  const read = async () =>
    (await stack().sql`
      select to_jsonb(e) || to_jsonb(p) || to_jsonb(l) as event from events e join sites s on s.key = e.site_key
      join site_profiles p on p.site_key = e.site_key and p.id = e.profile_id
      join site_places l on l.site_key = e.site_key and l.id = e.place_id
      where s.id = ${siteId}
    `) as { event: Record<string, unknown> }[];
  await expect.poll(async () => (await read()).length, SOON).toBe(count);
  return new Map((await read()).map(({ event }) => [String(event.event_id), event]));
}

async function visitsOf(siteId: string) {
  return stack().sql`
    select v.tier, v.counted, cardinality(v.custom_events) / 2 as customs, v.event_data, v.entry_page is not null as has_page
    from visits v join sites s on s.key = v.site_key where s.id = ${siteId} order by v.started_at, v.tier
  `;
}

async function setPolicy(siteId: string, tier: 'off' | 'counts' | 'sessions') {
  await stack().sql`
    update sites
    set jurisdiction = 'US', consent_mode = 'regional', pre_consent_tier = ${tier}, retention_months = 25
    where id = ${siteId}
  `;
}

test('a purchase joins the visit of its visitor, and is in its figures', async () => {
  const tenant = await createTenant(stack().sql);
  const visitorId = crypto.randomUUID();
  expect((await track(tenant.siteId, visitorId, [pageview()])).status).toBe(202);
  await stored(tenant.siteId, 1);
  expect(await report(tenant, 'overview?period=24h')).toMatchObject({
    visits: 1,
    visitors: 1,
    bounceRate: 100,
  });
  const event = purchase({ visitorId: visitorId.toUpperCase(), consent: 'granted', props: { plan: 'pro' } });
  expect(await send(tenant, tenant.siteId, [event])).toEqual(taken(1));
  await stored(tenant.siteId, 2);
  expect(await visitsOf(tenant.siteId)).toEqual([
    {
      tier: 3,
      counted: true,
      customs: 1,
      has_page: true,
      event_data: [{ props: event.props, revenue: event.revenue }],
    },
  ]);
  expect(await report(tenant, 'overview?period=24h')).toMatchObject({
    visits: 1,
    visitors: 1,
    bounceRate: 0,
  });
  expect(await report(tenant, 'sources?period=24h')).toEqual([
    { value: 'newsletter', visitors: 1, visits: 1, pageviews: 1 },
  ]);
  expect(await report(tenant, 'countries?period=24h')).toEqual([
    { value: 'ES', visitors: 1, visits: 1, pageviews: 1 },
  ]);
});

test('alone it is kept, and makes no visit, no visitor and nobody present', async () => {
  const tenant = await createTenant(stack().sql);
  const known = purchase({ visitorId: crypto.randomUUID(), consent: 'granted' });
  expect(await send(tenant, tenant.siteId, [known, purchase()])).toEqual(taken(2));
  await stored(tenant.siteId, 2);
  const data = [{ revenue: known.revenue }];
  expect(await visitsOf(tenant.siteId)).toEqual(
    expect.arrayContaining([
      { tier: 1, counted: false, customs: 1, has_page: false, event_data: data },
      { tier: 3, counted: false, customs: 1, has_page: false, event_data: data },
    ]),
  );
  expect(await report(tenant, 'overview?period=24h')).toMatchObject({ visits: 0, visitors: 0, pageviews: 0 });
  expect(await report(tenant, 'live')).toMatchObject({ visitors: 0, anonymousPageviews: 0 });
  for (const list of ['sources', 'devices', 'countries', 'pages'])
    expect([list, await report(tenant, `${list}?period=24h`)]).toEqual([list, []]);
});

test('the same id counts once: within a request, sent again, and beside the tracker’s', async () => {
  const tenant = await createTenant(stack().sql);
  const visitorId = crypto.randomUUID();
  const event = purchase({ visitorId });
  expect(await send(tenant, tenant.siteId, [event, event])).toEqual(taken(1));
  expect(await send(tenant, tenant.siteId, [event])).toEqual(taken(1));
  const { id, name, revenue } = event;
  await track(tenant.siteId, visitorId, [{ id, name, revenue, type: 'event', url: 'https://example.com/' }]);
  const later = purchase({ visitorId, name: 'refund' });
  expect(await send(tenant, tenant.siteId, [later])).toEqual(taken(1));
  expect([...(await stored(tenant.siteId, 2)).keys()].sort()).toEqual([id, later.id].sort());
});

test('another site may use the same ids', async () => {
  const [one, two] = await Promise.all([createTenant(stack().sql), createTenant(stack().sql)]);
  const event = purchase();
  await send(one, one.siteId, [event]);
  await send(two, two.siteId, [event]);
  await stored(one.siteId, 1);
  await stored(two.siteId, 1);
});

test('before consent a visitor is nobody, and with `off` nothing is kept but its refusal', async () => {
  const tenant = await createTenant(stack().sql);
  const visitorId = crypto.randomUUID();
  await setPolicy(tenant.siteId, 'sessions');
  const anonymous = purchase({ visitorId });
  const denied = purchase({ visitorId, consent: 'denied' });
  expect(await send(tenant, tenant.siteId, [anonymous, denied])).toEqual(taken(2));
  const events = await stored(tenant.siteId, 2);
  for (const event of events.values())
    expect(event).toMatchObject({
      tier: 1,
      visitor_id: null,
      occurred_at: expect.stringMatching(/:00(?:\+00:00|Z)$/),
    });
  await setPolicy(tenant.siteId, 'off');
  const granted = purchase({ visitorId, consent: 'granted' });
  expect(await send(tenant, tenant.siteId, [purchase(), purchase({ visitorId }), granted])).toEqual(
    taken(1, { tier: 2 }),
  );
  expect((await stored(tenant.siteId, 5)).get(granted.id)).toMatchObject({ tier: 3, visitor_id: visitorId });
  expect(await report(tenant, 'dropped?period=24h')).toMatchObject([{ reason: 'tier', events: 2 }]);
});

test('nothing of the request tells of a visitor: no address, no country, no user agent, no signals', async () => {
  const tenant = await createTenant(stack().sql);
  await setPolicy(tenant.siteId, 'counts');
  const event = purchase({ visitorId: crypto.randomUUID(), consent: 'granted' });
  const headers = { 'Sec-GPC': '1', DNT: '1', 'Sec-CH-UA': '"Chromium";v="126"', 'User-Agent': CHROME };
  expect(await send(tenant, tenant.siteId, [event, purchase()], headers)).toEqual(taken(2));
  for (const row of (await stored(tenant.siteId, 2)).values())
    expect(row).toMatchObject({
      country: null,
      region: null,
      city: null,
      device: null,
      browser: null,
      os: null,
      language: null,
    });
  expect(lines.join('\n')).not.toMatch(/203\.0\.113\.91|backoffice|Mozilla|purchase/);
});

test('what happened up to a day ago counts when it happened; what is older or to come is refused', async () => {
  const tenant = await createTenant(stack().sql);
  const hour = 3_600_000;
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const old = purchase({ visitorId: crypto.randomUUID(), occurredAt: at(-23 * hour) });
  const ahead = purchase({ visitorId: crypto.randomUUID(), occurredAt: at(30_000) });
  expect(await send(tenant, tenant.siteId, [old, ahead])).toEqual(taken(2));
  const events = await stored(tenant.siteId, 2);
  expect(Date.parse(String(events.get(old.id)?.occurred_at))).toBe(Date.parse(old.occurredAt));
  expect(Date.parse(String(events.get(ahead.id)?.occurred_at))).toBeLessThanOrEqual(Date.now());
  for (const occurredAt of [at(-24 * hour - 5000), at(90_000)]) {
    const { status, body } = await send(tenant, tenant.siteId, [purchase(), purchase({ occurredAt })]);
    expect([status, body]).toMatchObject([
      400,
      { error: 'VALIDATION_ERROR', details: [{ path: 'events.1.occurredAt' }] },
    ]);
  }
  await stored(tenant.siteId, 2);
});

test('a viewer, and who is no member, send nothing', async () => {
  const { sql } = stack();
  const [tenant, stranger] = await Promise.all([createTenant(sql), createTenant(sql)]);
  const [viewer, admin] = await Promise.all([
    addMember(sql, tenant.projectId, 'viewer'),
    addMember(sql, tenant.projectId, 'admin'),
  ]);
  expect((await send(viewer, tenant.siteId, [purchase()])).body).toMatchObject({ error: 'FORBIDDEN' });
  expect((await send(stranger, tenant.siteId, [purchase()])).body).toMatchObject({ error: 'NOT_FOUND' });
  const allowed = purchase();
  expect(await send(admin, tenant.siteId, [allowed])).toEqual(taken(1));
  expect([...(await stored(tenant.siteId, 1)).keys()]).toEqual([allowed.id]);
});

test('an answer of 202 only once it is folded or queued', async () => {
  const tenant = await createTenant(stack().sql);
  const app = createSitesApp({ log: () => {} });
  const away = { sendBatch: async () => Promise.reject(new Error('the queue is away')) };
  const init = {
    method: 'POST',
    headers: { Authorization: `Bearer ${tenant.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ events: [purchase()] }),
  };
  const path = `/api/v1/sites/${tenant.siteId}/events`;
  const response = await app.request(path, init, { ...envOf(stack()), EVENTS: away });
  expect([response.status, await response.json()]).toMatchObject([503, { error: 'UNAVAILABLE' }]);
  expect(response.headers.get('Retry-After')).toBe('2');
});
