/** From a page in a real browser to the site's report, through all functions. */
import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { createTenant } from '../security/tenant.ts';
import { useStack } from '../services/use-stack.ts';
import { html, SNIPPET } from './html.ts';
import { NOTHING_STORED, readStored, useVisits, type Visit } from './visit.ts';

const stack = useStack();
const visit = useVisits();

type PreConsentTier = 'off' | 'counts' | 'sessions';

interface Numbers {
  anonymousCounts: number;
  anonymousSessions: number;
  consented: number;
}

interface StoredRow {
  kind: number;
  tier: number;
  visitor: string | null;
  name: string | null;
  data: Record<string, unknown> | null;
}

interface Guest extends Visit {
  /** The stored raw events of the site with this `kind`. */
  stored: (kind: number) => Promise<StoredRow[]>;
  /** Visits and page views of the report, by tier. */
  report: () => Promise<{ visits: Numbers; pageviews: Numbers }>;
}

const NONE: Numbers = { anonymousCounts: 0, anonymousSessions: 0, consented: 0 };
/** Long enough for the queue, the fold and a browser on a busy machine. */
const SOON = { timeout: 15_000, interval: 100 };

/** Creates a site over REST, and a new visitor for its pages `/` and `/second`. Saves a policy only if a tier is given. */
async function arrive(
  preConsentTier?: PreConsentTier,
  options?: BrowserContextOptions,
  { before, attributes, body }: { before?: string; attributes?: string; body?: string } = {},
): Promise<Guest> {
  const { token } = await createTenant(stack().sql);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await stack().fetch(`/api/v1/sites${path}`, init);
    const { data } = (await response.json()) as { data?: unknown };
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return data;
  };
  const { id: site } = (await call('POST', '', { domain: 'localhost', name: 'Pages' })) as { id: string };
  const policy = { jurisdiction: 'US', consentMode: 'required', retentionMonths: 25 };
  if (preConsentTier) await call('PUT', `/${site}/privacy`, { ...policy, preConsentTier });
  const guest = await visit(options);
  const service = stack().baseUrl;
  guest.fixture.pages['/'] = html({
    title: 'Home',
    service,
    site,
    ...(before && { before }),
    ...(attributes && { attributes }),
    ...(body && { body }),
  });
  guest.fixture.pages['/second'] = html({
    title: 'Second',
    service,
    site,
    before: `${SNIPPET}vendor.consent('granted')`,
  });
  return {
    ...guest,
    stored: async (kind) => {
      const rows = await stack().sql`
        select e.kind, e.tier, e.visitor_id as visitor, n.value as name, e.data
        from events e
        join sites s on s.key = e.site_key
        left join site_texts n on n.site_key = e.site_key and n.id = e.name_id
        where s.id = ${site} and e.kind = ${kind}
        order by e.occurred_at`;
      return rows as StoredRow[];
    },
    report: async () => {
      const overview = await call('GET', `/${site}/analytics/overview?period=24h`);
      const { visits, pageviews } = (overview as { tiers: { visits: Numbers; pageviews: Numbers } }).tiers;
      return { visits, pageviews };
    },
  };
}

test.each([
  ['counts', { ...NONE, anonymousCounts: 1 }],
  ['sessions', { ...NONE, anonymousSessions: 1 }],
] as const)('before consent at %s: counted so, and nothing is kept in the browser', async (tier, counted) => {
  const guest = await arrive(tier);
  await guest.hear();
  await expect.poll(guest.report, SOON).toEqual({ visits: counted, pageviews: counted });
  expect(await readStored(guest)).toEqual(NOTHING_STORED);
});

test('without a policy: consented analytics, with an id of the visitor', async () => {
  const guest = await arrive();
  await guest.hear();
  const counted = { ...NONE, consented: 1 };
  await expect.poll(guest.report, SOON).toEqual({ visits: counted, pageviews: counted });
  const stored = await readStored(guest);
  expect(stored.cookies).toEqual([]);
  expect(stored.local.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^vendorVisitor-[\da-f-]{36}$/),
  ]);
});

test('off: nothing before consent; granted on the page, its view is counted', async () => {
  const guest = await arrive('off');
  await guest.hear();
  expect(await readStored(guest)).toEqual(NOTHING_STORED);
  await guest.page.evaluate(() => window.vendor?.consent('granted'));
  const counted = { ...NONE, consented: 1 };
  await expect.poll(guest.report, SOON).toEqual({ visits: counted, pageviews: counted });
});

test.each([
  ['counts', 'anonymousCounts'],
  ['sessions', 'anonymousSessions'],
] as const)('consent in the middle of a visit begun at %s: one visit in all', async (tier, name) => {
  const guest = await arrive(tier);
  await guest.hear();
  const before = { ...NONE, [name]: 1 };
  await expect.poll(guest.report, SOON).toEqual({ visits: before, pageviews: before });
  const granted = guest.page.waitForResponse((response) => response.url().includes('consent=granted'));
  await guest.page.evaluate(() => window.vendor?.consent('granted'));
  await granted;
  await guest.page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.startsWith('vendorVisitor-')),
  );
  await guest.open('/second');
  await expect.poll(guest.report, SOON).toEqual({ visits: before, pageviews: { ...before, consented: 1 } });
});

test('navigation by history: page views of one visit', async () => {
  const guest = await arrive();
  await guest.hear();
  await guest.page.evaluate(() => history.pushState({}, '', '/one'));
  await guest.page.evaluate(() => history.replaceState({}, '', '/two'));
  await guest.page.goBack();
  const report = { visits: { ...NONE, consented: 1 }, pageviews: { ...NONE, consented: 4 } };
  await expect.poll(guest.report, SOON).toEqual(report);
});

/** Waits until a page view of a later visitor is folded: then everything that was sent before is folded too. */
async function letPass(): Promise<void> {
  const later = await arrive();
  await later.hear();
  await expect.poll(async () => (await later.report()).visits.consented, SOON).toBe(1);
}

test('Global Privacy Control that the server sees: nothing, after consent too', async () => {
  const guest = await arrive('counts', { extraHTTPHeaders: { 'Sec-GPC': '1' } });
  await guest.hear();
  await guest.page.evaluate(() => window.vendor?.consent('granted'));
  expect(await readStored(guest)).toEqual(NOTHING_STORED);
  await guest.leave();
  await letPass();
  expect(await guest.report()).toEqual({ visits: NONE, pageviews: NONE });
});

test('Global Privacy Control that script sees: not even the policy is asked', async () => {
  const guest = await arrive('counts', { extraHTTPHeaders: { 'Sec-GPC': '1' } });
  await guest.context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
  });
  const asked: string[] = [];
  guest.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await guest.open();
  await guest.page.evaluate(() => window.vendor?.consent('granted'));
  expect(await readStored(guest)).toEqual(NOTHING_STORED);
  await guest.leave();
  await letPass();
  expect(asked).toContain('/tracker.js');
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
  expect(await guest.report()).toEqual({ visits: NONE, pageviews: NONE });
});

test('Do Not Track: anonymous counts at most, and nothing kept, after consent too', async () => {
  const guest = await arrive(
    'sessions',
    { extraHTTPHeaders: { DNT: '1' } },
    { before: `${SNIPPET}vendor.consent('granted')` },
  );
  await guest.hear();
  const counted = { ...NONE, anonymousCounts: 1 };
  await expect.poll(guest.report, SOON).toEqual({ visits: counted, pageviews: counted });
  expect(await readStored(guest)).toEqual(NOTHING_STORED);
});

test('left within a second: the page view is there', async () => {
  const guest = await arrive('counts');
  await guest.page.goto(`${guest.fixture.origin}/`, { waitUntil: 'commit' });
  await guest.page.waitForFunction(() => window.vendor);
  await guest.leave();
  const counted = { ...NONE, anonymousCounts: 1 };
  await expect.poll(guest.report, SOON).toEqual({ visits: counted, pageviews: counted });
});

test('with the service out of reach the page is as ever', async () => {
  const guest = await arrive();
  const { page, fixture, noise } = guest;
  fixture.pages['/'] = html({ service: stack().baseUrl, attributes: 'data-api="http://localhost:9"' });
  const failed = page.waitForEvent('requestfailed');
  await guest.open();
  await failed;
  await page.evaluate(() => {
    window.vendor?.track('signup');
    history.pushState({}, '', '/second');
  });
  expect(await page.textContent('h1')).toBe('Page');
  expect(new URL(page.url()).pathname).toBe('/second');
  await guest.leave();
  expect(noise).toEqual([]);
});

const ACTIONS = `<a id="out" href="https://elsewhere.example/x?email=a@b.example" onclick="event.preventDefault()">Out</a>
<a id="file" href="/list.pdf?token=secret" onclick="event.preventDefault()">File</a>
<form id="contact" action="/send?from=top" onsubmit="event.preventDefault()"><input id="q" name="q"><button>Send</button></form>
<button id="tagged" data-vendor-event="Signup" data-vendor-prop-plan="pro">Sign up</button>`;

async function act({ page }: Visit): Promise<void> {
  await page.click('#out');
  await page.click('#file');
  await page.fill('#q', 'my secret');
  await page.click('form button');
  await page.click('#tagged');
}

test.each([
  ['counts', 1],
  ['sessions', 2],
] as const)(
  'at %s: automatic events are stored cut, and nothing that was filled in',
  async (tier, stored) => {
    const guest = await arrive(tier, undefined, {
      attributes: 'data-outbound data-downloads data-forms',
      body: ACTIONS,
    });
    await guest.hear();
    await act(guest);
    await expect.poll(async () => (await guest.stored(2)).length, SOON).toBe(4);
    const rows = await guest.stored(2);
    expect(rows.map(({ name, data }) => [name, data?.props])).toEqual(
      expect.arrayContaining([
        ['Outbound link', { url: 'https://elsewhere.example/x' }],
        ['Download', { url: `${guest.fixture.origin}/list.pdf` }],
        ['Form', { form: 'contact', action: '/send' }],
        ['Signup', { plan: 'pro' }],
      ]),
    );
    expect(JSON.stringify(rows)).not.toMatch(/secret|email|from=top/);
    expect(rows.every((row) => row.tier === stored && (row.visitor === null) === (stored === 1))).toBe(true);
    expect([...(await guest.stored(3)), ...(await guest.stored(4))]).toEqual([]);
  },
);

test('consented: vitals and engagement are stored, with the id that the browser keeps', async () => {
  const guest = await arrive();
  await guest.measured();
  const kept = await guest.page.evaluate(() => window.vendor?.visitorId());
  await guest.leave();
  await expect.poll(async () => (await guest.stored(4)).length, SOON).toBe(1);
  const [vitals] = await guest.stored(4);
  expect(vitals).toMatchObject({ tier: 3, visitor: kept });
  expect(Object.keys(vitals?.data ?? {})).toEqual(expect.arrayContaining(['ttfb', 'fcp', 'lcp']));
  expect(await guest.stored(3)).toHaveLength(1);
});

test('consent withdrawn on the page: what follows is stored without the visitor, and nothing is measured', async () => {
  const guest = await arrive('counts', undefined, { before: `${SNIPPET}vendor.consent('granted')` });
  await guest.hear();
  await expect.poll(async () => (await guest.stored(1)).length, SOON).toBe(1);
  await guest.page.evaluate(() => {
    window.vendor?.consent('denied');
    window.vendor?.track('after');
  });
  expect(await readStored(guest)).toEqual(NOTHING_STORED);
  await expect.poll(async () => (await guest.stored(2)).length, SOON).toBe(1);
  await guest.leave();
  await letPass();
  expect(await guest.stored(2)).toMatchObject([{ name: 'after', tier: 1, visitor: null }]);
  expect([...(await guest.stored(3)), ...(await guest.stored(4))]).toEqual([]);
});
