import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { sessionCookieOf } from '../../lib/accounts/auth/session-cookie.ts';
import { addRoutes } from '../../lib/http/add-routes.ts';
import { createApp } from '../../lib/http/app.ts';
import { everybody } from '../../lib/http/doors.ts';
import type { MailDelivery } from '../../lib/http/env-fields.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { chooseLanguage, findLanguage, type Language } from '../../lib/languages.ts';
import { LANGUAGE_COOKIE, THEME_COOKIE } from '../../web/app/page-cookies.ts';
import { APP_FILES } from './app-files.generated.ts';
import { appRoutes, publicRoutes } from './contract.ts';
import { Env } from './env.ts';
import { renderCounting } from './front/render-counting.ts';
import { renderFront } from './front/render-front.ts';
import { type Bindings, loadSharePage } from './load-share-page.ts';
import { APP_POLICY, isTheme, renderShell, type Shell, sharePolicy } from './shell.ts';

/** The address asked for. The sign-in page leads back to it. */
const BACK = 'to';

interface Resources {
  /** The name of the session's cookie. */
  cookie: string;
  publicUrl: string;
  /** The front page offers to make an account. */
  signUp: boolean;
  mails: MailDelivery;
}

type Page = Context<{ Bindings: Bindings; Variables: { resources: Resources } }>;

/** The pages of the dashboard. A page holds no data: its script asks the API with the session's cookie. */
export function createDashboardApp({ log = logToConsole }: { log?: Log } = {}) {
  const app = createApp({
    name: 'dashboard',
    env: Env,
    log,
    resources: ({ PUBLIC_URL, SIGN_UP, MAIL_DELIVERY }) => ({
      cookie: sessionCookieOf(PUBLIC_URL),
      publicUrl: PUBLIC_URL,
      signUp: SIGN_UP === 'open',
      mails: MAIL_DELIVERY,
    }),
    unknownPath: (c) => (wantsPage(c) ? answerShell(c, APP_POLICY, { status: 404 }) : undefined),
  });
  const isSignedIn = (c: Page): boolean => getCookie(c, c.var.resources.cookie) !== undefined;

  const showApp = async (_: unknown, __: unknown, c: Page): Promise<Response> => {
    if (!isSignedIn(c)) return c.redirect(`/sign-in?${new URLSearchParams({ [BACK]: returnPathOf(c) })}`);
    return answerShell(c, APP_POLICY);
  };
  addRoutes(app, appRoutes, everybody, {
    getSitesPage: showApp,
    getSitePage: showApp,
    getSiteViewPage: showApp,
    getProjectsPage: showApp,
    getChannelsPage: showApp,
    getEnvironmentHomePage: showApp,
    getEnvironmentPage: showApp,
    getTracePage: showApp,
    getSettingsPage: showApp,
  });
  addRoutes(app, publicRoutes, everybody, {
    getFrontPage: async (_, __, c: Page) => {
      if (isSignedIn(c)) return c.redirect('/sites');
      const language = languageOf(c);
      const { html, policy } = await renderFront(language, c.var.resources);
      return answerPage(c, html, { language, policy });
    },
    getCountingPage: async (_, __, c: Page) => {
      const { html, policy } = await renderCounting();
      return answerPage(c, html, { language: 'en', policy });
    },
    getSharePage: async (_, __, c: Page) => {
      const share = await loadSharePage(c.env.ANALYTICS, c.req.param('secret') ?? '', c.req.raw.headers);
      const title = share?.title ? `${share.title.name} · ${share.title.site}` : undefined;
      const picture = new URL(APP_FILES.preview, c.var.resources.publicUrl).href;
      return answerShell(c, sharePolicy(share?.embedOrigins ?? []), { shared: { title, picture } });
    },
  });
  return app;
}

/** Whether a person asks for it with a browser. Programs get errors as JSON, also at well-known paths. */
const wantsPage = ({ req }: Context): boolean =>
  req.method === 'GET' &&
  (req.header('Accept') ?? '').includes('text/html') &&
  !/^\/(?:api|v1|\.well-known)(?:\/|$)/.test(req.path);

/** The path with its query. */
function returnPathOf(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

/** The language that the person chose, else the best one of `Accept-Language`. */
const languageOf = (c: Context): Language =>
  findLanguage(c.req.query('lang') ?? getCookie(c, LANGUAGE_COOKIE)) ??
  chooseLanguage(c.req.header('Accept-Language'));

async function answerShell(
  c: Page,
  policy: string,
  { status = 200, shared }: { status?: 200 | 404; shared?: Shell['shared'] } = {},
): Promise<Response> {
  const language = languageOf(c);
  const theme = c.req.query('theme') ?? getCookie(c, THEME_COOKIE);
  const html = await renderShell({
    language,
    theme: isTheme(theme) ? theme : 'auto',
    mails: c.var.resources.mails,
    shared,
  });
  return answerPage(c, html, { language, policy, status });
}

function answerPage(
  c: Context,
  html: string,
  { language, policy, status = 200 }: { language: Language; policy: string; status?: 200 | 404 },
): Response {
  c.header('Content-Language', language);
  c.header('Content-Security-Policy', policy);
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  return c.html(html, status);
}
