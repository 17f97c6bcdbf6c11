/** `/sign-in` and `/reset-password` in a browser, through the whole service. */
import { expect, test } from 'vitest';
import { WORDS } from '../../functions/account/pages/page-words-by-language.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { MAILS } from '../../lib/mails.ts';
import { newBrowser, signUp } from '../functions/account/browser.ts';
import { fromBase32, totp } from '../security/totp.ts';
import { useStack } from '../services/use-stack.ts';
import { linkTo, newEmail, openPage, PASSWORD, say } from './account-pages.ts';
import { useChromium } from './chromium.ts';

const lines: string[] = [];
const stack = useStack({ log: (line) => lines.push(line) });
const newContext = useChromium();
const open = (path: string, options = {}) => openPage(stack(), newContext, path, options);

const { views } = say;

/** A person with a second factor, a function that makes its codes, and the backup codes. */
async function withSecondFactor() {
  const { email, browser } = await signUp(stack());
  const { data } = await browser.json('POST', '/api/auth/second-factor', { password: PASSWORD });
  const secret = fromBase32(new URL(data.uri).searchParams.get('secret') ?? '');
  const confirmed = await browser.send('POST', '/api/auth/second-factor/confirm', { code: totp(secret) });
  expect(confirmed.status).toBe(204);
  // A code works once: signing in takes the next one, which is good already.
  return { email, code: () => totp(secret, Date.now() + 30_000), backupCodes: data.backupCodes as string[] };
}

test('signs somebody new up, who is signed in when the page is opened again, and out', async () => {
  const { page, submit, heading, text, go, complaints, context } = await open('/sign-in');
  const email = newEmail();
  expect(await heading()).toBe(views['sign-in'].title);
  await page.getByRole('button', { name: say.links.toSignUp }).click();
  expect(await heading()).toBe(views['sign-up'].title);
  await submit({ email, password: PASSWORD, name: 'Ana <b>Sá</b>' });
  await expect.poll(heading).toBe(views.unconfirmed.title);
  expect(await text()).toContain(`A link was mailed to ${email}.`);
  await go('/sign-in');
  expect(await heading()).toBe(views.unconfirmed.title);
  await page.getByRole('button', { name: say.links.later }).click();
  expect(await heading()).toBe(views['signed-in'].title);
  expect(await text()).toContain(`As Ana <b>Sá</b>, ${email}.`);
  await submit();
  await expect.poll(heading).toBe(views['sign-in'].title);
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['vendor.known_browser']);
  await go('/sign-in');
  expect(await heading()).toBe(views['sign-in'].title);
  expect(complaints).toEqual([]);
});

test('a wrong password and an address that is taken are reported above the button, empty fields without asking', async () => {
  const { email } = await signUp(stack());
  const { page, submit, asked } = await open('/sign-in');
  const alert = page.locator('section:visible form > [role=alert]');
  const before = asked.length;
  await submit({});
  const emailField = page.getByLabel(say.fields.email).locator('visible=true');
  expect(await emailField.getAttribute('aria-invalid')).toBe('true');
  expect(await emailField.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await page.locator('#sign-in-email-wrong').innerText()).toBe('This is missing.');
  expect(asked.length).toBe(before);
  await submit({ email: 'ada', password: PASSWORD });
  await expect.poll(() => page.locator('#sign-in-email-wrong').innerText()).toContain('not an e-mail');
  await submit({ email, password: 'six lamps and a ladder' });
  await expect.poll(() => alert.innerText()).toContain('No account has this e-mail address');
  expect(await emailField.getAttribute('aria-invalid')).toBeNull();

  await page.getByRole('button', { name: say.links.toSignUp }).click();
  expect(await page.locator('#sign-up-email').inputValue()).toBe(email);
  expect(await page.locator('.wrong:visible').count()).toBe(0);
  await submit({ password: 'short' });
  const wrong = page.locator('#sign-up-password-wrong');
  await expect.poll(() => wrong.innerText()).toBe('This must have at least 10 characters.');
  await submit({ password: PASSWORD });
  await expect.poll(() => alert.innerText()).toContain('has an account already');
});

test('asks for the second factor: a code of the app, with blanks or not', async () => {
  const { email, code } = await withSecondFactor();
  const { submit, heading, page, entered } = await open('/sign-in');
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(views.code.title);
  await submit({ code: '12' });
  await expect.poll(() => page.locator('#code-code-wrong').innerText()).toBe('This is not a code.');
  const right = code();
  await submit({ code: right === '000000' ? '000001' : '000000' });
  await expect.poll(() => page.locator('#code > [role=alert]').innerText()).toContain('This code is wrong');
  await submit({ code: code().replace(/^.../, '$& ') });
  await entered();
});

test('a backup code signs in once; five wrong ones ask for the password again', async () => {
  const { email, backupCodes } = await withSecondFactor();
  for (const isFirst of [true, false]) {
    const { submit, heading, page, entered } = await open('/sign-in');
    await submit({ email, password: PASSWORD });
    await expect.poll(heading).toBe(views.code.title);
    await page.getByRole('button', { name: say.links.toBackup }).click();
    const alert = page.locator('#backup > [role=alert]');
    await submit({ code: backupCodes[0] ?? '' });
    if (isFirst) await entered();
    else {
      for (let tries = 1; tries <= 5; tries++) {
        await expect.poll(() => alert.innerText()).toContain('This code is wrong');
        await submit({ code: 'aaaaa-aaaaa' });
        await expect.poll(() => page.locator('#status').innerText()).toBe('');
      }
      await expect.poll(() => alert.innerText()).toContain('Start over, with your password');
      await page.getByRole('button', { name: say.links.again }).locator('visible=true').click();
      expect(await heading()).toBe(views['sign-in'].title);
    }
  }
});

test('a forgotten password: mailed link, new password, signed out elsewhere, and the link is spent', async () => {
  const { email, browser } = await signUp(stack());
  const { submit, heading, text, go, page, asked, entered } = await open('/sign-in#forgot');
  expect(await heading()).toBe(views.forgot.title);
  await submit({ email });
  await expect.poll(heading).toBe(views.sent.title);
  expect(await text()).toContain(`If ${email} has an account`);
  const link = linkTo(stack(), email);
  const token = link.split('#')[1] ?? '';
  expect(link).toMatch(/^\/reset-password#[A-Za-z0-9]{24}$/);

  // Opening the link doesn't use it up.
  await go(link);
  await go(link);
  expect(await heading()).toBe(views.reset.title);
  await submit({ password: 'short' });
  await expect.poll(() => page.locator('#reset-password-wrong').innerText()).toContain('at least 10');
  await submit({ password: 'another horse battery' });
  await expect.poll(heading).toBe(views.done.title);
  expect(page.url()).toBe(`${stack().baseUrl}/reset-password`);
  expect((await browser.send('GET', '/api/auth/session')).status).toBe(401);

  await page.getByRole('link', { name: say.links.toSignIn }).click();
  await expect.poll(heading).toBe(views['sign-in'].title);
  await submit({ email, password: 'another horse battery' });
  await entered();

  await go(link);
  await submit({ password: 'one more horse battery' });
  await expect.poll(heading).toBe(views.over.title);
  await page.getByRole('link', { name: say.links.newLink }).click();
  // The person is signed in already, so the page asks for nothing.
  await page.waitForURL('**/sign-in#forgot');

  const bodies = asked.filter((request) => request.postData()?.includes(token));
  expect(bodies.map((request) => new URL(request.url()).pathname)).toEqual(
    Array(3).fill('/api/auth/password/reset'),
  );
  const heads = await Promise.all(
    asked.map(async (one) => one.url() + JSON.stringify(await one.allHeaders())),
  );
  expect(heads.filter((head) => head.includes(token))).toEqual([]);
  expect(lines.join('\n')).toContain('/api/auth/password/reset');
  expect(lines.join('\n')).not.toContain(token);
});

test.each(LANGUAGES)(
  'the mail for a forgotten password is in the language of the page: %s',
  async (language) => {
    const { email } = await signUp(stack());
    const { submit, heading } = await open(`/sign-in?lang=${language}#forgot`, { locale: 'fr-FR' });
    await submit({ email });
    await expect.poll(heading).toBe(WORDS[language].views.sent.title);
    const url = stack().baseUrl + linkTo(stack(), email);
    const sent = stack().mail.sent.findLast(({ to }) => to === email);
    expect(sent).toEqual({ to: email, ...MAILS[language].passwordReset(url) });
  },
);

test('nobody learns which addresses have accounts, and links that are over or cut say so', async () => {
  const nobody = newEmail();
  const { submit, heading, go } = await open('/sign-in#forgot');
  await submit({ email: nobody });
  await expect.poll(heading).toBe(views.sent.title);
  expect(stack().mail.sent.filter(({ to }) => to === nobody)).toEqual([]);

  const { email } = await signUp(stack());
  await go('/sign-in#forgot');
  await submit({ email });
  await expect.poll(heading).toBe(views.sent.title);
  await stack().sql`update user_verifications set expires_at = now() - interval '1 second'`;
  const link = linkTo(stack(), email);
  await go(link);
  await submit({ password: 'another horse battery' });
  await expect.poll(heading).toBe(views.over.title);
  for (const path of ['/reset-password', link.slice(0, -1), '/reset-password#<img>']) {
    await go(path);
    expect(await heading()).toBe(views['no-token'].title);
  }
  const signIn = { email, password: PASSWORD };
  expect((await newBrowser(stack()).send('POST', '/api/auth/sign-in', signIn)).status).toBe(200);
});

test('another mailed link, opened in the same tab, is another page', async () => {
  const { page, heading } = await open('/reset-password#cut');
  expect(await heading()).toBe(views['no-token'].title);
  await page.evaluate(() => {
    location.hash = 'Aa4Zt8Kw2Xv6Rb1Ns5Lp9Hd3';
  });
  await expect.poll(heading).toBe(views.reset.title);
});

test('leads nowhere else, whatever the address asks for', async () => {
  const { email } = await signUp(stack());
  const evil = 'https://evil.example/';
  for (const name of ['to', 'lang']) {
    const response = await stack().fetch(`/sign-in?${name}=${encodeURIComponent(evil)}`);
    expect([name, response.status, response.headers.get('location')]).toEqual([name, 400, null]);
  }
  for (const name of ['next', 'redirect', 'return_to', 'callbackURL']) {
    const response = await stack().fetch(`/sign-in?${name}=${encodeURIComponent(evil)}`);
    expect([name, response.status, response.headers.get('location')]).toEqual([name, 200, null]);
    expect(await response.text()).not.toContain('evil.example');
  }
  const { submit, page, asked, entered } = await open(`/sign-in#${evil}`);
  await submit({ email, password: PASSWORD });
  await entered();
  expect(new URL(page.url()).origin).toBe(stack().baseUrl);
  const origins = asked.map((request) => new URL(request.url()).origin);
  expect(new Set(origins.filter((origin) => origin !== 'null'))).toEqual(new Set([stack().baseUrl]));
});

test('a password can be looked at, and is hidden again before it is sent', async () => {
  const { page, submit } = await open('/sign-in');
  const field = page.locator('#sign-in-password');
  await field.fill('six lamps');
  await page.getByRole('button', { name: say.script.showPassword }).click();
  expect(await field.getAttribute('type')).toBe('text');
  await submit({ email: newEmail() });
  expect(await field.getAttribute('type')).toBe('password');
  expect(await page.getByRole('button', { name: say.script.showPassword }).isVisible()).toBe(true);
});

test('after too many attempts the page says how long to wait, and an outage is named as one', async () => {
  const address = '100.66.0.1';
  // Each isolate counts by itself first, so only more requests than the quota use it up for certain.
  for (let tries = 0; tries < 45; tries++)
    await stack().fetch('/api/auth/sign-in', { method: 'POST', address });
  const { page, submit } = await open('/sign-in', { extraHTTPHeaders: { 'X-Forwarded-For': address } });
  const alert = page.locator('#sign-in > [role=alert]');
  await submit({ email: newEmail(), password: PASSWORD });
  await expect
    .poll(() => alert.innerText())
    .toMatch(/^Too many attempts\. Try again in \d+ (?:seconds?|minutes?)\.$/);
  await page.context().setOffline(true);
  await submit();
  await expect.poll(() => alert.innerText()).toBe(say.script.unreachable);
});

test('opened by another address than the service’s own, it says where to go', async () => {
  const { page, submit } = await open('/sign-in');
  await page.goto(`${stack().baseUrl.replace('127.0.0.1', 'localhost')}/sign-in`);
  await submit({ email: newEmail(), password: PASSWORD });
  const alert = page.locator('#sign-in > [role=alert]');
  await expect.poll(() => alert.innerText()).toContain(`${stack().baseUrl}/sign-in`);
});
