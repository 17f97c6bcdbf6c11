import { type Examples, SAMPLE } from '../../lib/http/examples.ts';
import type { authRoutes } from './auth-contract.ts';

export const person = {
  id: SAMPLE.userId,
  email: 'ada@example.pt',
  name: 'Ada',
  emailConfirmed: true,
  secondFactor: false,
  createdAt: '2026-11-21T09:00:00.000Z',
};
const signedIn = { data: { user: person, secondFactorRequired: false } };

export const authExamples: Examples<typeof authRoutes> = {
  signUp: [
    {
      summary: 'A new account',
      status: 201,
      body: { email: 'new@example.pt', password: 'correct horse battery', name: 'Ada' },
      response: { data: { user: { ...person, emailConfirmed: false }, secondFactorRequired: false } },
    },
    {
      summary: 'By an invitation, where sign-up is closed',
      status: 201,
      body: {
        email: 'invited@example.pt',
        password: 'correct horse battery',
        invitation: SAMPLE.invitationSecret,
      },
    },
    {
      summary: 'A first owner’s link that is over',
      status: 403,
      body: {
        email: 'owner@example.pt',
        password: 'correct horse battery',
        firstOwner: '1795251600.Vb8nTq4WzLk2XyRmD7sHcJ0gPa5fUe1oYi6KtQv3M9E',
      },
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
  signIn: [
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
  signInSecondFactor: [
    {
      summary: 'A backup code',
      status: 200,
      body: { code: SAMPLE.backupCode },
      response: { data: { user: { ...person, secondFactor: true }, secondFactorRequired: false } },
    },
    { summary: 'A backup code that was used', status: 401, body: { code: 'aaaaa-aaaaa' } },
  ],
  requestPasswordReset: [
    { summary: 'An account’s address', status: 202, body: { email: SAMPLE.email } },
    { summary: 'Nobody’s address', status: 202, body: { email: 'nobody@example.pt' } },
    { summary: 'No address', status: 400, body: { email: 'ada' } },
  ],
  resetPassword: [
    {
      summary: 'A new password',
      status: 204,
      body: { token: SAMPLE.resetToken, password: 'eight lamps and a ladder' },
    },
    {
      summary: 'An expired link',
      status: 400,
      body: { token: 'Aa4Zt8Kw2Xv6Rb1Ns5Lp9Hd3', password: 'eight lamps and a ladder' },
    },
  ],
};
