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

/** Signing up and signing in. */
export const authRoutes = {
  signUp: {
    ...shared,
    path: '/api/auth/sign-up',
    summary: 'Create an account, with a project of its own',
    description:
      `${BROWSERS}The project has the environment \`production\`. A link that confirms the address is mailed, in the language of ` +
      '`Accept-Language`. Before it is opened the person may sign in and read, and change nothing. Refused if the service sends no mail. Where sign-up is closed ' +
      '(`SIGN_UP`), it needs the secret of an open invitation. With the first owner’s link, which is valid for a day and while nobody has a password, the address is ' +
      'confirmed at once, and the person owns every project there is. A client address may make or try 5 accounts an hour.',
    input: SignUp,
    responses: { 201: { description: 'Signed in.', schema: v.object({ data: SignedIn }) } },
    errors: ['FORBIDDEN', 'CONFLICT'],
  },
  signIn: {
    ...shared,
    path: '/api/auth/sign-in',
    summary: 'Sign in with e-mail address and password',
    description: `${BROWSERS}Refused while nobody can count the guesses: 20 a minute by client address, 30 in 15 minutes by account. Browsers that were used with the account are counted apart.`,
    input: SignIn,
    responses: {
      200: {
        description: 'Signed in, or a second factor is required.',
        schema: v.object({ data: SignedIn }),
      },
    },
    errors: ['FORBIDDEN', 'UNAUTHORIZED'],
  },
  signInSecondFactor: {
    ...shared,
    path: '/api/auth/sign-in/second-factor',
    summary: 'Finish signing in with a code',
    description: `${BROWSERS}Within 10 minutes of the password, five codes at most, each of them once; after 10 wrong ones in a row there is a pause of 15 minutes.`,
    input: SignInSecondFactor,
    responses: { 200: { description: 'Signed in.', schema: v.object({ data: SignedIn }) } },
    errors: ['FORBIDDEN', 'UNAUTHORIZED', 'CONFLICT'],
  },
  requestPasswordReset: {
    ...shared,
    path: '/api/auth/password/reset-request',
    summary: 'Request a mail with a link that resets the password',
    description:
      'The answer is the same for an address without an account. The mail is in the language of `Accept-Language`. An address gets at ' +
      'most 3 mails an hour. Refused if the service sends no mail.',
    input: RequestPasswordReset,
    responses: { 202: { description: 'If the address has an account, the service sends a mail.' } },
  },
  resetPassword: {
    ...shared,
    path: '/api/auth/password/reset',
    summary: 'Set a new password with a mailed link',
    description:
      'The link works once, within an hour. Signs the person out everywhere, revokes all of their API keys and query tokens, ends ' +
      'other mailed links, and confirms the e-mail address. A second factor stays.',
    input: ResetPassword,
    responses: { 204: { description: 'The password is changed.' } },
  },
} as const satisfies Contracts;

export const authComponents = { SignedIn, Person };
