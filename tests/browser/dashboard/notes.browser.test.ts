/** What happened on the days of the chart: annotations and changes of the privacy policy, by mouse, touch and keyboard. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pageview, session } from '../../lib/analytics/reports-world.ts';
import { addMember } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const DAY_MS = 86_400_000;
const dayAgo = (days: number): string => new Date(Date.now() - DAY_MS * days).toISOString().slice(0, 10);

const newShop = () =>
  newSite(stack(), session('Ada', [pageview(new Date(Date.now() - 3 * DAY_MS).toISOString())]));

const menu = (page: Page) => page.getByRole('button', { name: 'What happened' });

/** The notes in the menu, which is opened. */
const notesOf = (page: Page) => async (): Promise<string[]> => {
  const list = page.getByRole('list', { name: 'What happened' });
  if (!(await list.isVisible())) await menu(page).click();
  return (await list.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0]?.trim() ?? '');
};

test('an owner adds a note from the chart, reads it there, and deletes it', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const kept = async () =>
    (await askApi(stack(), shop, 'GET', `${path}/analytics/annotations?period=7d`)).body.data;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `${path}?period=7d`);
  const chart = page.getByRole('slider');
  await chart.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).search).toBe(`?from=${dayAgo(2)}&to=${dayAgo(2)}`);
  await menu(page).click();
  await page.getByRole('button', { name: 'Add a note …' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Day').inputValue()).toBe(dayAgo(2));
  await dialog.getByLabel('Note').fill('The new shop opened');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await notesOf(page)())[0]).toContain('The new shop opened');
  expect(await kept()).toMatchObject([{ date: dayAgo(2), text: 'The new shop opened' }]);
  await page.goBack();
  await expect.poll(() => new URL(page.url()).search).toBe('?period=7d');
  await page.locator('.chart .mark').waitFor();
  expect(await page.locator('.chart .mark').count()).toBe(1);

  // The crosshair has it, for keyboard and mouse.
  await chart.focus();
  await page.keyboard.press('Home');
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain('The new shop opened');
  await page.locator('.chart .mark circle').hover({ force: true });
  expect(await page.locator('.chart .tip').innerText()).toContain('The new shop opened');

  // In a month's bucket it is too.
  await page.goto(`${stack().baseUrl}${path}?period=7d&interval=month`);
  await expect.poll(async () => (await notesOf(page)()).length).toBe(1);
  await expect.poll(() => page.locator('.chart .mark').count()).toBe(1);

  await page.getByRole('button', { name: 'Delete The new shop opened' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => page.locator('.chart .mark').count()).toBe(0);
  expect(await kept()).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a change of the privacy policy is a mark for who may read the audit log; viewers only read notes', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { status } = await askApi(stack(), shop, 'PUT', `${path}/privacy`, {
    ...{ jurisdiction: 'PT', consentMode: 'required', preConsentTier: 'sessions', retentionMonths: 25 },
  });
  expect(status).toBe(200);
  await askApi(stack(), shop, 'POST', `${path}/analytics/annotations`, {
    date: dayAgo(1),
    text: 'A letter went out',
  });
  const owner = await openDashboard(stack(), newContext, shop, `${path}?period=7d`);
  await expect
    .poll(async () => (await notesOf(owner.page)()).map((text) => text.replace(/^\w+ \d+ /, '')))
    .toEqual(['A letter went out', 'The privacy policy changed']);
  expect(await owner.page.locator('.chart .mark').count()).toBe(2);

  const viewer = await addMember(stack().sql, shop.projectId, 'viewer');
  const { page, complaints } = await openDashboard(stack(), newContext, viewer, `${path}?period=7d`);
  await expect.poll(async () => (await notesOf(page)()).join()).toContain('A letter went out');
  expect(await page.getByRole('button', { name: 'Add a note …' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  expect([...owner.complaints, ...complaints]).toEqual([]);
});
