/** Alerts in the dashboard: a rule with its preview, the list, muting, deletion, the bell, and what viewers see. */
import { expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { createWorld } from '../../functions/telemetry/sent-spans.ts';
import { consented, pageview } from '../../lib/analytics/reports-world.ts';
import { addMember, createTenant } from '../../security/tenant.ts';
import { addAlert } from '../../security/test-alert.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();
const MINUTE_MS = 60_000;

/** A site with 30 visits of an hour ago, so that its counted minutes have something to cross a limit. */
async function siteWithVisits() {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  const at = (n: number): string => new Date(Date.now() - 70 * MINUTE_MS + n * 1000).toISOString();
  await foldBatch(
    sql,
    Array.from({ length: 30 }, (_, n) => ({
      ...consented(`${n} there`, [pageview(at(n), '/')], { country: n < 20 ? 'PT' : 'ES' }),
      siteId: tenant.siteId,
    })),
    Date.now(),
  );
  return { ...tenant, path: `/sites/${tenant.siteId}/alerts` };
}

test('a rule is tried, made, muted, changed and deleted', async () => {
  const site = await siteWithVisits();
  const { page, complaints } = await openDashboard(stack(), newContext, site, site.path);
  const main = page.locator('main');
  await main.getByText('No alert yet').waitFor();
  await main.getByRole('link', { name: 'New alert' }).click();

  await main.getByLabel('Name').fill('Many Portuguese');
  await main.getByLabel('Only visits by').selectOption('country');
  await main.getByRole('checkbox', { name: 'Portugal' }).check();
  await main.getByLabel('Limit').fill('15');
  await main.getByLabel('Time that is looked at').fill('10');
  const preview = main.getByRole('region', { name: 'The last 14 days' });
  await preview.getByText('It would have fired 1 time.').waitFor();
  await preview.getByText('Visits (Country is Portugal) above 15 in 10 minutes').waitFor();
  expect(await preview.locator('.chart .fired').count()).toBe(1);
  expect(await preview.locator('.firings li').count()).toBe(1);
  expect(await preview.locator('.chart .line.limit').getAttribute('d')).toMatch(/^M/);
  await main.getByLabel('Limit').fill('25');
  // Its minutes aren't counted back for all 14 days.
  await preview.getByText(/^It would not have fired since /).waitFor();
  expect(await preview.locator('.chart .fired').count()).toBe(0);

  await main.getByRole('button', { name: 'New alert' }).click();
  const row = main.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
  await row.getByText('Visits (Country is Portugal) above 25 in 10 minutes').waitFor();
  await row.getByText('The project has no channel yet, so nobody hears of it.').waitFor();
  await row.getByRole('link', { name: 'Many Portuguese' }).click();

  await main.getByRole('button', { name: 'Mute' }).click();
  await main.getByRole('button', { name: '8 hours' }).click();
  await main.getByText('Muted', { exact: true }).waitFor();
  await main.getByText(/muted until/).waitFor();
  await main.getByRole('button', { name: 'End muting' }).click();
  await main.getByText('Not evaluated yet').waitFor();

  await main.getByRole('button', { name: 'Mute' }).click();
  await main.getByRole('button', { name: 'Mute until …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Until').fill('2020-01-01T00:00');
  await dialog.getByRole('button', { name: 'Mute' }).click();
  await expect.poll(() => dialog.getByLabel('Until').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await main.getByRole('link', { name: 'Change Many Portuguese' }).click();
  expect(await main.getByLabel('Limit').inputValue()).toBe('25');
  expect(await main.getByRole('checkbox', { name: 'Portugal' }).isChecked()).toBe(true);
  await main.getByLabel('Number').selectOption('pageviews');
  await main.getByRole('button', { name: 'Save' }).click();
  await main.getByText('Page views above 25 in 10 minutes').first().waitFor();

  await main.getByRole('button', { name: 'Delete Many Portuguese' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await main.getByText('No alert yet').waitFor();
  expect(complaints).toEqual([]);
});

test('the first channel is added within the alert, and gets its messages', async () => {
  const site = await siteWithVisits();
  const { page, complaints } = await openDashboard(stack(), newContext, site, `${site.path}?alert=new`);
  const main = page.locator('main');
  await main.getByLabel('Name').fill('Busy');
  await main.getByLabel('Limit').fill('500');
  const channels = main.getByRole('group', { name: 'Who hears of it' });
  await channels.getByText('The project has no channel yet').waitFor();
  await channels.getByRole('button', { name: 'Add a channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Webhook' }).check();
  await dialog.locator('[name=url]').fill('https://hooks.example/here');
  await dialog.locator('[name=name]').fill('On call');
  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(2);
  await dialog.getByRole('button', { name: 'Add' }).click();
  // What was filled in before is still there, and the secret is shown once.
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  await expect.poll(() => channels.getByRole('checkbox', { name: 'On call' }).isChecked()).toBe(true);
  expect(await main.getByLabel('Name').inputValue()).toBe('Busy');
  await main.getByRole('button', { name: 'New alert' }).click();
  await main.getByRole('list', { name: 'Alerts' }).getByRole('link', { name: 'Busy' }).click();
  await main.getByText('On call').waitFor();
  expect(complaints).toEqual([]);
});

test('a ready-made rule of a backend is filled in, and what the service refuses stands at its field', async () => {
  const world = await createWorld(stack());
  const path = `/projects/${world.projectId}/${world.environmentId}/alerts`;
  const { page, complaints } = await openDashboard(stack(), newContext, world.owner, path);
  const main = page.locator('main');
  await main.getByRole('link', { name: 'Error rate above 5%' }).click();
  expect(await main.getByLabel('Limit (%)').inputValue()).toBe('5');
  await main.getByText('Error rate above 5% in 5 minutes').waitFor();
  // White space alone passes the browser's check, and is no name.
  await main.getByLabel('Name').fill('   ');
  await main.getByRole('button', { name: 'New alert' }).click();
  const name = main.getByLabel('Name');
  await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
  const rule = await name.getAttribute('aria-describedby');
  expect(await page.locator(`[id="${rule}"]`).innerText()).toBe('must not be empty');
  expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
  await name.fill('Checkout fails');
  await main.getByLabel('Operation').fill('POST /pay');
  await main.getByRole('combobox', { name: 'Service' }).fill('checkout');
  await main.getByRole('button', { name: 'New alert' }).click();
  await main.getByText('Error rate (checkout, POST /pay) above 5% in 5 minutes').waitFor();
  expect(complaints).toEqual([]);
});

test('the bell says what fires, and leads to it', async () => {
  const { sql } = stack();
  const site = await createTenant(sql);
  const quiet = await openDashboard(stack(), newContext, site, '/sites');
  await quiet.page.getByRole('button', { name: 'Alerts: nothing fires' }).click();
  await quiet.page.getByText('Nothing fires', { exact: true }).waitFor();
  await addAlert(sql, site);
  const { page, complaints } = await openDashboard(stack(), newContext, site, '/sites');
  const bell = page.getByRole('button', { name: 'Alerts: 1 fires' });
  await bell.focus();
  await page.keyboard.press('ArrowDown');
  const entry = page.locator('.firing').getByRole('link');
  await entry.waitFor();
  expect(await entry.innerText()).toMatch(/Busy.*Visits: 912.*since/s);
  await entry.click();
  await page.waitForURL(/\/alerts\?alert=/);
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('Channels heard that it fires.').waitFor();
  expect(await history.getByRole('listitem').innerText()).toMatch(/Fires.*912.*limit 500/s);
  expect(complaints).toEqual([]);
});

test('a viewer sees the list and the history, and no button', async () => {
  const { sql } = stack();
  const site = await createTenant(sql);
  const viewer = await addMember(sql, site.projectId, 'viewer');
  const path = `/sites/${site.siteId}/alerts`;
  const { page, go, complaints } = await openDashboard(stack(), newContext, viewer, path);
  const main = page.locator('main');
  await main.getByText('Owners and admins of the project make alerts.').waitFor();
  expect(await main.getByRole('link', { name: 'New alert' }).count()).toBe(0);
  const id = await addAlert(sql, site);
  await go(`${path}?alert=new`);
  await main.getByRole('link', { name: 'Busy' }).waitFor();
  expect(await main.locator('form').count()).toBe(0);
  await main.getByRole('link', { name: 'Busy' }).click();
  await main.getByText('Channels heard that it fires.').waitFor();
  expect(await main.getByRole('button').count()).toBe(0);
  await go(`${path}?alert=${id}:change`);
  await main.getByText('Channels heard that it fires.').waitFor();
  expect(await main.locator('form').count()).toBe(0);
  expect(complaints).toEqual([]);
});
