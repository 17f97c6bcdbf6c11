/** The connection of an environment in the dashboard: keys, snippets, and what comes in. */
import { expect, test } from 'vitest';
import { spansOf } from '../../functions/receiver/backend-sender.ts';
import { createWorld } from '../../functions/telemetry/sent-spans.ts';
import { addMember } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

test('a key is made and shown once, fills the snippets, and its first span is noticed', async () => {
  const world = await createWorld(stack());
  const path = `/projects/${world.projectId}/${world.environmentId}/connection`;
  const { page, complaints, go } = await openDashboard(stack(), newContext, world.owner, path);
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  const comesIn = part('What comes in');
  await comesIn.getByText('Nothing has come in yet.').waitFor();

  const keys = part('Ingest keys');
  await keys.getByLabel('Name of a new key').fill('Checkout');
  await keys.getByRole('button', { name: 'Make a key' }).click();
  const shown = keys.getByRole('figure', { name: 'Ingest key' }).locator('code');
  const key = await shown.innerText();
  expect(key).toMatch(/^ving_/);
  const send = part('How to send');
  const names: string[] = await send.getByRole('tab').allInnerTexts();
  expect(names).toEqual(['Node.js', 'Python', 'Go', 'Java', '.NET', 'PHP', 'Ruby', 'Collector']);
  for (const name of names) {
    await send.getByRole('tab', { name, exact: true }).click();
    const snippet = await send.getByRole('figure', { name, exact: true }).innerText();
    expect([name, snippet.includes(key), snippet.includes(stack().baseUrl)]).toEqual([name, true, true]);
  }

  const refused = await stack().fetch('/v1/traces', {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: '{',
  });
  expect(refused.status).toBe(400);
  await refused.arrayBuffer();
  await expect.poll(() => comesIn.getByRole('row', { name: /^Traces/ }).innerText()).toContain('400:');
  const sent = await stack().fetch('/v1/traces', {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(spansOf('checkout', [{}])),
  });
  expect([sent.status, await sent.json()]).toEqual([200, {}]);
  await comesIn.getByText('Telemetry comes in.').waitFor();
  expect(await comesIn.getByRole('row', { name: /^Traces/ }).innerText()).toContain('checkout');

  await go(path);
  await keys.getByText('Checkout').waitFor();
  expect(await page.locator('body').innerText()).not.toContain(key);
  await keys.getByRole('button', { name: 'Revoke Checkout' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await keys.getByText('Checkout', { exact: true }).waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('origins are saved, and a wrong one is refused by its rule', async () => {
  const world = await createWorld(stack());
  const path = `/projects/${world.projectId}/${world.environmentId}/connection`;
  const { page, complaints } = await openDashboard(stack(), newContext, world.owner, path);
  const part = page.getByRole('form', { name: 'Origins of your own APIs' });
  await part.getByLabel('One a line').fill('https://api.example.com/v1');
  await part.getByRole('button', { name: 'Save' }).click();
  expect(await part.getByRole('alert').innerText()).toContain('must be an origin as https://api.example.com');
  await part.getByLabel('One a line').fill('https://api.example.com\nhttp://localhost:3000');
  await part.getByRole('button', { name: 'Save' }).click();
  await part.getByText('Saved').waitFor();
  const { data } = await world.get<{ data: { origins: { origin: string }[] } }>('origins');
  expect(data.origins.map(({ origin }) => origin).sort()).toEqual([
    'http://localhost:3000',
    'https://api.example.com',
  ]);
  expect(complaints).toEqual([]);
});

test('days that signals are kept: more at once, fewer after a question, none outside the rule', async () => {
  const world = await createWorld(stack());
  const path = `/projects/${world.projectId}/${world.environmentId}/connection`;
  const { page, complaints } = await openDashboard(stack(), newContext, world.owner, path);
  const form = page.getByRole('form', { name: 'Kept for' });
  const save = form.getByRole('button', { name: 'Save' });
  const kept = async () => (await world.get<{ data: object }>('retention')).data;
  expect(await kept()).toEqual({ traces: 30, logs: 30, metrics: 30 });
  expect(await save.isDisabled()).toBe(true);
  await form.getByLabel('Traces').fill('91');
  await save.click();
  expect(
    await form.getByLabel('Traces').evaluate((input: HTMLInputElement) => input.validity.rangeOverflow),
  ).toBe(true);
  await form.getByLabel('Traces').fill('60');
  await save.click();
  await expect.poll(kept).toEqual({ traces: 60, logs: 30, metrics: 30 });
  await form.getByLabel('Logs').fill('7');
  await save.click();
  await page.getByRole('dialog').getByText('deleted for good').waitFor();
  expect(await kept()).toMatchObject({ logs: 30 });
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect.poll(kept).toEqual({ traces: 60, logs: 7, metrics: 30 });
  expect(complaints).toEqual([]);
});

test('a viewer sees the keys and no control that would be refused', async () => {
  const world = await createWorld(stack());
  const viewer = await addMember(stack().sql, world.projectId, 'viewer');
  const path = `/projects/${world.projectId}/${world.environmentId}/connection`;
  const { page, complaints } = await openDashboard(stack(), newContext, viewer, path);
  const keys = page.getByRole('region', { name: 'Ingest keys' });
  await keys.getByRole('listitem').first().waitFor();
  expect(await page.getByRole('button', { name: /Revoke|Make a key|Save/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
});
