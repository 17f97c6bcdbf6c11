/** Mails to people who didn't ask for them, and a service that sends none. */
import { expect, test } from 'vitest';
import { createAccountApp } from '../../../functions/account/app.ts';
import { TEST_AUTH_KEY } from '../../security/session.ts';
import { addMember, createTenant, type Person } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { newBrowser, PASSWORD, signUp } from './browser.ts';

const stack = useStack();
const newEmail = () => `${crypto.randomUUID()}@example.com`;
const mailsTo = (email: string) => stack().mail.sent.filter(({ to }) => to === email).length;

/** Invites somebody and takes the invitation back. */
async function inviteAndRevoke(person: Person, projectId: string, email: string) {
  const browser = newBrowser(stack(), person.cookie);
  const path = `/api/v1/projects/${projectId}`;
  const response = await browser.send('POST', `${path}/members`, { role: 'viewer', email });
  const { data } = await response.json();
  if (data !== undefined) await browser.send('DELETE', `${path}/invitations/${data.id}`);
  return response;
}

test('an address gets three invitations a day, whoever invites and however often it is taken back', async () => {
  const { sql } = stack();
  const [owner, other] = await Promise.all([createTenant(sql), createTenant(sql)]);
  const admin = await addMember(sql, owner.projectId, 'admin');
  const email = newEmail();
  for (const [person, projectId] of [
    [owner, owner.projectId],
    [admin, owner.projectId],
    [other, other.projectId],
  ] as const)
    expect((await inviteAndRevoke(person, projectId, email)).status).toBe(201);
  for (const written of [email, email.toUpperCase(), ` ${email}`]) {
    const refused = await inviteAndRevoke(other, other.projectId, written);
    expect([refused.status, Number(refused.headers.get('Retry-After')) > 0]).toEqual([429, true]);
  }
  expect(mailsTo(email)).toBe(3);
  const path = `/api/v1/projects/${other.projectId}`;
  expect(await newBrowser(stack(), other.cookie).json('GET', `${path}/invitations`)).toEqual({ data: [] });
  expect((await inviteAndRevoke(other, other.projectId, newEmail())).status).toBe(201);
});

test('tags make no new mailbox: three invitations a day to all addresses of it', async () => {
  const owner = await createTenant(stack().sql);
  const name = crypto.randomUUID();
  const statuses: number[] = [];
  for (const tag of ['', '+a', '+b', '+c', '+c+d'])
    statuses.push((await inviteAndRevoke(owner, owner.projectId, `${name}${tag}@example.com`)).status);
  expect(statuses).toEqual([201, 201, 201, 429, 429]);
});

test('a person has 30 invitations mailed a day, in all of their projects; links that are passed on are more', async () => {
  const owner = await createTenant(stack().sql);
  const browser = newBrowser(stack(), owner.cookie);
  const { data: second } = await browser.json('POST', '/api/v1/projects', { name: 'Second' });
  const statuses: number[] = [];
  for (let n = 0; n < 33; n++) {
    const projectId = n % 2 === 0 ? owner.projectId : second.id;
    const email = `${crypto.randomUUID()}@${n % 4}.example.com`;
    statuses.push((await inviteAndRevoke(owner, projectId, email)).status);
  }
  expect(statuses).toEqual([...Array(30).fill(201), ...Array(3).fill(429)]);
  const path = `/api/v1/projects/${owner.projectId}/members`;
  expect((await browser.send('POST', path, { role: 'viewer' })).status).toBe(201);
});

test('tags and other addresses of a domain get a victim no more mails', async () => {
  const owner = await createTenant(stack().sql);
  const invite = async (email: string) => (await inviteAndRevoke(owner, owner.projectId, email)).status;
  const domain = `${crypto.randomUUID()}.example`;
  const inbox = crypto.randomUUID();
  const tagged: number[] = [];
  for (let n = 0; n < 5; n++) tagged.push(await invite(`${inbox}+${n}@${domain}`));
  expect(tagged).toEqual([201, 201, 201, 429, 429]);
  expect(await invite(`${inbox}@${domain}`)).toBe(429);

  const catchAll: number[] = [];
  const another = `${crypto.randomUUID()}.example`;
  for (let n = 0; n < 12; n++) catchAll.push(await invite(`person-${n}@${another}`));
  expect(catchAll).toEqual([...Array(10).fill(201), 429, 429]);
  expect(await invite(newEmail())).toBe(201);
});

test('a tag gets a victim no more links for a new password or a confirmation', async () => {
  const inbox = crypto.randomUUID();
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) {
    const body = { email: `${inbox}+${n}@example.com` };
    statuses.push((await newBrowser(stack()).send('POST', '/api/auth/password/reset-request', body)).status);
  }
  expect(statuses).toEqual([202, 202, 202, 429]);
});

test('who may not invite counts for nobody', async () => {
  const { sql } = stack();
  const [owner, stranger] = await Promise.all([createTenant(sql), createTenant(sql)]);
  const viewer = await addMember(sql, owner.projectId, 'viewer');
  const email = newEmail();
  for (let n = 0; n < 3; n++) {
    expect((await inviteAndRevoke(stranger, owner.projectId, email)).status).toBe(404);
    expect((await inviteAndRevoke(viewer, owner.projectId, email)).status).toBe(403);
  }
  expect((await inviteAndRevoke(owner, owner.projectId, email)).status).toBe(201);
});

test('an address gets three mails for a new password an hour, and nobody learns whether it has an account', async () => {
  const { email } = await signUp(stack());
  const before = mailsTo(email);
  for (const address of [email, newEmail()]) {
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) {
      const path = '/api/auth/password/reset-request';
      statuses.push((await newBrowser(stack()).send('POST', path, { email: address })).status);
    }
    expect(statuses).toEqual([202, 202, 202, 429, 429]);
  }
  expect(mailsTo(email) - before).toBe(3);
});

const withoutMail = () => ({
  DATABASE_URL: stack().neon.url,
  DATABASE_HTTP_ENDPOINT: stack().neon.endpoint,
  UPSTASH_REDIS_REST_URL: stack().upstash.url,
  UPSTASH_REDIS_REST_TOKEN: stack().upstash.token,
  PUBLIC_URL: 'http://vendor.example',
  AUTH_KEY: TEST_AUTH_KEY,
  ADDRESS_KEY: 'a key for the addresses of tests only',
  CHANNEL_KEY: 'a key for the channels of tests only',
});

test('without a mail sender nobody signs up, and what needs mail says so', async () => {
  const app = createAccountApp({ log: () => {} });
  const send = (path: string, body: object, cookie = '') =>
    app.request(
      path,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Cookie: cookie },
        body: JSON.stringify(body),
      },
      withoutMail(),
    );
  const email = newEmail();
  const signedUp = await send('/api/auth/sign-up', { email, password: PASSWORD });
  expect([signedUp.status, (await signedUp.json()).error]).toEqual([403, 'FORBIDDEN']);
  expect(await stack().sql`select from users where email = ${email}`).toEqual([]);
  expect((await send('/api/auth/password/reset-request', { email })).status).toBe(403);
  const owner = await createTenant(stack().sql);
  const path = `/api/v1/projects/${owner.projectId}/members`;
  expect((await send(path, { role: 'viewer', email }, owner.cookie)).status).toBe(403);
  expect((await send(path, { role: 'viewer' }, owner.cookie)).status).toBe(201);
  for (const page of ['/sign-in', '/join']) {
    const html = await (await app.request(page, {}, withoutMail())).text();
    expect(html).not.toMatch(/data-show="(?:sign-up|forgot)"/);
  }
});

test('a mail sender that is half configured is none at all', async () => {
  const lines: object[] = [];
  const app = createAccountApp({ log: (line) => lines.push(line) });
  const env = { ...withoutMail(), MAIL_URL: 'https://mail.example', MAIL_TOKEN: 'token' };
  const response = await app.request('/sign-in', {}, env);
  expect(response.status).toBe(500);
  expect(JSON.stringify(lines)).toContain('MAIL_FROM');
});
