/** What a stolen session must not do without a fresh proof of who is signed in. */
import { expect, test } from 'vitest';
import { addMember, createSite } from '../../security/tenant.ts';
import { fromBase32, totp } from '../../security/totp.ts';
import { useStack } from '../../services/use-stack.ts';
import { newBrowser, PASSWORD, signUp } from './browser.ts';

const stack = useStack();

/** A person with a project, a site in it, a viewer, and another project. Their session is as old as a stolen one may be. */
async function createVictim() {
  const { sql } = stack();
  const { browser, email } = await signUp(stack());
  const { data: person } = await browser.json('GET', '/api/auth/session');
  const { data: projects } = await browser.json('GET', '/api/v1/projects');
  const { data: other } = await browser.json('POST', '/api/v1/projects', { name: 'Other' });
  const projectId: string = projects[0].id;
  const viewer = await addMember(sql, projectId, 'viewer');
  const siteId = await createSite(sql, projectId);
  const growOld = () => sql`
    update user_sessions
    set created_at = created_at - interval '11 minutes', proven_at = proven_at - interval '11 minutes'
    where user_id = ${person.id}`;
  const send = async (method: string, path: string, body?: object) =>
    (await browser.send(method, path, body)).status;
  const prove = (proof: string) => send('POST', '/api/auth/proof', { proof });
  const project = `/api/v1/projects/${projectId}`;
  const inviteOwner = () => send('POST', `${project}/members`, { role: 'owner' });
  /** Each call that needs a proof, with the status of its success. */
  const calls: [status: number, method: string, path: string, body?: object][] = [
    [201, 'POST', `${project}/members`, { role: 'owner' }],
    [204, 'PATCH', `${project}/members/${viewer.userId}`, { role: 'owner' }],
    [204, 'DELETE', `/api/v1/projects/${other.id}`],
    [204, 'DELETE', `/api/v1/sites/${siteId}`],
  ];
  return { email, browser, inviteOwner, project, viewer, growOld, send, prove, calls };
}

test('without a second factor the password is the proof, and it counts for ten minutes', async () => {
  const { browser, growOld, send, prove, calls, inviteOwner, project, viewer } = await createVictim();
  await growOld();
  for (const [, method, path, body] of calls) {
    const refused = await browser.send(method, path, body);
    expect([path, refused.status, (await refused.json()).message]).toEqual([
      path,
      403,
      expect.stringContaining('/api/auth/proof'),
    ]);
  }
  // What gives away less needs none.
  expect(await send('PATCH', `${project}/members/${viewer.userId}`, { role: 'admin' })).toBe(204);
  expect(await prove('not the password')).toBe(403);
  expect(await inviteOwner()).toBe(403);
  expect(await prove(PASSWORD)).toBe(204);
  await growOld();
  expect(await inviteOwner()).toBe(403);
  expect(await prove(PASSWORD)).toBe(204);
  for (const [status, method, path, body] of calls) expect(await send(method, path, body)).toBe(status);
});

test('with a second factor only a code is a proof, also before the factor is turned off or the password changed', async () => {
  const { browser, growOld, send, prove, calls } = await createVictim();
  const { data: setup } = await browser.json('POST', '/api/auth/second-factor', { password: PASSWORD });
  const secret = fromBase32(new URL(setup.uri).searchParams.get('secret') ?? '');
  expect(await send('POST', '/api/auth/second-factor/confirm', { code: totp(secret) })).toBe(204);
  await growOld();
  const turnOff = () => send('POST', '/api/auth/second-factor/remove', { password: PASSWORD });
  const change = { currentPassword: PASSWORD, newPassword: 'a thief’s own password' };
  expect(await turnOff()).toBe(403);
  expect(await send('POST', '/api/auth/password', change)).toBe(403);
  expect(await prove(PASSWORD)).toBe(401);
  expect(await prove('000-000')).toBe(401);
  expect(await turnOff()).toBe(403);
  expect(await prove(setup.backupCodes[0])).toBe(204);
  for (const [status, method, path, body] of calls) expect(await send(method, path, body)).toBe(status);
  await growOld();
  expect(await turnOff()).toBe(403);
  expect(await prove(totp(secret, Date.now() + 30_000))).toBe(204);
  expect(await turnOff()).toBe(204);
});

test('a session with the password alone proves nothing once a second factor is on', async () => {
  const { browser, email } = await createVictim();
  const thief = newBrowser(stack());
  await thief.send('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  const { data: setup } = await browser.json('POST', '/api/auth/second-factor', { password: PASSWORD });
  const secret = fromBase32(new URL(setup.uri).searchParams.get('secret') ?? '');
  const confirmed = await browser.send('POST', '/api/auth/second-factor/confirm', { code: totp(secret) });
  expect(confirmed.status).toBe(204);
  const turnOff = { password: PASSWORD };
  expect((await thief.send('POST', '/api/auth/second-factor/remove', turnOff)).status).toBe(403);
});

test('proofs are guessed ten times in a quarter of an hour', async () => {
  const { prove } = await createVictim();
  const statuses: number[] = [];
  for (let n = 0; n < 11; n++) statuses.push(await prove(`guess ${n}`));
  expect(statuses).toEqual([...Array(10).fill(403), 429]);
});

test('an API key deletes a site without a proof, as deployments do', async () => {
  const { browser } = await createVictim();
  const { data: key } = await browser.json('POST', '/api/v1/account/api-keys', { name: 'Deployment' });
  const { data: site } = await browser.json('POST', '/api/v1/sites', {
    domain: 'example.com',
    name: 'Preview',
  });
  const deleted = await stack().fetch(`/api/v1/sites/${site.id}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${key.token}` },
  });
  expect(deleted.status).toBe(204);
});
