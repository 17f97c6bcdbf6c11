/** `/confirm-email` in a browser, through the whole service. */
import { describe, expect, test } from 'vitest';
import { WORDS } from '../../functions/account/pages/page-words-by-language.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { MAILS } from '../../lib/mails.ts';
import { newBrowser, signUp, signUpUnconfirmed } from '../functions/account/browser.ts';
import { useStack } from '../services/use-stack.ts';
import { linkTo, newEmail, openPage, PASSWORD, say } from './account-pages.ts';
import { useChromium } from './chromium.ts';

const lines: string[] = [];
const stack = useStack({ log: (line) => lines.push(line) });
const newContext = useChromium();
const open = (path: string, options = {}) => openPage(stack(), newContext, path, options);
const isConfirmed = async (email: string): Promise<boolean> => {
  const [row] = await stack().sql`select email_verified from users where email = ${email}`;
  return row?.email_verified;
};

const { views, script } = say;

describe.each(LANGUAGES)('in %s', (language) => {
  const words = WORDS[language];

  test('who signs up is asked to open the link, and the link confirms the address', async () => {
    const { page, heading, text, submit, go, asked, complaints } = await open(
      `/sign-in?lang=${language}#sign-up`,
    );
    const email = newEmail();
    await submit({ email, password: PASSWORD });
    await expect.poll(heading).toBe(words.views.unconfirmed.title);
    expect(await text()).toContain(email);
    await submit();
    await expect.poll(() => page.locator('#status').innerText()).toBe(words.script.mailed);
    const link = linkTo(stack(), email);
    const mails = stack().mail.sent.filter(({ to }) => to === email);
    expect(mails).toHaveLength(2);
    expect(mails[1]).toEqual({ to: email, ...MAILS[language].confirmation(stack().baseUrl + link, 24) });

    await go(link.replace('#', `?lang=${language}#`));
    expect(await heading()).toBe(words.views['email-confirmed'].title);
    expect(await text()).toContain(email);
    expect(page.url()).not.toContain('#');
    expect(await isConfirmed(email)).toBe(true);
    await go('/sign-in');
    expect(await heading()).toBe(views['signed-in'].title);
    const token = link.split('#')[1] ?? '';
    const heads = asked.map((request) => request.url() + JSON.stringify(request.headers()));
    expect(heads.filter((head) => head.includes(token))).toEqual([]);
    expect(lines.join('\n')).not.toContain(token);
    expect(complaints).toEqual([]);
  });
});

test('in another browser the link asks to sign in first; a stranger who opens it confirms nothing', async () => {
  const { email } = await signUpUnconfirmed(stack());
  const link = linkTo(stack(), email);
  const { heading, text, submit } = await open(link);
  expect(await heading()).toBe(views['sign-in'].title);
  expect(await text()).toContain(say.toConfirm);
  expect(await isConfirmed(email)).toBe(false);
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(views['email-confirmed'].title);
  expect(await isConfirmed(email)).toBe(true);
});

test('who is signed in to another account sees which, and may sign in to this one', async () => {
  const { email: other } = await signUp(stack());
  const { email } = await signUpUnconfirmed(stack());
  const link = linkTo(stack(), email);
  const { page, heading, submit, go, entered } = await open('/sign-in');
  await submit({ email: other, password: PASSWORD });
  await entered();
  await go(link);
  expect(await heading()).toBe(views['sign-in'].title);
  const refusal = script.sentences['This link is for another account than the one that is signed in.'];
  expect(await page.locator('#sign-in > [role=alert]').innerText()).toBe(refusal);
  expect(await isConfirmed(email)).toBe(false);
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(views['email-confirmed'].title);
});

test('the victim of a prepared account takes it over by a new password', async () => {
  const { email, browser: attacker } = await signUpUnconfirmed(stack());
  const { page, heading, submit, go } = await open(linkTo(stack(), email));
  await page.getByRole('button', { name: say.links.toForgot }).click();
  await submit({ email });
  await expect.poll(heading).toBe(views.sent.title);
  await go(linkTo(stack(), email));
  await submit({ password: 'the owner of the address' });
  await expect.poll(heading).toBe(views.done.title);
  expect(await isConfirmed(email)).toBe(true);
  expect((await attacker.send('GET', '/api/auth/session')).status).toBe(401);
  const signIn = { email, password: PASSWORD };
  expect((await newBrowser(stack()).send('POST', '/api/auth/sign-in', signIn)).status).toBe(401);
});

test('an expired or a cut link says so, and another one is sent', async () => {
  const { email } = await signUpUnconfirmed(stack());
  const link = linkTo(stack(), email);
  const { page, heading, submit, go } = await open('/confirm-email#cut');
  expect(await heading()).toBe(views['no-token'].title);
  await go('/sign-in');
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(views.unconfirmed.title);
  await go(`${link.slice(0, -3)}xxx`);
  expect(await heading()).toBe(views.unconfirmed.title);
  expect(await page.locator('#resend > [role=alert]').innerText()).toBe(script.linkOver);
  await submit();
  await expect.poll(() => page.locator('#status').innerText()).toBe(script.mailed);
  await go(linkTo(stack(), email));
  expect(await heading()).toBe(views['email-confirmed'].title);
});
