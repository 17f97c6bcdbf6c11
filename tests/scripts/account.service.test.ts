/** `npm run account`: accounts that the operator makes, also where the service sends no mail. */
import { expect, test } from 'vitest';
import { runAccount } from '../../scripts/account/run-account.ts';
import { asOperator } from '../../tooling/operator.ts';
import { newBrowser } from '../functions/account/browser.ts';
import { createTenant } from '../security/tenant.ts';
import { useStack } from '../services/use-stack.ts';

const stack = useStack();
const run = (...args: string[]) =>
  runAccount({ ctx: asOperator(stack().sql), args, publicUrl: `${stack().baseUrl}/` });
const tokenIn = (output = '') => /vapi_\S+/.exec(output)?.[0] ?? '';
const useToken = async (token: string) =>
  (await stack().fetch('/api/v1/sites', { headers: { Authorization: `Bearer ${token}` } })).status;

/** Chooses a password by the link that the operator got. */
async function choosePassword(output: string | undefined, password: string): Promise<number> {
  const [, page = '', token] = /(http\S+)#(\S+)/.exec(output ?? '') ?? [];
  expect(page).toBe(`${stack().baseUrl}/reset-password`);
  return (await newBrowser(stack()).send('POST', '/api/auth/password/reset', { token, password })).status;
}

test('an account of the operator is confirmed; its first password leaves the first token alone, the next one does not', async () => {
  const email = `Ada.${crypto.randomUUID()}@example.com`;
  const output = await run('create', email, 'Ada');
  expect(await useToken(tokenIn(output))).toBe(200);
  const passwords = ['the first password', 'the second password'];
  expect(await choosePassword(output, passwords[0] ?? '')).toBe(204);
  const browser = newBrowser(stack());
  const signedIn = await browser.json('POST', '/api/auth/sign-in', { email, password: passwords[0] });
  expect(signedIn).toMatchObject({ data: { user: { name: 'Ada', emailConfirmed: true } } });
  expect((await browser.send('POST', '/api/v1/projects', { name: 'New' })).status).toBe(201);
  expect(await run('tokens', email)).toMatch(/ first$/);
  expect(await useToken(tokenIn(output))).toBe(200);

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

test('a person is deleted with the projects that nobody else owns, and only with --yes', async () => {
  const { sql } = stack();
  const email = `${crypto.randomUUID()}@example.com`;
  const output = await run('create', email);
  const [project = ''] = /[0-9a-f-]{36}/.exec(output ?? '') ?? [];
  const shared = await createTenant(sql);
  const [person] = await sql`select id from users where email = ${email}`;
  await sql`insert into project_members (project_id, user_id, role) values (${shared.projectId}, ${person?.id}, 'owner')`;
  expect(await run('delete', email)).toMatch(new RegExp(`project ${project}  0 sites  1 members`));
  expect(await run('delete', email)).not.toContain(shared.projectId);
  expect(await run('delete', email.toUpperCase(), '--yes')).toContain('Deleted');
  expect(await useToken(tokenIn(output))).toBe(401);
  expect(await sql`select id from projects where id = any(${[project, shared.projectId]}::uuid[])`).toEqual([
    { id: shared.projectId },
  ]);
  const [line] = await sql`
    select actor ->> 'kind' as actor, action from audit_log
    where project_id = ${shared.projectId} and target = ${person?.id}`;
  expect(line).toEqual({ actor: 'operator', action: 'member.remove' });
  await expect(run('delete', email)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('second factors are encrypted anew only with both keys', async () => {
  await expect(run('encrypt-anew')).rejects.toThrow('AUTH_KEY_OLD');
});

test('what is no command has no output, and what is nobody’s address is refused', async () => {
  for (const args of [[], ['create'], ['token', 'a@example.com'], ['remove', 'a@example.com']])
    expect(await run(...args)).toBeUndefined();
  await expect(run('create', 'ada')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(run('password', 'nobody@example.com')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
