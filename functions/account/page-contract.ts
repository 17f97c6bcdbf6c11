import * as v from 'valibot';
import type { Contracts, RouteContract } from '../../lib/http/contract.ts';
import { LANGUAGES } from '../../lib/languages.ts';

const PageInput = v.strictObject({
  lang: v.optional(v.pipe(v.picklist(LANGUAGES), v.description('Language of the page.'))),
});
export type PageInput = v.InferOutput<typeof PageInput>;

const shared = {
  tag: 'Pages',
  method: 'GET',
  auth: 'public',
  limit: null,
  description:
    'The language is `lang`, else the best match for `Accept-Language`, else English. The part of a link after `#` stays in ' +
    'the browser.',
  input: PageInput,
  responses: { 200: { description: 'HTML.', contentType: 'text/html; charset=utf-8' } },
  errors: ['FORBIDDEN'],
} as const satisfies Partial<RouteContract>;

/** The pages for people. */
export const pageRoutes = {
  getSignInPage: { ...shared, path: '/sign-in', summary: 'Sign in or up' },
  getConfirmEmailPage: {
    ...shared,
    path: '/confirm-email',
    summary: 'Confirm an e-mail address with a mailed link',
  },
  getResetPasswordPage: {
    ...shared,
    path: '/reset-password',
    summary: 'Choose a new password with a mailed link',
  },
  getJoinPage: { ...shared, path: '/join', summary: 'Join a project with an invitation' },
  getSecurityPage: {
    ...shared,
    path: '/security',
    summary: 'End sessions, change the password, set up or turn off the second factor',
  },
} as const satisfies Contracts;
