/** Nothing on a page moves when its data comes: Chromium's own measure of it, on a desk and on a phone. */
import { expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { fillAccount } from './filled-account.ts';

const stack = useStack();
const newContext = useChromium();

/** The sum of all shifts, which is at least the reported CLS of the page. */
const MOST = 0.02;

/** Collects what moved and how far, from the first frame on. */
const OBSERVE = `window.moved = { sum: 0, what: [] };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      moved.sum += value;
      moved.what.push(...sources.map(({ node, previousRect, currentRect }) =>
        (node?.className || node?.nodeName) + ' ' + previousRect.y + ' → ' + currentRect.y));
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

test.each([
  { width: 1280, height: 800 },
  { width: 375, height: 812 },
])('a site’s page stays where it is, $width px wide', async (viewport) => {
  const { baseUrl } = stack();
  const { owner, siteId } = await fillAccount(stack());
  const context = await newContext({ viewport, reducedMotion: 'reduce' });
  const [name = '', value = ''] = owner.cookie.split('=');
  await context.addCookies([{ name, value, url: baseUrl }]);
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  // The answers come when the page stands already, as they do from afar.
  await page.route('**/analytics/**', async (route) => {
    await page.locator('.panels').waitFor();
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    await route.continue();
  });
  await page.goto(`${baseUrl}/sites/${siteId}`);
  await page.locator('.card > .drawing .chart').waitFor();
  await page.locator('.tier-band li').first().waitFor();
  await expect.poll(() => page.locator('.panels .rows .row').count()).toBeGreaterThan(5);
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
  const moved = (await page.evaluate('moved')) as { sum: number; what: string[] };
  expect(moved.sum, moved.what.join('; ')).toBeLessThan(MOST);
  // The browser closes after the test. An answer that is then still on its way would fail.
  await page.unrouteAll({ behavior: 'wait' });
});
