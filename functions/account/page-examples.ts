import type { Examples, RouteExample } from '../../lib/http/examples.ts';
import type { pageRoutes } from './page-contract.ts';

const page: readonly RouteExample[] = [
  { summary: 'The page', status: 200 },
  { summary: 'In Spanish', status: 200, query: { lang: 'es' } },
  { summary: 'With a parameter that is nothing to it', status: 200, query: { utm_source: 'letter' } },
  { summary: 'In a language that there is none of', status: 400, query: { lang: 'fr' } },
];

export const pageExamples: Examples<typeof pageRoutes> = {
  getSignInPage: [
    ...page,
    { summary: 'On the way to a site', status: 200, query: { to: '/sites?period=7d' } },
    { summary: 'To another origin', status: 400, query: { to: '//elsewhere.test/sites' } },
  ],
  getConfirmEmailPage: page,
  getResetPasswordPage: page,
  getJoinPage: page,
  getSecurityPage: [{ summary: 'To the dashboard', status: 302 }],
};
