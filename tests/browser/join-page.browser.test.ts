/** `/join` in a browser, through the whole service. */
import { describe, expect, test } from 'vitest';
import { WORDS } from '../../functions/account/pages/page-words-by-language.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { newBrowser, signUp } from '../functions/account/browser.ts';
import { useStack } from '../services/use-stack.ts';
import {
  confirmAddress,
  linkTo,
  newEmail,
  newOwner,
  openPage,
  PASSWORD,
  say,
  titleOf,
} from './account-pages.ts';
import { useChromium } from './chromium.ts';

const lines: string[] = [];
const stack = useStack({ log: (line) => lines.push(line) });
const newContext = useChromium();
const open = (path: string, options = {}) => openPage(stack(), newContext, path, options);

const { views, links } = say;

test('somebody new signs up and joins; the secret is in bodies and nowhere else', async () => {
  const owner = await newOwner(stack());
  const { link, secret } = await owner.invite('viewer');
  const { page, heading, text, submit, asked, complaints } = await open(link);
  expect(await heading()).toBe(views['sign-in'].title);
  expect(await text()).toContain(say.invited);
  await page.getByRole('button', { name: links.toSignUp }).click();
  const email = newEmail();
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(views.unconfirmed.title);
  expect(await owner.roles()).not.toHaveProperty(email);
  await confirmAddress(page, linkTo(stack(), email));
  await page.getByRole('button', { name: links.opened }).click();
  await expect.poll(heading).toBe(views.confirm.title);
  await submit();
  await expect.poll(heading).toBe(`${titleOf('joined')}${owner.name}`);
  expect(await text()).toContain('Your role is viewer. Viewers read everything and change nothing.');
  expect(await text()).toContain(say.links.toDashboard);
  expect(await owner.roles()).toMatchObject({ [email]: 'viewer' });
  expect(page.url()).toBe(`${stack().baseUrl}/join`);

  const bodies = asked.filter((request) => request.postData()?.includes(secret));
  expect(bodies.map((request) => new URL(request.url()).pathname)).toEqual([
    '/api/v1/account/invitations/preview',
    '/api/auth/sign-up',
    '/api/v1/account/invitations/preview',
    '/api/v1/account/invitations',
  ]);
  const heads = await Promise.all(
    asked.map(async (one) => one.url() + JSON.stringify(await one.allHeaders())),
  );
  expect(heads.filter((head) => head.includes(secret))).toEqual([]);
  await expect.poll(() => lines.join('\n')).toContain('"route":"/api/v1/account/invitations"');
  expect(lines.join('\n')).toContain('"route":"/join"');
  expect(lines.join('\n')).not.toContain(secret);
  expect(complaints).toEqual([]);
});

describe.each(LANGUAGES)('in %s', (language) => {
  const { views, links, buttons, invitation, script } = WORDS[language];

  test('what an invitation is to is shown before any button, to who is signed in and who is not', async () => {
    const owner = await newOwner(stack());
    const { link, expiresAt } = await owner.invite('admin');
    const { page, heading, submit, go, entered } = await open(link.replace('#', `?lang=${language}#`), {
      timezoneId: 'Europe/Lisbon',
    });
    const timeZone = 'Europe/Lisbon';
    const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone });
    const readInvitation = async () => {
      const view = page.locator('section:visible');
      const terms = await view.locator('dl').getByRole('term').allInnerTexts();
      const definitions = await view.locator('dl').getByRole('definition').allInnerTexts();
      const [list, button] = [
        await view.locator('dl').boundingBox(),
        await view.locator('.main').boundingBox(),
      ];
      expect(list?.y).toBeLessThan(button?.y ?? 0);
      return Object.fromEntries(terms.map((term, at) => [term, definitions[at]?.replace(/\s/g, ' ')]));
    };
    const expected = {
      [invitation.project]: owner.name,
      [invitation.role]: `${script.roles.admin}. ${script.rights.admin}`,
      [invitation.ends]: format.format(new Date(expiresAt)).replace(/\s/g, ' '),
    };
    expect(await heading()).toBe(views['sign-in'].title);
    expect(await readInvitation()).toEqual(expected);
    // Screen readers start at the heading, and the Tab key leads to the first field.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('sign-in-title');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('sign-in-email');
    await page.getByRole('button', { name: links.toSignUp }).click();
    expect(await readInvitation()).toEqual(expected);

    await go('/sign-in');
    const { email } = await signUp(stack());
    await submit({ email, password: PASSWORD });
    await entered();
    await go(link.replace('#', `?lang=${language}#`));
    expect(await heading()).toBe(views.confirm.title);
    expect(await readInvitation()).toEqual(expected);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('confirm-title');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(buttons.join);
    expect(Object.keys(await owner.roles())).not.toContain(email);
  });
});

test('a project’s name is text, whatever it is made of', async () => {
  const name = '<img src=x onerror=alert(1)> & "more"';
  const owner = await newOwner(stack(), name);
  const { page, complaints } = await open((await owner.invite('viewer')).link);
  expect(await page.locator('section:visible dd').first().innerText()).toBe(name);
  expect(await page.locator('section img').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('an invitation that can’t be looked up now says why, and is looked up again', async () => {
  const owner = await newOwner(stack());
  const { link } = await owner.invite('viewer');
  const { page, heading, submit, go } = await open('/sign-in');
  const path = '**/api/v1/account/invitations/preview';
  await page.route(path, (route) => route.abort());
  await go(link);
  expect(await heading()).toBe(views.unread.title);
  expect(await page.locator('#again > [role=alert]').innerText()).toBe(say.script.unreachable);
  await page.unroute(path);
  await submit();
  await expect.poll(heading).toBe(views['sign-in'].title);
  expect(await page.locator('section:visible dd').first().innerText()).toBe(owner.name);
});

test('somebody with an account signs in and joins', async () => {
  const owner = await newOwner(stack());
  const { link } = await owner.invite('admin');
  const { email } = await signUp(stack());
  const { heading, text, submit } = await open(link);
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(`${titleOf('joined')}${owner.name}`);
  expect(await text()).toContain('Your role is admin.');
  expect(await owner.roles()).toMatchObject({ [email]: 'admin' });
});

test('who is signed in is asked first, and may do it as somebody else', async () => {
  const owner = await newOwner(stack());
  const [first, second] = [await owner.invite('viewer'), await owner.invite('viewer')];
  const { email } = await signUp(stack());
  const { page, heading, text, submit, go, entered } = await open('/sign-in');
  await submit({ email, password: PASSWORD });
  await entered();

  await go(first.link);
  expect(await heading()).toBe(views.confirm.title);
  expect(await text()).toContain(email);
  expect(Object.keys(await owner.roles())).not.toContain(email);
  await submit();
  await expect.poll(heading).toBe(`${titleOf('joined')}${owner.name}`);
  expect(await owner.roles()).toMatchObject({ [email]: 'viewer' });

  await go(second.link);
  await submit();
  const alert = page.locator('#join > [role=alert]');
  await expect.poll(() => alert.innerText()).toContain('You are a member of this project already.');
  await page.getByRole('button', { name: links.otherAccount }).click();
  await expect.poll(heading).toBe(views['sign-in'].title);
  const { email: other } = await signUp(stack());
  await submit({ email: other, password: PASSWORD });
  await expect.poll(heading).toBe(`${titleOf('joined')}${owner.name}`);
  expect(await owner.roles()).toMatchObject({ [email]: 'viewer', [other]: 'viewer' });
});

test('a member who signs in by an invitation hears that it is not needed, and stays signed in', async () => {
  const owner = await newOwner(stack());
  const [first, second] = [await owner.invite('viewer'), await owner.invite('viewer')];
  const { email, browser } = await signUp(stack());
  await browser.send('POST', '/api/v1/account/invitations', { secret: first.secret });
  const { page, heading, submit } = await open(second.link);
  await submit({ email, password: PASSWORD });
  const alert = page.locator('#join > [role=alert]');
  await expect.poll(() => alert.innerText()).toContain('You are a member of this project already.');
  expect(await heading()).toBe(views.confirm.title);
});

test('invitations that are used, taken back, over, unknown or cut open nothing and say so', async () => {
  const owner = await newOwner(stack());
  const [used, back, late] = [
    await owner.invite('viewer'),
    await owner.invite('viewer'),
    await owner.invite('viewer'),
  ];
  const { email } = await signUp(stack());
  const { browser } = await signUp(stack());
  await browser.send('POST', '/api/v1/account/invitations', { secret: used.secret });
  await owner.takeBack(back.id);
  await stack().sql`
    update project_invitations set expires_at = now() - interval '1 second' where id = ${late.id}`;
  const before = await owner.roles();
  const { page, heading, submit, go, text, entered } = await open('/sign-in');
  const links = [used.link, back.link, late.link, `/join#${'A'.repeat(43)}`];
  const refuses = async () => {
    for (const link of links) {
      await go(link);
      expect(await heading()).toBe(views.refused.title);
      expect(await text()).toContain('Ask the person who invited you for another one.');
      expect(page.url()).toBe(`${stack().baseUrl}/join`);
    }
  };
  await refuses();
  await go('/sign-in');
  await submit({ email, password: PASSWORD });
  await entered();
  await refuses();
  for (const link of ['/join', used.link.slice(0, -1), `${used.link}%3Cimg%3E`]) {
    await go(link);
    expect(await heading()).toBe(views['no-secret'].title);
  }
  expect(await owner.roles()).toEqual(before);
});

test('an invitation that is taken back while the page is open is over by the button', async () => {
  const owner = await newOwner(stack());
  const { link, id } = await owner.invite('viewer');
  const { email } = await signUp(stack());
  const { heading, submit } = await open(link);
  expect(await heading()).toBe(views['sign-in'].title);
  await owner.takeBack(id);
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(views.refused.title);
  expect(Object.keys(await owner.roles())).not.toContain(email);
});

test('a session that ends while the page is open asks to sign in, and then joins', async () => {
  const owner = await newOwner(stack());
  const { link } = await owner.invite('viewer');
  const { email } = await signUp(stack());
  const { page, heading, submit, go, entered } = await open('/sign-in');
  await submit({ email, password: PASSWORD });
  await entered();
  await go(link);
  const elsewhere = newBrowser(stack());
  await elsewhere.send('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  await elsewhere.send('DELETE', '/api/auth/sessions');
  await submit();
  const alert = page.locator('#sign-in > [role=alert]');
  await expect.poll(() => alert.innerText()).toBe('You are not signed in any more. Sign in again.');
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(`${titleOf('joined')}${owner.name}`);
});

test('a password forgotten on the way: the mail’s page, and then the invitation again', async () => {
  const owner = await newOwner(stack());
  const { link } = await owner.invite('viewer');
  const { email } = await signUp(stack());
  const { page, heading, text, submit, go } = await open(link);
  await page.locator('#sign-in-email').fill(email);
  await page.getByRole('button', { name: links.toForgot }).click();
  await submit();
  await expect.poll(heading).toBe(views.sent.title);
  expect(await text()).toContain(say.thenInvitation);
  await go(linkTo(stack(), email));
  await submit({ password: 'another horse battery' });
  await expect.poll(heading).toBe(views.done.title);
  await go(link);
  await submit({ email, password: 'another horse battery' });
  await expect.poll(heading).toBe(`${titleOf('joined')}${owner.name}`);
});
