/** Dialogs under quick hands: a key pressed the moment a dialog has gone. */
import { expect, test } from 'vitest';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

test('a dialog opens again as soon as the focus is back on its button', async () => {
  const owner = await createTenant(stack().sql);
  const { page, complaints } = await openDashboard(
    stack(),
    newContext,
    owner,
    `/sites/${owner.siteId}/goals`,
  );
  const button = await page.getByRole('button', { name: 'Add a goal', exact: true }).first().elementHandle();
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
  await button?.focus();
  for (let round = 0; round < 20; round += 1) {
    await page.keyboard.press('Enter');
    await name.waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction((element) => document.activeElement === element, button);
  }
  expect(complaints).toEqual([]);
});
