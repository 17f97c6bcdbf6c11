/** An agent shows views in a tab that its person allowed. */
import { expect, test } from 'vitest';
import { createAgent } from '../../functions/mcp/agent.ts';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

async function openAllowed() {
  const person = await createTenant(stack().sql);
  const agent = await createAgent(stack(), person.userId);
  const opened = await openDashboard(stack(), newContext, person, '/sites');
  const { page } = opened;
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Let an agent show views' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: '5 minutes', exact: true }).check();
  await page.getByRole('button', { name: 'Allow it' }).click();
  const band = page.getByRole('status').filter({ hasText: '“test”' });
  await band.getByText('“test” may change this tab for 5 min.').waitFor();
  return { ...opened, person, agent, band };
}

test('the tab shows what the agent asks for, says so, undoes it, and is left alone after one click', async () => {
  const { page, person, agent, band, complaints } = await openAllowed();
  const shown = await agent.ask('show_view', { view: 'goals', period: '7d' });
  expect(shown.data.result).toBe('shown');
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
    `/sites/${person.siteId}/goals?period=7d`,
  );
  await band.getByText('“test” opened this view at').waitFor();
  await band.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/sites');
  await band.getByRole('button', { name: 'End it' }).click();
  await band.waitFor({ state: 'detached' });
  expect((await agent.ask('show_view')).data.result).toBe('consent_required');
  expect(new URL(page.url()).pathname).toBe('/sites');
  expect(complaints).toEqual([]);
});

test('a tab that is closed is left alone at once', async () => {
  const { page, agent } = await openAllowed();
  await page.close();
  await expect.poll(async () => (await agent.ask('show_view')).data.result).toBe('consent_required');
});
