/** Channels of a project in the dashboard: a webhook from its address to a delivery that is sent again. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../functions/messages/receiver.ts';
import { addMember, createTenant } from '../../security/tenant.ts';
import { useOwnStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useOwnStack({ vars: { LOOPBACK_RECEIVERS: 'allowed' } });
const newContext = useChromium();

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(() => ({ status: 200, body: 'got it' }));
});
afterAll(() => receiver.close());

async function openChannels() {
  const tenant = await createTenant(stack().sql);
  const path = `/projects/${tenant.projectId}/channels`;
  const opened = await openDashboard(stack(), newContext, tenant, path);
  const { page } = opened;
  const deliveries = page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem');
  return { ...tenant, ...opened, path, deliveries, dialog: page.getByRole('dialog') };
}
const messagesTo = (path: string) => receiver.received.filter((got) => got.path === path);

test('a webhook is added, its secret is shown once and verifies the test, which is seen and sent again', async () => {
  const { page, dialog, deliveries, complaints, go, path } = await openChannels();
  await page.getByText('No channel yet').waitFor();
  await page.getByRole('button', { name: 'Add a channel' }).press('Enter');
  await dialog.getByRole('radio', { name: 'Webhook' }).check();
  // Until the page is drawn again, the field takes mailboxes.
  const address = dialog.getByLabel('Address', { exact: true }).and(dialog.locator('[type=url]'));
  await address.fill('https://10.0.0.1/hook');
  await address.press('Enter');
  const rule = dialog.getByText('Its host must be public');
  await rule.waitFor();
  expect([await address.getAttribute('aria-describedby'), await dialog.getByRole('alert').count()]).toEqual([
    await rule.getAttribute('id'),
    0,
  ]);
  await expect.poll(() => address.evaluate((input) => input === document.activeElement)).toBe(true);
  const hook = `/${crypto.randomUUID()}`;
  await address.fill(receiver.url + hook);
  await dialog.getByLabel('Name').fill('Incidents');
  await dialog.getByRole('checkbox', { name: 'An alert fires' }).check();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  const shown = page.getByRole('figure', { name: 'Secret' });
  const secret = await shown.locator('code').innerText();
  expect(secret).toMatch(/^whsec_/);
  await shown.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);

  await page.getByText('Nothing was sent in the last 30 days').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('A test is on its way').waitFor();
  const row = deliveries.first();
  await row.getByText('got it').waitFor();
  expect(await row.innerText()).toMatch(/Test[\s\S]*200[\s\S]*ms/);
  const [message] = messagesTo(hook);
  expect(
    new Webhook(secret).verify(message?.body ?? '', message?.headers as Record<string, string>),
  ).toMatchObject({
    type: 'channel.test',
  });

  await page.getByRole('tab', { name: 'By hand' }).click();
  const byHand = await page.getByRole('figure', { name: 'By hand' }).locator('code').innerText();
  const { stdout } = await promisify(execFile)('sh', ['-c', byHand], {
    env: {
      ...{ PATH: process.env.PATH, WEBHOOK_SECRET: secret, BODY: message?.body },
      WEBHOOK_ID: String(message?.headers['webhook-id']),
      WEBHOOK_TIMESTAMP: String(message?.headers['webhook-timestamp']),
    },
  });
  expect(message?.headers['webhook-signature']).toBe(`v1,${stdout.trim()}`);

  await row.getByRole('button', { name: /^Send again/ }).click();
  await expect.poll(() => deliveries.count()).toBe(2);
  expect(await deliveries.first().innerText()).toContain('attempt 2');
  const ids = messagesTo(hook).map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([ids[0], ids[0]]);

  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expect.poll(() => page.locator('body').innerText()).not.toContain(secret);
  await go(path);
  await page.getByRole('list', { name: 'Channels' }).getByRole('link', { name: 'Incidents' }).click();
  await deliveries.first().waitFor();
  expect(await page.locator('body').innerText()).not.toContain(secret);
  expect(complaints).toEqual([]);
});

test('a webhook gets a new secret, is paused and goes on, is changed and deleted', async () => {
  const { page, dialog, go, path, complaints } = await openChannels();
  await page.getByRole('button', { name: 'Add a channel' }).click();
  await dialog.getByRole('radio', { name: 'Webhook' }).check();
  await dialog.locator('[type=url]').fill(`${receiver.url}/other`);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = page.getByRole('figure', { name: 'Secret' }).locator('code');
  const old = await secret.innerText();

  await page.getByRole('button', { name: 'New secret' }).click();
  await dialog.getByText('For 24 hours').waitFor();
  await dialog.getByRole('button', { name: 'New secret' }).click();
  await expect.poll(() => secret.innerText()).not.toBe(old);
  await page.getByText('signed with the old secret too until').waitFor();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('By somebody of the project').waitFor();
  expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Active').waitFor();

  await page.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Name').fill('Renamed');
  await dialog.getByRole('checkbox', { name: 'An import is finished' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Renamed', exact: true }).waitFor();
  await go(path);
  await page.getByRole('link', { name: 'Renamed' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No channel yet').waitFor();
  expect(complaints).toEqual([]);
});

test('a mailbox waits for its recipient; the same address again is refused', async () => {
  const { page, dialog, go, path } = await openChannels();
  const address = `${crypto.randomUUID()}@example.com`;
  const add = async () => {
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await dialog.getByLabel('E-mail address').fill(address);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await add();
  await page.getByText('Not confirmed yet').waitFor();
  await page.getByRole('button', { name: 'Ask the recipient again' }).click();
  await page.getByText('The recipient is asked again.').waitFor();
  await expect.poll(() => stack().mail.sent.filter(({ to }) => to === address).length).toBe(2);
  await go(path);
  await add();
  await dialog.getByRole('alert').getByText('already has a channel with this address').waitFor();
});

test('a viewer sees channels and deliveries, and no button that would be refused', async () => {
  const { projectId, path } = await openChannels();
  const viewer = await addMember(stack().sql, projectId, 'viewer');
  const { page, complaints } = await openDashboard(stack(), newContext, viewer, path);
  await page.getByText('Ask an owner or admin').waitFor();
  const [channel] = await stack().sql`
    insert into message_channels (project_id, kind, name, address, events, language, created_at, confirmed_at, counted_as)
    values (${projectId}, 'slack', 'Ops', 'https://hooks.slack.com/x', '{}', 'en', now(), now(), '\\x00')
    returning id`;
  await page.reload();
  await page.getByRole('link', { name: 'Ops' }).click();
  await page.getByRole('region', { name: 'Deliveries' }).getByText('Nothing was sent').waitFor();
  expect(new URL(page.url()).searchParams.get('channel')).toBe(channel?.id);
  expect(await page.locator('main').getByRole('button').count()).toBe(0);
  expect(complaints).toEqual([]);
});
