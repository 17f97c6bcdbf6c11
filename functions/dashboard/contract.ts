import * as v from 'valibot';
import type { Contracts, RouteContract } from '../../lib/http/contract.ts';

const Part = v.pipe(v.string(), v.minLength(1), v.maxLength(100));

const page = {
  tag: 'Pages',
  method: 'GET',
  auth: 'public',
  limit: null,
  description:
    'The query is the state of the view, and is read in the browser. Without a session’s cookie it leads to `/sign-in`.',
  params: {},
  responses: {
    200: { description: 'HTML.', contentType: 'text/html; charset=utf-8' },
    302: { description: 'To `/sign-in`.' },
  },
} as const satisfies Partial<RouteContract>;

/** Pages of the dashboard for people who are signed in. The script draws them. */
export const appRoutes = {
  getSitesPage: { ...page, path: '/sites', summary: 'The sites of a person' },
  getSitePage: { ...page, path: '/sites/:siteId', params: { siteId: Part }, summary: 'A site' },
  getSiteViewPage: {
    ...page,
    path: '/sites/:siteId/:view',
    params: { siteId: Part, view: Part },
    summary: 'A view of a site',
  },
  getProjectsPage: { ...page, path: '/projects', summary: 'The projects and environments of a person' },
  getChannelsPage: {
    ...page,
    path: '/projects/:projectId/channels',
    params: { projectId: Part },
    summary: 'The channels of a project',
  },
  getEnvironmentHomePage: {
    ...page,
    path: '/projects/:projectId/:environmentId',
    params: { projectId: Part, environmentId: Part },
    summary: 'An environment: its services',
  },
  getEnvironmentPage: {
    ...page,
    path: '/projects/:projectId/:environmentId/:view',
    params: { projectId: Part, environmentId: Part, view: Part },
    summary: 'A view of an environment',
  },
  getTracePage: {
    ...page,
    path: '/projects/:projectId/:environmentId/traces/:traceId',
    params: { projectId: Part, environmentId: Part, traceId: Part },
    summary: 'A trace',
  },
  getSettingsPage: {
    ...page,
    path: '/settings/:view',
    params: { view: Part },
    summary: 'Settings of a person',
  },
} as const satisfies Contracts;

/** Pages for everybody. */
export const publicRoutes = {
  getFrontPage: {
    ...page,
    path: '/',
    summary: 'What this is',
    description: 'With a session’s cookie it leads to `/sites`.',
    responses: {
      200: { description: 'HTML.', contentType: 'text/html; charset=utf-8' },
      302: { description: 'To `/sites`.' },
    },
  },
  getCountingPage: {
    ...page,
    path: '/docs/counting',
    summary: 'How numbers are counted',
    description: 'In English. Each reason to refuse an event has an anchor of its name: `#bot`.',
    responses: { 200: { description: 'HTML.', contentType: 'text/html; charset=utf-8' } },
  },
  getSharePage: {
    ...page,
    path: '/share/:secret',
    params: { secret: Part },
    summary: 'A share, as a page',
    description: 'The script asks for what the share shows, and for its password if it has one.',
    responses: { 200: { description: 'HTML.', contentType: 'text/html; charset=utf-8' } },
  },
} as const satisfies Contracts;

export const routes: Contracts = { ...publicRoutes, ...appRoutes };
