/** A service as `npm start` makes it, in a browser: its first owner, and people who are invited while mails are kept. */
import { expect, test } from 'vitest';
import { WORDS } from '../../functions/account/pages/page-words-by-language.ts';
import { createFirstOwnerLink } from '../../lib/accounts/auth/first-owner.ts';
import { people } from '../../web/app/words/en/people.ts';
import { TEST_AUTH_KEY } from '../security/session.ts';
import { useOwnStack } from '../services/use-stack.ts';
import { confirmAddress, linkTo, newEmail, openPage, PASSWORD, say } from './account-pages.ts';
import { useChromium } from './chromium.ts';

const stack = useOwnStack({ guides: [], vars: { SIGN_UP: 'closed', MAIL_DELIVERY: 'kept' } });
const newContext = useChromium();
const open = (path: string, options = {}) => openPage(stack(), newContext, path, options);

test('the first owner comes by the link, and invites somebody who makes an account on the page of the invitation', async () => {
  const { baseUrl, sql } = stack();
  const made = await createFirstOwnerLink({
    ...{ sql, now: Date.now, authKey: TEST_AUTH_KEY, publicUrl: baseUrl },
  });
  const link = (made ?? '').slice(baseUrl.length);
  const owner = await open(link);
  expect(await owner.heading()).toBe(say.views['first-owner'].title);
  await owner.submit({ email: newEmail(), password: 'short' });
  await expect.poll(() => owner.text()).toContain('at least 10 characters');
  await owner.submit({ password: PASSWORD, name: 'Ada' });
  await expect.poll(() => owner.page.url()).toBe(`${baseUrl}/sites`);

  const late = await open(link.replace('?', '?lang=es&'));
  await late.submit({ email: newEmail(), password: PASSWORD });
  const { sentences } = WORDS.es.script;
  await expect
    .poll(() => late.text())
    .toContain(
      sentences['This service has an owner already. Sign in, or ask an owner for an invitation.'] ?? '-',
    );
  await late.go(link.slice(0, -1));
  expect(await late.heading()).toBe(say.views['no-token'].title);
  await late.go('/sign-in#sign-up');
  expect(await late.heading()).toBe(say.views['sign-in'].title);

  const email = newEmail();
  const { page } = owner;
  await page.goto(`${baseUrl}/settings/members`);
  await page.getByRole('button', { name: people.members.invite }).click();
  expect(await page.locator('dialog').innerText()).toContain(people.kept.members.emailNote);
  await page.locator('dialog [name=email]').fill(email);
  await page.getByRole('button', { name: people.members.submit }).click();
  await expect.poll(() => page.locator('.made').innerText()).toContain(people.kept.members.mailed(email));

  const guest = await open(linkTo(stack(), email));
  await guest.page.getByRole('button', { name: say.links.toSignUp }).click();
  expect(await guest.text()).toContain(say.kept.views['sign-up']?.lead);
  await guest.submit({ email, password: PASSWORD });
  await expect.poll(guest.heading).toBe(say.views.unconfirmed.title);
  expect(await guest.text()).toContain('This server sends no mail.');
  await guest.submit();
  await expect.poll(() => guest.page.locator('#status').innerText()).toBe(say.kept.script.mailed);
  const account = await guest.context.newPage();
  await account.goto(`${baseUrl}/settings/account`);
  await account.getByText(people.kept.account.unconfirmed).waitFor();
  await confirmAddress(guest.page, linkTo(stack(), email));
  await guest.page.getByRole('button', { name: say.links.opened }).click();
  await expect.poll(guest.heading).toBe(say.views.confirm.title);
  await guest.submit();
  await expect.poll(guest.heading).toBe('You have joined Ada');
  expect(guest.complaints).toEqual([]);
});
