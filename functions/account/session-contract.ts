import * as v from 'valibot';
import {
  ChangePassword,
  ConfirmEmail,
  ConfirmSecondFactor,
  DeleteAccount,
  OneSession,
  Person,
  ProveSession,
  RemoveSecondFactor,
  SecondFactorSetup,
  Session,
  SetUpSecondFactor,
} from '../../lib/accounts/auth/schemas.ts';
import { AccountDeletion } from '../../lib/accounts/schemas.ts';
import type { Contracts } from '../../lib/http/contract.ts';

const shared = { tag: 'Sessions', auth: 'session', limit: null } as const;
/** For people whose address isn't confirmed, too. */
const open = { ...shared, unconfirmed: true } as const;

/** The session, the password and the second factor. */
export const sessionRoutes = {
  getSession: {
    ...shared,
    method: 'GET',
    path: '/api/auth/session',
    summary: 'Who is signed in',
    description: 'Prolongs the session, at most once a day.',
    responses: { 200: { description: 'The person.', schema: v.object({ data: Person }) } },
  },
  requestEmailConfirmation: {
    ...open,
    method: 'POST',
    path: '/api/auth/email/confirm-request',
    summary: 'Request another mail with a link that confirms the e-mail address',
    description:
      'In the language of `Accept-Language`. An address gets at most 3 mails a day. Refused if the service sends no mail.',
    responses: { 202: { description: 'The mail is sent.' } },
    errors: ['CONFLICT'],
  },
  confirmEmail: {
    ...open,
    method: 'POST',
    path: '/api/auth/email/confirm',
    summary: 'Confirm the e-mail address with a mailed link',
    description: 'The link works for 24 hours, and only for whoever is signed in to its account.',
    input: ConfirmEmail,
    responses: { 204: { description: 'The address is confirmed.' } },
  },
  signOut: {
    ...open,
    method: 'POST',
    path: '/api/auth/sign-out',
    summary: 'Sign out',
    responses: { 204: { description: 'The session has ended.' } },
  },
  listSessions: {
    ...shared,
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'The person’s sessions, newest first',
    description: 'Browser and operating system are those of the sign-in. No address is stored.',
    responses: { 200: { description: 'The sessions.', schema: v.object({ data: v.array(Session) }) } },
  },
  revokeOtherSessions: {
    ...open,
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'Sign out everywhere else',
    description: 'Also ends mailed links that reset the password.',
    responses: { 204: { description: 'All other sessions have ended.' } },
  },
  revokeSession: {
    ...open,
    method: 'DELETE',
    path: '/api/auth/sessions/:sessionId',
    input: OneSession,
    summary: 'End one session',
    responses: { 204: { description: 'The session has ended.' } },
    errors: ['NOT_FOUND'],
  },
  changePassword: {
    ...open,
    method: 'POST',
    path: '/api/auth/password',
    summary: 'Change the password',
    description: 'Ends all other sessions and mailed links, and gives this browser a new session.',
    input: ChangePassword,
    responses: { 204: { description: 'The password is changed.' } },
  },
  setUpSecondFactor: {
    ...shared,
    method: 'POST',
    path: '/api/auth/second-factor',
    summary: 'Start to set up a second factor (TOTP)',
    description: 'Signing in needs the second factor only after its first code is confirmed.',
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
    responses: { 204: { description: 'Signing in now needs a code.' } },
    errors: ['CONFLICT'],
  },
  proveSession: {
    ...shared,
    method: 'POST',
    path: '/api/auth/proof',
    summary: 'Prove again who is signed in',
    description:
      'Needed before somebody is made an owner, a project or a site is deleted, and, with a second factor, before the password is changed or ' +
      'the factor is turned off: those are refused with 403 if the last proof is older than 10 minutes. Signing in is a proof.',
    input: ProveSession,
    responses: { 204: { description: 'What needs a proof works in this session for 10 minutes.' } },
  },
  removeSecondFactor: {
    ...shared,
    method: 'POST',
    path: '/api/auth/second-factor/remove',
    summary: 'Turn the second factor off',
    input: RemoveSecondFactor,
    responses: { 204: { description: 'Signing in now needs only the password.' } },
  },
  getAccountDeletion: {
    ...shared,
    tag: 'Account',
    method: 'GET',
    path: '/api/v1/account/deletion',
    summary: 'What keeps the account from being deleted',
    responses: {
      200: {
        description: 'The projects that would have no owner.',
        schema: v.object({ data: AccountDeletion }),
      },
    },
  },
  deleteAccount: {
    ...open,
    tag: 'Account',
    method: 'POST',
    path: '/api/v1/account/deletion',
    summary: 'Delete the account',
    description:
      'Deletes the person with their sessions, API keys, query tokens and private segments, and takes them out of all projects. ' +
      'Projects, sites and ingest keys stay. Refused while the person is the only owner of a project. Lines of audit logs keep the id of the person.',
    input: DeleteAccount,
    responses: { 204: { description: 'The account is gone.' } },
    errors: ['CONFLICT'],
  },
} as const satisfies Contracts;

export const sessionComponents = { Session, SecondFactorSetup, AccountDeletion };
