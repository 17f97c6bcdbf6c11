/** The tracker's endpoints in workerd, from the edge to the database. */
import { expect, test } from 'vitest';
import type { Stack } from '../../dev/stack.ts';
import { connectRedis } from '../../lib/redis.ts';
import { createTenant } from '../security/tenant.ts';
import { useOwnStack } from './use-stack.ts';

const lines: string[] = [];
// The last test reads whole tables, so no other file may write to them.
const stack = useOwnStack({ log: (line) => lines.push(line) });

const ADDRESS = '203.0.113.77';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
type Policy = [mode: 'required' | 'regional', tier: 'off' | 'counts' | 'sessions'];

async function makeSite(policy?: Policy): Promise<string> {
  const { siteId } = await createTenant(stack().sql);
  if (policy !== undefined) {
    await stack().sql`
      update sites
      set jurisdiction = 'US', consent_mode = ${policy[0]}, pre_consent_tier = ${policy[1]}, retention_months = 25
      where id = ${siteId}
    `;
  }
  return siteId;
}

const pageview = (changes: object = {}) => ({
  id: crypto.randomUUID(),
  type: 'pageview',
  pageId: crypto.randomUUID(),
  url: 'https://example.com/shop?utm_source=newsletter&secret=1#part',
  referrer: 'https://www.google.com/search?q=secret',
  title: 'Shop',
  language: 'pt-PT',
  screen: '1920x1080',
  ...changes,
});

const track = (
  body: object,
  init: { headers?: Record<string, string>; country?: string; address?: string } = {},
) =>
  stack().fetch('/api/v1/track', {
    method: 'POST',
    body: JSON.stringify(body),
    address: ADDRESS,
    ...init,
    headers: { 'Content-Type': 'text/plain;charset=UTF-8', 'User-Agent': CHROME, ...init.headers },
  });

/** Waits until the site has `count` events, and returns them. */
async function stored(siteId: string, count: number): Promise<Record<string, unknown>[]> {
  const read = async () =>
    (await stack().sql`
      select to_jsonb(e) || to_jsonb(p) || to_jsonb(l) || to_jsonb(o) as event from events e join sites s on s.key = e.site_key
      join site_profiles p on p.site_key = e.site_key and p.id = e.profile_id
      join site_places l on l.site_key = e.site_key and l.id = e.place_id
      join site_origins o on o.site_key = e.site_key and o.id = e.origin_id
      where s.id = ${siteId} order by e.occurred_at
    `) as { event: Record<string, unknown> }[];
  await expect.poll(async () => (await read()).length, { timeout: 15_000, interval: 50 }).toBe(count);
  return (await read()).map(({ event }) => event);
}

test('each tier is stored with what it may hold, by policy and country', async () => {
  const site = await makeSite(['regional', 'sessions']);
  const visitorId = crypto.randomUUID();
  const from = async (country: string, body: object = {}) => {
    const response = await track({ site, visitorId, events: [pageview()], ...body }, { country });
    expect(response.status).toBe(202);
    const { policy } = (await response.json()) as { policy: unknown };
    return policy;
  };
  expect(await from('US')).toEqual({ maxTier: 3 });
  expect(await stored(site, 1)).toMatchObject([
    {
      tier: 3,
      visitor_id: visitorId,
      country: 'US',
      device: 'desktop',
      browser: 'Chrome',
      os: 'Windows',
      language: 'pt-PT',
    },
  ]);
  expect(await from('PT')).toEqual({ maxTier: 2 });
  const [, anonymous] = await stored(site, 2);
  expect(anonymous).toMatchObject({
    tier: 2,
    country: 'PT',
    os: null,
    language: 'pt-PT',
    source: 'newsletter',
  });
  expect(anonymous?.visitor_id).not.toBe(visitorId);
  expect(await from('PT', { consent: 'granted' })).toEqual({ maxTier: 3 });
  expect(await from('T1')).toEqual({ maxTier: 2 });
});

test('anonymous counts name nobody', async () => {
  const site = await makeSite(['required', 'counts']);
  await track({ site, visitorId: crypto.randomUUID(), events: [pageview()] }, { country: 'US' });
  expect(await stored(site, 1)).toMatchObject([
    {
      tier: 1,
      visitor_id: null,
      page_id: null,
      os: null,
      language: null,
      screen: null,
      country: 'US',
      entry: true,
    },
  ]);
});

test('robots, rented servers, spam, other hosts and events beyond the tier are counted by reason', async () => {
  const site = await makeSite(['required', 'counts']);
  const engagement = {
    id: crypto.randomUUID(),
    type: 'engagement',
    pageId: crypto.randomUUID(),
    seconds: 1,
    scrollDepth: 1,
  };
  await track({ site, events: [pageview(), pageview({ url: 'https://evil.test/' }), engagement] });
  await track({ site, events: [pageview()] }, { headers: { 'User-Agent': 'curl/8.0' } });
  await track({ site, events: [pageview()] }, { headers: { 'X-Dev-Asn': '24940' } });
  await track({ site, events: [pageview({ referrer: 'https://semalt.com/' })] });
  await stored(site, 6);
  const rows = await stack().sql`
    select d.reason, d.events::int from dropped_days d join sites s on s.key = d.site_key where s.id = ${site} order by 1
  `;
  expect(rows).toEqual([
    { reason: 'bot', events: 1 },
    { reason: 'datacenter', events: 1 },
    { reason: 'hostname', events: 1 },
    { reason: 'spam', events: 1 },
    { reason: 'tier', events: 1 },
  ]);
});

test('more attention than a visit can have is cut, and no event is lost for it', async () => {
  const site = await makeSite();
  const visitorId = crypto.randomUUID();
  const engagement = () => ({
    ...{ id: crypto.randomUUID(), type: 'engagement', pageId: crypto.randomUUID() },
    ...{ seconds: 86_400, scrollDepth: 1e-50 },
  });
  for (let day = 0; day < 40; day += 20) {
    const response = await track({ site, visitorId, events: Array.from({ length: 20 }, engagement) });
    expect([response.status, await response.json()]).toMatchObject([202, { data: { accepted: 20 } }]);
  }
  const read = async () => {
    const [row] = await stack().sql`
      select (select count(*)::int from dead_letters where site_id = ${site}) as letters,
        (select count(*)::int from events e where e.site_key = s.key) as events, v.engaged_ms
      from sites s left join visits v on v.site_key = s.key where s.id = ${site}`;
    return row;
  };
  const expected = { letters: 0, events: 40, engaged_ms: 2_147_483_647 };
  await expect.poll(read, { timeout: 15_000, interval: 50 }).toEqual(expected);
});

test('however many properties a visitor sends, its visit stays small, no event is lost, and the owner sees it', async () => {
  const { siteId: site, token } = await createTenant(stack().sql);
  const visitorId = crypto.randomUUID();
  const of = (bytes: number) => {
    const keys = Math.ceil(bytes / 520);
    return Object.fromEntries(Array.from({ length: keys }, (_, n) => [`key ${n}`, 'x'.repeat(512)]));
  };
  const custom = (bytes: number) => ({
    ...{ id: crypto.randomUUID(), type: 'event', name: 'buy', url: 'https://example.com/', props: of(bytes) },
    revenue: { amount: '1.00', currency: 'EUR' },
  });
  // 4 of 10 KB, and then 60 of 2 KB.
  const requests = [Array.from({ length: 4 }, () => custom(10_400))];
  for (let n = 0; n < 3; n += 1) requests.push(Array.from({ length: 20 }, () => custom(2000)));
  for (const events of requests) {
    const response = await track({ site, visitorId, events });
    expect([response.status, await response.json()]).toMatchObject([
      202,
      { data: { accepted: events.length } },
    ]);
  }
  await stored(site, 64);
  const [visit] = await stack().sql`
    select octet_length(v.event_data::text) as bytes, cardinality(v.custom_events) / 2 as events
    from visits v join sites s on s.key = v.site_key where s.id = ${site}`;
  expect(visit?.events).toBe(64);
  expect(visit?.bytes).toBeLessThan(42_000);
  const report = async (name: string) => {
    const response = await stack().fetch(`/api/v1/sites/${site}/analytics/${name}?period=7d`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return response.json();
  };
  // 15 of 2 KB fit.
  const lost = 4 + 60 - 15;
  expect(await report('events')).toMatchObject({
    data: [{ name: 'buy', events: 64, revenue: [{ currency: 'EUR', amount: '64.00' }] }],
    meta: { coverage: { dropped: { properties: lost, hostname: 0 } } },
  });
  expect(await report('dropped')).toMatchObject({ data: [{ reason: 'properties', events: lost }] });
  expect(await report('events/buy/props')).toMatchObject({ data: Array(4).fill({ events: 15 }) });
});

test('Global Privacy Control leaves nothing behind', async () => {
  const site = await makeSite();
  const response = await track(
    { site, consent: 'granted', events: [pageview()] },
    { headers: { 'Sec-GPC': '1' } },
  );
  expect([response.status, await response.text()]).toEqual([204, '']);
  const policy = await stack().fetch(`/api/v1/policy?site=${site}`, { headers: { 'Sec-GPC': '1' } });
  expect(await policy.json()).toEqual({ maxTier: 0, stop: 'gpc' });
  await track({ site, events: [pageview()] });
  expect(await stored(site, 1)).toHaveLength(1);
});

test('free text is stored as it came, whatever language it speaks', async () => {
  const site = await makeSite();
  const sql = "'); drop table events; --";
  const id = crypto.randomUUID();
  const event = { id, type: 'event', name: sql, url: 'https://example.com/', props: { [sql]: sql } };
  expect((await track({ site, visitorId: crypto.randomUUID(), events: [event] })).status).toBe(202);
  const [row] = await stored(site, 1);
  expect(row?.data).toMatchObject({ props: { [sql]: sql } });
  const names = await stack().sql`
    select t.value from site_texts t join sites s on s.key = t.site_key where s.id = ${site}
  `;
  expect(names.map(({ value }) => value)).toContain(sql);
});

test('the salt of the day is in a Redis of its own, for less than 48 hours', async () => {
  const site = await makeSite(['required', 'sessions']);
  await track({ site, events: [pageview()] });
  const key = `salt:${new Date().toISOString().slice(0, 10)}`;
  const response = await fetch(stack().saltRedis.url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${stack().saltRedis.token}` },
    body: JSON.stringify(['PTTL', key]),
  });
  const { result } = (await response.json()) as { result: number };
  expect(result).toBeGreaterThan(0);
  expect(result).toBeLessThanOrEqual(48 * 3_600_000);
  // The token of the other functions can't read it.
  const others = await connectRedis(stack().upstash).get(key);
  expect(others).toBeNull();
});

test('the script comes through the door', async () => {
  const response = await stack().fetch('/tracker.js');
  expect([response.status, response.headers.get('Content-Type')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
  ]);
  const etag = response.headers.get('ETag') ?? '';
  const again = await stack().fetch('/tracker.js', { headers: { 'If-None-Match': etag } });
  expect([again.status, again.headers.get('ETag')]).toEqual([304, etag]);
});

test('1000 requests a minute pass, by address and site', async () => {
  const site = await makeSite();
  const ask = (address: string) => stack().fetch(`/api/v1/policy?site=${site}`, { address });
  const statuses = new Map<number, number>();
  for (let batch = 0; batch < 60; batch += 1) {
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask('198.51.100.9')));
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if ((statuses.get(429) ?? 0) > 0) break;
  }
  // A minute may end during the test. Then up to twice the quota passes.
  expect(statuses.get(200)).toBeGreaterThanOrEqual(1000);
  expect(statuses.get(429)).toBeGreaterThan(0);
  expect([...statuses.keys()].sort()).toEqual([200, 429]);
  expect((await ask('198.51.100.10')).status).toBe(200);
});

test('addresses and user agents are nowhere: not in the database, not in Redis, not in the logs', async () => {
  const tables = await stack().sql`
    select to_jsonb(e)::text as row from events e
    union all select to_jsonb(v)::text from visits v
    union all select to_jsonb(t)::text from site_texts t
    union all select to_jsonb(p)::text from site_profiles p
    union all select to_jsonb(l)::text from site_places l
    union all select to_jsonb(o)::text from site_origins o
    union all select to_jsonb(d)::text from dead_letters d
  `;
  const scan = (redis: Stack['upstash']) => connectRedis(redis).scan('0', { match: '*', count: 1_000_000 });
  const [, keys] = await scan(stack().upstash);
  const [, privateKeys] = await scan(stack().saltRedis);
  expect(privateKeys).toContainEqual(expect.stringContaining('salt:'));
  const everything = JSON.stringify([tables, keys, privateKeys, lines]);
  expect(everything).not.toMatch(/203\.0\.113\.77|198\.51\.100|Mozilla|curl\/|secret/);
});
