import type { RouteContract } from '../../lib/http/contract.ts';
import { PageQuery } from './query.ts';

const shared = {
  tag: 'Pages',
  method: 'GET',
  auth: 'public',
  limited: false,
  description:
    'In the language of `lang`, else of `Accept-Language`, else English. What a link has after its `#` stays in the browser.',
  query: PageQuery,
  responses: { 200: { description: 'HTML.', contentType: 'text/html; charset=utf-8' } },
  errors: ['FORBIDDEN'],
  examples: [
    { summary: 'The page', status: 200 },
    { summary: 'In Spanish', status: 200, query: { lang: 'es' } },
    { summary: 'In a language that there is none of', status: 400, query: { lang: 'fr' } },
  ],
} as const satisfies Partial<RouteContract>;

/** What the OpenAPI document says of the pages for people. */
export const pageRoutes: RouteContract[] = [
  { ...shared, path: '/sign-in', operationId: 'getSignInPage', summary: 'Sign in or up' },
  {
    ...shared,
    path: '/reset-password',
    operationId: 'getResetPasswordPage',
    summary: 'Choose a new password, by a mailed link',
  },
  { ...shared, path: '/join', operationId: 'getJoinPage', summary: 'Join a project, by an invitation' },
  {
    ...shared,
    path: '/security',
    operationId: 'getSecurityPage',
    summary: 'End sessions, change the password, set up or turn off the second factor',
  },
];
