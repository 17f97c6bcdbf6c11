import * as v from 'valibot';
import {
  PasswordReset,
  Person,
  ResetRequest,
  SecondFactorCode,
  SignedIn,
  SigningIn,
  SigningUp,
} from '../../lib/accounts/auth/schemas.ts';
import { type RouteContract, SAMPLE } from '../../lib/http/contract.ts';

const shared = {
  tag: 'Signing in',
  auth: 'public',
  limited: true,
  method: 'POST',
  errors: ['FORBIDDEN'],
} as const;
const BROWSERS =
  'Pages of other origins are refused. The answer sets the session’s cookie (HttpOnly, SameSite=Lax, 14 days after the last day of use). ';

export const person = {
  id: SAMPLE.userId,
  email: 'ada@example.pt',
  name: 'Ada',
  secondFactor: false,
  createdAt: '2026-11-21T09:00:00.000Z',
};
const signedIn = { data: { user: person, secondFactorRequired: false } };

/** What the OpenAPI document says of signing in. */
export const authRoutes: RouteContract[] = [
  {
    ...shared,
    path: '/api/auth/sign-up',
    operationId: 'signUp',
    summary: 'Make an account, with a project of one’s own',
    description: `${BROWSERS}The project has the environment \`production\`.`,
    body: { schema: SigningUp },
    responses: { 201: { description: 'Signed in.', schema: v.object({ data: SignedIn }) } },
    errors: ['FORBIDDEN', 'CONFLICT'],
    examples: [
      {
        summary: 'A new account',
        status: 201,
        body: { email: 'new@example.pt', password: 'correct horse battery', name: 'Ada' },
        response: signedIn,
      },
      {
        summary: 'An address that has an account',
        status: 409,
        body: { email: SAMPLE.email, password: 'correct horse battery' },
      },
      {
        summary: 'A password that is too short',
        status: 400,
        body: { email: 'short@example.pt', password: 'horse' },
      },
    ],
  },
  {
    ...shared,
    path: '/api/auth/sign-in',
    operationId: 'signIn',
    summary: 'Sign in with e-mail address and password',
    description: `${BROWSERS}Refused while nobody can count the guesses: 20 a minute by client address, 30 in 15 minutes by account.`,
    body: { schema: SigningIn },
    responses: {
      200: {
        description: 'Signed in, or the second factor is asked for.',
        schema: v.object({ data: SignedIn }),
      },
    },
    errors: ['FORBIDDEN', 'UNAUTHORIZED'],
    examples: [
      {
        summary: 'The right password',
        status: 200,
        body: { email: SAMPLE.email, password: SAMPLE.password },
        response: signedIn,
      },
      {
        summary: 'A wrong password',
        status: 401,
        body: { email: SAMPLE.email, password: 'six lamps and a ladder' },
      },
    ],
  },
  {
    ...shared,
    path: '/api/auth/sign-in/second-factor',
    operationId: 'signInSecondFactor',
    summary: 'Finish signing in with a code',
    description: `${BROWSERS}Within 10 minutes of the password, five codes at most; after 10 wrong ones in a row there is a pause of 15 minutes.`,
    body: { schema: SecondFactorCode },
    responses: { 200: { description: 'Signed in.', schema: v.object({ data: SignedIn }) } },
    errors: ['FORBIDDEN', 'UNAUTHORIZED', 'CONFLICT'],
    examples: [
      {
        summary: 'A backup code',
        status: 200,
        body: { code: SAMPLE.backupCode },
        response: { data: { user: { ...person, secondFactor: true }, secondFactorRequired: false } },
      },
      { summary: 'A backup code that was used', status: 401, body: { code: 'aaaaa-aaaaa' } },
    ],
  },
  {
    ...shared,
    path: '/api/auth/password/reset-request',
    operationId: 'requestPasswordReset',
    summary: 'Have a link mailed that resets the password',
    description:
      'The same answer for an address that has no account. The mail is in the language of `Accept-Language`.',
    body: { schema: ResetRequest },
    responses: { 202: { description: 'If the address has an account, a mail is on its way.' } },
    examples: [
      { summary: 'An account’s address', status: 202, body: { email: SAMPLE.email } },
      { summary: 'Nobody’s address', status: 202, body: { email: 'nobody@example.pt' } },
      { summary: 'No address', status: 400, body: { email: 'ada' } },
    ],
  },
  {
    ...shared,
    path: '/api/auth/password/reset',
    operationId: 'resetPassword',
    summary: 'Set a new password by a mailed link',
    description: 'Once, within an hour. Signs the person out everywhere; a second factor stays.',
    body: { schema: PasswordReset },
    responses: { 204: { description: 'The password is the new one.' } },
    examples: [
      {
        summary: 'A new password',
        status: 204,
        body: { token: SAMPLE.resetToken, password: 'eight lamps and a ladder' },
      },
      {
        summary: 'A link that is over',
        status: 400,
        body: { token: 'Aa4Zt8Kw2Xv6Rb1Ns5Lp9Hd3', password: 'eight lamps and a ladder' },
      },
    ],
  },
];

export const authComponents = { SigningUp, SigningIn, SignedIn, Person };
