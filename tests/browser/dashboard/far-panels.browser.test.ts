/** What is far below the view costs nothing until it comes near, and is there for whoever reads aloud or prints. */
import { expect, test } from 'vitest';
import { pageview, session } from '../../lib/analytics/reports-world.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { newSite, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const AN_HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();

const newShop = () => newSite(stack(), session('Ada', [pageview(AN_HOUR_AGO, '/')], { browser: 'Firefox' }));

test('panels far below a phone’s view are painted when they come near, in print and by the keyboard', async () => {
  const shop = await newShop();
  const { page, complaints } = await openDashboard(stack(), newContext, shop, '/sites');
  await page.setViewportSize({ width: 375, height: 500 });
  await page.goto(`${stack().baseUrl}/sites/${shop.siteId}`);
  const row = page.getByRole('region', { name: 'Devices' }).locator('.row .name').first();
  const isPainted = () => row.evaluate((one) => one.checkVisibility({ contentVisibilityAuto: true }));
  await expect.poll(() => row.textContent()).toBe('Firefox');
  expect(await isPainted()).toBe(false);
  // It is part of what is read aloud.
  expect(await page.getByRole('region', { name: 'Devices' }).ariaSnapshot()).toContain('Firefox');

  await page.emulateMedia({ media: 'print' });
  await expect.poll(isPainted).toBe(true);
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(isPainted).toBe(false);

  await page.getByRole('link', { name: 'Only visits with Firefox' }).focus();
  await expect.poll(isPainted).toBe(true);
  expect(complaints).toEqual([]);
});

test('the table of a chart is made when it is opened', async () => {
  const shop = await newShop();
  const { page } = await openDashboard(stack(), newContext, shop, `/sites/${shop.siteId}?period=7d`);
  const tool = page.getByRole('button', { name: 'The same numbers as a table' });
  await tool.waitFor();
  const rows = page.locator('.drawing tbody tr');
  expect([await tool.getAttribute('aria-pressed'), await rows.count()]).toEqual(['false', 0]);
  await tool.click();
  await expect.poll(() => rows.count()).toBe(7);
  expect(await tool.getAttribute('aria-pressed')).toBe('true');
  await tool.click();
  await expect.poll(() => rows.count()).toBe(0);
});
