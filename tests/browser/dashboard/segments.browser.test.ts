/** Segments and filters: what is kept under a name, who may change it, and that the page shows what the API says of it. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pageview, session } from '../../lib/analytics/reports-world.ts';
import { addMember } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const at = (): string => new Date(Date.now() - 7_200_000).toISOString();

const newShop = () =>
  newSite(
    stack(),
    session('Ada', [pageview(at(), '/a')], { country: 'PT', browser: 'Firefox' }),
    session('Bo', [pageview(at(), '/b')], { country: 'ES', browser: 'Firefox' }),
    session('Cleo', [pageview(at(), '/c')], { country: 'FR', browser: 'Firefox' }),
    session('Dan', [pageview(at(), '/d')], { country: 'PT', browser: 'Safari' }),
  );

const pathsOf = (page: Page) => (): Promise<(string | undefined)[]> =>
  page
    .getByRole('region', { name: 'Pages', exact: true })
    .locator('.row .name')
    .allInnerTexts()
    .then((names) => names.map((name) => name.trim()).sort());

const menu = (page: Page): Locator => page.getByRole('button', { name: /^Segment/ });

/** Opens the menu of segments and clicks a choice in it. */
async function choose(page: Page, choice: string): Promise<void> {
  await menu(page).click();
  await page.locator('.menu:popover-open').getByText(choice, { exact: true }).click();
}

test('filters are kept under a name, applied, renamed, refilled and deleted', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const kept = async () => (await askApi(stack(), shop, 'GET', `${path}/segments`)).body.data;
  const { page, complaints } = await openDashboard(
    stack(),
    newContext,
    shop,
    `${path}?filter_country=PT%7CES&filter_privacy_tier=2`,
  );
  await expect.poll(pathsOf(page)).toEqual(['/a', '/b', '/d']);
  await choose(page, 'Save the filters as a segment …');
  await page.getByLabel('Name', { exact: true }).fill('Iberia');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => menu(page).innerText()).toBe('Iberia');
  const [segment] = await kept();
  expect(segment).toMatchObject({
    name: 'Iberia',
    filters: { country: 'PT|ES', privacy_tier: 2 },
    shared: false,
  });
  expect(new URL(page.url()).search).toBe(`?segment=${segment.id}`);
  await expect.poll(pathsOf(page)).toEqual(['/a', '/b', '/d']);

  // Filters of the page hold beside those of the segment.
  await page
    .getByRole('region', { name: 'Devices', exact: true })
    .getByRole('link', { name: 'Only visits with Safari' })
    .click();
  await expect.poll(pathsOf(page)).toEqual(['/d']);
  const both = `segment=${segment.id}&filter_browser=Safari`;
  const { body } = await askApi(stack(), shop, 'GET', `${path}/analytics/pages?${both}`);
  expect(body.data.map((row: { path: string }) => row.path)).toEqual(['/d']);

  await choose(page, 'Change this segment …');
  await page.getByLabel('Name', { exact: true }).fill('Safari');
  await page.getByLabel('All members of the project see it').check();
  await page.getByLabel('Replace its filters by those of the page').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => menu(page).innerText()).toBe('Safari');
  expect(await kept()).toMatchObject([
    { id: segment.id, name: 'Safari', filters: { browser: 'Safari' }, shared: true },
  ]);
  await expect.poll(pathsOf(page)).toEqual(['/d']);
  await choose(page, 'No segment');
  await expect.poll(pathsOf(page)).toHaveLength(4);
  await page.goBack();
  await expect.poll(pathsOf(page)).toEqual(['/d']);

  await choose(page, 'Change this segment …');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  // Without one, and without filters to keep, there is nothing to choose.
  await expect.poll(() => menu(page).count()).toBe(0);
  expect(await kept()).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a viewer applies what is shared, and keeps segments of their own', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const make = (name: string, shared: boolean) =>
    askApi(stack(), shop, 'POST', `${path}/segments`, { name, shared, filters: { country: 'PT' } });
  const { id } = (await make('Portugal', true)).body.data;
  await make('Secret', false);
  const viewer = await addMember(stack().sql, shop.projectId, 'viewer');
  const { page, go, complaints } = await openDashboard(stack(), newContext, viewer, `${path}?segment=${id}`);
  await expect.poll(() => menu(page).innerText()).toBe('Portugal');
  await expect.poll(pathsOf(page)).toEqual(['/a', '/d']);
  await menu(page).click();
  const choices = page.locator('.menu:popover-open');
  await choices.getByText('Portugal', { exact: true }).waitFor();
  const offered = await choices.innerText();
  expect(offered).not.toContain('Secret');
  expect(offered).not.toContain('Change this segment');

  await go(`${path}?filter_page=~a`);
  await choose(page, 'Save the filters as a segment …');
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  expect(await page.getByLabel('All members of the project see it').count()).toBe(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => menu(page).innerText()).toBe('Mine');
  await expect.poll(pathsOf(page)).toEqual(['/a']);
  await choose(page, 'Change this segment …');
  await page.getByRole('button', { name: 'Delete' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a chip’s filter is changed: its operator, its values, its dimension', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `${path}?filter_page=%2Fa`);
  await expect.poll(pathsOf(page)).toEqual(['/a']);
  const chip = page.getByRole('button', { name: /^Change the filter by/ });
  const dialog = page.getByRole('dialog');
  const apply = () => dialog.getByRole('button', { name: 'Apply' }).click();
  await chip.click();
  await dialog.getByRole('textbox', { name: 'Values' }).fill('/b');
  await apply();
  await expect.poll(pathsOf(page)).toEqual(['/a', '/b']);
  await chip.click();
  await dialog.getByLabel('Which').selectOption('not');
  await apply();
  await expect.poll(pathsOf(page)).toEqual(['/c', '/d']);
  await chip.click();
  await dialog.getByRole('combobox').first().selectOption('browser');
  await dialog.getByLabel('Which').selectOption('contains');
  await dialog.getByRole('textbox', { name: 'Values' }).fill('FAR');
  await apply();
  await expect.poll(() => new URL(page.url()).search).toBe('?filter_browser=%7EFAR');
  await expect.poll(pathsOf(page)).toEqual(['/d']);
  // A tier is one of three.
  await chip.click();
  await dialog.getByRole('combobox').first().selectOption('privacy_tier');
  await dialog.getByRole('combobox').last().selectOption('Consented');
  await apply();
  await expect.poll(() => new URL(page.url()).search).toBe('?filter_privacy_tier=3');
  await expect.poll(() => chip.innerText()).toBe('Privacy tier is Consented');
  await expect.poll(pathsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
