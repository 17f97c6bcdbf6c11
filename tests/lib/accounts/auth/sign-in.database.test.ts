/** The sign-in library with our tables: what it sets, stores and refuses. */
import { symmetricDecrypt } from 'better-auth/crypto';
import { expect, test } from 'vitest';
import { askAuth } from '../../../../lib/accounts/auth/api-error.ts';
import type { AuthKeys } from '../../../../lib/accounts/auth/auth-keys.ts';
import { createAuth } from '../../../../lib/accounts/auth/create-auth.ts';
import { renewCookies } from '../../../../lib/accounts/auth/renew-cookies.ts';
import { findSession } from '../../../../lib/accounts/find-session.ts';
import { addPassword, PASSWORD } from '../../../security/account-samples.ts';
import { outcomeOf } from '../../../security/team.ts';
import { createPerson } from '../../../security/tenant.ts';
import { fromBase32, totp } from '../../../security/totp.ts';
import { useDatabase } from '../../../services/database.ts';

const database = useDatabase();
const KEYS: AuthKeys = { current: 'k'.repeat(32) };
const NEW_KEYS: AuthKeys = { current: 'n'.repeat(32), previous: KEYS.current };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A browser of a service: it keeps its cookies and sends them with each call. */
function newBrowser({ keys = KEYS, publicUrl = 'http://vendor.example', used = new Set<string>() } = {}) {
  const useCode = async (userId: string, code: string) => {
    const before = used.size;
    return used.add(`${userId} ${code}`).size > before;
  };
  const { api, options } = createAuth({ sql: database().sql, keys, publicUrl, useCode });
  const cookies = new Map<string, string>();
  const attributes: string[] = [];
  const headers = () =>
    new Headers({
      'User-Agent': FIREFOX,
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    });
  async function ask<T>(
    call: (asked: { headers: Headers; returnHeaders: true }) => Promise<{ headers: Headers; response: T }>,
  ): Promise<T> {
    const answer = await askAuth(call({ headers: await renewCookies(keys, headers()), returnHeaders: true }));
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      attributes.push(cookie);
      if (value === '' || /Max-Age=0/.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer.response;
  }
  return {
    ...{ options, cookies, attributes },
    signIn: (email: string, password = PASSWORD) =>
      ask((asked) => api.signInEmail({ body: { email, password }, ...asked })),
    session: () => ask((asked) => api.getSession(asked)),
    signOut: () => ask((asked) => api.signOut(asked)),
    changePassword: (currentPassword: string, newPassword: string) =>
      ask((asked) =>
        api.changePassword({ body: { currentPassword, newPassword, revokeOtherSessions: true }, ...asked }),
      ),
    enable: async () => {
      const made = await ask((asked) => api.enableTwoFactor({ body: { password: PASSWORD }, ...asked }));
      if (made.method !== 'totp') throw new Error('No secret was made.');
      const { searchParams } = new URL(made.totpURI);
      return {
        issuer: searchParams.get('issuer'),
        secret: fromBase32(searchParams.get('secret') ?? ''),
        codes: made.backupCodes,
      };
    },
    disable: () => ask((asked) => api.disableTwoFactor({ body: { password: PASSWORD }, ...asked })),
    verify: (code: string) => ask((asked) => api.verifyTOTP({ body: { code }, ...asked })),
    verifyBackup: (code: string) => ask((asked) => api.verifyBackupCode({ body: { code }, ...asked })),
  };
}

async function newPerson() {
  const { sql } = database();
  const person = await createPerson(sql);
  await addPassword(sql, person.userId);
  await sql`delete from user_sessions where user_id = ${person.userId}`;
  return person;
}

/** A person who signs in with a second factor, and the codes of it. */
async function withSecondFactor(options: Parameters<typeof newBrowser>[0] = {}) {
  const person = await newPerson();
  const browser = newBrowser(options);
  await browser.signIn(person.email);
  const { secret, codes, issuer } = await browser.enable();
  const confirmed = totp(secret);
  await browser.verify(confirmed);
  const code = (halfMinutes = 1) => totp(secret, Date.now() + halfMinutes * 30_000);
  return { ...person, browser, secret, codes, issuer, confirmed, code };
}
const factorOf = async (userId: string) => {
  const [row] = await database().sql`
    select secret, backup_codes as codes, verified, failures, locked_until from user_second_factors where user_id = ${userId}`;
  return row;
};
const sessionsOf = (userId: string) =>
  database()
    .sql`select browser, os, encode(hash, 'hex') as hash, expires_at from user_sessions where user_id = ${userId}`;

test('a sign-in makes a session of two weeks, whose cookie the service knows', async () => {
  const { sql } = database();
  const { userId, email } = await newPerson();
  await sql`
    insert into user_sessions (user_id, hash, expires_at) values (${userId}, sha256(${userId}::text::bytea), now() - interval '1 second')`;
  const browser = newBrowser();
  expect(await browser.session()).toBeNull();
  expect(await browser.signIn(email)).toMatchObject({
    user: { id: userId, email, emailVerified: true, name: '' },
  });
  const cookie = decodeURIComponent(browser.cookies.get('vendor.session_token') ?? '');
  const found = await findSession({ sql }, cookie);
  expect(found?.actor).toMatchObject({ userId });
  const rows = await sessionsOf(userId);
  expect(rows).toMatchObject([{ browser: 'Firefox', os: 'Linux' }]);
  expect(Math.round((rows[0]?.expires_at.getTime() - Date.now()) / 86_400_000)).toBe(14);
  const session = await browser.session();
  expect(session).toMatchObject({
    session: { id: found?.actor.sessionId, userId },
    user: { id: userId, email },
  });
  expect(browser.attributes.join()).toMatch(/HttpOnly/);
  expect(browser.attributes.join()).not.toMatch(/Secure/);
  await browser.signOut();
  expect([await browser.session(), await sessionsOf(userId)]).toEqual([null, []]);
});

test('over https cookies are the host’s own', async () => {
  const { email } = await newPerson();
  const browser = newBrowser({ publicUrl: 'https://vendor.example' });
  await browser.signIn(email);
  expect([...browser.cookies.keys()]).toContain('__Host-vendor.session_token');
  for (const cookie of browser.attributes) expect(cookie).toMatch(/Secure/);
});

test('a session is prolonged once a day', async () => {
  const { sql } = database();
  const { userId, email } = await newPerson();
  const browser = newBrowser();
  await browser.signIn(email);
  const endAfter = async (days: number) => {
    const rest = `${days} days`;
    await sql`update user_sessions set expires_at = now() + ${rest}::interval where user_id = ${userId}`;
    await browser.session();
    const [row] = await sessionsOf(userId);
    return Math.round((row?.expires_at.getTime() - Date.now()) / 3_600_000) / 24;
  };
  expect([await endAfter(13.5), await endAfter(12.5), await endAfter(1)]).toEqual([13.5, 14, 14]);
  await sql`update user_sessions set expires_at = now() - interval '1 second' where user_id = ${userId}`;
  expect(await browser.session()).toBeNull();
});

test('wrong passwords and addresses sign nobody in, in any case of letters', async () => {
  const { sql } = database();
  const { userId, email } = await newPerson();
  const sign = (address: string, password?: string) => outcomeOf(newBrowser().signIn(address, password));
  expect(await sign(email, 'another password')).toBe('UNAUTHORIZED');
  expect(await sign(`x${email}`)).toBe('UNAUTHORIZED');
  expect(await sign(email.toUpperCase())).toBe('done');
  await sql`update users set email = upper(email) where id = ${userId}`;
  expect(await sign(email)).toBe('done');
  await sql`delete from user_credentials where user_id = ${userId}`;
  expect(await sign(email)).toBe('UNAUTHORIZED');
});

test('the library makes no accounts', async () => {
  const { options } = newBrowser();
  expect(options).toMatchObject({
    ...{ emailAndPassword: { disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 128 } },
    ...{ logger: { disabled: true }, telemetry: { enabled: false }, rateLimit: { enabled: false } },
    ...{ advanced: { ipAddress: { disableIpTracking: true } }, verification: { storeIdentifier: 'hashed' } },
  });
});

test('a new password ends other sessions, mailed links and waiting sign-ins', async () => {
  const { sql } = database();
  const { userId, email } = await newPerson();
  const [browser, other] = [newBrowser(), newBrowser()];
  await browser.signIn(email);
  await other.signIn(email);
  const stranger = await newPerson();
  for (const id of [userId, stranger.userId])
    await sql`insert into user_verifications (identifier, value, expires_at) values ('link', ${id}, '2126-01-01')`;
  const [before] = await sessionsOf(userId);
  expect(await outcomeOf(browser.changePassword('another password', 'lamps and ladders'))).toBe('FORBIDDEN');
  expect(await sql`select from user_verifications where value = ${userId}`).toHaveLength(1);
  expect(await outcomeOf(browser.changePassword(PASSWORD, 'lamps and ladders'))).toBe('done');
  expect(await other.session()).toBeNull();
  expect(await browser.session()).toMatchObject({ user: { id: userId } });
  const after = await sessionsOf(userId);
  expect(after).toHaveLength(1);
  expect(after[0]?.hash).not.toBe(before?.hash);
  expect(await sql`select value from user_verifications where identifier = 'link'`).toEqual([
    { value: stranger.userId },
  ]);
  expect(await outcomeOf(newBrowser().signIn(email))).toBe('UNAUTHORIZED');
  expect(await outcomeOf(newBrowser().signIn(email, 'lamps and ladders'))).toBe('done');
});

test('a second factor is confirmed with a code, and then asked for', async () => {
  const { sql } = database();
  const used = new Set<string>();
  const { userId, email, issuer, code, codes, confirmed } = await withSecondFactor({ used });
  expect(issuer).toBe('Vendor');
  expect(codes).toHaveLength(10);
  expect(await factorOf(userId)).toMatchObject({ verified: true, failures: 0 });
  expect(await sql`select second_factor from users where id = ${userId}`).toEqual([{ second_factor: true }]);
  const browser = newBrowser({ used });
  expect(await browser.signIn(email)).toMatchObject({ twoFactorRedirect: true });
  expect(await browser.session()).toBeNull();
  expect(await sql`select from user_verifications where value = ${userId}`).toHaveLength(1);
  expect(await outcomeOf(browser.verify('000000'))).toBe('UNAUTHORIZED');
  expect(await outcomeOf(browser.verify(confirmed))).toBe('UNAUTHORIZED');
  expect(await outcomeOf(newBrowser().verify(code()))).toBe('UNAUTHORIZED');
  expect(await browser.verify(code())).toMatchObject({ user: { id: userId, email, twoFactorEnabled: true } });
  expect(await browser.session()).toMatchObject({ user: { id: userId } });
  expect(await sql`select from user_verifications where value = ${userId}`).toEqual([]);
});

test('a backup code works once', async () => {
  const { email, codes, userId } = await withSecondFactor();
  const use = async (code = '') => {
    const browser = newBrowser();
    await browser.signIn(email);
    const outcome = await outcomeOf(browser.verifyBackup(code));
    expect((await browser.session()) !== null).toBe(outcome === 'done');
    return outcome;
  };
  expect([await use('aaaaa-aaaaa'), await use(codes[3]), await use(codes[3]), await use(codes[4])]).toEqual([
    ...['UNAUTHORIZED', 'done', 'UNAUTHORIZED', 'done'],
  ]);
  const sealed = (await factorOf(userId))?.codes;
  const left = JSON.parse(await symmetricDecrypt({ key: KEYS.current, data: sealed }));
  expect(left).toEqual(codes.filter((_, index) => index !== 3 && index !== 4));
});

test('ten wrong codes lock the second factor for a while, and a right one counts anew', async () => {
  const { sql } = database();
  const { email, userId, code } = await withSecondFactor();
  const sign = async (entered: string) => {
    const browser = newBrowser();
    await browser.signIn(email);
    return outcomeOf(browser.verify(entered));
  };
  for (const failures of [1, 2]) {
    expect(await sign('000000')).toBe('UNAUTHORIZED');
    expect(await factorOf(userId)).toMatchObject({ failures, locked_until: null });
  }
  expect(await sign(code())).toBe('done');
  expect(await factorOf(userId)).toMatchObject({ failures: 0 });
  await sql`update user_second_factors set failures = 9 where user_id = ${userId}`;
  expect(await sign('000000')).toBe('UNAUTHORIZED');
  const locked = await factorOf(userId);
  expect(Math.round((locked?.locked_until.getTime() - Date.now()) / 60_000)).toBe(15);
  expect(await sign(code())).toBe('RATE_LIMITED');
  await sql`update user_second_factors set locked_until = now() - interval '1 second' where user_id = ${userId}`;
  expect(await sign(code())).toBe('done');
});

test('a second factor can be taken away, and set up again', async () => {
  const { sql } = database();
  const { userId, email, browser } = await withSecondFactor();
  await browser.disable();
  expect(await factorOf(userId)).toBeUndefined();
  expect(await sql`select second_factor from users where id = ${userId}`).toEqual([{ second_factor: false }]);
  const other = newBrowser();
  expect(await other.signIn(email)).toMatchObject({ user: { id: userId } });
  const { codes } = await other.enable();
  expect(await factorOf(userId)).toMatchObject({ verified: false });
  const first = await factorOf(userId);
  await other.enable();
  expect((await factorOf(userId))?.secret).not.toBe(first?.secret);
  expect(await outcomeOf(other.verifyBackup(codes[0] ?? ''))).toBe('UNAUTHORIZED');
  expect(await newBrowser().signIn(email)).toMatchObject({ user: { id: userId } });
});

test('with a new AUTH_KEY beside the old one nobody is signed out, and second factors are encrypted anew', async () => {
  const { email, userId, browser, code, codes, secret } = await withSecondFactor();
  const moved = newBrowser({ keys: NEW_KEYS });
  for (const [name, value] of browser.cookies) moved.cookies.set(name, value);
  expect(await moved.session()).toMatchObject({ user: { id: userId } });
  const withoutOld = newBrowser({ keys: { current: NEW_KEYS.current } });
  for (const [name, value] of browser.cookies) withoutOld.cookies.set(name, value);
  expect(await withoutOld.session()).toBeNull();

  const before = await factorOf(userId);
  const during = newBrowser({ keys: NEW_KEYS });
  await during.signIn(email);
  expect(await outcomeOf(during.verify(code()))).toBe('done');
  const after = await factorOf(userId);
  expect([after?.secret === before?.secret, after?.codes === before?.codes]).toEqual([false, false]);
  expect(await symmetricDecrypt({ key: NEW_KEYS.current, data: after?.secret })).toBe(secret.toString());
  const later = newBrowser({ keys: { current: NEW_KEYS.current } });
  await later.signIn(email);
  expect(await outcomeOf(later.verifyBackup(codes[0] ?? ''))).toBe('done');
});
