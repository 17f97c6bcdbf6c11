/** A day's work by keyboard alone: each control is reached with Tab, shows that it has the focus, and gets it back. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signUp } from '../../functions/account/browser.ts';
import { useStack } from '../../services/use-stack.ts';
import { openPage, PASSWORD, say } from '../account-pages.ts';
import { useChromium } from '../chromium.ts';
import { fillAccount } from './filled-account.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

/** More than any view of the test has. */
const MOST_STOPS = 120;

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Whether the focused element is in sight, and has an outline. */
const showsFocus = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const { top, bottom, width } = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isInSight = bottom > 0 && top < window.innerHeight && width > 0;
    return isInSight && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
  });

/** Goes on with Tab until the control has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if (stops > 0) await page.keyboard.press('Tab');
    if (!(await isFocused(target))) continue;
    expect(await showsFocus(page), `the focus of ${target} is to be seen`).toBe(true);
    return;
  }
  throw new Error(`Tab doesn’t lead to ${target}.`);
}

test('from signing in to signing out without a mouse', { timeout: 180_000 }, async () => {
  const filled = await fillAccount(stack());
  const { email } = await signUp(stack());
  await stack().sql`
    insert into project_members (project_id, user_id, role)
    select ${filled.projectId}, id, 'owner' from users where email = ${email}`;
  const { page, complaints } = await openPage(stack(), newContext, '/sign-in?to=/sites');
  const press = (key: string) => page.keyboard.press(key);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const enter = async (target: Locator): Promise<void> => {
    await tabTo(page, target);
    await press('Enter');
  };
  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

  // Sign in.
  await tabTo(page, page.getByLabel(say.fields.email).locator('visible=true'));
  await page.keyboard.type(email);
  await tabTo(page, page.getByLabel(say.fields.password).locator('visible=true').first());
  await page.keyboard.type(PASSWORD);
  await press('Enter');
  await page.waitForURL(/\/sites$/);

  // Choose a site. Its view begins where the focus is.
  await enter(page.locator(`main h2 a[href^="/sites/${filled.siteId}"]`));
  await page.waitForURL(new RegExp(`/sites/${filled.siteId}`));
  await expect.poll(() => isFocused(page.locator('main'))).toBe(true);

  // Another period, with the arrow keys. Escape closes a menu too.
  const period = button(/^Period/);
  await enter(period);
  await expect.poll(() => page.locator('.menu:popover-open').count()).toBe(1);
  await press('Escape');
  await expect.poll(() => page.locator('.menu:popover-open').count()).toBe(0);
  expect(await isFocused(period)).toBe(true);
  await press('ArrowDown');
  const choices = page.locator('.menu:popover-open a');
  for (let step = 0; step < 10 && !(await isFocused(choices.filter({ hasText: 'Last 90 days' }))); step += 1)
    await press('ArrowDown');
  await press('Enter');
  await expect.poll(() => parameter('period')).toBe('90d');
  expect(await isFocused(period)).toBe(true);

  // The chart in parts, read with the arrow keys; then the map, where Enter keeps a country.
  const split = button(/^Split by/);
  await enter(split);
  await press('ArrowDown');
  for (let step = 0; step < 20 && !(await isFocused(choices.filter({ hasText: 'Country' }))); step += 1)
    await press('ArrowDown');
  await press('Enter');
  await expect.poll(() => parameter('by')).toBe('country');
  const parts = page.getByRole('slider', { name: /Split by: Country/ });
  await tabTo(page, parts);
  await press('End');
  // Soon after midnight the visits are of the day before.
  await expect
    .poll(async () => {
      const text = await parts.getAttribute('aria-valuetext');
      if (!text?.includes('Portugal')) await press('ArrowLeft');
      return text;
    })
    .toContain('Portugal');
  await enter(page.getByRole('tab', { name: 'Map' }));
  await expect.poll(() => parameter('places')).toBe('map');
  const map = page.getByRole('slider', { name: /^Countries/ });
  await map.locator('.shade-5').first().waitFor();
  await tabTo(page, map);
  await press('Home');
  await expect.poll(() => map.getAttribute('aria-valuetext')).toMatch(/^Spain: /);
  await press('Enter');
  await expect.poll(() => parameter('filter_country')).toBe('ES');
  await enter(link('Remove the filter by Country'));
  await expect.poll(() => parameter('filter_country')).toBe(null);

  // A filter. The dialog begins with its first field.
  const filter = button('Filter');
  await enter(filter);
  await expect.poll(() => isFocused(dialog.getByRole('combobox').first())).toBe(true);
  await tabTo(page, dialog.getByRole('textbox', { name: 'Values' }));
  await page.keyboard.type('/pricing');
  await press('Enter');
  await expect.poll(() => dialog.getByRole('checkbox', { checked: true }).count()).toBe(1);
  await press('Enter');
  await expect.poll(() => parameter('filter_page')).toBe('/pricing');
  await expect.poll(() => isFocused(filter)).toBe(true);
  await enter(link('Remove the filter by Page'));
  await expect.poll(() => parameter('filter_page')).toBe(null);

  // A whole list, searched. Escape closes it, and the focus is on what opened it.
  const details = link('Details: Pages');
  await enter(details);
  await expect.poll(() => isFocused(dialog.getByRole('searchbox'))).toBe(true);
  await page.keyboard.type('pric');
  await expect.poll(() => dialog.locator('tbody tr').allInnerTexts()).toHaveLength(1);
  await press('Tab');
  await press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  await expect.poll(() => parameter('details')).toBe(null);
  await expect.poll(() => isFocused(details)).toBe(true);

  // A goal.
  await enter(page.getByRole('navigation').getByRole('link', { name: 'Goals', exact: true }));
  await page.waitForURL(/\/goals/);
  const add = button('Add a goal');
  await enter(add);
  await expect.poll(() => isFocused(dialog.getByLabel('Name', { exact: true }))).toBe(true);
  await press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  await expect.poll(() => isFocused(add)).toBe(true);
  await press('Enter');
  await expect.poll(() => isFocused(dialog.getByLabel('Name', { exact: true }))).toBe(true);
  await page.keyboard.type('Saw the prices');
  await press('Tab');
  expect(await isFocused(dialog.getByRole('radio', { name: 'An event' }))).toBe(true);
  await press('ArrowDown');
  await tabTo(page, dialog.getByLabel('Path of the page'));
  await page.keyboard.type('/pricing');
  await enter(dialog.getByRole('button', { name: 'Add', exact: true }));
  await link('Saw the prices').waitFor();
  await expect.poll(() => isFocused(add)).toBe(true);

  // A trace, and a span of it.
  await enter(link('Vendor'));
  const { projectId, environmentId } = filled;
  await enter(page.locator(`main a[href^="/projects/${projectId}/${environmentId}/"]`).first());
  await page.waitForURL(/\/services/);
  await enter(page.getByRole('navigation').getByRole('link', { name: 'Traces', exact: true }));
  const traces = page
    .getByRole('region', { name: 'Traces, newest first' })
    .getByRole('listitem')
    .getByRole('link');
  await traces.first().waitFor();
  await press('j');
  await expect.poll(() => isFocused(traces.first())).toBe(true);
  await press('Enter');
  await page.waitForURL(/\/traces\/[0-9a-f]{32}/);
  const tree = page.getByRole('tree');
  await tabTo(page, tree);
  await press('Home');
  await press('ArrowDown');
  const chosen = tree.locator('[aria-selected=true]');
  await expect.poll(() => chosen.getAttribute('aria-level')).toBe('2');
  await page.getByRole('complementary', { name: 'Span' }).getByRole('heading').first().waitFor();

  // From a trace to the page that asked, from the page to its requests, and back.
  await page.goBack();
  await enter(traces.filter({ hasText: 'POST /order' }).first());
  const journey = page.getByRole('region', { name: 'Journey' });
  await enter(journey.getByRole('button', { name: /^answered by/ }));
  await page.getByRole('complementary', { name: 'Span' }).getByRole('heading').first().waitFor();
  await enter(journey.getByRole('link', { name: '/checkout' }));
  await page.waitForURL(/filter_page=%2Fcheckout/);
  const requests = page.getByRole('region', { name: 'Requests to backends' });
  await enter(requests.getByRole('link', { name: 'slowest' }).first());
  await page.waitForURL(/\/traces\/[0-9a-f]{32}/);
  await journey.waitFor();

  // The theme, and out.
  const account = button('Account');
  await enter(account);
  await enter(page.locator('.menu:popover-open').getByRole('button', { name: 'Dark', exact: true }));
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await press('Escape');
  await expect.poll(() => isFocused(account)).toBe(true);
  await press('Enter');
  await enter(page.locator('.menu:popover-open').getByRole('button', { name: 'Sign out', exact: true }));
  await page.waitForURL(`${stack().baseUrl}/`);
  expect(complaints).toEqual([]);
});

test('the first Tab of every view leads to the link to the content', async () => {
  const { owner, siteId, projectId, environmentId } = await fillAccount(stack());
  const { page, go } = await openDashboard(stack(), newContext, owner, '/sites');
  const backend = `/projects/${projectId}/${environmentId}`;
  for (const path of ['/sites', `/sites/${siteId}`, `/sites/${siteId}/goals`, '/settings', backend]) {
    await go(path);
    await page.locator('.views').or(page.locator('.site-card')).first().waitFor();
    await page.keyboard.press('Tab');
    expect([path, await isFocused(page.getByRole('link', { name: 'Go to the content' }))]).toEqual([
      path,
      true,
    ]);
  }
});
