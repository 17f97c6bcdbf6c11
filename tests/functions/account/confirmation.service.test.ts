/** Accounts that somebody prepares for another person's address, confirmed addresses, and what a new password ends. */
import { expect, test } from 'vitest';
import { addPassword, PASSWORD as KNOWN_PASSWORD } from '../../security/account-samples.ts';
import { createTenant, type Person } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { mailedToken, newBrowser, PASSWORD, signUp, signUpUnconfirmed } from './browser.ts';

const stack = useStack();
type Browser = ReturnType<typeof newBrowser>;

/** Resets the password of an account by mail. */
async function resetPassword(email: string, password = 'the owner of the address'): Promise<Browser> {
  const browser = newBrowser(stack());
  await browser.send('POST', '/api/auth/password/reset-request', { email });
  const token = mailedToken(stack(), email, 'reset-password');
  const reset = await browser.send('POST', '/api/auth/password/reset', { token, password });
  expect(reset.status).toBe(204);
  expect((await browser.send('POST', '/api/auth/sign-in', { email, password })).status).toBe(200);
  return browser;
}

const invitationSecret = async (owner: Person & { projectId: string }): Promise<string> => {
  const path = `/api/v1/projects/${owner.projectId}/members`;
  const { data } = await newBrowser(stack(), owner.cookie).json('POST', path, { role: 'viewer' });
  return data.url.split('#')[1];
};

test('an account that was prepared for its victim opens nothing, before and after the victim takes it over', async () => {
  const { email, browser: attacker, response } = await signUpUnconfirmed(stack());
  expect(await response.json()).toMatchObject({ data: { user: { emailConfirmed: false } } });
  const { data: projects } = await attacker.json('GET', '/api/v1/projects');
  const project = `/api/v1/projects/${projects[0].id}`;
  const { data: environments } = await attacker.json('GET', `${project}/environments`);
  const secret = await invitationSecret(await createTenant(stack().sql));
  const prepared: [path: string, body: object][] = [
    ['/api/v1/account/api-keys', { name: 'kept' }],
    ['/api/v1/account/query-tokens', { name: 'kept', scopes: ['sites:read'] }],
    ['/api/v1/account/invitations', { secret }],
    [`${project}/members`, { role: 'owner' }],
    ['/api/v1/projects', { name: 'kept' }],
    ['/api/v1/sites', { domain: 'example.com', name: 'kept' }],
    [`/api/v1/telemetry${project.slice(7)}/environments/${environments[0].id}/ingest-keys`, { name: 'kept' }],
    ['/api/auth/second-factor', { password: PASSWORD }],
  ];
  for (const [path, body] of prepared) {
    const refused = await attacker.send('POST', path, body);
    expect([path, refused.status, await refused.json()]).toEqual([
      path,
      403,
      { error: 'FORBIDDEN', message: expect.stringMatching(/^Confirm your e-mail address first/) },
    ]);
  }
  const victim = await resetPassword(email);
  expect((await attacker.send('GET', '/api/v1/projects')).status).toBe(401);
  expect(await victim.json('GET', '/api/auth/session')).toMatchObject({
    data: { email, emailConfirmed: true },
  });
  for (const [path, body] of prepared.slice(0, 3))
    expect((await victim.send('POST', path, body)).status).toBe(201);
});

test('a victim who opens the link of an account that they did not make confirms nothing', async () => {
  const { email, browser: attacker } = await signUpUnconfirmed(stack());
  const token = mailedToken(stack(), email, 'confirm-email');
  const { browser: other } = await signUp(stack());
  expect((await newBrowser(stack()).send('POST', '/api/auth/email/confirm', { token })).status).toBe(401);
  expect((await other.send('POST', '/api/auth/email/confirm', { token })).status).toBe(403);
  expect((await attacker.send('POST', '/api/v1/projects', { name: 'New' })).status).toBe(403);
  const [row] = await stack().sql`select email_verified from users where email = ${email}`;
  expect(row).toEqual({ email_verified: false });
});

test('the mailed link confirms the address of whoever is signed in, and a changed one does not', async () => {
  const { email, browser } = await signUpUnconfirmed(stack());
  const token = mailedToken(stack(), email, 'confirm-email') ?? '';
  const [head, , signature] = token.split('.');
  const claims = Buffer.from(JSON.stringify({ email, exp: Date.now() })).toString('base64url');
  for (const wrong of [`${head}.${claims}.${signature}`, `${token.slice(0, -2)}xx`, 'x', ''])
    expect((await browser.send('POST', '/api/auth/email/confirm', { token: wrong })).status).toBe(400);
  expect((await browser.send('POST', '/api/auth/email/confirm', { token })).status).toBe(204);
  expect((await browser.send('POST', '/api/v1/projects', { name: 'New' })).status).toBe(201);
  expect((await browser.send('POST', '/api/auth/email/confirm', { token })).status).toBe(204);
  expect((await browser.send('POST', '/api/auth/email/confirm-request')).status).toBe(409);
});

test('another link is mailed on request, three a day with the first one', async () => {
  const { email, browser } = await signUpUnconfirmed(stack());
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++)
    statuses.push((await browser.send('POST', '/api/auth/email/confirm-request')).status);
  expect(statuses).toEqual([202, 202, 429, 429]);
  expect(stack().mail.sent.filter(({ to }) => to === email)).toHaveLength(3);
});

/** A person with a password, an API key, a query token, two sessions. */
async function createKeyHolder() {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  await addPassword(sql, tenant.userId);
  const browser = newBrowser(stack(), tenant.cookie);
  const { data: key } = await browser.json('POST', '/api/v1/account/api-keys', { name: 'Reports' });
  const scopes = ['sites:read'];
  const { data: token } = await browser.json('POST', '/api/v1/account/query-tokens', {
    name: 'Agent',
    scopes,
  });
  const working = async () => ({
    keys: (await browserOfKeys(browser, 'api-keys')).length,
    tokens: (await browserOfKeys(browser, 'query-tokens')).length,
  });
  const useKey = async () =>
    (await stack().fetch('/api/v1/sites', { headers: { Authorization: `Bearer ${key.token}` } })).status;
  return { ...tenant, browser, key, token, working, useKey };
}
const browserOfKeys = async (browser: Browser, path: string): Promise<unknown[]> =>
  (await browser.json('GET', `/api/v1/account/${path}`)).data;

test('a reset ends sessions, API keys and query tokens, and the audit log says so', async () => {
  const { sql } = stack();
  const { email, userId, projectId, browser, key, token, useKey } = await createKeyHolder();
  const owner = await resetPassword(email);
  expect((await browser.send('GET', '/api/v1/projects')).status).toBe(401);
  expect(await useKey()).toBe(401);
  for (const path of ['api-keys', 'query-tokens']) expect(await browserOfKeys(owner, path)).toEqual([]);
  const lines = await sql`
    select action, actor, tool from audit_log
    where project_id = ${projectId} and action like '%.revoke' and subject in (
      select sha256(convert_to(${`${projectId} `} || id, 'UTF8')) from unnest(array[${key.id}, ${token.id}]::text[]) id)
    order by action`;
  const actor = { kind: 'mailedLink', userId };
  expect(lines).toEqual(
    ['api-key.revoke', 'query-token.revoke'].map((action) => ({ action, actor, tool: 'resetPassword' })),
  );
});

test('a changed password leaves keys alone, unless they are to go with it', async () => {
  const { browser, working, useKey } = await createKeyHolder();
  const change = (currentPassword: string, newPassword: string, more = {}) =>
    browser.send('POST', '/api/auth/password', { currentPassword, newPassword, ...more });
  expect((await change(KNOWN_PASSWORD, PASSWORD)).status).toBe(204);
  expect([await working(), await useKey()]).toEqual([{ keys: 2, tokens: 1 }, 200]);
  expect((await change('not the password', 'a third one', { revokeKeys: true })).status).toBe(403);
  expect(await working()).toEqual({ keys: 2, tokens: 1 });
  expect((await change(PASSWORD, 'the newest password', { revokeKeys: true })).status).toBe(204);
  expect(await working()).toEqual({ keys: 0, tokens: 0 });
});

test('a key that is made while the password is reset is revoked too, or refused', async () => {
  const { email, browser } = await createKeyHolder();
  const requester = newBrowser(stack());
  await requester.send('POST', '/api/auth/password/reset-request', { email });
  const token = mailedToken(stack(), email, 'reset-password');
  const making = Array.from({ length: 20 }, (_, n) =>
    browser.send('POST', '/api/v1/account/api-keys', { name: `thief ${n}` }),
  );
  const password = 'the owner of the address';
  const [reset] = await Promise.all([
    requester.send('POST', '/api/auth/password/reset', { token, password }),
    ...making,
  ]);
  expect(reset.status).toBe(204);
  const late = await browser.send('POST', '/api/v1/account/api-keys', { name: 'late' });
  expect(late.status).toBe(401);
  await requester.send('POST', '/api/auth/sign-in', { email, password });
  expect(await browserOfKeys(requester, 'api-keys')).toEqual([]);
});
