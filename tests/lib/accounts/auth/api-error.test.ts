import { APIError } from 'better-auth/api';
import { expect, test } from 'vitest';
import { askAuth, wrongToken } from '../../../../lib/accounts/auth/api-error.ts';
import { toPerson } from '../../../../lib/accounts/auth/person.ts';
import {
  cookiePrefixOf,
  isSecure,
  knownBrowserCookieOf,
  sessionCookieOf,
} from '../../../../lib/accounts/auth/session-cookie.ts';
import { DomainError } from '../../../../lib/errors.ts';

const errorOf = (error: unknown): Promise<unknown> =>
  askAuth(Promise.reject(error)).catch((thrown: unknown) => thrown);

test.each([
  ['INVALID_EMAIL_OR_PASSWORD', 'UNAUTHORIZED', /address and this password/],
  ['INVALID_PASSWORD', 'FORBIDDEN', /not your password/],
  ['INVALID_CODE', 'UNAUTHORIZED', /code is wrong/],
  ['INVALID_BACKUP_CODE', 'UNAUTHORIZED', /code is wrong/],
  ['INVALID_TWO_FACTOR_COOKIE', 'UNAUTHORIZED', /with your password first/],
  ['TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE', 'UNAUTHORIZED', /Too many wrong codes/],
  ['ACCOUNT_TEMPORARILY_LOCKED', 'RATE_LIMITED', /Too many wrong codes/],
  ['TOTP_ALREADY_ENABLED', 'CONFLICT', /a second factor already/],
  ['TOTP_NOT_ENABLED', 'CONFLICT', /no second factor/],
  ['BACKUP_CODES_NOT_ENABLED', 'CONFLICT', /no second factor/],
])('%s of the library is our %s', async (theirs, code, message) => {
  const error = await errorOf(new APIError('BAD_REQUEST', { code: theirs }));
  expect(error).toBeInstanceOf(DomainError);
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  expect((error as DomainError).retryAfterSeconds).toBe(code === 'RATE_LIMITED' ? 900 : undefined);
});

test.each([
  ['CONFLICT', /code is wrong/],
  ['UNAUTHORIZED', /^Sign in/],
] as const)('an error of the library without a code, of the status %s', async (status, message) => {
  expect(await errorOf(new APIError(status))).toMatchObject({
    code: 'UNAUTHORIZED',
    message: expect.stringMatching(message),
  });
});

test('everything else passes through', async () => {
  expect(await askAuth(Promise.resolve('an answer'))).toBe('an answer');
  const errors = [
    new APIError('BAD_REQUEST', { code: 'UNHEARD_OF' }),
    new APIError('BAD_REQUEST'),
    new Error('INVALID_CODE'),
    Object.assign(new Error('x'), { body: { code: 'INVALID_CODE' } }),
  ];
  for (const error of errors) expect(await errorOf(error)).toBe(error);
});

test('a wrong token is a wrong field', () => {
  expect(wrongToken()).toMatchObject({
    ...{ code: 'VALIDATION_ERROR', message: expect.stringMatching(/\.$/) },
    details: [{ path: 'token', message: expect.stringMatching(/used/) }],
  });
});

test('cookies have the prefix of hosts where the service has https', () => {
  const names = (url: string) => [
    isSecure(url),
    cookiePrefixOf(url),
    sessionCookieOf(url),
    knownBrowserCookieOf(url),
  ];
  expect(names('https://stats.example')).toEqual([
    true,
    '__Host-vendor',
    '__Host-vendor.session_token',
    '__Host-vendor.known_browser',
  ]);
  expect(names('http://https.example:8787')).toEqual([
    false,
    'vendor',
    'vendor.session_token',
    'vendor.known_browser',
  ]);
});

test.each([
  [true, true],
  [false, false],
  [null, false],
  [undefined, false],
])('a person with the library’s second factor %j has one: %j', (twoFactorEnabled, secondFactor) => {
  const row = {
    id: 'a',
    email: 'b',
    name: 'c',
    createdAt: new Date(0),
    emailVerified: true,
    twoFactorEnabled,
  };
  expect(toPerson({ ...row, other: 1 } as typeof row)).toEqual({
    ...{
      id: 'a',
      email: 'b',
      name: 'c',
      emailConfirmed: true,
      secondFactor,
      createdAt: '1970-01-01T00:00:00.000Z',
    },
  });
});
