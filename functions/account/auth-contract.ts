import * as v from 'valibot';
import {
  Person,
  RequestPasswordReset,
  ResetPassword,
  SignedIn,
  SignIn,
  SignInSecondFactor,
  SignUp,
} from '../../lib/accounts/auth/schemas.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { SIGN_IN } from './limits.ts';

const shared = {
  tag: 'Signing in',
  auth: 'public',
  limit: SIGN_IN,
  method: 'POST',
  errors: ['FORBIDDEN'],
} as const;
const BROWSERS =
  'Pages of other origins are refused. The answer sets the session’s cookie (HttpOnly, SameSite=Lax, 14 days after the last day of use). ';

/** Signing up and in. */
export const authRoutes = {
  signUp: {
    ...shared,
    path: '/api/auth/sign-up',
    summary: 'Make an account, with a project of one’s own',
    description: `${BROWSERS}The project has the environment \`production\`.`,
    input: SignUp,
    responses: { 201: { description: 'Signed in.', schema: v.object({ data: SignedIn }) } },
    errors: ['FORBIDDEN', 'CONFLICT'],
  },
  signIn: {
    ...shared,
    path: '/api/auth/sign-in',
    summary: 'Sign in with e-mail address and password',
    description: `${BROWSERS}Refused while nobody can count the guesses: 20 a minute by client address, 30 in 15 minutes by account.`,
    input: SignIn,
    responses: {
      200: {
        description: 'Signed in, or the second factor is asked for.',
        schema: v.object({ data: SignedIn }),
      },
    },
    errors: ['FORBIDDEN', 'UNAUTHORIZED'],
  },
  signInSecondFactor: {
    ...shared,
    path: '/api/auth/sign-in/second-factor',
    summary: 'Finish signing in with a code',
    description: `${BROWSERS}Within 10 minutes of the password, five codes at most; after 10 wrong ones in a row there is a pause of 15 minutes.`,
    input: SignInSecondFactor,
    responses: { 200: { description: 'Signed in.', schema: v.object({ data: SignedIn }) } },
    errors: ['FORBIDDEN', 'UNAUTHORIZED', 'CONFLICT'],
  },
  requestPasswordReset: {
    ...shared,
    path: '/api/auth/password/reset-request',
    summary: 'Have a link mailed that resets the password',
    description:
      'The same answer for an address that has no account. The mail is in the language of `Accept-Language`.',
    input: RequestPasswordReset,
    responses: { 202: { description: 'If the address has an account, a mail is on its way.' } },
  },
  resetPassword: {
    ...shared,
    path: '/api/auth/password/reset',
    summary: 'Set a new password by a mailed link',
    description: 'Once, within an hour. Signs the person out everywhere; a second factor stays.',
    input: ResetPassword,
    responses: { 204: { description: 'The password is the new one.' } },
  },
} as const satisfies Contracts;

export const authComponents = { SignedIn, Person };
