/** API keys and query tokens in the dashboard. */
import { expect, test } from 'vitest';
import { createProject, createSite, createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

async function openKeys() {
  const tenant = await createTenant(stack().sql);
  const opened = await openDashboard(stack(), newContext, tenant, '/settings/keys');
  const part = (name: string) => opened.page.getByRole('region', { name, exact: true });
  const ask = async (path: string) => {
    const response = await stack().fetch(`/api/v1/account/${path}`, { headers: { Cookie: tenant.cookie } });
    return (await response.json()).data;
  };
  return { tenant, ...opened, part, ask, dialog: opened.page.getByRole('dialog') };
}

test('an API key is made for one site until a day, shown once, used, and revoked', async () => {
  const { tenant, page, part, ask, dialog, complaints } = await openKeys();
  const keys = part('API keys');
  await keys.getByRole('button', { name: 'Revoke test' }).waitFor();
  await keys.getByRole('button', { name: 'New API key' }).click();
  await dialog.getByLabel('Name').fill('Reports');
  await dialog.getByRole('group', { name: 'Websites' }).getByRole('radio', { name: 'Only these' }).check();
  await expect.poll(() => dialog.getByRole('button', { name: 'Make it' }).isDisabled()).toBe(true);
  await dialog.getByRole('checkbox', { name: 'Example' }).check();
  await dialog.getByLabel('Last day').fill('2020-01-31');
  await dialog.getByRole('button', { name: 'Make it' }).click();
  await dialog.getByRole('alert').getByText('The last day is over already.').waitFor();
  await dialog.getByLabel('Last day').fill('2099-12-31');
  await dialog.getByRole('button', { name: 'Make it' }).click();

  const token = await keys.getByRole('figure', { name: 'The key' }).locator('code').innerText();
  expect(token).toMatch(/^vapi_/);
  expect((await ask('api-keys')).at(-1)).toMatchObject({
    name: 'Reports',
    access: 'read',
    siteIds: [tenant.siteId],
    projectIds: null,
  });
  const sites = async () => {
    const response = await stack().fetch('/api/v1/sites', { headers: { Authorization: `Bearer ${token}` } });
    return { status: response.status, data: (await response.json()).data };
  };
  expect((await sites()).data).toMatchObject([{ id: tenant.siteId }]);
  const entry = keys.getByRole('listitem').filter({ hasText: 'Reports' });
  expect(await entry.innerText()).toContain('Read · Example');
  expect(await entry.innerText()).toMatch(/never used, until \w+, December 31, 2099/);

  await keys.getByRole('button', { name: 'I have copied it' }).click();
  await expect.poll(() => page.locator('body').innerText()).not.toContain(token);
  await entry.getByRole('button', { name: 'Revoke Reports' }).click();
  await dialog.getByText('refused within a minute').waitFor();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await entry.waitFor({ state: 'detached' });
  expect((await ask('api-keys')).map(({ name }: { name: string }) => name)).toEqual(['test']);
  expect(complaints).toEqual([]);
});

test('a query token: presets, single scopes, lines for each client', async () => {
  const { part, ask, dialog, complaints } = await openKeys();
  const tokens = part('Query tokens');
  await tokens.getByText('No query token yet.').waitFor();
  await tokens.getByRole('button', { name: 'New query token' }).click();
  await dialog.getByLabel('Name').fill('Agent');
  await dialog.getByRole('radio', { name: 'Websites only' }).check();
  await dialog.getByRole('radio', { name: 'What you choose' }).check();
  await expect.poll(() => dialog.getByRole('checkbox', { checked: true }).count()).toBe(2);
  await dialog.getByRole('checkbox', { name: 'sites:read' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'analytics:read' }).uncheck();
  await expect.poll(() => dialog.getByRole('button', { name: 'Make it' }).isDisabled()).toBe(true);
  await dialog.getByRole('radio', { name: 'Everything, to read' }).check();
  await dialog.getByRole('button', { name: 'Make it' }).click();
  const token = await tokens.getByRole('figure', { name: 'The key' }).locator('code').innerText();
  expect(token).toMatch(/^vqry_/);
  expect(await ask('query-tokens')).toMatchObject([
    {
      name: 'Agent',
      scopes: ['sites:read', 'analytics:read', 'telemetry:read', 'outcomes:read'],
      projectIds: null,
      siteIds: null,
      expiresAt: null,
    },
  ]);
  const lines = async (client: string) => {
    await tokens.getByRole('tab', { name: client }).click();
    return tokens.getByRole('figure', { name: client }).locator('code').innerText();
  };
  const url = `${stack().baseUrl}/mcp`;
  const headers = { Authorization: `Bearer ${token}` };
  expect(await lines('Claude Code')).toBe(
    `claude mcp add --transport http vendor ${url} --header "Authorization: Bearer ${token}"`,
  );
  expect(JSON.parse(await lines('Cursor'))).toEqual({ mcpServers: { vendor: { url, headers } } });
  expect(JSON.parse(await lines('VS Code'))).toEqual({ servers: { vendor: { type: 'http', url, headers } } });
  expect(complaints).toEqual([]);
});

test('sites are those of the chosen projects', async () => {
  const { tenant, page, part, dialog, ask } = await openKeys();
  const second = await createProject(stack().sql, tenant, 'viewer');
  const siteId = await createSite(stack().sql, second);
  await stack().sql`update sites set name = 'Second' where id = ${siteId}`;
  await stack().sql`update projects set name = 'Other' where id = ${second}`;
  await page.reload();
  await part('Query tokens').getByRole('button', { name: 'New query token' }).click();
  await dialog.getByLabel('Name').fill('Narrow');
  await dialog.getByRole('group', { name: 'Websites' }).getByRole('radio', { name: 'Only these' }).check();
  await dialog.getByRole('checkbox', { name: 'Example' }).check();
  await dialog.getByText('it opens no backend').waitFor();
  await dialog.getByRole('group', { name: 'Projects' }).getByRole('radio', { name: 'Only these' }).check();
  await dialog.getByRole('checkbox', { name: 'Other' }).check();
  await expect.poll(() => dialog.getByRole('checkbox', { name: 'Example' }).count()).toBe(0);
  await dialog.getByRole('checkbox', { name: 'Second' }).check();
  await dialog.getByRole('button', { name: 'Make it' }).click();
  await part('Query tokens').getByRole('figure', { name: 'The key' }).waitFor();
  expect(await ask('query-tokens')).toMatchObject([{ projectIds: [second], siteIds: [siteId] }]);
});

test('a query token is made, copied and revoked by keyboard alone', async () => {
  const { page, part, ask, complaints } = await openKeys();
  /** Goes on to the control with this name, or back to it. */
  const goTo = async (name: string, key = 'Tab'): Promise<void> => {
    for (let steps = 0; steps < 60; steps += 1) {
      await page.keyboard.press(key);
      const reached = await page.evaluate(() => {
        const { activeElement: at } = document;
        const label = at instanceof HTMLInputElement ? at.labels?.[0]?.innerText : undefined;
        return label ?? (at as HTMLElement).innerText;
      });
      if (reached.includes(name)) return;
    }
    throw new Error(`Tab leads to no ${name}.`);
  };
  await part('Query tokens').getByText('No query token yet.').waitFor();
  await goTo('New query token');
  await page.keyboard.press('Enter');
  // The dialog begins with its first field.
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('By keys');
  await goTo('Everything, to read');
  await page.keyboard.press('ArrowDown');
  await goTo('Make it');
  await page.keyboard.press('Enter');
  const shown = part('Query tokens').getByRole('figure', { name: 'The key' }).locator('code');
  await shown.waitFor();
  expect(await ask('query-tokens')).toMatchObject([
    { name: 'By keys', scopes: ['sites:read', 'analytics:read'] },
  ]);
  await goTo('Copy', 'Shift+Tab');
  await page.keyboard.press('Enter');
  const token = await shown.innerText();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(token);
  await goTo('Revoke');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await goTo('Revoke');
  await page.keyboard.press('Enter');
  await part('Query tokens').getByText('By keys', { exact: true }).first().waitFor({ state: 'detached' });
  await expect.poll(() => ask('query-tokens')).toEqual([]);
  expect(complaints).toEqual([]);
});
