/** What all pages for people have in common. */
import { html, raw } from 'hono/html';
import { languageLinks } from '../../../lib/http/language-links.ts';
import type { Language } from '../../../lib/languages.ts';
import { STYLE } from './content-style.ts';
import type { Words } from './content-words.ts';

/** The output of hono/html: escaped HTML. */
export type Markup = ReturnType<typeof html>;

export interface Shell {
  language: Language;
  words: Words;
  title: string;
  description: string;
  /** Links at the top of the page, before the languages. */
  way: readonly { href: string; text: string }[];
  /** The page in its languages. Absolute addresses. */
  versions: readonly { language: Language; href: string }[];
  /** The address of the same text for search engines, if it isn't this page. */
  canonical?: string;
  /** In the coloured band, under the heading. */
  lead: Markup;
  main: Markup;
  footer?: Markup;
}

export async function renderShell(shell: Shell): Promise<string> {
  const { language, words, title, description, way, versions, canonical, lead, main, footer = '' } = shell;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="data:,">
${canonical === undefined ? '' : html`<link rel="canonical" href="${canonical}">\n`}${versions.map((other) => html`<link rel="alternate" hreflang="${other.language}" href="${other.href}">\n`)}<style>${raw(STYLE)}</style>
<script type="module" src="/content-pages.js"></script>
</head>
<body data-copy="${words.copy}" data-copied="${words.copied}">
<header>
<nav>
<ul>${way.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)}</ul>
${languageLinks(words.languages, language, versions)}
</nav>
<div>
<h1>${title}</h1>
${lead}
</div>
</header>
<main>
${main}
</main>
${footer}
</body>
</html>
`;
  return String(await page);
}

/** A command, an address or a file to copy: one click selects all of it. A single line breaks between its words, never inside one. */
export function block(text: string): Markup {
  if (text.includes('\n')) return html`<div class="copy"><pre class="whole"><code>${text}</code></pre></div>`;
  const words = text.split(' ').map((word) => html`<span>${word}</span>`);
  const line = words.flatMap((word, at) => (at === 0 ? [word] : [' ', word]));
  return html`<div class="copy"><pre class="whole words"><code>${line}</code></pre></div>`;
}
