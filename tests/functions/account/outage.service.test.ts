/** Nobody can sign in while guesses can't be counted. Errors tell an unreachable part apart from a wrong password. */
import { expect, test } from 'vitest';
import { createAccountApp } from '../../../functions/account/app.ts';
import type { LogLine } from '../../../lib/http/log.ts';
import { addPassword, PASSWORD } from '../../security/account-samples.ts';
import { TEST_AUTH_KEY } from '../../security/session.ts';
import { createTenant } from '../../security/tenant.ts';
import { useOwnStack } from '../../services/use-stack.ts';

const stack = useOwnStack();
const app = createAccountApp({ log: () => {} });
/** An address where nothing listens. */
const NOWHERE = 'http://127.0.0.1:1';

const envOf = (changes: Record<string, string> = {}) => ({
  DATABASE_URL: stack().neon.url,
  DATABASE_HTTP_ENDPOINT: stack().neon.endpoint,
  UPSTASH_REDIS_REST_URL: stack().upstash.url,
  UPSTASH_REDIS_REST_TOKEN: stack().upstash.token,
  PUBLIC_URL: 'https://vendor.example',
  AUTH_KEY: TEST_AUTH_KEY,
  ADDRESS_KEY: 'a key for the addresses of tests only',
  CHANNEL_KEY: 'a key for the channels of tests only',
  MAIL_URL: stack().mail.url,
  MAIL_TOKEN: stack().mail.token,
  MAIL_FROM: 'Vendor <no-reply@vendor.example>',
  ...changes,
});

const signIn = (email: string, password: string, changes?: Record<string, string>) =>
  app.request(
    '/api/auth/sign-in',
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    },
    envOf(changes),
  );

test('under Node, over https, the cookie is for secure connections only', async () => {
  const tenant = await createTenant(stack().sql);
  await addPassword(stack().sql, tenant.userId);
  const response = await signIn(tenant.email, PASSWORD);
  expect(response.status).toBe(200);
  // `__Host-` wants Path=/ and no Domain: browsers refuse such a cookie from any other host of the domain.
  const attributes = 'Max-Age=\\d+; Path=/; HttpOnly; Secure; SameSite=Lax';
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(new RegExp(`^__Host-vendor\\.session_token=[^;]+; ${attributes}$`)),
    expect.stringMatching(new RegExp(`^__Host-vendor\\.known_browser=[^;]+; ${attributes}$`)),
  ]);
});

test('without Redis nobody signs in, be the password right or wrong', async () => {
  const tenant = await createTenant(stack().sql);
  await addPassword(stack().sql, tenant.userId);
  for (const password of [PASSWORD, 'not the password']) {
    const response = await signIn(tenant.email, password, { UPSTASH_REDIS_REST_URL: NOWHERE });
    expect([response.status, (await response.json()).error]).toEqual([503, 'UNAVAILABLE']);
    expect(response.headers.getSetCookie()).toEqual([]);
  }
});

test('without the database an answer is 503, never 401', async () => {
  const tenant = await createTenant(stack().sql);
  const away = { DATABASE_HTTP_ENDPOINT: `${NOWHERE}/sql`, DATABASE_URL: 'postgres://a:b@away.example/c' };
  expect((await signIn(tenant.email, PASSWORD, away)).status).toBe(503);
  const cookie = tenant.cookie.replace('vendor.', '__Host-vendor.');
  const path = '/api/v1/projects';
  expect((await app.request(path, { headers: { Cookie: cookie } }, envOf())).status).toBe(200);
  expect((await app.request(path, { headers: { Cookie: cookie } }, envOf(away))).status).toBe(503);
});

test('an invitation that can’t be mailed is none', async () => {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  const response = await app.request(
    `/api/v1/projects/${tenant.projectId}/members`,
    {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Cookie: tenant.cookie.replace('vendor.', '__Host-vendor.'),
      },
      body: JSON.stringify({ role: 'viewer', email: 'ben@example.com' }),
    },
    envOf({ MAIL_URL: `${NOWHERE}/emails` }),
  );
  expect(response.status).toBe(503);
  expect(await sql`select from project_invitations where project_id = ${tenant.projectId}`).toEqual([]);
});

test('a reset that can’t be mailed is answered as ever, and logged without the address', async () => {
  const tenant = await createTenant(stack().sql);
  await addPassword(stack().sql, tenant.userId);
  const lines: LogLine[] = [];
  const response = await createAccountApp({ log: (line) => lines.push(line) }).request(
    '/api/auth/password/reset-request',
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: tenant.email }),
    },
    envOf({ MAIL_URL: `${NOWHERE}/emails` }),
  );
  expect(response.status).toBe(202);
  await expect
    .poll(() => lines)
    .toContainEqual(expect.objectContaining({ level: 'error', event: 'lost-mail' }));
  expect(JSON.stringify(lines)).not.toContain(tenant.email);
});
