import { html, raw } from 'hono/html';
import { CONTENT_TYPES, type ContentItem, type ContentType } from '../../../lib/content/catalogue.ts';
import type { ContentContext } from '../../../lib/content/content-context.ts';
import type { LoadedCatalogue } from '../../../lib/content/load-catalogue.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../lib/languages.ts';
import type { Tool } from '../../../lib/mcp/tool.ts';
import type { Links } from '../content-links.ts';
import { STYLE } from './home-style.ts';
import type { Figures, Words } from './home-words.ts';
import { WORDS } from './home-words-by-language.ts';
import { CLIENTS, snippetsFor } from './mcp-client-setup.ts';

/** The output of hono/html: escaped HTML. */
type Markup = ReturnType<typeof html>;

/** Maximum titles per kind. The page is a summary; a search finds the rest. */
export const MAX_TITLES = 12;

const RESOURCES = [
  ['business', 'vendor://business/{language}'],
  ['services', 'vendor://services/{language}'],
  ['guides', 'vendor://guides/{language}/{id}'],
] as const;

export interface HomeContext {
  catalogue: LoadedCatalogue;
  tools: readonly Tool<ContentContext>[];
  links: Links;
  figures: Record<keyof Figures, number>;
}

/** The page for people. It depends only on the language. */
export async function renderHome(ctx: HomeContext, language: Language): Promise<string> {
  const words = WORDS[language];
  const { publisher } = ctx.catalogue;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title(publisher.name)}</title>
<meta name="description" content="${words.lead(publisher.name)}">
<link rel="icon" href="data:,">
${LANGUAGES.map((other) => html`<link rel="alternate" hreflang="${other}" href="${ctx.links.base}/?lang=${other}">\n`)}<style>${raw(STYLE)}</style>
</head>
<body>
<header>
${navigation(words, language, publisher)}
<div>
<h1>${words.title(publisher.name)}</h1>
<p class="lead">${words.lead(publisher.name)}</p>
<div class="address"><p>${words.address}</p>${block(ctx.links.mcp)}</div>
</div>
</header>
<main>
${connect(words, ctx, publisher.name)}
${tools(words, ctx.tools)}
${resources(words)}
${rest(words, ctx.links)}
${contents(words, ctx, language)}
${limits(words, ctx.figures, language)}
</main>
<footer>
<h2>${words.programs}</h2>
<ul>
<li><a href="/llms.txt">llms.txt</a>: ${words.programTexts.llms}</li>
<li><a href="/openapi.json">openapi.json</a>: ${words.programTexts.openapi}</li>
<li><a href="/mcp/server-card">server-card</a>: ${words.programTexts.card}</li>
<li><a href="https://modelcontextprotocol.io/">modelcontextprotocol.io</a>: ${words.programTexts.protocol}</li>
</ul>
</footer>
</body>
</html>
`;
  return String(await page);
}

const navigation = (words: Words, language: Language, publisher: { name: string; website: string }): Markup =>
  html`<nav aria-label="${words.languages}">
<a href="${publisher.website}">${publisher.name}</a>
<ul>${LANGUAGES.map(
    (other) =>
      html`<li><a href="/?lang=${other}" lang="${other}" hreflang="${other}"${other === language ? raw(' aria-current="page"') : ''}>${LANGUAGE_NAMES[other]}</a></li>`,
  )}</ul>
</nav>`;

/** A block to copy: one click selects all of it. */
const block = (text: string): Markup => html`<pre><code>${text}</code></pre>`;

function connect(words: Words, { links }: HomeContext, name: string): Markup {
  const snippets = snippetsFor(name, links);
  return html`<section>
<h2>${words.connect}</h2>
<p>${words.connectLead} <span class="soft">${words.select}</span></p>
<div class="columns">${CLIENTS.map((client) => {
    const { title, blocks } = snippets[client];
    return html`
<div><h3>${title}</h3><p class="soft">${words.clients[client]}</p>${blocks.map(block)}</div>`;
  })}
</div>
</section>`;
}

const tools = (words: Words, all: HomeContext['tools']): Markup => html`<section>
<h2>${words.tools}</h2>
<p>${words.toolsLead(all.length)}</p>
<dl class="columns">${all.map(
  (tool) => html`
<div><dt><code>${tool.name}</code> <code class="arguments">${argumentsOf(tool)}</code></dt><dd>${words.toolTexts[tool.name] ?? tool.title}</dd></div>`,
)}
</dl>
</section>`;

/** `slug, language?`: optional arguments are marked as in TypeScript. */
function argumentsOf({ inputSchema }: Tool<ContentContext>): string {
  const { properties, required } = inputSchema;
  const wanted = Array.isArray(required) ? required : [];
  return Object.keys(properties ?? {})
    .map((name) => (wanted.includes(name) ? name : `${name}?`))
    .join(', ');
}

const resources = (words: Words): Markup => html`<section>
<h2>${words.resources}</h2>
<p>${words.resourcesLead}</p>
<dl class="columns">${RESOURCES.map(
  ([name, template]) => html`
<div><dt><code>${template}</code></dt><dd>${words.resourceTexts[name]}</dd></div>`,
)}
</dl>
</section>`;

const rest = (words: Words, { search }: Links): Markup => html`<section>
<h2>${words.rest}</h2>
<p>${words.restLead}</p>
<dl class="columns">
<div><dt><a href="${new URL(search).pathname}"><code>GET /api/agent/search</code></a></dt><dd>${words.restTexts.search}</dd></div>
<div><dt><a href="/api/agent/content/business:facts:en"><code>GET /api/agent/content/:id</code></a></dt><dd>${words.restTexts.detail}</dd></div>
</dl>
</section>`;

function contents(words: Words, { catalogue, links }: HomeContext, language: Language): Markup {
  const records = catalogue.list(language);
  const listed = CONTENT_TYPES.map((type) => ({ type, items: records.filter((item) => item.type === type) }));
  return html`<section>
<h2>${words.contents}</h2>
<p>${words.contentsLead}</p>
<div class="columns">${listed.map(
    ({ type, items }) => html`
<div><h3>${words.kinds[type]}</h3><ul>${titles(words, type, items, language, links)}</ul></div>`,
  )}
</div>
</section>`;
}

/** Guides aren't in the catalogue; the search lists them. */
function titles(
  words: Words,
  type: ContentType,
  items: ContentItem[],
  language: Language,
  links: Links,
): Markup[] {
  const search = `/api/agent/search?type=${type}&language=${language}`;
  if (type === 'guide') return [html`<li><a href="${search}">${words.guidesLead}</a></li>`];
  const rest = items.length - MAX_TITLES;
  return [
    ...items
      .slice(0, MAX_TITLES)
      .map((item) => html`<li><a href="${links.detail(item)}">${item.title}</a></li>`),
    ...(rest > 0 ? [html`<li><a href="${search}">${words.more(rest)}</a></li>`] : []),
  ];
}

function limits(words: Words, figures: HomeContext['figures'], language: Language): Markup {
  const { format } = new Intl.NumberFormat(language);
  const written: Figures = {
    requests: format(figures.requests),
    bodyBytes: format(figures.bodyBytes),
    pageCharacters: format(figures.pageCharacters),
    results: format(figures.results),
  };
  return html`<section>
<h2>${words.limits}</h2>
<ul>${words.limitTexts(written).map((text) => html`<li>${text}</li>`)}</ul>
</section>`;
}
