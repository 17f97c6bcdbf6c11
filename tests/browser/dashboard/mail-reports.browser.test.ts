/** Reports by mail in the settings of a site. */
import { expect, test } from 'vitest';
import { addMember } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

async function openSettings() {
  const owner = await newSite(stack());
  await stack().sql`update sites set timezone = 'Asia/Tokyo' where id = ${owner.siteId}`;
  const path = `/sites/${owner.siteId}/settings`;
  const opened = await openDashboard(stack(), newContext, owner, path);
  const section = opened.page.getByRole('region', { name: 'Reports by mail' });
  const ask = async (method: string, more = '', body?: object) =>
    (await askApi(stack(), owner, method, `/sites/${owner.siteId}/${more}`, body)).body;
  return { owner, path, ...opened, section, dialog: opened.page.getByRole('dialog'), ask };
}

test('a report is added for a segment, changed to each month, and deleted', async () => {
  const { section, dialog, ask, page, complaints } = await openSettings();
  await ask('POST', 'segments', { name: 'Iberia', filters: { country: 'PT|ES' }, shared: true });
  await section.getByText('No report is sent yet').waitFor();
  await section.getByRole('button', { name: 'Add a report' }).press('Enter');
  await dialog.getByRole('combobox', { name: 'On', exact: true }).selectOption('Wednesday');
  const addresses = dialog.getByLabel('Addresses, one a line');
  await expect.poll(() => dialog.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
  await addresses.fill('nobody');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('Enter an e-mail address.').waitFor();
  expect(await addresses.getAttribute('aria-invalid')).toBe('true');
  const first = `${crypto.randomUUID()}@example.com`;
  await addresses.fill(first);
  await dialog.getByLabel('Language').selectOption('Português');
  await dialog.getByLabel('What it counts').selectOption('Iberia');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  const entry = section.getByRole('list', { name: 'Reports by mail' }).getByRole('listitem').first();
  await entry.getByText('Each week, on Wednesday').waitFor();
  const text = await entry.innerText();
  expect(text).toContain(first);
  expect(text).toMatch(/not confirmed yet[\s\S]*Português · only the segment Iberia/);
  expect(text).toMatch(/Next: Wed, \w+ \d+, 8:00\sAM \(Asia\/Tokyo\) · not sent yet/);

  await entry.getByRole('button', { name: /^Change/ }).click();
  await dialog.getByRole('radio', { name: 'Each month' }).check();
  await dialog.getByRole('checkbox', { name: first }).uncheck();
  const second = `${crypto.randomUUID()}@example.com`;
  await dialog.getByLabel('Further addresses').fill(second);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await entry.getByText('Each month, on the first').waitFor();
  const { data } = await ask('GET', 'mail-reports');
  expect(data).toMatchObject([{ every: 'month', recipients: [{ address: second, state: 'waiting' }] }]);

  await entry.getByRole('link', { name: second }).click();
  await page.getByRole('heading', { name: second }).waitFor();
  await page.goBack();
  await entry.getByRole('button', { name: /^Delete/ }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await section.getByText('No report is sent yet').waitFor();
  expect(complaints).toEqual([]);
});

test('a viewer sees the reports and no button', async () => {
  const { owner, ask, path } = await openSettings();
  await ask('POST', 'mail-reports', { every: 'day', recipients: [`${crypto.randomUUID()}@example.com`] });
  const viewer = await addMember(stack().sql, owner.projectId, 'viewer');
  const { page, complaints } = await openDashboard(stack(), newContext, viewer, path);
  const section = page.getByRole('region', { name: 'Reports by mail' });
  await section.getByText('Each day').waitFor();
  expect(await section.getByRole('button').count()).toBe(0);
  expect(complaints).toEqual([]);
});
