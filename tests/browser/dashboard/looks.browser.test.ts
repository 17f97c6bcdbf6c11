/** What a person sees of a site's page without scrolling, and in which typeface. */
import { expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { fillAccount } from './filled-account.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

test('a site’s page has its own typeface, and shows as much as the window has room for', async () => {
  const { owner, siteId } = await fillAccount(stack());
  const { page, complaints } = await openDashboard(stack(), newContext, owner, '/sites');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${stack().baseUrl}/sites/${siteId}`);
  await page.locator('.tier-band li').first().waitFor();
  const rows = page.getByRole('region', { name: 'Pages' }).locator('.row');
  await rows.first().waitFor();

  const faces = () => page.evaluate(() => [...document.fonts].map(({ family, status }) => [family, status]));
  await expect.poll(faces).toContainEqual(['Figtree', 'loaded']);
  // Digits are as wide as each other, so that numbers below each other line up.
  const widths = await rows.first().evaluate((row) =>
    ['111', '888'].map((digits) => {
      const text = row.appendChild(document.createElement('span'));
      text.textContent = digits;
      const { width } = text.getBoundingClientRect();
      text.remove();
      return width;
    }),
  );
  expect(widths[0]).toBe(widths[1]);

  // Figures, chart and tiers leave room for the first rows of the panels.
  expect((await rows.first().boundingBox())?.y).toBeLessThan(700);
  const lefts = () =>
    page.locator('.panel').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  const columns = async () => new Set(await lefts()).size;
  expect(await columns()).toBe(2);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await expect.poll(columns).toBe(3);
  await page.setViewportSize({ width: 375, height: 812 });
  await expect.poll(columns).toBe(1);
  expect(complaints).toEqual([]);
});

test('a panel is as high as its rows', async () => {
  const { owner, siteId } = await fillAccount(stack());
  const { page } = await openDashboard(stack(), newContext, owner, `/sites/${siteId}`);
  const devices = page.getByRole('region', { name: 'Devices' });
  await devices.scrollIntoViewIfNeeded();
  await devices.locator('.row').first().waitFor();
  const [last, below] = [
    await devices.locator('.row').last().boundingBox(),
    await devices.getByRole('link', { name: /^Details/ }).boundingBox(),
  ];
  expect((below?.y ?? 0) - (last?.y ?? 0) - (last?.height ?? 0)).toBeLessThan(8);
});
