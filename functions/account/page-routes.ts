import { getCookie } from 'hono/cookie';
import { addRoutes } from '../../lib/http/add-routes.ts';
import type { Passed } from '../../lib/http/doors.ts';
import { pagePolicy, SCRIPT_RULES } from '../../lib/http/page-policy.ts';
import { TYPEFACE_RULE } from '../../lib/http/typeface.ts';
import { chooseLanguage } from '../../lib/languages.ts';
import type { PageName } from '../../web/account/page-data.ts';
import { pageRoutes, type SignInInput } from './page-contract.ts';
import { STYLE } from './pages/page-style.ts';
import { renderPage } from './pages/render-page.ts';
import { type AccountApp, everybody, type Resources } from './resources.ts';

/** The pages' script sends requests, and only to the service. */
const RULES = ["connect-src 'self'", TYPEFACE_RULE, ...SCRIPT_RULES];

/**
 * The pages for signing in, and for links in mails and invitations. A page depends only on the language and on whether the browser
 * has a session's cookie; making one needs no query. After signing in, the page leads to a path of the dashboard, never to another origin.
 */
export const addPageRoutes = (app: AccountApp): void =>
  addRoutes(app, pageRoutes, everybody, {
    getSignInPage: showPage('sign-in'),
    getConfirmEmailPage: showPage('confirm-email'),
    getResetPasswordPage: showPage('reset-password'),
    getJoinPage: showPage('join'),
    // Sessions, password and second factor are in the dashboard.
    getSecurityPage: async (_, { lang }, c) =>
      c.redirect(`/settings/account${lang === undefined ? '' : `?lang=${lang}`}`),
  });

const showPage = (page: PageName) =>
  async function showPage(_: unknown, { lang, to }: SignInInput, c: Passed<Resources>): Promise<Response> {
    const { publicUrl, sessions, mailDelivery, isSignUpOpen } = c.var.resources;
    const language = lang ?? chooseLanguage(c.req.header('Accept-Language'));
    const isChosen = lang !== undefined;
    const hasSession = getCookie(c, sessions.cookie) !== undefined;
    c.header('Content-Language', language);
    c.header('Content-Security-Policy', await pagePolicy(STYLE, RULES));
    c.header('Cross-Origin-Opener-Policy', 'same-origin');
    // Whoever signs up confirms the address by mail.
    const signUp = mailDelivery !== undefined && (isSignUpOpen || page === 'join');
    const options = { page, language, isChosen, hasSession, to, mails: mailDelivery, signUp, publicUrl };
    return c.html(await renderPage(options));
  };
