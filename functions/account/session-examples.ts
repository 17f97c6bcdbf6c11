import { type Examples, NOBODYS, SAMPLE } from '../../lib/http/examples.ts';
import { person } from './auth-examples.ts';
import type { sessionRoutes } from './session-contract.ts';

const session = {
  id: SAMPLE.sessionId,
  browser: 'Firefox',
  os: 'Linux',
  current: true,
  createdAt: '2026-11-21T09:00:00.000Z',
  expiresAt: '2026-12-05T09:00:00.000Z',
};

export const sessionExamples: Examples<typeof sessionRoutes> = {
  getSession: [{ summary: 'The person', status: 200, response: { data: person } }],
  requestEmailConfirmation: [
    { summary: 'Another mail', status: 202, unconfirmed: true },
    { summary: 'An address that is confirmed already', status: 409 },
  ],
  confirmEmail: [
    { summary: 'The mailed link', status: 204, body: { token: SAMPLE.confirmationToken } },
    {
      summary: 'An expired link',
      status: 400,
      body: { token: `eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYUBleGFtcGxlLnB0In0.${'A'.repeat(43)}` },
    },
  ],
  signOut: [{ summary: 'Here', status: 204 }],
  listSessions: [{ summary: 'All sessions', status: 200, response: { data: [session] } }],
  revokeOtherSessions: [{ summary: 'Everywhere else', status: 204 }],
  revokeSession: [
    { summary: 'A session', status: 204 },
    { summary: 'Nobody’s session', status: 404, params: { sessionId: NOBODYS } },
  ],
  changePassword: [
    {
      summary: 'A new password',
      status: 204,
      body: { currentPassword: SAMPLE.password, newPassword: 'eight lamps and a ladder' },
    },
    {
      summary: 'A new password, after somebody else had the old one',
      status: 204,
      body: {
        currentPassword: SAMPLE.password,
        newPassword: 'eight lamps and a ladder',
        revokeKeys: true,
      },
    },
    {
      summary: 'Not the present one',
      status: 403,
      body: { currentPassword: 'six lamps and a ladder', newPassword: 'eight lamps and a ladder' },
    },
  ],
  setUpSecondFactor: [
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
  confirmSecondFactor: [
    { summary: 'What the app shows', status: 204, body: { code: SAMPLE.totpCode } },
    { summary: 'No code', status: 400, body: { code: 'one' } },
  ],
  proveSession: [
    { summary: 'The password, without a second factor', status: 204, body: { proof: SAMPLE.password } },
    { summary: 'Nothing', status: 400, body: { proof: '' } },
  ],
  removeSecondFactor: [{ summary: 'The right password', status: 204, body: { password: SAMPLE.password } }],
  getAccountDeletion: [
    {
      summary: 'A project that nobody else owns',
      status: 200,
      response: {
        data: { projects: [{ id: SAMPLE.projectId, name: 'Six Strings', members: 2, sites: 1 }] },
      },
    },
  ],
  deleteAccount: [
    {
      summary: 'Somebody who owns no project',
      status: 204,
      unconfirmed: true,
      body: { password: SAMPLE.password },
    },
    { summary: 'The only owner of a project', status: 409, body: { password: SAMPLE.password } },
    { summary: 'A wrong password', status: 403, body: { password: 'six lamps and a ladder' } },
  ],
};
