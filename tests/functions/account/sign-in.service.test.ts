import { expect, test } from 'vitest';
import { fromBase32, totp } from '../../security/totp.ts';
import { useStack } from '../../services/use-stack.ts';
import { newBrowser, PASSWORD, signUp } from './browser.ts';

const stack = useStack();

test('signing up makes a person with a project and an environment, signed in by a cookie', async () => {
  const { browser, email, response } = await signUp(stack());
  expect(response.status).toBe(201);
  const [cookie = '', known = ''] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^vendor\.session_token=[^;]+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(known).toMatch(
    /^vendor\.known_browser=[\w-]{22}\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  expect(await response.json()).toMatchObject({ data: { user: { email }, secondFactorRequired: false } });
  const projects = await browser.json('GET', '/api/v1/projects');
  expect(projects).toMatchObject({ data: [{ name: email.split('@')[0], role: 'owner' }] });
  const environments = await browser.json('GET', `/api/v1/projects/${projects.data[0].id}/environments`);
  expect(environments).toMatchObject({ data: [{ name: 'production' }] });
  const again = await newBrowser(stack()).send('POST', '/api/auth/sign-up', {
    email: ` ${email.toUpperCase()} `,
    password: PASSWORD,
  });
  expect([again.status, again.headers.getSetCookie()]).toEqual([409, []]);
});

test('what is stored signs nobody in: passwords and sessions are hashes', async () => {
  const { email, browser } = await signUp(stack());
  const [row] = await stack().sql`
    select c.password, s.*::text as session from users u
    join user_credentials c on c.user_id = u.id join user_sessions s on s.user_id = u.id where u.email = ${email}`;
  expect(row?.password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  const token = decodeURIComponent(browser.cookie).split('=')[1]?.slice(0, 32) ?? '';
  expect(token).toHaveLength(32);
  expect(JSON.stringify(row)).not.toContain(token);
});

test('signs in and out; a session that was ended opens nothing', async () => {
  const { email } = await signUp(stack());
  const browser = newBrowser(stack());
  for (const [password, status] of [
    ['not the password', 401],
    [PASSWORD, 200],
  ] as const) {
    expect((await browser.send('POST', '/api/auth/sign-in', { email, password })).status).toBe(status);
  }
  const { cookie } = browser;
  expect(await browser.json('GET', '/api/auth/session')).toMatchObject({ data: { email } });
  expect((await browser.send('POST', '/api/auth/sign-out')).status).toBe(204);
  expect(browser.cookie).toMatch(/^vendor\.known_browser=[^;]+$/);
  const stolen = newBrowser(stack(), cookie);
  expect((await stolen.send('GET', '/api/v1/projects')).status).toBe(401);
  expect((await stolen.send('GET', '/api/auth/session')).status).toBe(401);
});

test('sessions are listed and ended one by one or all others', async () => {
  const { email, browser } = await signUp(stack());
  const [second, third] = [newBrowser(stack()), newBrowser(stack())];
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
  for (const other of [second, third])
    await other.send('POST', '/api/auth/sign-in', { email, password: PASSWORD }, { 'User-Agent': agent });
  const { data } = await browser.json('GET', '/api/auth/sessions');
  expect(data).toHaveLength(3);
  expect(data[0]).toMatchObject({ browser: 'Firefox', os: 'Linux', current: false });
  expect(data.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
  expect((await browser.send('DELETE', `/api/auth/sessions/${data[0].id}`)).status).toBe(204);
  expect((await third.send('GET', '/api/v1/projects')).status).toBe(401);
  expect((await second.send('GET', '/api/v1/projects')).status).toBe(200);
  expect((await browser.send('DELETE', '/api/auth/sessions')).status).toBe(204);
  expect((await second.send('GET', '/api/v1/projects')).status).toBe(401);
  expect((await browser.send('GET', '/api/v1/projects')).status).toBe(200);
  const { browser: stranger } = await signUp(stack());
  const own = await browser.json('GET', '/api/auth/sessions');
  expect((await stranger.send('DELETE', `/api/auth/sessions/${own.data[0].id}`)).status).toBe(404);
});

test('a changed password ends the other sessions, and the old one signs nobody in', async () => {
  const { email, browser } = await signUp(stack());
  const other = newBrowser(stack());
  await other.send('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  const newPassword = 'another horse battery';
  const wrong = { currentPassword: 'not the password', newPassword };
  expect((await browser.send('POST', '/api/auth/password', wrong)).status).toBe(403);
  const change = { currentPassword: PASSWORD, newPassword };
  expect((await browser.send('POST', '/api/auth/password', change)).status).toBe(204);
  expect((await other.send('GET', '/api/v1/projects')).status).toBe(401);
  expect((await browser.send('GET', '/api/v1/projects')).status).toBe(200);
  const signIn = (password: string) =>
    newBrowser(stack()).send('POST', '/api/auth/sign-in', { email, password });
  expect((await signIn(PASSWORD)).status).toBe(401);
  expect((await signIn(newPassword)).status).toBe(200);
});

test('a mailed link resets the password once, and signs out everywhere', async () => {
  const { email, browser } = await signUp(stack());
  const anybody = newBrowser(stack());
  const mails = () =>
    stack().mail.sent.filter(({ to, text }) => to === email && text.includes('reset-password'));
  const nobody = await anybody.send('POST', '/api/auth/password/reset-request', { email: `x${email}` });
  expect([nobody.status, stack().mail.sent.some(({ to }) => to === `x${email}`)]).toEqual([202, false]);
  expect((await anybody.send('POST', '/api/auth/password/reset-request', { email })).status).toBe(202);
  expect(mails()).toHaveLength(1);
  const token = /reset-password#(\w+)/.exec(mails()[0]?.text ?? '')?.[1];
  const stored = await stack().sql`select identifier from user_verifications`;
  expect(JSON.stringify(stored)).not.toContain(token);
  const reset = { token, password: 'a third horse battery' };
  expect((await anybody.send('POST', '/api/auth/password/reset', reset)).status).toBe(204);
  expect((await anybody.send('POST', '/api/auth/password/reset', reset)).status).toBe(400);
  expect((await browser.send('GET', '/api/v1/projects')).status).toBe(401);
  const signIn = { email, password: reset.password };
  expect((await anybody.send('POST', '/api/auth/sign-in', signIn)).status).toBe(200);
});

test('a second factor is asked for once it was confirmed, and a backup code works once', async () => {
  const { email, browser } = await signUp(stack());
  const setup = await browser.json('POST', '/api/auth/second-factor', { password: PASSWORD });
  const secret = new URL(setup.data.uri).searchParams.get('secret') ?? '';
  const codeNow = () => totp(fromBase32(secret));
  // A code works once: signing in takes the next one, which is good already.
  const nextCode = () => totp(fromBase32(secret), Date.now() + 30_000);
  const signIn = { email, password: PASSWORD };
  // A code isn't needed yet, because the factor isn't confirmed.
  expect(await newBrowser(stack()).json('POST', '/api/auth/sign-in', signIn)).toMatchObject({
    data: { secondFactorRequired: false },
  });
  const confirm = await browser.send('POST', '/api/auth/second-factor/confirm', { code: codeNow() });
  expect(confirm.status).toBe(204);
  const [stored] = await stack().sql`
    select f.secret, f.backup_codes from user_second_factors f join users u on u.id = f.user_id where u.email = ${email}`;
  expect(JSON.stringify(stored)).not.toContain(setup.data.backupCodes[0]);
  expect(JSON.stringify(stored)).not.toContain(fromBase32(secret).toString('utf8'));

  const other = newBrowser(stack());
  const first = await other.send('POST', '/api/auth/sign-in', signIn);
  expect(await first.json()).toEqual({ data: { user: null, secondFactorRequired: true } });
  expect((await other.send('GET', '/api/v1/projects')).status).toBe(401);
  const path = '/api/auth/sign-in/second-factor';
  const wrong = codeNow() === '000000' ? '111111' : '000000';
  expect((await other.send('POST', path, { code: wrong })).status).toBe(401);
  expect((await other.send('POST', path, { code: nextCode() })).status).toBe(200);
  expect(await other.json('GET', '/api/auth/session')).toMatchObject({ data: { secondFactor: true } });

  const [code] = setup.data.backupCodes as string[];
  for (const status of [200, 401]) {
    const lost = newBrowser(stack());
    await lost.send('POST', '/api/auth/sign-in', signIn);
    expect((await lost.send('POST', path, { code })).status).toBe(status);
  }
  expect((await other.send('POST', '/api/auth/second-factor/remove', { password: PASSWORD })).status).toBe(
    204,
  );
  expect(await newBrowser(stack()).json('POST', '/api/auth/sign-in', signIn)).toMatchObject({
    data: { secondFactorRequired: false },
  });
});

test('pages of other origins are refused, whatever cookie comes with them', async () => {
  const { browser, email } = await signUp(stack());
  const evil = { Origin: 'https://evil.example' };
  expect((await browser.send('POST', '/api/v1/projects', { name: 'New' }, evil)).status).toBe(403);
  expect((await browser.send('GET', '/api/v1/projects', undefined, evil)).status).toBe(403);
  const signIn = { email, password: PASSWORD };
  expect((await newBrowser(stack()).send('POST', '/api/auth/sign-in', signIn, evil)).status).toBe(403);
  const own = { Origin: stack().baseUrl };
  expect((await browser.send('POST', '/api/v1/projects', { name: 'New' }, own)).status).toBe(201);
});

test('guesses are limited by address, and by account whatever the address', async () => {
  const { email } = await signUp(stack());
  const { email: other } = await signUp(stack());
  const guess = (account: string, address: string) =>
    newBrowser(stack(), '', address).send('POST', '/api/auth/sign-in', {
      email: account,
      password: 'a guess that is wrong',
    });
  const statuses = async (count: number, account: () => string, address: (n: number) => string) => {
    const all: number[] = [];
    for (let n = 0; n < count; n++) all.push((await guess(account(), address(n))).status);
    return all;
  };
  const oneAddress = await statuses(
    41,
    () => `${crypto.randomUUID()}@example.com`,
    () => '203.0.113.1',
  );
  expect(oneAddress[0]).toBe(401);
  expect(oneAddress).toContain(429);
  const manyAddresses = await statuses(
    61,
    () => email,
    (n) => `203.0.113.${n + 2}`,
  );
  expect(manyAddresses[0]).toBe(401);
  expect(manyAddresses).toContain(429);
  expect((await guess(other, '203.0.113.250')).status).toBe(401);
});
