import * as v from 'valibot';
import {
  ChangePassword,
  ConfirmSecondFactor,
  OneSession,
  Person,
  RemoveSecondFactor,
  SecondFactorSetup,
  Session,
  SetUpSecondFactor,
} from '../../lib/accounts/auth/schemas.ts';
import type { Contracts } from '../../lib/http/contract.ts';

const shared = { tag: 'Sessions', auth: 'session', limit: null } as const;

/** Being signed in. */
export const sessionRoutes = {
  getSession: {
    ...shared,
    method: 'GET',
    path: '/api/auth/session',
    summary: 'Who is signed in',
    description: 'Prolongs the session, once a day.',
    responses: { 200: { description: 'The person.', schema: v.object({ data: Person }) } },
  },
  signOut: {
    ...shared,
    method: 'POST',
    path: '/api/auth/sign-out',
    summary: 'Sign out',
    responses: { 204: { description: 'The session has ended.' } },
  },
  listSessions: {
    ...shared,
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'Where the person is signed in, newest first',
    description: 'Names of browser and system as they were at signing in. No address is kept.',
    responses: { 200: { description: 'The sessions.', schema: v.object({ data: v.array(Session) }) } },
  },
  revokeOtherSessions: {
    ...shared,
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'Sign out everywhere else',
    responses: { 204: { description: 'Only this session is left.' } },
  },
  revokeSession: {
    ...shared,
    method: 'DELETE',
    path: '/api/auth/sessions/:sessionId',
    input: OneSession,
    summary: 'End one session',
    responses: { 204: { description: 'It has ended.' } },
    errors: ['NOT_FOUND'],
  },
  changePassword: {
    ...shared,
    method: 'POST',
    path: '/api/auth/password',
    summary: 'Change the password',
    description: 'Signs the person out everywhere else, and gives this browser another session.',
    input: ChangePassword,
    responses: { 204: { description: 'The password is the new one.' } },
  },
  setUpSecondFactor: {
    ...shared,
    method: 'POST',
    path: '/api/auth/second-factor',
    summary: 'Begin with a second factor (TOTP)',
    description: 'It is asked for from when a first code was confirmed.',
    input: SetUpSecondFactor,
    responses: {
      201: { description: 'For the authenticator app.', schema: v.object({ data: SecondFactorSetup }) },
    },
    errors: ['CONFLICT'],
  },
  confirmSecondFactor: {
    ...shared,
    method: 'POST',
    path: '/api/auth/second-factor/confirm',
    summary: 'Confirm the second factor with a first code',
    input: ConfirmSecondFactor,
    responses: { 204: { description: 'Signing in takes a code from now on.' } },
    errors: ['CONFLICT'],
  },
  removeSecondFactor: {
    ...shared,
    method: 'POST',
    path: '/api/auth/second-factor/remove',
    summary: 'Sign in without a second factor again',
    input: RemoveSecondFactor,
    responses: { 204: { description: 'The password is enough again.' } },
  },
} as const satisfies Contracts;

export const sessionComponents = { Session, SecondFactorSetup };
