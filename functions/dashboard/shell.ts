import { html, raw } from 'hono/html';
import type { MailDelivery } from '../../lib/http/env-fields.ts';
import { TYPEFACE_LINK } from '../../lib/http/typeface.ts';
import type { Language } from '../../lib/languages.ts';
import { THEMES, type Theme } from '../../web/app/page-cookies.ts';
import { APP_FILES } from './app-files.generated.ts';

export const isTheme = (text: string | undefined): text is Theme => THEMES.some((theme) => theme === text);

/** Only the service's own script, style and font. The script asks only the service, and never inserts data as HTML. */
const policyOf = (ancestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');

export const APP_POLICY = policyOf("'none'");
/** A share may stand in frames of the pages that its owner named. */
export const sharePolicy = (embedOrigins: readonly string[]): string =>
  policyOf(embedOrigins.length === 0 ? "'none'" : embedOrigins.join(' '));

const NEEDS_SCRIPT: Record<Language, string> = {
  en: 'The dashboard works with JavaScript only.',
  es: 'El panel solo funciona con JavaScript.',
  'pt-PT': 'O painel só funciona com JavaScript.',
};

/** What the front page and a share are about, for who pastes a link. */
const DESCRIPTION: Record<Language, string> = {
  en: 'Web analytics that respects visitors, beside the traces, logs, metrics and outcomes of your backends.',
  es: 'Analítica web que respeta a los visitantes, junto a las trazas, registros, métricas y resultados de tus backends.',
  'pt-PT':
    'Análise web que respeita os visitantes, ao lado dos rastos, registos, métricas e resultados dos seus backends.',
};

export interface Shell {
  language: Language;
  theme: Theme;
  /** `kept`: where the dashboard speaks of mails, it says that the service sends none. */
  mails: MailDelivery;
  /** Of a share: search engines leave it out, and chats show these beside its link. */
  shared?: { title: string | undefined; picture: string } | undefined;
}

/** The page around every view. Its script fills it. */
export async function renderShell({ language, theme, mails, shared }: Shell): Promise<string> {
  const title = shared?.title ?? 'Vendor';
  const { script, style, preloads, words } = APP_FILES;
  const modules = [...preloads, words[language]]
    .map((path) => `<link rel="modulepreload" href="${path}">`)
    .join('\n');
  return String(
    await html`<!doctype html>
<html lang="${language}" data-theme="${theme}"${mails === 'kept' ? html` data-mails="kept"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">
<title>${title}</title>
<meta name="description" content="${DESCRIPTION[language]}">
<meta property="og:title" content="${title}">
<meta property="og:site_name" content="Vendor">
${shared && forChats(shared.picture)}
<link rel="icon" href="data:,">
${TYPEFACE_LINK}
<link rel="stylesheet" href="${style}">
${raw(modules)}
<script type="module" src="${script}"></script>
</head>
<body>
<noscript><p>${NEEDS_SCRIPT[language]}</p></noscript>
<div id="app"></div>
</body>
</html>
`,
  );
}

const forChats = (picture: string) => html`<meta name="robots" content="noindex">
<meta property="og:image" content="${picture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">`;
