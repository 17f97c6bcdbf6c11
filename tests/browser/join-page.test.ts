/** `/join` in a browser, through the whole service. */
import { expect, test } from 'vitest';
import { newBrowser, signUp } from '../functions/account/browser.ts';
import { useStack } from '../services/stack.ts';
import { linkTo, newEmail, openPage, PASSWORD, say, titleOf } from './account-pages.ts';
import { useChromium } from './chromium.ts';

const lines: string[] = [];
const stack = useStack({ guides: [], log: (line) => lines.push(line) });
const newContext = useChromium();
const open = (path: string, options = {}) => openPage(stack(), newContext, path, options);

const { views, links } = say;

/** Somebody with a project, who mails invitations to it; their links from the path on. */
async function newOwner() {
  const { browser, email: address } = await signUp(stack());
  const name = `Six Strings ${address.slice(0, 8)}`;
  const { data } = await browser.json('POST', '/api/v1/projects', { name });
  const path = `/api/v1/projects/${data.id}`;
  return {
    name,
    invite: async (role: string) => {
      const email = newEmail();
      const made = await browser.json('POST', `${path}/members`, { role, email });
      const link = linkTo(stack(), email);
      return { id: made.data.id as string, link, secret: link.split('#')[1] ?? '' };
    },
    takeBack: (id: string) => browser.send('DELETE', `${path}/invitations/${id}`),
    roles: async (): Promise<Record<string, string>> => {
      const { data: members } = await browser.json('GET', `${path}/members`);
      return Object.fromEntries(members.map(({ email, role }: Record<string, string>) => [email, role]));
    },
  };
}

test('somebody new signs up and joins; the secret is in one body and nowhere else', async () => {
  const owner = await newOwner();
  const { link, secret } = await owner.invite('viewer');
  const { page, heading, text, submit, asked, complaints } = await open(link);
  expect(await heading()).toBe(views['sign-in'].title);
  expect(await text()).toContain(say.invited);
  await page.getByRole('button', { name: links.toSignUp }).click();
  const email = newEmail();
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(`${titleOf('joined')}${owner.name}`);
  expect(await text()).toContain('Your role is viewer. Viewers read everything and change nothing.');
  expect(await text()).toContain(say.next.noDashboard);
  expect(await owner.roles()).toMatchObject({ [email]: 'viewer' });
  expect(page.url()).toBe(`${stack().baseUrl}/join`);

  const bodies = asked.filter((request) => request.postData()?.includes(secret));
  expect(bodies.map((request) => new URL(request.url()).pathname)).toEqual(['/api/v1/account/invitations']);
  const heads = await Promise.all(
    asked.map(async (one) => one.url() + JSON.stringify(await one.allHeaders())),
  );
  expect(heads.filter((head) => head.includes(secret))).toEqual([]);
  await expect.poll(() => lines.join('\n')).toContain('"route":"/api/v1/account/invitations"');
  expect(lines.join('\n')).toContain('"route":"/join"');
  expect(lines.join('\n')).not.toContain(secret);
  expect(complaints).toEqual([]);
});

test('somebody with an account signs in and joins', async () => {
  const owner = await newOwner();
  const { link } = await owner.invite('admin');
  const { email } = await signUp(stack());
  const { heading, text, submit } = await open(link);
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(`${titleOf('joined')}${owner.name}`);
  expect(await text()).toContain('Your role is admin.');
  expect(await owner.roles()).toMatchObject({ [email]: 'admin' });
});

test('who is signed in is asked first, and may do it as somebody else', async () => {
  const owner = await newOwner();
  const [first, second] = [await owner.invite('viewer'), await owner.invite('viewer')];
  const { email } = await signUp(stack());
  const { page, heading, text, submit, go } = await open('/sign-in');
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(views['signed-in'].title);

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
  const owner = await newOwner();
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
  const owner = await newOwner();
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
  const { heading, submit, go, text } = await open(used.link);
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(views.refused.title);
  for (const link of [back.link, late.link, `/join#${'A'.repeat(43)}`]) {
    await go(link);
    expect(await heading()).toBe(views.confirm.title);
    await submit();
    await expect.poll(heading).toBe(views.refused.title);
    expect(await text()).toContain('Ask whoever invited you for another one.');
  }
  for (const link of ['/join', used.link.slice(0, -1), `${used.link}%3Cimg%3E`]) {
    await go(link);
    expect(await heading()).toBe(views['no-secret'].title);
  }
  expect(await owner.roles()).toEqual(before);
});

test('a session that ends while the page is open asks to sign in, and then joins', async () => {
  const owner = await newOwner();
  const { link } = await owner.invite('viewer');
  const { email } = await signUp(stack());
  const { page, heading, submit, go } = await open('/sign-in');
  await submit({ email, password: PASSWORD });
  await expect.poll(heading).toBe(views['signed-in'].title);
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
  const owner = await newOwner();
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
