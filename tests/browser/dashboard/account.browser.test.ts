/** The account of a person in the dashboard: appearance, shortcuts, password, second factor, sessions, the end. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { addPassword, PASSWORD } from '../../security/account-samples.ts';
import { createCookie } from '../../security/session.ts';
import { addMember, createTenant, createUnconfirmed, type Person } from '../../security/tenant.ts';
import { fromBase32, totp } from '../../security/totp.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

async function openAccount() {
  const tenant = await createTenant(stack().sql);
  await addPassword(stack().sql, tenant.userId);
  const opened = await openDashboard(stack(), newContext, tenant, '/settings/account');
  const part = (name: string) => opened.page.getByRole('region', { name, exact: true });
  await part('Delete the account').waitFor();
  return { tenant, ...opened, part };
}

/** What the API answers to a person’s session. */
async function ask({ cookie }: Pick<Person, 'cookie'>, path: string) {
  const response = await stack().fetch(path, { headers: { Cookie: cookie } });
  return { status: response.status, data: (await response.json()).data };
}

const signIn = async (email: string, password: string) => {
  const response = await stack().fetch('/api/auth/sign-in', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return { status: response.status, data: (await response.json()).data };
};

test('who it is; times are written as the person wants, everywhere', async () => {
  const { tenant, page, part, go, complaints } = await openAccount();
  const { data: person } = await ask(tenant, '/api/auth/session');
  expect(await part('You').innerText()).toContain(person.email);
  const clock = part('Appearance');
  const now = () => clock.getByText(/^Now it is/).innerText();
  await expect.poll(now).toMatch(/[AP]M/);
  await clock.getByRole('radio', { name: '24 hours' }).check();
  await expect.poll(now).toMatch(/^Now it is \d\d:\d\d\.$/);
  await go('/settings/account');
  expect(await part('Where you are signed in').innerText()).not.toMatch(/[AP]M/);
  await clock.getByRole('radio', { name: '12 hours' }).check();
  await expect.poll(now).toMatch(/[AP]M/);
  await clock.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  await clock.getByRole('combobox', { name: 'Language' }).selectOption('pt-PT');
  await page.getByRole('heading', { name: 'Conta', exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  expect(complaints).toEqual([]);
});

test('shortcuts are listed by a key, unless single keys are switched off', async () => {
  const { page, part, complaints } = await openAccount();
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.keyboard.press('?');
  await dialog.getByText('Next and previous error').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // Whoever writes a question mark wants one.
  await part('Password').getByLabel('Current password').press('?');
  expect(await part('Password').getByLabel('Current password').inputValue()).toBe('?');
  await part('Appearance').getByRole('checkbox', { name: 'Use shortcuts' }).uncheck();
  await page.getByRole('heading', { name: 'Account', exact: true }).click();
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('button', { name: /Keyboard shortcuts/ }).click();
  await dialog.getByText('Shortcuts of a single key are switched off.').waitFor();
  expect(await dialog.count()).toBe(1);
  expect(complaints).toEqual([]);
});

test('another password: a wrong present one is refused in words, the right one ends other sessions and keys', async () => {
  const { tenant, page, part, complaints } = await openAccount();
  const other = await createCookie();
  await stack().sql`
    insert into user_sessions (user_id, hash, expires_at)
    values (${tenant.userId}, decode(${other.hash}, 'hex'), now() + interval '1 hour')`;
  const form = part('Password');
  const change = async (current: string, next: string) => {
    await form.getByLabel('Current password').fill(current);
    await form.getByLabel('New password').fill(next);
    await form.getByRole('button', { name: 'Change the password' }).click();
  };
  await change('not the password', 'nine lamps and a ladder');
  await form.getByRole('alert').getByText('This is not your password.').waitFor();
  await change(PASSWORD, 'short');
  expect(
    await form.getByLabel('New password').evaluate((input: HTMLInputElement) => input.validity.tooShort),
  ).toBe(true);
  await form.getByRole('checkbox').check();
  await change(PASSWORD, 'nine lamps and a ladder');
  await form.getByRole('status').getByText('The password is changed.').waitFor();
  expect((await ask(other, '/api/auth/session')).status).toBe(401);
  expect((await signIn(tenant.email, 'nine lamps and a ladder')).status).toBe(200);
  await expect.poll(() => part('Where you are signed in').getByRole('listitem').count()).toBeGreaterThan(0);
  await page.goto(`${stack().baseUrl}/settings/keys`);
  await page.getByText('No API key yet.').waitFor();
  expect(complaints).toEqual([]);
});

test('a second factor is set up with the app’s code, its recovery codes are kept, and it is turned off', async () => {
  const { tenant, page, part, complaints } = await openAccount();
  const dialog = page.getByRole('dialog');
  const section = part('Second factor');
  await section.getByRole('button', { name: 'Set it up' }).click();
  await dialog.getByLabel('Password').fill('not the password');
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('alert').getByText('This is not your password.').waitFor();
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const uri = await dialog.getByRole('link', { name: 'Open in an app' }).getAttribute('href');
  const secret = new URL(uri ?? '').searchParams.get('secret') ?? '';
  const shown = await dialog.getByRole('figure', { name: 'Or type this key' }).locator('code').innerText();
  expect(shown.replaceAll(' ', '')).toBe(secret);
  await dialog.getByLabel('The 6 digits').fill('000000');
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  await dialog.getByRole('alert').getByText('This code is wrong or over.').waitFor();
  await dialog.getByLabel('The 6 digits').fill(totp(fromBase32(secret)));
  await dialog.getByRole('button', { name: 'Turn it on' }).click();

  const codes = dialog.getByRole('figure', { name: 'Recovery codes' }).locator('code');
  await codes.waitFor();
  const kept = (await codes.innerText()).split('\n');
  expect(kept.length).toBeGreaterThanOrEqual(8);
  await page.keyboard.press('Escape');
  expect(await codes.isVisible()).toBe(true);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('recovery-codes.txt');
  expect(await readFile(await file.path(), 'utf8')).toContain(kept.join('\n'));
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await section.getByText('On: signing in also asks').waitFor();
  expect((await signIn(tenant.email, PASSWORD)).data).toMatchObject({ secondFactorRequired: true });

  await section.getByRole('button', { name: 'Turn it off' }).click();
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Turn it off' }).click();
  await section.getByText('Off: your password alone').waitFor();
  expect((await signIn(tenant.email, PASSWORD)).data).toMatchObject({ secondFactorRequired: false });
  expect(complaints).toEqual([]);
});

test('sessions are ended one by one, or all others', async () => {
  const tenant = await createTenant(stack().sql);
  const others = await Promise.all(
    ['Firefox', 'Safari', 'Edge'].map(async (browser) => {
      const session = await createCookie();
      await stack().sql`
      insert into user_sessions (user_id, hash, browser, os, expires_at)
      values (${tenant.userId}, decode(${session.hash}, 'hex'), ${browser}, 'Linux', now() + interval '1 hour')`;
      return session;
    }),
  );
  const { page, complaints } = await openDashboard(stack(), newContext, tenant, '/settings/account');
  const part = page.getByRole('region', { name: 'Where you are signed in' });
  const statuses = () => Promise.all(others.map(async (one) => (await ask(one, '/api/auth/session')).status));
  expect(
    await part.getByRole('listitem').filter({ hasText: 'this browser' }).getByRole('button').count(),
  ).toBe(0);
  await part.getByRole('button', { name: 'End Firefox on Linux' }).click();
  await part.locator('strong', { hasText: 'Firefox' }).waitFor({ state: 'detached' });
  expect(await statuses()).toEqual([401, 200, 200]);
  await part.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect.poll(() => part.getByRole('listitem').count()).toBe(1);
  expect(await statuses()).toEqual([401, 401, 401]);
  expect((await ask(tenant, '/api/auth/session')).status).toBe(200);
  expect(complaints).toEqual([]);
});

test('an account that is a project’s only owner says so; without the project it goes', async () => {
  const { tenant, page, part, complaints } = await openAccount();
  await addMember(stack().sql, tenant.projectId, 'viewer');
  await page.reload();
  const section = part('Delete the account');
  const dialog = page.getByRole('dialog');
  const end = section.getByRole('button', { name: 'Delete the account' });
  await section.getByText('You are the only owner of a project.').waitFor();
  expect(await section.getByRole('listitem').innerText()).toContain('2 members, 1 website');
  expect(await section.getByRole('link', { name: 'Make another owner' }).getAttribute('href')).toBe(
    `/settings/members?project=${tenant.projectId}`,
  );
  expect(await end.isDisabled()).toBe(true);
  await section.getByRole('button', { name: 'Delete it Test' }).click();
  await dialog.getByLabel('Type “Test” to confirm').fill('Test');
  await dialog.getByRole('button', { name: 'Delete the project' }).click();
  await section.getByText('Nothing is in the way.').waitFor();

  await end.click();
  await dialog.getByLabel('Password').fill('not the password');
  await dialog.getByLabel(/^Type/).fill(tenant.email);
  await dialog.getByRole('button', { name: 'Delete the account' }).click();
  await dialog.getByRole('alert').getByText('This is not your password.').waitFor();
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Delete the account' }).click();
  await page.waitForURL(`${stack().baseUrl}/`);
  expect(await stack().sql`select from users where id = ${tenant.userId}`).toHaveLength(0);
  expect(complaints).toEqual([]);
});

test('who hasn’t confirmed the address sees a message, and gets another link', async () => {
  const person = await createUnconfirmed(stack().sql);
  const { page, complaints } = await openDashboard(stack(), newContext, person, '/settings/account');
  const part = page.getByRole('region', { name: 'You' });
  await part.getByText('Not confirmed yet').waitFor();
  await part.getByRole('button', { name: 'Send another link' }).click();
  await part.getByRole('status').getByText('The link is on its way.').waitFor();
  expect(stack().mail.sent.filter(({ to }) => to === person.email)).toHaveLength(1);
  expect(complaints).toEqual([]);
});
