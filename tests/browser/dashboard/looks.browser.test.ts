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
  const [last, panel] = [await devices.locator('.row').last().boundingBox(), await devices.boundingBox()];
  const bottomOf = (box: typeof last): number => (box?.y ?? 0) + (box?.height ?? 0);
  expect(bottomOf(panel) - bottomOf(last)).toBeGreaterThan(0);
  expect(bottomOf(panel) - bottomOf(last)).toBeLessThan(16);
});

test('the first page has sites and backends with what fires, and leads to each', async () => {
  const { owner } = await fillAccount(stack());
  const { page, complaints } = await openDashboard(stack(), newContext, owner, '/sites');
  const site = page.locator('.site-card').first();
  const badge = site.getByRole('link', { name: 'Alerts: 1 fires' });
  await badge.waitFor();
  const backend = page.getByRole('region', { name: 'Backends' }).locator('.site-card').first();
  await expect.poll(() => backend.innerText()).toMatch(/\d+ entries.*Errors\s+\d+(\.\d)?%/s);
  expect(await backend.getByRole('link', { name: /Alerts/ }).count()).toBe(0);
  await badge.click();
  await page.waitForURL(/\/sites\/.*\/alerts$/);
  await page.goBack();
  await backend.getByRole('heading').getByRole('link').click();
  await page.waitForURL(/\/services\?period=7d$/);
  expect(complaints).toEqual([]);
});

test('dates and numbers are those of the browser’s region, and a larger text stays in its cell', async () => {
  const { owner, siteId } = await fillAccount(stack());
  const inRegion = (locale: string) => () => newContext({ locale, viewport: { width: 1280, height: 900 } });
  const labelOf = async (locale: string) => {
    const { page } = await openDashboard(stack(), inRegion(locale), owner, `/sites/${siteId}?period=7d`);
    const label = page.locator('.chart text[text-anchor="middle"]').first();
    return label.textContent();
  };
  expect(await labelOf('en-GB')).toMatch(/^\d+ [A-Z][a-z]+$/);
  expect(await labelOf('en-US')).toMatch(/^[A-Z][a-z]+ \d+$/);

  const { page } = await openDashboard(stack(), newContext, owner, '/sites');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      document.documentElement.style.fontSize = '200%';
    });
  });
  await page.goto(`${stack().baseUrl}/sites/${siteId}?period=30d`);
  await page.locator('.tier-band li').first().waitFor();
  const overflowing = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.figure, .row .name, .row, .panel, .drawing, .tier-band')]
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
        .map((cell) => cell.className),
    );
  expect(await overflowing()).toEqual([]);
  // The numbers of the axis begin within the chart.
  const starts = await page
    .locator('.chart text[text-anchor="end"]')
    .evaluateAll((all) =>
      all.map(
        (one) =>
          one.getBoundingClientRect().left - (one.closest('.chart')?.getBoundingClientRect().left ?? 0),
      ),
    );
  expect(Math.min(...starts)).toBeGreaterThanOrEqual(0);
});
