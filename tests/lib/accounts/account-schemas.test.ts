import { safeParse } from 'valibot';
import { expect, test } from 'vitest';
import {
  ChangePassword,
  ConfirmEmail,
  ConfirmSecondFactor,
  DeleteAccount,
  OneSession,
  Person,
  ProveSession,
  RemoveSecondFactor,
  RequestPasswordReset,
  ResetPassword,
  SecondFactorSetup,
  SetUpSecondFactor,
  SignedIn,
  SignIn,
  SignInSecondFactor,
  SignUp,
} from '../../../lib/accounts/auth/schemas.ts';
import {
  AllowView,
  CreateAccount,
  CreateApiKey,
  CreateApiToken,
  CreateQueryToken,
  ListApiTokens,
  OfTab,
  OneApiKey,
  OneQueryToken,
  OneViewGrant,
  RevokeApiToken,
} from '../../../lib/accounts/schemas.ts';

type Schema = Parameters<typeof safeParse>[0];

const ID = '0b0e6a3c-6d1e-4c1c-9a6e-2f3f9f3a8b11';
const email = 'ada@example.com';
const password = 'correct horse battery';
const opens = { projectIds: [ID], siteIds: [ID, ID], expiresAt: '2096-12-31T23:00:00.000Z' };
const ALL_SCOPES = [
  'sites:read',
  'analytics:read',
  'telemetry:read',
  'outcomes:read',
  'control:write',
  'view:write',
];
const CONFIRMATION = `${'h'.repeat(20)}.${'b'.repeat(40)}.${'s'.repeat(43)}`;
const FIRST_OWNER = `1234567890.${'a'.repeat(43)}`;

const outputOf = (schema: Schema, input: unknown): unknown => {
  const { success, output } = safeParse(schema, input);
  return success ? output : undefined;
};
const isRight = (schema: Schema, input: unknown) => safeParse(schema, input).success;

test.each<[string, Schema, object]>([
  ['SignUp', SignUp, { email, password, name: 'Ada', invitation: 'a'.repeat(43), firstOwner: FIRST_OWNER }],
  ['SignIn', SignIn, { email, password }],
  ['SignInSecondFactor', SignInSecondFactor, { code: '123456' }],
  ['SetUpSecondFactor', SetUpSecondFactor, { password }],
  ['ConfirmSecondFactor', ConfirmSecondFactor, { code: '123456' }],
  ['ProveSession', ProveSession, { proof: '123456' }],
  ['RemoveSecondFactor', RemoveSecondFactor, { password }],
  ['ChangePassword', ChangePassword, { currentPassword: 'old', newPassword: password, revokeKeys: true }],
  ['DeleteAccount', DeleteAccount, { password }],
  ['RequestPasswordReset', RequestPasswordReset, { email }],
  ['ConfirmEmail', ConfirmEmail, { token: CONFIRMATION }],
  ['ResetPassword', ResetPassword, { token: 'a'.repeat(24), password }],
  ['OneSession', OneSession, { sessionId: ID }],
  ['CreateAccount', CreateAccount, { id: ID, email, name: 'Ada', emailConfirmed: true }],
  ['CreateApiKey', CreateApiKey, { name: 'laptop', access: 'read', ...opens }],
  ['OneApiKey', OneApiKey, { apiKeyId: ID }],
  ['ListApiTokens', ListApiTokens, { email }],
  ['CreateApiToken', CreateApiToken, { email, name: 'laptop' }],
  ['RevokeApiToken', RevokeApiToken, { id: ID }],
  ['CreateQueryToken', CreateQueryToken, { name: 'laptop', scopes: ALL_SCOPES, ...opens }],
  ['OneQueryToken', OneQueryToken, { queryTokenId: ID }],
  ['AllowView', AllowView, { queryTokenId: ID, tab: ID, minutes: 15 }],
  ['OfTab', OfTab, { tab: ID, shown: '2026-11-24T09:00:00.000Z' }],
  ['OneViewGrant', OneViewGrant, { viewGrantId: ID }],
])('%s takes all of its fields, and no other', (_, schema, input) => {
  expect(outputOf(schema, input)).toEqual(input);
  expect(isRight(schema, { ...input, other: 1 })).toBe(false);
  for (const field of Object.keys(input)) {
    expect(isRight(schema, { ...input, [field]: {} }), `${field}: an object`).toBe(false);
    expect(isRight(schema, { ...input, [field]: '' }), `${field}: nothing`).toBe(schema === RevokeApiToken);
  }
});

test('what is left out has a default', () => {
  expect(outputOf(CreateApiKey, { name: ' laptop ' })).toEqual({ name: 'laptop', access: 'write' });
  expect(outputOf(CreateAccount, { email: ' Ada@Example.COM ', name: 'Ada' })).toEqual({
    ...{ email, name: 'Ada', emailConfirmed: false },
  });
  expect(outputOf(ChangePassword, { currentPassword: 'o', newPassword: password })).toMatchObject({
    revokeKeys: false,
  });
  expect(outputOf(SignUp, { email, password })).toEqual({ email, password });
  expect(outputOf(OfTab, { tab: ID })).toEqual({ tab: ID });
});

const scopes = (...names: string[]) => ({ name: 'a', scopes: names });
const key = (field: object) => ({ name: 'a', ...field });
const ids = (count: number) => Array.from({ length: count }, () => ID);
const newPassword = (length: number) => ({ email, password: 'p'.repeat(length) });

test.each<[string, Schema, object[], object[]]>([
  [
    'scopes',
    CreateQueryToken,
    [scopes('sites:read'), scopes(...ALL_SCOPES)],
    [scopes(), scopes('sites:write'), scopes('sites:read', 'sites:read')],
  ],
  ['access', CreateApiKey, [key({ access: 'write' })], [key({ access: 'admin' })]],
  [
    'what a key opens',
    CreateApiKey,
    [key({ projectIds: ids(100) }), key({ siteIds: ids(1) })],
    [
      key({ projectIds: ids(101) }),
      key({ projectIds: [] }),
      key({ siteIds: [] }),
      key({ siteIds: ['x'] }),
      key({ expiresAt: 'soon' }),
    ],
  ],
  [
    'minutes',
    AllowView,
    [1, 15].map((minutes) => ({ queryTokenId: ID, tab: ID, minutes })),
    [0, 16, 1.5].map((minutes) => ({ queryTokenId: ID, tab: ID, minutes })),
  ],
  ['ids of the operator', RevokeApiToken, [{ id: 'x' }], [{ id: 'x'.repeat(37) }]],
  ['a new password', SignUp, [newPassword(10), newPassword(128)], [newPassword(9), newPassword(129)]],
  ['a password', SignIn, [newPassword(1), newPassword(128)], [newPassword(129)]],
  [
    'a name',
    SignUp,
    [{ ...newPassword(10), name: 'n'.repeat(100) }],
    [' ', 'n'.repeat(101)].map((name) => ({ ...newPassword(10), name })),
  ],
  [
    'an address',
    RequestPasswordReset,
    [{ email: `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.example` }],
    [
      'ab',
      'nobody',
      'a b@example.com',
      `a@${'b'.repeat(250)}.example`,
      `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`,
    ].map((address) => ({ email: address })),
  ],
  [
    'a code',
    SignInSecondFactor,
    [{ code: 'aB3dE-fG7hI' }],
    [
      '12345',
      '1234567',
      'a123456',
      'abcde-fghi',
      'abcde-fghijk',
      'abcdefghij',
      'xabcde-fghij',
      'ab de-fghij',
    ].map((code) => ({ code })),
  ],
  [
    'six digits',
    ConfirmSecondFactor,
    [],
    ['12345', '1234567', 'a23456', 'abcde-fghij'].map((code) => ({ code })),
  ],
  ['a proof', ProveSession, [{ proof: 'p' }, { proof: 'p'.repeat(128) }], [{ proof: 'p'.repeat(129) }]],
  [
    'the first owner’s token',
    SignUp,
    [],
    [`x${FIRST_OWNER}`, `${FIRST_OWNER}x`, FIRST_OWNER.slice(1), 'x'].map((firstOwner) => ({
      ...newPassword(10),
      firstOwner,
    })),
  ],
  [
    'a token for a password',
    ResetPassword,
    [],
    ['a'.repeat(23), 'a'.repeat(25), `${'a'.repeat(23)}-`].map((token) => ({ token, password })),
  ],
  [
    'a confirmation',
    ConfirmEmail,
    [{ token: `${'h'.repeat(500)}.${'b'.repeat(95)}.${'s'.repeat(43)}` }],
    [
      `.${CONFIRMATION}`,
      `${CONFIRMATION}s`,
      CONFIRMATION.slice(0, -1),
      CONFIRMATION.replace('.', ''),
      `a b${CONFIRMATION}`,
      `${'h'.repeat(501)}.${'b'.repeat(95)}.${'s'.repeat(43)}`,
    ].map((token) => ({ token })),
  ],
])('%s', (_, schema, right, wrong) => {
  for (const input of right) expect(isRight(schema, input), JSON.stringify(input)).toBe(true);
  for (const input of wrong) expect(isRight(schema, input), JSON.stringify(input)).toBe(false);
});

test('a scope that is named twice is an error of its own', () => {
  const { issues } = safeParse(CreateQueryToken, scopes('sites:read', 'sites:read'));
  expect(issues?.map(({ message }) => message)).toEqual(['must not name a scope twice']);
});

test('who signs in gets these answers', () => {
  const user = {
    id: ID,
    email,
    name: '',
    emailConfirmed: true,
    secondFactor: false,
    createdAt: '2026-11-24T09:00:00.000Z',
  };
  const answers: [Schema, object][] = [
    [Person, user],
    [SignedIn, { user, secondFactorRequired: false }],
    [SignedIn, { user: null, secondFactorRequired: true }],
    [SecondFactorSetup, { uri: 'otpauth://totp/a', backupCodes: ['a'] }],
  ];
  for (const [schema, answer] of answers) {
    expect(outputOf(schema, { ...answer, other: 1 })).toEqual(answer);
    for (const field of Object.keys(answer))
      expect(isRight(schema, { ...answer, [field]: 1 }), field).toBe(false);
  }
});
