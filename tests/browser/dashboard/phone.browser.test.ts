/** What a phone shows of what is wide or stands above something else. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { type Account, fillAccount } from './filled-account.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();
let filled: Promise<Account> | undefined;

/** Opens an address of the account on a phone. */
async function openOnPhone(addressOf: (account: Account) => string) {
  filled ??= fillAccount(stack());
  const account = await filled;
  const { page } = await openDashboard(stack(), newContext, account.owner, '/sites');
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto(stack().baseUrl + addressOf(account));
  return page;
}

const edgesOf = (shown: Locator) =>
  shown.evaluate((element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return { top, bottom, height };
  });

test('a span in the address stands above its panel, which is closed with a button', async () => {
  const page = await openOnPhone(
    ({ projectId, environmentId, traceId, spanId }) =>
      `/projects/${projectId}/${environmentId}/traces/${traceId}?span=${spanId}`,
  );
  const row = page.getByRole('treeitem', { selected: true });
  const panel = page.getByRole('complementary');
  await panel.getByRole('heading').waitFor();
  // The whole row is between the top of the view and the panel.
  await expect
    .poll(async () => {
      const [{ top, bottom }, { top: under }] = await Promise.all([edgesOf(row), edgesOf(panel)]);
      return top >= 0 && bottom <= under;
    })
    .toBe(true);
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => panel.innerText()).toContain('Choose');
  expect(new URL(page.url()).searchParams.has('span')).toBe(false);
});

test('a table that is wider than a phone says so: a shadow, a name, and the arrow keys scroll it', async () => {
  const page = await openOnPhone(
    ({ projectId, environmentId }) => `/projects/${projectId}/${environmentId}/services`,
  );
  const table = page.locator('.scrolls:has(.performance)');
  await expect.poll(() => table.getAttribute('tabindex')).toBe('0');
  expect(await table.ariaSnapshot()).toContain('group "Services"');
  const shadow = () => table.evaluate((one) => getComputedStyle(one).backgroundImage);
  expect(await shadow()).toContain('linear-gradient');
  await table.focus();
  await table.press('ArrowRight');
  await expect.poll(() => table.evaluate((one) => one.scrollLeft)).toBeGreaterThan(0);
  await page.setViewportSize({ width: 1280, height: 812 });
  await expect.poll(() => table.getAttribute('tabindex')).toBe(null);
  expect(await shadow()).toBe('none');
});

test('a period of two times is no wider than a phone', async () => {
  const page = await openOnPhone(
    ({ projectId, environmentId }) =>
      `/projects/${projectId}/${environmentId}/traces?from=2026-11-21T22:00:00.000Z&to=2026-11-22T10:30:00.000Z`,
  );
  const period = page.getByRole('button', { name: /^Period: Sat/ });
  await period.waitFor();
  await expect.poll(() => period.evaluate((one) => one.getBoundingClientRect().right)).toBeLessThan(375);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
});
