import { type Examples, SAMPLE } from '../../lib/http/examples.ts';
import type { appRoutes, publicRoutes } from './contract.ts';

/** The page is the same whatever the cookie's value is: its script asks the API. */
const page = {
  summary: 'With a session’s cookie',
  status: 200,
  headers: { Cookie: 'vendor.session_token=of-a-session' },
} as const;

export const examples: Examples<typeof publicRoutes & typeof appRoutes> = {
  getFrontPage: [{ summary: 'Signed out', status: 200, headers: { Cookie: 'vendor.theme=light' } }],
  getCountingPage: [{ summary: 'The page', status: 200 }],
  getSharePage: [{ summary: 'The page', status: 200, params: { secret: SAMPLE.shareSecret } }],
  getSitesPage: [page],
  getSitePage: [page],
  getSiteViewPage: [{ ...page, params: { view: 'goals' } }],
  getProjectsPage: [page],
  getChannelsPage: [page],
  getEnvironmentHomePage: [page],
  getEnvironmentPage: [{ ...page, params: { view: 'services' } }],
  getTracePage: [page],
  getSettingsPage: [{ ...page, params: { view: 'account' } }],
};
