/** Codes and links that are used again, guesses that lock an owner out, and addresses that are tried by signing up. */
import { expect, test } from 'vitest';
import { fromBase32, totp } from '../../security/totp.ts';
import { useStack } from '../../services/use-stack.ts';
import { mailedToken, newBrowser, PASSWORD, signUp } from './browser.ts';

const stack = useStack();
const newEmail = () => `${crypto.randomUUID()}@example.com`;

async function mailReset(email: string): Promise<string> {
  await newBrowser(stack()).send('POST', '/api/auth/password/reset-request', { email });
  return mailedToken(stack(), email, 'reset-password') ?? '';
}
const useReset = async (token: string, password = 'a third horse battery') =>
  (await newBrowser(stack()).send('POST', '/api/auth/password/reset', { token, password })).status;

test('a link for a new password ends with the first use of another one', async () => {
  const { email } = await signUp(stack());
  const [first, second] = [await mailReset(email), await mailReset(email)];
  expect(await useReset(first)).toBe(204);
  expect(await useReset(second)).toBe(400);
});

test('of two links that are used at the same time one works', async () => {
  const { email } = await signUp(stack());
  const links = [await mailReset(email), await mailReset(email)];
  const statuses = await Promise.all(links.map((link) => useReset(link)));
  expect(statuses.sort()).toEqual([204, 400]);
});

test.each([
  [
    'a changed password',
    'POST',
    '/api/auth/password',
    { currentPassword: PASSWORD, newPassword: 'another horse battery' },
  ],
  ['signing out everywhere else', 'DELETE', '/api/auth/sessions', undefined],
])('a link for a new password ends with %s', async (_, method, path, body) => {
  const { email, browser } = await signUp(stack());
  const link = await mailReset(email);
  expect((await browser.send(method, path, body)).status).toBe(204);
  expect(await useReset(link)).toBe(400);
});

/** A person with a second factor, and what their app shows `steps` of 30 s from now. */
async function withSecondFactor() {
  const { email, browser } = await signUp(stack());
  const { data } = await browser.json('POST', '/api/auth/second-factor', { password: PASSWORD });
  const secret = fromBase32(new URL(data.uri).searchParams.get('secret') ?? '');
  const code = (steps: number) => totp(secret, Date.now() + steps * 30_000);
  const confirming = code(0);
  const confirmed = await browser.send('POST', '/api/auth/second-factor/confirm', { code: confirming });
  expect(confirmed.status).toBe(204);
  return { email, code, confirming };
}

/** Signs in with the password, and answers the status that the code gets. */
async function signInWith(email: string, code: string): Promise<number> {
  const browser = newBrowser(stack());
  await browser.send('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  return (await browser.send('POST', '/api/auth/sign-in/second-factor', { code })).status;
}

test('a code of the app works once, also the one that confirmed the second factor', async () => {
  const { email, code, confirming } = await withSecondFactor();
  expect(await signInWith(email, confirming)).toBe(401);
  const next = code(1);
  expect(await signInWith(email, next)).toBe(200);
  expect(await signInWith(email, next)).toBe(401);
});

test('of five browsers that send one code at the same time one is signed in', async () => {
  const { email, code } = await withSecondFactor();
  const browsers = [1, 2, 3, 4, 5].map(() => newBrowser(stack()));
  for (const browser of browsers)
    await browser.send('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  const shown = code(1);
  const answers = await Promise.all(
    browsers.map((browser) => browser.send('POST', '/api/auth/sign-in/second-factor', { code: shown })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
});

test('one person’s code is not used up by another person', async () => {
  const [first, second] = [await withSecondFactor(), await withSecondFactor()];
  const code = second.code(1);
  expect(await signInWith(first.email, code)).toBe(401);
  expect(await signInWith(second.email, code)).toBe(200);
});

/** Each guess takes the time of a hash, on a machine that may be busy. */
const GUESSES_TIMEOUT_MS = 180_000;

/** Wrong passwords from many addresses, until the account is closed to strangers. */
async function guessUntilClosed(email: string): Promise<void> {
  const statuses: number[] = [];
  // More than the limit, because the first requests leave the window when this takes long.
  while (statuses.at(-1) !== 429 && statuses.length < 62)
    statuses.push(
      (await newBrowser(stack()).send('POST', '/api/auth/sign-in', { email, password: 'a wrong guess' }))
        .status,
    );
  // One request before may have counted.
  expect(statuses.length).toBeGreaterThanOrEqual(30);
  expect(statuses.at(-1)).toBe(429);
}

test('wrong passwords of strangers lock nobody out who is signed in, or was with this browser', {
  timeout: GUESSES_TIMEOUT_MS,
}, async () => {
  const { email, browser } = await signUp(stack());
  const known = newBrowser(stack());
  const signIn = { email, password: PASSWORD };
  await known.send('POST', '/api/auth/sign-in', signIn);
  await known.send('POST', '/api/auth/sign-out');
  expect(known.cookie).not.toBe('');
  await guessUntilClosed(email);
  expect((await newBrowser(stack()).send('POST', '/api/auth/sign-in', signIn)).status).toBe(429);
  const change = { currentPassword: PASSWORD, newPassword: PASSWORD };
  expect((await browser.send('POST', '/api/auth/password', change)).status).toBe(204);
  expect((await known.send('POST', '/api/auth/sign-in', signIn)).status).toBe(200);
});

test('a known browser is known to one account, and its guesses are limited too', {
  timeout: GUESSES_TIMEOUT_MS,
}, async () => {
  const [owner, other] = [await signUp(stack()), await signUp(stack())];
  const known = newBrowser(stack());
  await known.send('POST', '/api/auth/sign-in', { email: owner.email, password: PASSWORD });
  await known.send('POST', '/api/auth/sign-out');
  await guessUntilClosed(other.email);
  const signIn = (email: string, password: string, cookie = known.cookie) =>
    newBrowser(stack(), cookie).send('POST', '/api/auth/sign-in', { email, password });
  expect((await signIn(other.email, PASSWORD)).status).toBe(429);
  const [name = '', value = ''] = known.cookie.split('=');
  const forged = `${name}=${value.slice(0, -3)}AAA`;
  await guessUntilClosed(owner.email);
  expect((await signIn(owner.email, PASSWORD, forged)).status).toBe(429);
  const guesses: number[] = [];
  while (guesses.at(-1) !== 429 && guesses.length < 62)
    guesses.push((await signIn(owner.email, 'a wrong guess')).status);
  expect([guesses[0], guesses.at(-1)]).toEqual([401, 429]);
});

test('five people who sign up with one address at the same time make one account', async () => {
  const email = newEmail();
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map(() =>
      newBrowser(stack()).send('POST', '/api/auth/sign-up', { email, password: PASSWORD }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  expect(stack().mail.sent.filter(({ to }) => to === email)).toHaveLength(1);
});

test('who tries addresses by signing up is stopped after five in an hour', async () => {
  const { email } = await signUp(stack());
  const address = `203.0.113.${1 + Math.floor(Math.random() * 250)}`;
  const trySigningUp = async (tried: string, password = PASSWORD) =>
    (await newBrowser(stack(), '', address).send('POST', '/api/auth/sign-up', { email: tried, password }))
      .status;
  // What the rules refuse tells nothing of an address.
  for (let n = 0; n < 6; n++) expect(await trySigningUp(email, 'short')).toBe(400);
  const statuses: number[] = [];
  for (const tried of [email, newEmail(), email, newEmail(), email, newEmail(), email])
    statuses.push(await trySigningUp(tried));
  expect(statuses).toEqual([409, 201, 409, 201, 409, 429, 429]);
});
