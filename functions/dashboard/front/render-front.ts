import { html, raw } from 'hono/html';
import { allLanguageLinks } from '../../../lib/http/language-links.ts';
import { pagePolicy } from '../../../lib/http/page-policy.ts';
import { TYPEFACE_LINK, TYPEFACE_RULE } from '../../../lib/http/typeface.ts';
import type { Language } from '../../../lib/languages.ts';
import { STYLE } from './front-style.ts';
import { FRONT_WORDS } from './front-words.ts';

/** The page for people who are not signed in: what this is, and where to begin. `signUp`: it offers to make an account. */
export async function renderFront(
  language: Language,
  { signUp }: { signUp: boolean },
): Promise<{ html: string; policy: string }> {
  const words = FRONT_WORDS[language];
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vendor · ${words.title}</title>
<meta name="description" content="${words.lead}">
<link rel="icon" href="data:,">
${TYPEFACE_LINK}
<style>${raw(STYLE)}</style>
</head>
<body>
<header>
<strong>Vendor</strong>
<nav>${allLanguageLinks(words.languages, language, (other) => `/?lang=${other}`)}</nav>
</header>
<main>
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<p class="ways"><a class="main" href="/sign-in?lang=${language}&amp;to=/sites">${words.signIn}</a>${signUp ? html` <a href="/sign-in?lang=${language}&amp;to=/sites#sign-up">${words.signUp}</a>` : ''}</p>
<div class="points">${words.points.map(([title, text]) => html`<section><h2>${title}</h2><p>${text}</p></section>`)}</div>
</main>
<footer><ul><li><a href="/docs/counting" hreflang="en">${words.counting}</a></li><li><a href="/api/openapi.json">${words.api}</a></li></ul></footer>
</body>
</html>
`;
  return { html: String(await page), policy: await pagePolicy(STYLE, [TYPEFACE_RULE]) };
}
