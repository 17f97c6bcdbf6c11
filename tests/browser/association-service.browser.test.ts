/** From a request of a page to the trace of a backend: the tracker, the SDK and the service, in a real browser. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { BrowserContextOptions } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { APPS, REGISTER, variables } from '../packages/sdk-node/run-app.ts';
import { addIngestKey } from '../security/session.ts';
import { createTenant } from '../security/tenant.ts';
import { useStack } from '../services/use-stack.ts';
import { html } from './html.ts';
import { useVisits, type Visit } from './visit.ts';

const stack = useStack();
const visit = useVisits();

const SOON = { timeout: 20_000, interval: 100 };

interface Arrival extends Visit {
  /** The origin of the backend. */
  backend: string;
  /** The stored associations, as they were sent. */
  associations: () => Promise<Record<string, unknown>[]>;
  /** The server spans of the backend, after it has ended. */
  spans: () => Promise<{ trace: string; page: string | null; method: string; status: number }[]>;
}

/** A site, an environment, a backend with the SDK, and a page that lists the backend. */
async function arrive(preConsentTier?: 'sessions', options?: BrowserContextOptions): Promise<Arrival> {
  const { sql, baseUrl } = stack();
  const { token, projectId } = await createTenant(sql);
  const { key, environmentId } = await addIngestKey(sql, projectId);
  const call = async (method: string, path: string, body: object): Promise<{ id: string }> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const init = { method, headers, body: JSON.stringify(body) };
    const response = await stack().fetch(`/api/v1/sites${path}`, init);
    expect(response.ok).toBe(true);
    return ((await response.json()) as { data: { id: string } }).data;
  };
  const { id: site } = await call('POST', '', { domain: 'localhost', name: 'Shop' });
  const policy = { jurisdiction: 'US', consentMode: 'required', retentionMonths: 25 };
  if (preConsentTier) await call('PUT', `/${site}/privacy`, { ...policy, preConsentTier });

  const guest = await visit(options);
  const { origin } = guest.fixture;
  const backend = await startBackend({
    ...variables(baseUrl),
    VENDOR_API_KEY: key,
    VENDOR_PAGE_ORIGINS: origin,
    PAGE_ORIGIN: origin,
  });
  guest.fixture.pages['/'] = html({ service: baseUrl, site, attributes: `data-origins="${backend.origin}"` });
  await guest.page.addInitScript(() => Object.assign(window, { untouched: fetch }));
  return {
    ...guest,
    backend: backend.origin,
    associations: async () => {
      const rows = await sql`
        select e.data, e.tier from events e join sites s on s.key = e.site_key
        where s.id = ${site} and e.kind = 5 order by e.occurred_at`;
      return rows.map(({ data, tier }) => ({ ...data, tier }));
    },
    spans: async () => {
      await backend.end();
      const rows = await sql`
        select trace_id_text(trace_id) as trace, spans.attributes from spans
        join environments on environments.key = environment_key and environments.id = ${environmentId}
        where kind = 2 order by start_nano`;
      return rows.map(({ trace, attributes }) => ({
        trace,
        page: attributes['vendor.page.origin'] ?? null,
        method: attributes['http.request.method'],
        status: attributes['http.response.status_code'],
      }));
    },
  };
}

async function startBackend(env: Record<string, string>): Promise<{ origin: string; end(): Promise<void> }> {
  const child: ChildProcess = fork('page-backend.mjs', {
    cwd: APPS,
    execArgv: REGISTER,
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...env },
  });
  onTestFinished(() => void child.kill());
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    origin: `http://127.0.0.1:${port}`,
    async end() {
      if (child.exitCode !== null) return;
      child.send('end');
      await once(child, 'exit');
    },
  };
}

/** An order; what it gives twice, of which the second time is a 304; and a redirect to it. */
const shop = ({ page, backend }: Arrival): Promise<unknown> =>
  page.evaluate(async (origin) => {
    const seen: unknown[] = [];
    for (const [path, init] of [
      ['/orders', { method: 'POST', body: 'pick' }],
      ['/orders', {}],
      ['/orders', {}],
      ['/moved?to=/orders', {}],
    ] as const) {
      const response = await fetch(origin + path, init);
      seen.push([response.status, response.redirected, await response.text()]);
    }
    return seen;
  }, backend);

const ANSWERS = [
  [201, false, '{"order":7}'],
  [200, false, '{"orders":[7]}'],
  [200, false, '{"orders":[7]}'],
  [200, true, '{"orders":[7]}'],
];

const isWatched = ({ page }: Visit): Promise<boolean> =>
  page.evaluate(() => (window as unknown as { untouched: unknown }).untouched !== fetch);

test('each request of a page is reported with the trace whose span bears the page’s origin', async () => {
  const guest = await arrive();
  await guest.open();
  await expect.poll(() => isWatched(guest), SOON).toBe(true);
  expect(await shop(guest)).toEqual(ANSWERS);
  await expect.poll(async () => (await guest.associations()).length, SOON).toBe(4);
  const spans = await guest.spans();
  expect(spans.map(({ page, method, status }) => [page, method, status])).toEqual([
    [guest.fixture.origin, 'POST', 201],
    [guest.fixture.origin, 'GET', 200],
    [guest.fixture.origin, 'GET', 304],
    [guest.fixture.origin, 'GET', 302],
    [guest.fixture.origin, 'GET', 304],
  ]);
  const asked = spans.filter(({ status }) => status !== 302);
  const associations = await guest.associations();
  expect(new Set(associations.map(({ traceId }) => traceId))).toEqual(
    new Set(asked.map(({ trace }) => trace)),
  );
  for (const association of associations) {
    expect(association).toMatchObject({ origin: guest.backend, tier: 3 });
    expect(association).not.toHaveProperty('sent');
  }
  expect(associations.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201]);
  expect(guest.noise).toEqual([]);
});

test('at tier 2 nothing is wrapped or reported, and the page works', async () => {
  const guest = await arrive('sessions');
  await guest.hear();
  expect(await shop(guest)).toEqual(ANSWERS);
  expect(await isWatched(guest)).toBe(false);
  await guest.leave();
  // What was sent before is stored when this is.
  await expect.poll(async () => (await guest.spans()).length, SOON).toBe(5);
  expect(await guest.associations()).toEqual([]);
});

test('Global Privacy Control: nothing is wrapped, reported or marked, and the page works', async () => {
  const guest = await arrive(undefined, { extraHTTPHeaders: { 'Sec-GPC': '1' } });
  await guest.hear();
  const seen = await guest.page.evaluate(async (origin) => {
    const response = await fetch(`${origin}/orders`).catch(() => undefined);
    return [response?.status, response?.headers.get('server-timing')];
  }, guest.backend);
  expect(seen).toEqual([200, null]);
  expect(await isWatched(guest)).toBe(false);
  await guest.leave();
  const spans = await guest.spans();
  expect(spans.map(({ page, method }) => [page, method])).toEqual([[null, 'GET']]);
  expect(await guest.associations()).toEqual([]);
});
