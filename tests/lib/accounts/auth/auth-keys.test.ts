/** What is signed or encrypted with AUTH_KEY, while a rotation lasts and after it. */
import { makeSignature, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { expect, test } from 'vitest';
import { type AuthKeys, renewSealed, withEitherKey } from '../../../../lib/accounts/auth/auth-keys.ts';
import { isKnownBrowser, markBrowser } from '../../../../lib/accounts/auth/known-browser.ts';
import { renewCookies } from '../../../../lib/accounts/auth/renew-cookies.ts';

const [CURRENT, PREVIOUS] = ['c'.repeat(32), 'p'.repeat(32)];
const ONE: AuthKeys = { current: CURRENT };
const BOTH: AuthKeys = { current: CURRENT, previous: PREVIOUS };
const OLD: AuthKeys = { current: PREVIOUS };

test.each<[AuthKeys, (string | false | undefined)[], string | false | undefined, string[]]>([
  [ONE, ['a'], 'a', [CURRENT]],
  [ONE, [undefined], undefined, [CURRENT]],
  [BOTH, ['a', 'b'], 'a', [CURRENT]],
  [BOTH, [undefined, 'b'], 'b', [CURRENT, PREVIOUS]],
  [BOTH, [false, 'b'], 'b', [CURRENT, PREVIOUS]],
  [BOTH, [undefined, false], false, [CURRENT, PREVIOUS]],
])('keys %j with answers %j: %j', async (keys, answers, answer, order) => {
  const asked: string[] = [];
  const answered = await withEitherKey(keys, async (key) => answers[asked.push(key) - 1]);
  expect(answered).toBe(answer);
  expect(asked).toEqual(order);
});

test('what the old key encrypted is encrypted anew, and nothing else', async () => {
  const [current, previous, lost] = await Promise.all(
    [CURRENT, PREVIOUS, 'x'.repeat(32)].map((key) => symmetricEncrypt({ key, data: 'secret' })),
  );
  expect(await renewSealed(BOTH, current ?? '')).toBe(current);
  const renewed = await renewSealed(BOTH, previous ?? '');
  expect(renewed).not.toBe(previous);
  expect(await symmetricDecrypt({ key: CURRENT, data: renewed ?? '' })).toBe('secret');
  expect(await renewSealed(ONE, previous ?? '')).toBeUndefined();
  expect(await renewSealed(BOTH, lost ?? '')).toBeUndefined();
  expect(await renewSealed(BOTH, 'nothing sealed')).toBeUndefined();
});

test('a browser is known for one account, by either key', async () => {
  const email = 'ada@example.com';
  const mark = await markBrowser(ONE, email);
  expect(mark).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
  expect(await markBrowser(ONE, email)).not.toBe(mark);
  expect(await isKnownBrowser(ONE, email, mark)).toBe(true);
  expect(await isKnownBrowser({ current: 'n'.repeat(32), previous: CURRENT }, email, mark)).toBe(true);
  expect(await isKnownBrowser(OLD, email, mark)).toBe(false);
  expect(await isKnownBrowser(ONE, 'bo@example.com', mark)).toBe(false);
  const [nonce = '', mac = ''] = mark.split('.');
  const other = await markBrowser(ONE, email);
  for (const wrong of [
    undefined,
    '',
    nonce,
    mac,
    `.${mac}`,
    `${nonce}.`,
    `a${mark}`,
    `${mark}a`,
    `${other.split('.')[0]}.${mac}`,
    `${nonce}x${mac}`,
  ])
    expect(await isKnownBrowser(ONE, email, wrong), wrong).toBe(false);
});

const signed = async (value: string, key: string) =>
  encodeURIComponent(`${value}.${await makeSignature(value, key)}`);
const renew = async (keys: AuthKeys, cookie: string) =>
  (await renewCookies(keys, new Headers({ Cookie: cookie, 'X-Other': '1' }))).get('Cookie');

test('cookies that the old key signed have the signature of the new one', async () => {
  const [old, other, current] = [
    await signed('a.b=c', PREVIOUS),
    await signed('x', PREVIOUS),
    await signed('a.b=c', CURRENT),
  ];
  expect(await renew(BOTH, `plain=1; session=${old}; second=${other}; bare`)).toBe(
    `plain=1; session=${current}; second=${await signed('x', CURRENT)}; bare`,
  );
  expect(await renew(BOTH, `session=${current}`)).toBe(`session=${current}`);
  expect(await renew(ONE, `session=${old}`)).toBe(`session=${old}`);
});

test.each([
  ['a value that isn’t of the signature', async () => (await signed('a', PREVIOUS)).replace('a.', 'b.')],
  ['no signature', async () => 'a.b'],
  ['text after the signature', async () => `${await signed('a', PREVIOUS)}x`],
  ['a line before the value', async () => `x%0A${await signed('a', PREVIOUS)}`],
  ['no value', async () => signed('', PREVIOUS)],
  ['an escape that is none', async () => `%zz${await signed('a', PREVIOUS)}`],
  ['the signature of another key', async () => signed('a', 'x'.repeat(32))],
])('a cookie with %s stays as it is', async (_, made) => {
  const cookie = `session=${await made()}`;
  expect(await renew(BOTH, cookie)).toBe(cookie);
});

test('a cookie that isn’t written as the library writes it is renewed too', async () => {
  const cookie = (signature: string) => `session=100%.${signature}`;
  expect(await renew(BOTH, cookie(await makeSignature('100%', PREVIOUS)))).toBe(
    `session=${await signed('100%', CURRENT)}`,
  );
});

test('all other headers stay, and the request’s own are not changed', async () => {
  const headers = new Headers({ Cookie: `session=${await signed('a', PREVIOUS)}`, 'X-Other': '1' });
  const before = headers.get('Cookie');
  const renewed = await renewCookies(BOTH, headers);
  expect([renewed.get('X-Other'), headers.get('Cookie')]).toEqual(['1', before]);
  expect(renewed.get('Cookie')).not.toBe(before);
  const without = new Headers({ 'X-Other': '1' });
  expect(await renewCookies(BOTH, without)).toBe(without);
  expect(without.has('Cookie')).toBe(false);
});
