import { html, raw } from 'hono/html';
import {
  CONFIRMATION_TOKEN,
  FIRST_OWNER_TOKEN,
  INVITATION_SECRET,
  RESET_TOKEN,
} from '../../../lib/accounts/auth/schemas.ts';
import type { MailDelivery } from '../../../lib/http/env-fields.ts';
import { allLanguageLinks } from '../../../lib/http/language-links.ts';
import { TYPEFACE_LINK } from '../../../lib/http/typeface.ts';
import type { Language } from '../../../lib/languages.ts';
import type { PageData, PageName } from '../../../web/account/page-data.ts';
import { VIEWS, type Words } from '../../../web/account/page-words.ts';
import type { PageContext } from './page-elements.ts';
import { STYLE } from './page-style.ts';
import { WORDS } from './page-words-by-language.ts';
import { viewsOf } from './views.ts';

export interface PageOptions {
  page: PageName;
  language: Language;
  /** True if the reader chose the language; then links keep it. */
  isChosen: boolean;
  /** True if the browser has a session's cookie, valid or not. */
  hasSession: boolean;
  /** Where in the dashboard the reader wants to go. Undefined: nowhere yet. */
  to: string | undefined;
  /** True if the page offers to make an account. */
  signUp: boolean;
  /** Undefined: the service has no mails. */
  mails: MailDelivery | undefined;
  /** The address that browsers use, without a final slash. */
  publicUrl: string;
}

const FIRST_VIEW = '/sites';
const SECRETS = {
  'sign-in': `^first-owner=${FIRST_OWNER_TOKEN.source.slice(1)}`,
  'confirm-email': CONFIRMATION_TOKEN.source,
  'reset-password': RESET_TOKEN.source,
  join: INVITATION_SECRET.source,
};
const TITLES = {
  'sign-in': 'sign-in',
  'confirm-email': 'unconfirmed',
  'reset-password': 'reset',
  join: 'confirm',
} as const;

/** Renders a whole page. It holds no personal data and no secret: the script requests the data and reads the secret from the fragment. */
export async function renderPage({
  page,
  language,
  isChosen,
  hasSession,
  to,
  mails,
  signUp,
  publicUrl,
}: PageOptions): Promise<string> {
  const words = mails === 'kept' ? withKept(WORDS[language]) : WORDS[language];
  const path = `/${page}`;
  const query = isChosen ? `?lang=${language}` : '';
  const ctx: PageContext = { words, query, page, to: to ?? FIRST_VIEW, mails: mails !== undefined, signUp };
  const isShown = page === 'sign-in' && !hasSession;
  const address = publicUrl + path;
  const secret = SECRETS[page];
  const data: PageData = {
    page,
    language,
    hasSession,
    ...(to !== undefined && { to }),
    home: FIRST_VIEW,
    secret,
    address,
    words: words.script,
  };
  return String(
    await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.views[TITLES[page]].title} · Vendor</title>
<link rel="icon" href="data:,">
${TYPEFACE_LINK}
<style>${raw(STYLE)}</style>
<script type="module" src="/account-pages.js"></script>
</head>
<body>
<header>
<strong>Vendor</strong>
<nav>${allLanguageLinks(words.languages, language, (other) => `${path}?${new URLSearchParams({ lang: other, ...(to !== undefined && { to }) })}`)}</nav>
</header>
<main>
<noscript><p class="wrong">${words.needsScript}</p></noscript>${viewsOf[page](ctx, isShown)}
<p id="status" role="status">${isShown ? '' : words.script.busy}</p>
</main>
<script type="application/json" id="data">${raw(asData(data))}</script>
</body>
</html>
`,
  );
}

/** The words of a service that keeps its mails. */
const withKept = ({ kept, ...words }: Words): Words => ({
  ...words,
  kept,
  views: Object.fromEntries(
    VIEWS.map((name) => [name, { ...words.views[name], ...kept.views[name] }]),
  ) as Words['views'],
  buttons: { ...words.buttons, ...kept.buttons },
  script: { ...words.script, ...kept.script },
});

/** JSON that can't close the `<script>` element. */
const asData = (data: PageData): string => JSON.stringify(data).replaceAll('<', '\\u003c');
