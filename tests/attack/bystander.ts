/** Another tenant that works during the attack. Everything that it sends must be stored once, and its answers must stay fast. */
import { randomBytes } from 'node:crypto';
import type { Stack } from '../../dev/stack.ts';
import { addIngestKey } from '../security/session.ts';
import { createTenant } from '../security/tenant.ts';

const PAUSE_MS = 150;
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Response times in milliseconds, by kind of request. */
export type Latencies = Record<'page view' | 'spans' | 'overview', number[]>;

export interface Bystander {
  /** The measurements since the last call. */
  takeLatencies(): Latencies;
  /**
   * Stops the bystander. Returns a sentence for each failed request and for each difference between what was accepted and what is stored.
   */
  stop(): Promise<string[]>;
}

export async function startBystander(stack: Stack): Promise<Bystander> {
  const tenant = await createTenant(stack.sql);
  const { key, environmentId } = await addIngestKey(stack.sql, tenant.projectId);
  const overview = `/api/v1/sites/${tenant.siteId}/analytics/overview?period=7d`;
  const asPerson = { headers: { Cookie: tenant.cookie } };
  const faults: string[] = [];
  const accepted = { 'page view': 0, spans: 0, overview: 0 };
  let latencies: Latencies = { 'page view': [], spans: [], overview: [] };
  let stopped = false;
  let number = 0;

  const ask = async (what: keyof Latencies, path: string, init: RequestInit): Promise<void> => {
    const start = performance.now();
    const send = async () => {
      const response = await stack.fetch(path, { ...init, address: '203.0.113.77', country: 'US' });
      return { response, text: await response.text() };
    };
    try {
      // A connection may be closed while a request is on its way. Clients then send the same again.
      const { response, text } = await send().catch(send);
      latencies[what].push(performance.now() - start);
      if (response.ok) accepted[what] += 1;
      else faults.push(`its ${what} was answered with ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      faults.push(`its ${what} was not answered twice: ${error}`);
    }
  };
  const work = async (): Promise<void> => {
    while (!stopped) {
      number += 1;
      await ask('page view', '/api/v1/track', pageView(tenant.siteId, number));
      await ask('spans', '/v1/traces', oneSpan(key, number));
      if (number % 2 === 0) await ask('overview', overview, asPerson);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const working = work();
  /** The page views that the overview counts. */
  const countShown = async (): Promise<number> => {
    const response = await stack.fetch(overview, asPerson);
    const { data } = (await response.json()) as { data?: { pageviews: number } };
    return data?.pageviews ?? -1;
  };

  const countStored = async (): Promise<Record<string, unknown> | undefined> => {
    const [row] = await stack.sql`
      select (select count(*)::int from events where site_key = sites.key) as "page view",
        (select count(*)::int from spans
         where environment_key = (select key from environments where id = ${environmentId})) as spans
      from sites where id = ${tenant.siteId}`;
    return row;
  };
  return {
    takeLatencies: () => {
      const taken = latencies;
      latencies = { 'page view': [], spans: [], overview: [] };
      return taken;
    },
    stop: async () => {
      stopped = true;
      await working;
      const stored = await awaitEqual(countStored, (row) => row?.['page view'] === accepted['page view']);
      for (const what of ['page view', 'spans'] as const) {
        if (stored?.[what] !== accepted[what])
          faults.push(`of its ${accepted[what]} × ${what} accepted, ${String(stored?.[what])} are stored`);
      }
      const shown = await awaitEqual(countShown, (count) => count === accepted['page view']);
      if (shown !== accepted['page view'])
        faults.push(`of its ${accepted['page view']} page views, its overview counts ${shown}`);
      return faults;
    },
  };
}

/** Reads until `isRight` accepts the value, for at most a minute. Returns the last value. */
export async function awaitEqual<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  const end = Date.now() + 60_000;
  let value = await read();
  while (!isRight(value) && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    value = await read();
  }
  return value;
}

function pageView(siteId: string, number: number): RequestInit {
  const event = {
    id: crypto.randomUUID(),
    type: 'pageview',
    pageId: crypto.randomUUID(),
    url: `https://example.com/page-${number % 20}`,
  };
  return {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', 'User-Agent': AGENT },
    body: JSON.stringify({ site: siteId, visitorId: crypto.randomUUID(), events: [event] }),
  };
}

function oneSpan(key: string, number: number): RequestInit {
  const now = BigInt(Date.now()) * 1_000_000n;
  const span = {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    name: `GET /page-${number % 20}`,
    kind: 2,
    startTimeUnixNano: String(now - 5_000_000n),
    endTimeUnixNano: String(now),
  };
  return {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  };
}
