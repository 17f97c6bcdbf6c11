/** A lost connection and the end of a session are said once for the whole page. */
import { expect, test } from 'vitest';
import { consented, pageview } from '../../lib/analytics/reports-world.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { newSite, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

/** Longer than four tries take, each after twice the time of the one before. */
const SOON = { timeout: 40_000, interval: 200 };

async function openSite() {
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const shop = await newSite(stack(), consented('Ada', [pageview(at, '/'), pageview(at, '/pricing')]));
  const opened = await openDashboard(stack(), newContext, shop, `/sites/${shop.siteId}`);
  await opened.page.getByText('/pricing').first().waitFor();
  const messages = () => opened.page.locator('main .failure').allInnerTexts();
  return { ...opened, shop, messages };
}

test('a lost connection is one message, which goes by itself when the connection is back', async () => {
  const { page, messages } = await openSite();
  await page.context().setOffline(true);
  await page.evaluate(() => history.pushState(null, '', '?period=7d'));
  await expect.poll(messages, SOON).toHaveLength(1);
  expect((await messages())[0]).toContain('There is no connection to the service.');
  await page.context().setOffline(false);
  await expect.poll(messages, SOON).toEqual([]);
}, 90_000);

test('a service that is out of reach is one message with one retry for all panels', async () => {
  const { page, messages, shop } = await openSite();
  let isAway = true;
  await page.route('**/api/v1/sites/*/analytics/**', (route) => (isAway ? route.abort() : route.continue()));
  await page.goto(`${stack().baseUrl}/sites/${shop.siteId}?period=7d`);
  await expect.poll(messages, SOON).toHaveLength(1);
  isAway = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(messages, SOON).toEqual([]);
  await page.getByText('/pricing').first().waitFor();
}, 90_000);

test('the end of the session is one message with the way to sign in', async () => {
  const { page, messages } = await openSite();
  await page.context().clearCookies();
  await page.reload();
  if (page.url().includes('/sign-in')) return;
  await expect.poll(messages, SOON).toHaveLength(1);
  expect(await page.locator('main .failure a').getAttribute('href')).toContain('/sign-in?to=');
}, 60_000);
