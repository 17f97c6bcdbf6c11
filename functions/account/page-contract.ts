import * as v from 'valibot';
import type { Contracts, RouteContract } from '../../lib/http/contract.ts';
import { LANGUAGES } from '../../lib/languages.ts';

/** People come by links of others, which may have parameters of their own (`utm_source`): those are nothing to the pages. */
const PageInput = v.object({
  lang: v.optional(v.pipe(v.picklist(LANGUAGES), v.description('Language of the page.'))),
});
/** A path of the dashboard: never another origin, and none of the pages here. */
const ReturnPath = v.pipe(
  v.string(),
  v.maxLength(4096),
  v.regex(/^\/(?:sites|projects|settings)(?:[/?][!-~]*)?$/, 'must be a path of the dashboard'),
  v.description('Where in the dashboard to go after signing in.'),
);
const SignInInput = v.object({ ...PageInput.entries, to: v.optional(ReturnPath) });
export type SignInInput = v.InferOutput<typeof SignInInput>;

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
  getSignInPage: { ...shared, path: '/sign-in', summary: 'Sign in or up', input: SignInInput },
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
    summary: 'Leads to the account in the dashboard',
    description: 'Sessions, password and second factor were here before.',
    responses: { 302: { description: 'To `/settings/account`.' } },
  },
} as const satisfies Contracts;
