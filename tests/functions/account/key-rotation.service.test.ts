/** A new AUTH_KEY with the old one beside it: nobody is signed out and second factors stay (docs/operations.md#auth_key). */
import { expect, test } from 'vitest';
import { createAccountApp } from '../../../functions/account/app.ts';
import { renewSecondFactors } from '../../../lib/accounts/auth/second-factors.ts';
import { addPassword, PASSWORD } from '../../security/account-samples.ts';
import { createConfirmation, TEST_AUTH_KEY } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { fromBase32, totp } from '../../security/totp.ts';
import { useOwnStack } from '../../services/use-stack.ts';
import { newBrowser } from './browser.ts';

const stack = useOwnStack();
const app = createAccountApp({ log: () => {} });
const NEW_KEY = 'a key that takes over from the one before';

type Sent = NonNullable<Parameters<ReturnType<typeof stack>['fetch']>[1]>;

/** The function with these keys, as a stack for `newBrowser`. */
function withKeys(keys: { AUTH_KEY: string; AUTH_KEY_OLD?: string }) {
  const env = {
    DATABASE_URL: stack().neon.url,
    DATABASE_HTTP_ENDPOINT: stack().neon.endpoint,
    UPSTASH_REDIS_REST_URL: stack().upstash.url,
    UPSTASH_REDIS_REST_TOKEN: stack().upstash.token,
    PUBLIC_URL: 'http://127.0.0.1:8787',
    ADDRESS_KEY: 'a key for the addresses of tests only',
    CHANNEL_KEY: 'a key for the channels of tests only',
    ...keys,
  };
  return {
    ...stack(),
    fetch: async (path: string, { address = '', ...init }: Sent = {}) => {
      const headers = new Headers(init.headers as HeadersInit);
      headers.set('CF-Connecting-IP', address);
      return app.request(path, { ...init, headers } as RequestInit, env);
    },
  } as unknown as ReturnType<typeof stack>;
}
const before = () => withKeys({ AUTH_KEY: TEST_AUTH_KEY });
const during = () => withKeys({ AUTH_KEY: NEW_KEY, AUTH_KEY_OLD: TEST_AUTH_KEY });
const after = () => withKeys({ AUTH_KEY: NEW_KEY });
const KEYS = { current: NEW_KEY, previous: TEST_AUTH_KEY };

/** A person who set a second factor up with the old key, and what signs in as them. */
async function addPerson() {
  const { email, userId } = await createTenant(stack().sql);
  await addPassword(stack().sql, userId);
  const browser = newBrowser(before());
  const signIn = { email, password: PASSWORD };
  expect((await browser.send('POST', '/api/auth/sign-in', signIn)).status).toBe(200);
  const { data } = await browser.json('POST', '/api/auth/second-factor', { password: PASSWORD });
  const secret = fromBase32(new URL(data.uri).searchParams.get('secret') ?? '');
  const confirm = { code: totp(secret) };
  expect((await browser.send('POST', '/api/auth/second-factor/confirm', confirm)).status).toBe(204);
  const sealed = async () => {
    const [row] = await stack().sql`
      select secret, backup_codes from user_second_factors where user_id = ${userId}`;
    return [row?.secret, row?.backup_codes] as [string, string];
  };
  /** Signs in with password and code. Returns the status of the code, and the browser. */
  const signInBy = async (at: typeof before, code: string) => {
    const other = newBrowser(at());
    await other.send('POST', '/api/auth/sign-in', signIn);
    const { status } = await other.send('POST', '/api/auth/sign-in/second-factor', { code });
    return { status, browser: other };
  };
  // A code works once: the confirmation took the current one.
  const nextCode = () => totp(secret, Date.now() + 30_000);
  return { userId, email, browser, sealed, signInBy, nextCode, codes: data.backupCodes as string[] };
}
const moved = (browser: { cookie: string }, to: typeof before) => {
  const next = newBrowser(to());
  const send = (path: string) => next.send('GET', path, undefined, { Cookie: browser.cookie });
  return { send };
};

test('without the old key a new one makes second factors useless', async () => {
  const { signInBy, codes } = await addPerson();
  expect((await signInBy(after, codes[0] ?? '')).status).not.toBe(200);
});

test('a second factor of the old key signs in, and is encrypted with the new one from then on', async () => {
  const { signInBy, nextCode, codes, sealed } = await addPerson();
  const old = await sealed();
  expect((await signInBy(during, nextCode())).status).toBe(200);
  const renewed = await sealed();
  for (const index of [0, 1]) expect(renewed[index]).not.toBe(old[index]);
  expect((await signInBy(after, codes[0] ?? '')).status).toBe(200);
  expect((await signInBy(after, codes[0] ?? '')).status).toBe(401);
});

test('a backup code of the old key works once', async () => {
  const { signInBy, codes } = await addPerson();
  expect((await signInBy(during, codes[3] ?? '')).status).toBe(200);
  expect((await signInBy(during, codes[3] ?? '')).status).toBe(401);
  expect((await signInBy(after, codes[4] ?? '')).status).toBe(200);
});

test('the operator encrypts all of them at once, and may repeat it', async () => {
  const person = await addPerson();
  const lost = await addPerson();
  await stack().sql`update user_second_factors set secret = 'ab12' where user_id = ${lost.userId}`;
  const first = await renewSecondFactors({ sql: stack().sql }, KEYS);
  expect(first.renewed).toBeGreaterThanOrEqual(1);
  expect(first.lost).toBe(1);
  const renewed = await person.sealed();
  const second = await renewSecondFactors({ sql: stack().sql }, KEYS);
  expect(second).toEqual({ renewed: 0, current: first.renewed + first.current, lost: 1 });
  expect(await person.sealed()).toEqual(renewed);
  expect((await person.signInBy(after, person.nextCode())).status).toBe(200);
});

test('sessions go on; a prolonged one has a cookie of the new key', async () => {
  const { browser, userId } = await addPerson();
  const path = '/api/auth/session';
  expect((await moved(browser, after).send(path)).status).toBe(401);
  expect((await moved(browser, during).send(path)).status).toBe(200);
  // The library prolongs a session that was prolonged more than a day ago.
  await stack().sql`
    update user_sessions set expires_at = now() + interval '12 days', updated_at = now() - interval '2 days'
    where user_id = ${userId}`;
  const answer = await moved(browser, during).send(path);
  const [cookie = ''] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^vendor\.session_token=/);
  const prolonged = { cookie: cookie.slice(0, cookie.indexOf(';')) };
  expect((await moved(prolonged, after).send(path)).status).toBe(200);
});

test('a cookie that neither key signed opens nothing', async () => {
  const { browser } = await addPerson();
  const forged = { cookie: browser.cookie.replace(/(session_token=.{10})./, '$1x') };
  expect((await moved(forged, during).send('/api/auth/session')).status).toBe(401);
});

test('a link that the old key signed confirms the address', async () => {
  const { email, userId } = await createTenant(stack().sql);
  await addPassword(stack().sql, userId);
  await stack().sql`update users set email_verified = false where id = ${userId}`;
  const confirm = async (at: typeof before) => {
    const browser = newBrowser(at());
    await browser.send('POST', '/api/auth/sign-in', { email, password: PASSWORD });
    const { status } = await browser.send('POST', '/api/auth/email/confirm', {
      token: createConfirmation(email),
    });
    return status;
  };
  expect(await confirm(after)).toBe(400);
  expect(await confirm(during)).toBe(204);
});

test('a browser that the old key marked as known is counted apart, as before', async () => {
  const { email, userId } = await createTenant(stack().sql);
  await addPassword(stack().sql, userId);
  const signIn = { email, password: PASSWORD };
  const known = newBrowser(before());
  await known.send('POST', '/api/auth/sign-in', signIn);
  const guess = { email, password: 'a guess that is wrong' };
  // Each guess comes from another address.
  const stranger = async () => (await newBrowser(during()).send('POST', '/api/auth/sign-in', guess)).status;
  while ((await stranger()) !== 429);
  const send = async (at: typeof before) =>
    (await newBrowser(at()).send('POST', '/api/auth/sign-in', signIn, { Cookie: known.cookie })).status;
  expect(await send(after)).toBe(429);
  expect(await send(during)).toBe(200);
});
