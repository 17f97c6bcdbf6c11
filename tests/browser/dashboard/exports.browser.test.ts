/** Reports as files: what is saved is what the API's export answers for the page's range, filters and comparison. */
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { unzip } from 'unzipit';
import { expect, test } from 'vitest';
import { pageview, session } from '../../lib/analytics/reports-world.ts';
import { addMember } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { newSite, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const at = (): string => new Date(Date.now() - 7_200_000).toISOString();

const newShop = () =>
  newSite(
    stack(),
    session('Ada', [pageview(at(), '/a'), pageview(at(), '/b')], { country: 'PT' }),
    session('Bo', [pageview(at(), '/b')], { country: 'ES' }),
  );

async function save(page: Page, click: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return download;
}
const textOf = async (download: Download): Promise<string> => readFile(await download.path(), 'utf8');

test('one report, or all in an archive, as CSV and JSON', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const viewer = await addMember(stack().sql, shop.projectId, 'viewer');
  const fileOf = async (query: string): Promise<string> => {
    const response = await stack().fetch(`/api/v1${path}/analytics/export?${query}`, {
      headers: { Authorization: `Bearer ${viewer.token}` },
    });
    expect(response.status).toBe(200);
    return response.text();
  };
  const shown = 'filter_country=PT&compare=previous';
  const { page, complaints } = await openDashboard(stack(), newContext, viewer, `${path}?${shown}`);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const csv = await save(page, () => dialog.getByRole('link', { name: 'Pages: CSV', exact: true }).click());
  expect(await textOf(csv)).toBe(await fileOf(`report=pages&format=csv&${shown}`));
  const json = await save(page, () =>
    dialog.getByRole('link', { name: 'Campaign: JSON', exact: true }).click(),
  );
  expect(await textOf(json)).toBe(await fileOf(`report=utm&by=campaign&format=json&${shown}`));

  // Sums by page know no filter by country.
  expect(await dialog.getByRole('link', { name: /Engagement/ }).count()).toBe(0);
  expect(await dialog.getByRole('link', { name: /Web vitals/ }).count()).toBe(2);
  const all = await save(page, () => dialog.getByRole('button', { name: 'All as CSV' }).click());
  const { entries } = await unzip(await openAsBlob(await all.path()));
  expect(await entries['pages.csv']?.text()).toBe(await fileOf(`report=pages&format=csv&${shown}`));
  expect(Object.keys(entries)).toEqual(
    expect.arrayContaining(['overview.csv', 'timeseries.csv', 'utm_term.csv', 'goals.csv', 'events.csv']),
  );
  expect(complaints).toEqual([]);
});

test('a list as it is searched and sorted', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `${path}?details=pages`);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Page views', exact: true }).click();
  await dialog.getByRole('searchbox').fill('/b');
  await expect.poll(() => dialog.locator('tbody tr').count()).toBe(1);
  const file = await save(page, () => dialog.getByRole('link', { name: 'JSON' }).click());
  expect(JSON.parse(await textOf(file))).toMatchObject([{ path: '/b', visitors: 2, pageviews: 2 }]);
  expect(complaints).toEqual([]);
});
