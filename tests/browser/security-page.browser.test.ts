/** `/security` in a browser, through the whole service. */
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { WORDS } from '../../functions/account/pages/page-words-by-language.ts';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import { mailedToken, newBrowser } from '../functions/account/browser.ts';
import { fromBase32, totp } from '../security/totp.ts';
import { useStack } from '../services/use-stack.ts';
import { newEmail, openPage, PASSWORD, say } from './account-pages.ts';
import { useChromium } from './chromium.ts';
import { measureContrast } from './contrast.ts';

const lines: string[] = [];
const stack = useStack({ log: (line) => lines.push(line) });
const newContext = useChromium();

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A new person who opens the page, signs up on it, and also signs in with Firefox. */
async function openSecurity(language: Language = 'en', options: BrowserContextOptions = {}) {
  const words = WORDS[language];
  const path = `/security?lang=${language}`;
  const opened = await openPage(stack(), newContext, path, options);
  const { page, heading, submit } = opened;
  const email = newEmail();
  const signIn = { email, password: PASSWORD };
  await page.getByRole('button', { name: words.links.toSignUp }).click();
  await submit(signIn);
  await expect.poll(heading).toBe(words.views.security.title);
  const elsewhere = newBrowser(stack());
  await elsewhere.send('POST', '/api/auth/sign-in', signIn, { 'User-Agent': FIREFOX });
  const token = mailedToken(stack(), email, 'confirm-email');
  expect((await elsewhere.send('POST', '/api/auth/email/confirm', { token })).status).toBe(204);
  return {
    ...{ ...opened, email, path, elsewhere },
    sessions: page.locator('#sessions li'),
    status: () => page.locator('#status').innerText(),
    alert: () => page.locator('section:visible form > [role=alert]').innerText(),
    press: (name: string) =>
      page.locator('section:visible').getByRole('button', { name, exact: true }).click(),
    isElsewhere: async () => (await elsewhere.send('GET', '/api/auth/session')).status === 200,
    /** Whether signing in asks for a code. */
    asksForCode: async () =>
      (await newBrowser(stack()).json('POST', '/api/auth/sign-in', signIn)).data.secondFactorRequired,
  };
}

test('sessions are listed, and ended one by one or all others', async () => {
  const { page, go, path, email, sessions, text, status, press, isElsewhere, complaints } =
    await openSecurity();
  expect(await text()).toContain(`The account of ${email.split('@')[0]}, ${email}.`);
  expect(await sessions.count()).toBe(1);
  expect(await sessions.innerText()).toMatch(/since .+ · this browser$/);
  expect(await sessions.getByRole('button').count()).toBe(0);
  expect(await page.locator('#end-others').isVisible()).toBe(false);

  await go(path);
  expect(await sessions.allInnerTexts()).toEqual([
    expect.stringMatching(/^Firefox, Linux\s+since/),
    expect.stringContaining('this browser'),
  ]);
  expect(await isElsewhere()).toBe(true);
  await sessions.getByRole('button', { name: /^End: Firefox, Linux, since / }).click();
  await expect.poll(status).toBe(say.script.done.ended);
  expect([await sessions.count(), await isElsewhere()]).toEqual([1, false]);

  const third = newBrowser(stack());
  await third.send('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  await go(path);
  await press(say.buttons.endOthers);
  await expect.poll(status).toBe(say.script.done.ended);
  expect(await sessions.count()).toBe(1);
  expect((await third.send('GET', '/api/auth/session')).status).toBe(401);
  expect(complaints).toEqual([]);
});

test('the password is changed, by the present one alone, and is in no field afterwards', async () => {
  const { page, email, heading, submit, status, press, alert, isElsewhere } = await openSecurity();
  const newPassword = 'another horse battery';
  await press(say.links.toChangePassword);
  expect(await heading()).toBe(say.views['change-password'].title);
  await submit({ currentPassword: 'not the password', newPassword: 'short' });
  await expect
    .poll(() => page.locator('#change-password-newPassword-wrong').innerText())
    .toBe('This must have at least 10 characters.');
  await submit({ newPassword });
  await expect.poll(alert).toBe('This is not your password.');
  expect(await isElsewhere()).toBe(true);
  await submit({ currentPassword: PASSWORD });
  await expect.poll(status).toBe(say.script.done.password);
  expect(await heading()).toBe(say.views.security.title);
  expect(await isElsewhere()).toBe(false);
  const signIn = { email, password: newPassword };
  expect((await newBrowser(stack()).send('POST', '/api/auth/sign-in', signIn)).status).toBe(200);
  const values = await page
    .locator('input:not([type=checkbox])')
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  expect(new Set(values)).toEqual(new Set(['']));
});

test('keys go with a changed password where that is chosen, and only there', async () => {
  const { email, elsewhere, submit, press, status, page } = await openSecurity();
  await elsewhere.send('POST', '/api/v1/account/api-keys', { name: 'Reports' });
  const keys = async () => {
    const [row] = await stack().sql`
      select count(*)::integer as count from api_tokens key join users person on person.id = key.user_id
      where person.email = ${email} and key.revoked_at is null`;
    return row?.count;
  };
  const passwords = [PASSWORD, 'another horse battery', 'one more horse battery'] as const;
  await press(say.links.toChangePassword);
  await submit({ currentPassword: passwords[0], newPassword: passwords[1] });
  await expect.poll(status).toBe(say.script.done.password);
  expect(await keys()).toBe(1);
  await press(say.links.toChangePassword);
  await page.getByLabel(say.revokeKeys).check();
  await submit({ currentPassword: passwords[1], newPassword: passwords[2] });
  await expect.poll(keys).toBe(0);
  await expect.poll(() => page.getByLabel(say.revokeKeys).isChecked()).toBe(false);
});

describe.each(LANGUAGES)('in %s', (language) => {
  const { views, links, buttons, security, script } = WORDS[language];

  test('a second factor is set up with a code of now, and turned off again', async () => {
    const opened = await openSecurity(language);
    const { page, heading, text, submit, status, press, alert, asksForCode, email, asked, complaints } =
      opened;
    expect(await text()).toContain(security.isOff);
    expect(await text()).not.toContain(security.isOn);
    await press(links.toSetUp);
    expect(await heading()).toBe(views['set-up'].title);
    await submit({ password: PASSWORD });
    await expect.poll(heading).toBe(views['turn-on'].title);
    const shown = page.locator('[data-fill=secret]');
    const first = await shown.innerText();
    // Starts again, because it wasn't confirmed. The page didn't keep the password.
    await press(links.back);
    await press(links.toSetUp);
    expect(await page.locator('#set-up-password').inputValue()).toBe('');
    await submit({ password: PASSWORD });
    await expect.poll(heading).toBe(views['turn-on'].title);
    const secret = await shown.innerText();
    expect(secret).not.toBe(first);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('turn-on-title');
    expect(secret).toMatch(/^(?:[A-Z2-7]{4} )+[A-Z2-7]{1,4}$/);
    const href = (await page.locator('#otpauth').getAttribute('href')) ?? '';
    expect(href).toMatch(/^otpauth:\/\/totp\/Vendor/);
    expect(new URL(href).searchParams.get('secret')).toBe(secret.replaceAll(' ', ''));
    const codes = await page.locator('#backup-codes li').allInnerTexts();
    expect(codes).toHaveLength(10);

    const code = () => totp(fromBase32(secret.replaceAll(' ', '')));
    expect(await asksForCode()).toBe(false);
    await submit({ code: '12345' });
    await expect
      .poll(() => page.locator('#turn-on-code-wrong').innerText())
      .toBe(script.rules['must be 6 digits']);
    const right = code();
    await submit({ code: right === '000000' ? '000001' : '000000' });
    await expect.poll(alert).toBe(script.sentences['This code is wrong or has expired.']);
    await submit({ code: code().replace(/^.../, '$& ') });
    await expect.poll(status).toBe(script.done.turnedOn);
    expect(await heading()).toBe(views.security.title);
    expect(await text()).toContain(security.isOn);
    expect(await text()).not.toContain(security.isOff);
    expect(await asksForCode()).toBe(true);
    // The secret, which was shown once, is no longer in the page and was never in an address or a log line.
    expect(await page.locator('body').textContent()).not.toContain(secret);
    expect(await page.locator('body').textContent()).not.toContain(codes[0]);
    expect(asked.filter((request) => request.url().includes(secret.slice(0, 4)))).toEqual([]);
    expect(lines.join('\n')).not.toContain(secret.replaceAll(' ', ''));

    const lost = newBrowser(stack());
    await lost.send('POST', '/api/auth/sign-in', { email, password: PASSWORD });
    const backup = { code: codes[0] };
    expect((await lost.send('POST', '/api/auth/sign-in/second-factor', backup)).status).toBe(200);

    await press(links.toTurnOff);
    await submit({ password: 'not the password' });
    await expect.poll(alert).toBe(script.sentences['This is not your password.']);
    await submit({ password: PASSWORD });
    await expect.poll(status).toBe(script.done.turnedOff);
    expect(await text()).toContain(security.isOff);
    expect(await asksForCode()).toBe(false);
    // The browser logs the answers to a wrong password and a wrong code.
    expect(complaints.filter((text) => !/status of (?:400|401|403)/.test(text))).toEqual([]);
    expect(buttons.turnOn).not.toBe(buttons.turnOff);
  });

  test.each(['light', 'dark'] as const)(
    '%s: legible on a phone, with all that it lists',
    async (colorScheme) => {
      const viewport = { width: 320, height: 640 };
      const { page, go, path, submit, heading, press, sessions } = await openSecurity(language, {
        colorScheme,
        viewport,
      });
      const look = async () => {
        expect((await measureContrast(page)).faint).toEqual([]);
        const wide = await page.evaluate(() =>
          [...document.querySelectorAll('body *')]
            .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
            .map(({ outerHTML }) => outerHTML.slice(0, 80)),
        );
        expect(wide).toEqual([]);
        const heights = await page
          .locator('section:visible button:visible')
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
        expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
      };
      await go(path);
      expect(await sessions.count()).toBe(2);
      await look();
      await press(links.toSetUp);
      await submit({ password: PASSWORD });
      await expect.poll(heading).toBe(views['turn-on'].title);
      await look();
    },
  );
});

test('by the keyboard alone: from ending a session to a password’s field and back', async () => {
  const { page, go, path, heading } = await openSecurity();
  await go(path);
  const press = async (key: string): Promise<string | null> => {
    await page.keyboard.press(key);
    return page.evaluate(() => {
      const at = document.activeElement as HTMLElement;
      return getComputedStyle(at).outlineStyle === 'solid' ? at.ariaLabel || at.id || at.textContent : null;
    });
  };
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('security-title');
  expect(await press('Tab')).toMatch(/^End: Firefox/);
  expect(await press('Tab')).toBe(say.buttons.endOthers);
  expect(await press('Tab')).toBe(say.links.toChangePassword);
  expect(await press('Tab')).toBe(say.links.toSetUp);
  expect(await press('Enter')).toBe('set-up-password');
  for (const name of [say.script.showPassword, say.buttons.continue, say.links.back])
    expect(await press('Tab')).toBe(name);
  await page.keyboard.press('Enter');
  expect(await heading()).toBe(say.views.security.title);
});

test('who is not signed in, or not any more, signs in first; an outage is told as one', async () => {
  const { page, context, go, path, heading, submit, email, asked } = await openSecurity();
  await context.clearCookies();
  const before = asked.length;
  await go(path);
  expect(await heading()).toBe(say.views['sign-in'].title);
  expect(asked.slice(before).filter((request) => request.url().includes('/api/'))).toEqual([]);
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(say.views.security.title);

  await stack().sql`delete from user_sessions where user_id = (select id from users where email = ${email})`;
  await go(path);
  expect(await heading()).toBe(say.views['sign-in'].title);
  await page.route('**/api/auth/sessions', (route) => route.abort());
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(say.views.unread.title);
  expect(await page.locator('#again > [role=alert]').innerText()).toBe(say.script.unreachable);
  await page.unroute('**/api/auth/sessions');
  await submit();
  await expect.poll(heading).toBe(say.views.security.title);
});
