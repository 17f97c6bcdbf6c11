/** `npm run account`: accounts that the operator makes, also where the service sends no mail. */
import { expect, test } from 'vitest';
import { runAccount } from '../../scripts/account/run-account.ts';
import { asOperator } from '../../tooling/operator.ts';
import { newBrowser } from '../functions/account/browser.ts';
import { useStack } from '../services/use-stack.ts';

const stack = useStack();
const run = (...args: string[]) =>
  runAccount({ ctx: asOperator(stack().sql), args, publicUrl: `${stack().baseUrl}/` });
const tokenIn = (told = '') => /vapi_\S+/.exec(told)?.[0] ?? '';
const useToken = async (token: string) =>
  (await stack().fetch('/api/v1/sites', { headers: { Authorization: `Bearer ${token}` } })).status;

/** Chooses a password by the link that the operator was told. */
async function choosePassword(told: string | undefined, password: string): Promise<number> {
  const [, page = '', token] = /(http\S+)#(\S+)/.exec(told ?? '') ?? [];
  expect(page).toBe(`${stack().baseUrl}/reset-password`);
  return (await newBrowser(stack()).send('POST', '/api/auth/password/reset', { token, password })).status;
}

test('an account of the operator is confirmed; its first password leaves the first token alone, the next one does not', async () => {
  const email = `Ada.${crypto.randomUUID()}@example.com`;
  const told = await run('create', email, 'Ada');
  expect(await useToken(tokenIn(told))).toBe(200);
  const passwords = ['the first password', 'the second password'];
  expect(await choosePassword(told, passwords[0] ?? '')).toBe(204);
  const browser = newBrowser(stack());
  const signedIn = await browser.json('POST', '/api/auth/sign-in', { email, password: passwords[0] });
  expect(signedIn).toMatchObject({ data: { user: { name: 'Ada', emailConfirmed: true } } });
  expect((await browser.send('POST', '/api/v1/projects', { name: 'New' })).status).toBe(201);
  expect(await run('tokens', email)).toMatch(/ first$/);
  expect(await useToken(tokenIn(told))).toBe(200);

  expect(await choosePassword(await run('password', email), passwords[1] ?? '')).toBe(204);
  expect((await browser.send('GET', '/api/v1/projects')).status).toBe(401);
  expect(await run('tokens', email)).toContain('revoked');
});

test('further tokens are made, listed and revoked', async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  await run('create', email);
  const made = await run('token', email, 'laptop');
  expect(await run('tokens', email)).toContain('never used  laptop');
  const [id = ''] = /[0-9a-f-]{36}/.exec(made ?? '') ?? [];
  expect(await run('revoke', id)).toContain('Revoked');
  expect(await useToken(tokenIn(made))).toBe(401);
});

test('what is no command is told how to write one, and what is nobody’s address is refused', async () => {
  for (const args of [[], ['create'], ['token', 'a@example.com'], ['remove', 'a@example.com']])
    expect(await run(...args)).toBeUndefined();
  await expect(run('create', 'ada')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(run('password', 'nobody@example.com')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
