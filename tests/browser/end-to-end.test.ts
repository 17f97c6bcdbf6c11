/** From a page in a real browser to the site's report, through every function. */
import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { createTenant } from '../security/tenant.ts';
import { useStack } from '../services/stack.ts';
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

interface Guest extends Visit {
  /** Visits and page views of the report, by tier. */
  report: () => Promise<{ visits: Numbers; pageviews: Numbers }>;
}

const NONE: Numbers = { anonymousCounts: 0, anonymousSessions: 0, consented: 0 };
/** The queue, the fold, and a browser on a busy machine. */
const SOON = { timeout: 15_000, interval: 100 };

/** A site made over REST, and a new visitor of its pages `/` and `/second`. Without a tier no policy is saved. */
async function arrive(
  preConsentTier?: PreConsentTier,
  options?: BrowserContextOptions,
  before?: string,
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
  guest.fixture.pages['/'] = html({ title: 'Home', service, site, ...(before && { before }) });
  guest.fixture.pages['/second'] = html({
    title: 'Second',
    service,
    site,
    before: `${SNIPPET}vendor.consent('granted')`,
  });
  return {
    ...guest,
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
  expect(stored.local.map(({ name }) => name)).toEqual(['vendorVisitor']);
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
  await guest.page.waitForFunction(() => 'vendorVisitor' in localStorage);
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

/** Whatever was sent before a later visitor's page view has been folded when that is. */
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
    `${SNIPPET}vendor.consent('granted')`,
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
