import { type Examples, SAMPLE } from '../../lib/http/examples.ts';
import type { appRoutes, publicRoutes } from './contract.ts';

const toSignIn = { summary: 'Without a session', status: 302 } as const;

export const examples: Examples<typeof publicRoutes & typeof appRoutes> = {
  getFrontPage: [{ summary: 'Signed out', status: 200 }],
  getSharePage: [{ summary: 'The page', status: 200, params: { secret: 'x'.repeat(43) } }],
  getSitesPage: [toSignIn],
  getSitePage: [{ ...toSignIn, params: { siteId: SAMPLE.siteId } }],
  getSiteViewPage: [{ ...toSignIn, params: { siteId: SAMPLE.siteId, view: 'goals' } }],
  getProjectsPage: [toSignIn],
  getEnvironmentPage: [toSignIn],
  getTracePage: [toSignIn],
  getSettingsPage: [{ ...toSignIn, params: { view: 'account' } }],
};
