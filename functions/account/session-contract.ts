import * as v from 'valibot';
import {
  PasswordChange,
  PasswordOnly,
  Person,
  SecondFactorSetup,
  Session,
  TotpCode,
} from '../../lib/accounts/auth/schemas.ts';
import { NOBODYS, type RouteContract, SAMPLE } from '../../lib/http/contract.ts';
import { person } from './auth-contract.ts';

const shared = { tag: 'Sessions', auth: 'session', limited: true, errors: [] } as const;
const session = {
  id: SAMPLE.sessionId,
  browser: 'Firefox',
  os: 'Linux',
  current: true,
  createdAt: '2026-11-21T09:00:00.000Z',
  expiresAt: '2026-12-05T09:00:00.000Z',
};

/** What the OpenAPI document says of being signed in. */
export const sessionRoutes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path: '/api/auth/session',
    operationId: 'getSession',
    summary: 'Who is signed in',
    description: 'Prolongs the session, once a day.',
    responses: { 200: { description: 'The person.', schema: v.object({ data: Person }) } },
    examples: [{ summary: 'The person', status: 200, response: { data: person } }],
  },
  {
    ...shared,
    method: 'POST',
    path: '/api/auth/sign-out',
    operationId: 'signOut',
    summary: 'Sign out',
    responses: { 204: { description: 'The session has ended.' } },
    examples: [{ summary: 'Here', status: 204 }],
  },
  {
    ...shared,
    method: 'GET',
    path: '/api/auth/sessions',
    operationId: 'listSessions',
    summary: 'Where the person is signed in, newest first',
    description: 'Names of browser and system as they were at signing in. No address is kept.',
    responses: { 200: { description: 'The sessions.', schema: v.object({ data: v.array(Session) }) } },
    examples: [{ summary: 'All sessions', status: 200, response: { data: [session] } }],
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/api/auth/sessions',
    operationId: 'revokeOtherSessions',
    summary: 'Sign out everywhere else',
    responses: { 204: { description: 'Only this session is left.' } },
    examples: [{ summary: 'Everywhere else', status: 204 }],
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/api/auth/sessions/:sessionId',
    operationId: 'revokeSession',
    summary: 'End one session',
    responses: { 204: { description: 'It has ended.' } },
    errors: ['NOT_FOUND'],
    examples: [
      { summary: 'A session', status: 204 },
      { summary: 'Nobody’s session', status: 404, params: { sessionId: NOBODYS } },
    ],
  },
  {
    ...shared,
    method: 'POST',
    path: '/api/auth/password',
    operationId: 'changePassword',
    summary: 'Change the password',
    description: 'Signs the person out everywhere else, and gives this browser another session.',
    body: { schema: PasswordChange },
    responses: { 204: { description: 'The password is the new one.' } },
    examples: [
      {
        summary: 'A new password',
        status: 204,
        body: { currentPassword: SAMPLE.password, newPassword: 'eight lamps and a ladder' },
      },
      {
        summary: 'Not the present one',
        status: 403,
        body: { currentPassword: 'six lamps and a ladder', newPassword: 'eight lamps and a ladder' },
      },
    ],
  },
  {
    ...shared,
    method: 'POST',
    path: '/api/auth/second-factor',
    operationId: 'setUpSecondFactor',
    summary: 'Begin with a second factor (TOTP)',
    description: 'It is asked for from when a first code was confirmed.',
    body: { schema: PasswordOnly },
    responses: {
      201: { description: 'For the authenticator app.', schema: v.object({ data: SecondFactorSetup }) },
    },
    errors: ['CONFLICT'],
    examples: [
      {
        summary: 'The secret and the backup codes',
        status: 201,
        body: { password: SAMPLE.password },
        response: {
          data: {
            uri: 'otpauth://totp/Vendor:ada%40example.pt?secret=...&issuer=Vendor',
            backupCodes: ['aB3dE-fG7hI'],
          },
        },
      },
      { summary: 'A wrong password', status: 403, body: { password: 'six lamps and a ladder' } },
    ],
  },
  {
    ...shared,
    method: 'POST',
    path: '/api/auth/second-factor/confirm',
    operationId: 'confirmSecondFactor',
    summary: 'Confirm the second factor with a first code',
    body: { schema: TotpCode },
    responses: { 204: { description: 'Signing in takes a code from now on.' } },
    errors: ['CONFLICT'],
    examples: [
      { summary: 'What the app shows', status: 204, body: { code: SAMPLE.totpCode } },
      { summary: 'No code', status: 400, body: { code: 'one' } },
    ],
  },
  {
    ...shared,
    method: 'POST',
    path: '/api/auth/second-factor/remove',
    operationId: 'removeSecondFactor',
    summary: 'Sign in without a second factor again',
    body: { schema: PasswordOnly },
    responses: { 204: { description: 'The password is enough again.' } },
    examples: [{ summary: 'The right password', status: 204, body: { password: SAMPLE.password } }],
  },
];

export const sessionComponents = { Session, SecondFactorSetup };
