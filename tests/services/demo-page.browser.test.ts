import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type DemoAccount, ensureDemoAccount } from '../../dev/demo-account.ts';
import { ELSEWHERE, useChromium } from '../browser/chromium.ts';
import { awaitLinks } from '../browser/visit.ts';
import { useOwnStack } from './use-stack.ts';

let account: DemoAccount;
const stack = useOwnStack({
  seed: async (sql) => {
    account = await ensureDemoAccount(sql);
    return { demoSiteId: account.siteId };
  },
});
const newContext = useChromium();

const WITHIN = { timeout: 20_000, interval: 100 };

beforeAll(async () => {
  // The first request fills caches. This must not take a part of the visitor's 3 seconds.
  await stack().fetch('/tracker.js');
});

async function openDemo(path = '/demo'): Promise<Page> {
  const page = await (await newContext()).newPage();
  await page.goto(stack().baseUrl + path);
  return page;
}

const countVisits = async (): Promise<number> => {
  const rows = await stack().sql`
    select count(*)::int as n from visits join sites on sites.key = visits.site_key
    where sites.id = ${account.siteId}`;
  return rows[0]?.n;
};
const countPurchases = async (): Promise<number> => {
  const rows = await stack().sql`
    select count(*)::int as n from events join sites on sites.key = events.site_key
    where sites.id = ${account.siteId} and data->'revenue'->>'amount' = '9.90'`;
  return rows[0]?.n;
};

test('opened in a browser, /demo is a visit within 3 seconds', async () => {
  const before = await countVisits();
  await openDemo();
  await expect.poll(countVisits, WITHIN).toBe(before + 1);
});

test('the tracker is at hand in its console, which is quiet', async () => {
  const page = await (await newContext()).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  await page.goto(`${stack().baseUrl}/demo`);
  const asked = page.waitForRequest((request) => request.url().includes('consent=granted'));
  await page.evaluate('vendor.consent("granted")');
  await asked;
  expect(complaints).toEqual([]);
});

test('its buttons track a purchase, change the address, and tell consent', async () => {
  const page = await openDemo('/demo/checkout');
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByText('Thank you.').waitFor();
  await expect.poll(countPurchases, WITHIN).toBe(1);
  await page.getByRole('link', { name: 'Strings', exact: true }).click();
  await page.getByRole('button', { name: 'Light' }).click();
  await page.getByText('Gauge: light').waitFor();
  expect(new URL(page.url()).pathname).toBe('/demo/strings/light');
  const asked = page.waitForRequest((request) => request.url().includes('consent=granted'));
  await page.getByRole('button', { name: 'Yes' }).click();
  await asked;
  expect(await page.getByText('May we recognise you').isHidden()).toBe(true);
});

/** The count of each custom event in the report. */
async function countEvents(): Promise<Record<string, number>> {
  const response = await stack().fetch(`/api/v1/sites/${account.siteId}/analytics/events?period=24h`, {
    headers: { Authorization: `Bearer ${account.apiToken}` },
  });
  const { data } = (await response.json()) as { data: { name: string; events: number }[] };
  return Object.fromEntries(data.map(({ name, events }) => [name, events]));
}

test('its tagged elements, form, download and outbound link are reported', async () => {
  const page = await openDemo('/demo/picks');
  await page.getByRole('button', { name: 'Put a dozen in the basket' }).click();
  await page.getByRole('link', { name: 'Strings', exact: true }).first().click();
  await page.getByRole('link', { name: 'All gauges' }).click();
  await page.goto(`${stack().baseUrl}/demo/journal/how-to-change-strings`);
  await awaitLinks(page);
  const link = page.getByRole('link', { name: 'to know what' });
  await link.evaluate((element, address) => element.setAttribute('href', address), ELSEWHERE);
  await link.click();
  await page.waitForURL(/elsewhere/);
  await page.goto(`${stack().baseUrl}/demo`);
  await awaitLinks(page);
  await page.getByLabel('News by mail').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.waitForURL(/thanks/);
  await expect
    .poll(countEvents, WITHIN)
    .toMatchObject({ 'Add to basket': 1, Download: 1, 'Outbound link': 1, Form: 1 });
});

test('nothing is sent of the page that is left out', async () => {
  const page = await (await newContext()).newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${stack().baseUrl}/demo/private/notes`);
  await page.getByRole('link', { name: 'About' }).click();
  await expect.poll(() => asked.filter((path) => path === '/api/v1/track').length, WITHIN).toBeGreaterThan(0);
  const sent = asked.slice(0, asked.indexOf('/demo/about'));
  expect(sent).not.toContain('/api/v1/track');
});
