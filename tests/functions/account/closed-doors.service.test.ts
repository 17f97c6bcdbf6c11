/** A service as `npm start` makes it: sign-up is closed, its first owner comes by a link, and mails are kept. */
import { expect, test } from 'vitest';
import { WORDS } from '../../../functions/account/pages/page-words-by-language.ts';
import { createFirstOwnerLink } from '../../../lib/accounts/auth/first-owner.ts';
import { LANGUAGES } from '../../../lib/languages.ts';
import { TEST_AUTH_KEY } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { useOwnStack } from '../../services/use-stack.ts';
import { mailedToken, newBrowser, PASSWORD } from './browser.ts';

const stack = useOwnStack({ guides: [], vars: { SIGN_UP: 'closed', MAIL_DELIVERY: 'kept' } });

const signUp = (body: object, browser = newBrowser(stack())) =>
  browser.send('POST', '/api/auth/sign-up', {
    email: `${crypto.randomUUID()}@example.com`,
    password: PASSWORD,
    ...body,
  });

const countPeople = async (): Promise<number> =>
  (await stack().sql`select count(*)::int as count from users`)[0]?.count;

/** An owner with a session, and the secrets of invitations. */
async function newOwner() {
  const tenant = await createTenant(stack().sql);
  const browser = newBrowser(stack(), tenant.cookie);
  const path = `/api/v1/projects/${tenant.projectId}`;
  return {
    invite: async () => {
      const { data } = await browser.json('POST', `${path}/members`, { role: 'viewer' });
      return { id: data.id as string, secret: data.url.split('#')[1] as string };
    },
    takeBack: (id: string) => browser.send('DELETE', `${path}/invitations/${id}`),
  };
}

test('the first owner is made by the link alone, once, and is signed in with a confirmed address', async () => {
  const link = await createFirstOwnerLink({
    ...{ sql: stack().sql, now: Date.now, authKey: TEST_AUTH_KEY, publicUrl: stack().baseUrl },
  });
  const firstOwner = link?.split('#first-owner=')[1] ?? '';
  const before = await countPeople();
  for (const [wrong, status] of [
    [`${Math.floor(Date.now() / 1000) + 9}${firstOwner.slice(10)}`, 403],
    [firstOwner.slice(0, -1), 400],
    ['', 400],
  ] as const)
    expect([wrong, (await signUp({ firstOwner: wrong })).status]).toEqual([wrong, status]);
  expect(await countPeople()).toBe(before);

  const browser = newBrowser(stack());
  const made = await signUp({ email: 'Owner@Example.com', name: 'Ada', firstOwner }, browser);
  expect([made.status, await made.json()]).toMatchObject([
    201,
    { data: { user: { email: 'owner@example.com', name: 'Ada', emailConfirmed: true } } },
  ]);
  expect((await browser.send('POST', '/api/v1/projects', { name: 'Mine' })).status).toBe(201);
  expect(stack().mail.sent).toEqual([]);
  const other = newBrowser(stack());
  const signIn = { email: 'owner@example.com', password: PASSWORD };
  expect((await other.send('POST', '/api/auth/sign-in', signIn)).status).toBe(200);

  const again = await signUp({ firstOwner });
  expect([again.status, await again.json()]).toEqual([
    403,
    {
      error: 'FORBIDDEN',
      message: 'This service has an owner already. Sign in, or ask an owner for an invitation.',
    },
  ]);
});

test('tries with a link for the first owner are counted by client address', async () => {
  const browser = newBrowser(stack());
  const statuses: number[] = [];
  for (let n = 0; n < 6; n++)
    statuses.push((await signUp({ firstOwner: `1795251600.${'A'.repeat(43)}` }, browser)).status);
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
});

test('an account is made by an open invitation alone, which stays open until it is used', async () => {
  const owner = await newOwner();
  const { id, secret } = await owner.invite();
  const before = await countPeople();
  const refused = await signUp({});
  expect([refused.status, await refused.json()]).toEqual([
    403,
    {
      error: 'FORBIDDEN',
      message: 'Nobody can sign up here without an invitation. Ask an owner or admin of a project for one.',
    },
  ]);
  const wrong = await signUp({ invitation: 'A'.repeat(43) });
  expect([wrong.status, (await wrong.json()).message]).toEqual([
    403,
    'This invitation was used or withdrawn, or has ended. Ask whoever invited you for another one.',
  ]);
  expect((await signUp({ invitation: secret.slice(1) })).status).toBe(400);
  expect(await countPeople()).toBe(before);

  const browser = newBrowser(stack());
  const email = `${crypto.randomUUID()}@example.com`;
  expect((await signUp({ email, invitation: secret }, browser)).status).toBe(201);
  expect((await signUp({ email, invitation: secret })).status).toBe(409);
  const token = mailedToken(stack(), email, 'confirm-email');
  expect((await browser.send('POST', '/api/auth/email/confirm', { token })).status).toBe(204);
  expect((await browser.send('POST', '/api/v1/account/invitations', { secret })).status).toBe(201);
  expect((await signUp({ invitation: secret })).status).toBe(403);

  const withdrawn = await owner.invite();
  expect((await owner.takeBack(withdrawn.id)).status).toBe(204);
  expect((await signUp({ invitation: withdrawn.secret })).status).toBe(403);
  expect(id).not.toBe(withdrawn.id);
});

test('only the page of an invitation offers to sign up', async () => {
  const read = async (path: string) => (await stack().fetch(path)).text();
  for (const path of ['/', '/sign-in', '/confirm-email'])
    expect([path, (await read(path)).includes('sign-up')]).toEqual([path, false]);
  expect(await read('/join')).toContain('data-show="sign-up"');
});

test.each(LANGUAGES)('in %s the pages say that no mail is sent, and who has the link', async (language) => {
  const { views, kept } = WORDS[language];
  const shown = async (path: string) => (await stack().fetch(`${path}?lang=${language}`)).text();
  const [signIn, join] = [await shown('/sign-in'), await shown('/join')];
  for (const [name, page] of [
    ['forgot', signIn],
    ['sign-up', join],
  ] as const) {
    expect(page).toContain(kept.views[name]?.lead);
    expect(page).not.toContain(views[name].lead);
  }
  const [sentence] = kept.views.unconfirmed?.lead?.split('{') ?? [];
  expect(signIn).toContain(sentence);
  expect(signIn).toContain(kept.buttons.sendAnother);
  expect(signIn).toContain(JSON.stringify(kept.script.mailed));
});

test('the page of the dashboard says that mails are kept', async () => {
  const headers = { Accept: 'text/html', Cookie: 'vendor.session_token=x' };
  expect(await (await stack().fetch('/settings/account', { headers })).text()).toContain('data-mails="kept"');
});
