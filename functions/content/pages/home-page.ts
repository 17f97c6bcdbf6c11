import { html, raw } from 'hono/html';
import { CONTENT_TYPES, type ContentItem, type ContentType } from '../../../lib/content/catalogue.ts';
import type { ContentContext } from '../../../lib/content/content-context.ts';
import type { LoadedCatalogue } from '../../../lib/content/load-catalogue.ts';
import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import type { Tool } from '../../../lib/mcp/tool.ts';
import { factsIn, type Links } from '../content-links.ts';
import { block, type Markup, renderShell } from './content-shell.ts';
import type { Figures, Words } from './content-words.ts';
import { WORDS } from './content-words-by-language.ts';
import { CLIENTS, snippetsFor } from './mcp-client-setup.ts';

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

/** The first page for people. It depends on the language and on its guides alone; `guides` is undefined while they are away. */
export function renderHome(
  ctx: HomeContext,
  language: Language,
  guides: readonly ContentItem[] | undefined,
): Promise<string> {
  const words = WORDS[language];
  const { publisher } = ctx.catalogue;
  const title = words.title(publisher.name);
  const description = words.lead(publisher.name);
  return renderShell({
    ...{ language, words, title, description },
    way: [{ href: publisher.website, text: publisher.name }],
    versions: LANGUAGES.map((other) => ({ language: other, href: ctx.links.home(other) })),
    lead: html`<p class="lead">${description}</p>
<div class="address"><p>${words.address}</p>${block(ctx.links.mcp)}</div>`,
    main: html`${connect(words, ctx, language)}
${contents(words, ctx, language, guides)}
${tools(words, ctx.tools)}
${resources(words)}
${rest(words, ctx.links, language)}
${limits(words, ctx.figures, language)}`,
    footer: html`<footer>
<h2>${words.programs}</h2>
<ul>
<li><a href="/llms.txt">llms.txt</a>: ${words.programTexts.llms}</li>
<li><a href="/openapi.json">openapi.json</a>: ${words.programTexts.openapi}</li>
<li><a href="/mcp/server-card">server-card</a>: ${words.programTexts.card}</li>
<li><a href="https://modelcontextprotocol.io/">modelcontextprotocol.io</a>: ${words.programTexts.protocol}</li>
</ul>
</footer>`,
  });
}

function connect(words: Words, { catalogue, links }: HomeContext, language: Language): Markup {
  const { name } = catalogue.publisher;
  const snippets = snippetsFor(name, links, { language, query: words.exampleQuery });
  return html`<section>
<h2>${words.connect}</h2>
<p>${words.connectLead}</p>
<div class="columns">${CLIENTS.map((client) => {
    const { title, blocks } = snippets[client];
    return html`
<div${client === 'curl' ? raw(' class="all"') : ''}><h3>${title}</h3><p class="soft">${words.clients[client]}</p>${blocks.map(block)}</div>`;
  })}
</div>
<p class="asks">${words.asks}</p>
<ul>${words.askTexts(name).map((text) => html`<li><q>${text}</q></li>`)}</ul>
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

const rest = (words: Words, { search, detail }: Links, language: Language): Markup => html`<section>
<h2>${words.rest}</h2>
<p>${words.restLead}</p>
<dl class="columns">
<div><dt><a href="${search}?query=${words.exampleQuery}&amp;language=${language}"><code>GET /api/agent/search</code></a></dt><dd>${words.restTexts.search}</dd></div>
<div><dt><a href="${detail(factsIn(language))}"><code>GET /api/agent/content/:id</code></a></dt><dd>${words.restTexts.detail}</dd></div>
</dl>
</section>`;

function contents(
  words: Words,
  { catalogue, links }: HomeContext,
  language: Language,
  guides: readonly ContentItem[] | undefined,
): Markup {
  const records = [...(guides ?? []), ...catalogue.list(language)];
  // People read guides first.
  const types = [...CONTENT_TYPES].sort((a, b) => Number(b === 'guide') - Number(a === 'guide'));
  const listed = types.map((type) => ({ type, items: records.filter((item) => item.type === type) }));
  return html`<section>
<h2>${words.contents}</h2>
<p>${words.contentsLead}</p>
<div class="columns">${listed.map(
    ({ type, items }) => html`
<div><h3 id="${type}">${words.kinds[type]}</h3><ul>${
      type === 'guide' && guides === undefined
        ? html`<li class="soft">${words.guidesAway}</li>`
        : titles(words, type, items, language, links)
    }</ul></div>`,
  )}
</div>
</section>`;
}

function titles(
  words: Words,
  type: ContentType,
  items: ContentItem[],
  language: Language,
  links: Links,
): Markup[] {
  const rest = items.length - MAX_TITLES;
  return [
    ...items
      .slice(0, MAX_TITLES)
      .map((item) => html`<li><a href="${links.page(item)}">${item.title}</a></li>`),
    ...(rest > 0
      ? [
          html`<li><a href="${links.search}?type=${type}&amp;language=${language}">${words.more(rest)}</a></li>`,
        ]
      : []),
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
