/** The end of an account. */
import { expect, test } from 'vitest';
import { addMember } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { newBrowser, PASSWORD, signUp } from './browser.ts';

const stack = useStack();
const PLACE = '/api/v1/account/deletion';

test('an account goes with its keys and memberships, and stays while it is the only owner of a project', async () => {
  const { sql } = stack();
  const { browser, email } = await signUp(stack());
  const remove = async (password = PASSWORD) => (await browser.send('POST', PLACE, { password })).status;
  const { data: person } = await browser.json('GET', '/api/auth/session');
  const { data: projects } = await browser.json('GET', '/api/v1/projects');
  const { id } = projects[0];
  await browser.json('POST', '/api/v1/sites', { domain: 'example.com', name: 'One', jurisdiction: 'PT' });
  const { data: key } = await browser.json('POST', '/api/v1/account/api-keys', { name: 'Mine' });
  const readsSites = async () =>
    (await stack().fetch('/api/v1/sites', { headers: { Authorization: `Bearer ${key.token}` } })).status;
  expect(await readsSites()).toBe(200);
  const viewer = await addMember(sql, id, 'viewer');

  expect(await browser.json('GET', PLACE)).toEqual({
    data: { projects: [{ id, name: email.split('@')[0], members: 2, sites: 1 }] },
  });
  expect(await remove()).toBe(409);
  expect((await browser.json('GET', '/api/auth/session')).data.email).toBe(email);

  await browser.send('PATCH', `/api/v1/projects/${id}/members/${viewer.userId}`, { role: 'owner' });
  expect(await browser.json('GET', PLACE)).toEqual({ data: { projects: [] } });
  expect(await remove('not the password')).toBe(403);
  expect(await remove()).toBe(204);

  expect(browser.cookie).not.toContain('session_token');
  const signIn = await newBrowser(stack()).send('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  expect(signIn.status).toBe(401);
  expect(await sql`select from users where id = ${person.id}`).toHaveLength(0);
  expect(await sql`select from api_tokens where user_id = ${person.id}`).toHaveLength(0);
  const left = newBrowser(stack(), viewer.cookie);
  expect((await left.json('GET', `/api/v1/projects/${id}/members`)).data).toMatchObject([
    { userId: viewer.userId, role: 'owner' },
  ]);
  expect((await left.json('GET', '/api/v1/sites')).data).toHaveLength(1);
  const { data: lines } = await left.json(
    'GET',
    `/api/v1/projects/${id}/audit-log?userId=${person.id}&limit=2`,
  );
  expect(
    lines.map(({ action, tool }: { action: string; tool: string }) => `${action} ${tool}`).sort(),
  ).toEqual(['api-key.revoke deleteAccount', 'member.remove deleteAccount']);
});

test('of two owners who go at once, one stays', async () => {
  const { browser, email } = await signUp(stack());
  const other = await signUp(stack());
  const { data: projects } = await browser.json('GET', '/api/v1/projects');
  const { data: person } = await other.browser.json('GET', '/api/auth/session');
  const { data: own } = await other.browser.json('GET', '/api/v1/projects');
  await other.browser.send('DELETE', `/api/v1/projects/${own[0].id}`);
  await stack().sql`
    insert into project_members (project_id, user_id, role) values (${projects[0].id}, ${person.id}, 'owner')`;
  const answers = await Promise.all(
    [browser, other.browser].map((one) => one.send('POST', PLACE, { password: PASSWORD })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  expect(email).not.toBe(other.email);
});
