/** Some thousand hostile requests: documented errors, never a 5xx, and nothing is stored. */
import { expect, test } from 'vitest';
import { createTenant } from '../security/tenant.ts';
import { type HostileRequest, hostileRequests } from './hostile.ts';
import { useOwnStack } from './use-stack.ts';

const COUNT = 4000;
const SEED = 20_261_121;
const AT_ONCE = 20;
const TEN_MEGABYTES = 10 * 1024 * 1024;

const stack = useOwnStack();

async function judge({ path, init, statuses }: HostileRequest): Promise<string | undefined> {
  const response = await stack().fetch(path, init);
  const text = await response.text();
  const exchange = `${init.method ?? 'GET'} ${path} ${String(init.body).slice(0, 300)} -> ${response.status} ${text.slice(0, 300)}`;
  if (!statuses.includes(response.status)) return exchange;
  const envelope = JSON.parse(text) as { error?: unknown; message?: unknown };
  return typeof envelope.error === 'string' && typeof envelope.message === 'string' ? undefined : exchange;
}

async function count(): Promise<Record<string, number>> {
  const [row] = await stack().sql`
    select (select count(*) from events)::int as events, (select count(*) from visits)::int as visits,
           (select count(*) from dead_letters)::int as dead, (select count(*) from dropped_days)::int as dropped,
           (select count(*) from sites)::int as sites, (select count(*) from projects)::int as projects,
           (select count(*) from users)::int as users, (select count(*) from api_tokens)::int as tokens
  `;
  return row as Record<string, number>;
}

test(`${COUNT} hostile requests are refused as documented, and nothing of them is stored`, {
  timeout: 300_000,
}, async () => {
  const tenant = await createTenant(stack().sql);
  const before = await count();
  const requests = hostileRequests(tenant, COUNT, SEED);
  const faults: string[] = [];
  const work = async () => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
      const fault = await judge(request);
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(faults.slice(0, 5)).toEqual([]);

  const [site] = await stack().sql`select domain, name, jurisdiction from sites where id = ${tenant.siteId}`;
  expect(site).toEqual({ domain: 'example.com', name: 'Example', jurisdiction: null });

  // One valid page view after all others: when it is stored, everything that was queued before is stored too.
  const good = {
    id: crypto.randomUUID(),
    type: 'pageview',
    pageId: crypto.randomUUID(),
    url: 'https://example.com/',
  };
  const response = await stack().fetch('/api/v1/track', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
    body: JSON.stringify({ site: tenant.siteId, visitorId: crypto.randomUUID(), events: [good] }),
  });
  expect(response.status).toBe(202);
  await expect.poll(async () => (await count()).events, { timeout: 15_000, interval: 50 }).toBe(1);
  expect(await count()).toEqual({ ...before, events: 1, visits: 1 });
});

test('bodies of 10 MB are refused, whether they say their length or not', async () => {
  const tenant = await createTenant(stack().sql);
  const headers = { Authorization: `Bearer ${tenant.token}`, 'Content-Type': 'application/json' };
  const chunk = new Uint8Array(65_536).fill(0x20);
  const stream = () => {
    let sent = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.byteLength;
        if (sent > TEN_MEGABYTES) controller.close();
        else controller.enqueue(chunk);
      },
    });
  };
  for (const path of ['/api/v1/track', '/api/v1/sites']) {
    for (const body of [' '.repeat(TEN_MEGABYTES), stream()]) {
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' };
      const response = await stack().fetch(path, init);
      expect([response.status, await response.json()]).toMatchObject([413, { error: 'PAYLOAD_TOO_LARGE' }]);
    }
  }
});
