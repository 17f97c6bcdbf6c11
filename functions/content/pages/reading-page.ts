/** A text of the content as a page for people. Agents read the same text by REST and MCP. */
import { html, raw } from 'hono/html';
import type { ContentItem, ContentRecord } from '../../../lib/content/catalogue.ts';
import type { Freshness } from '../../../lib/content/guide-source.ts';
import { versionsOf } from '../../../lib/content/list-content.ts';
import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import type { Links } from '../content-links.ts';
import { type Markup, renderShell } from './content-shell.ts';
import type { Words } from './content-words.ts';
import { WORDS } from './content-words-by-language.ts';
import { type Heading, renderMarkdown } from './markdown-html.ts';

/** Fewer parts are seen without a list of them. */
const MIN_LISTED_PARTS = 4;
/** Where a text's links may lead. */
const FOLLOWED = new Set(['https:', 'http:', 'mailto:']);

/** The content's English is European. */
const DAY_LOCALES: Record<Language, string> = { en: 'en-GB', es: 'es', 'pt-PT': 'pt-PT' };

export interface ReadingContext {
  publisher: { name: string };
  links: Links;
}

export interface Reading {
  record: ContentRecord;
  freshness: Freshness;
  /** All public content: a link to one of these leads to its page here. */
  items: readonly ContentItem[];
}

export function renderReading(ctx: ReadingContext, { record, freshness, items }: Reading): Promise<string> {
  const { links } = ctx;
  const { language, title, description } = record;
  const words = WORDS[language];
  const { html: text, headings } = renderMarkdown(record.text, follower(record, items, links));
  return renderShell({
    ...{ language, words, title, description },
    way: wayTo(ctx, language, record),
    versions: versionsOf(items, record.id).map((item) => ({
      language: item.language,
      href: links.page(item),
    })),
    canonical: record.url,
    lead: html`<p class="lead">${description}</p>
<p class="facts">${updated(record, words)}<a href="${record.url}">${words.reading.website}</a></p>`,
    main: html`${freshness.status === 'stale' ? html`<p class="note">${words.reading.stale}</p>` : ''}
${parts(headings, words)}
<article>
${raw(text)}</article>
<aside>
<h2>${words.reading.agents}</h2>
<p>${words.reading.agentsLead} <code>${record.id}</code> (<a href="${links.detail(record)}">${words.reading.json}</a>).</p>
</aside>`,
  });
}

/** A page that says why there is no text. */
export function renderNotice(
  ctx: ReadingContext,
  language: Language,
  { title, text }: Words['missing'],
): Promise<string> {
  const words = WORDS[language];
  return renderShell({
    ...{ language, words, title, description: text },
    way: wayTo(ctx, language),
    versions: LANGUAGES.map((other) => ({ language: other, href: ctx.links.home(other) })),
    lead: html`<p class="lead">${text}</p>`,
    main: html`<p><a href="${ctx.links.home(language)}">${words.all}</a></p>`,
  });
}

function wayTo(
  { publisher, links }: ReadingContext,
  language: Language,
  item?: ContentItem,
): { href: string; text: string }[] {
  const home = links.home(language);
  const words = WORDS[language];
  return [
    { href: home, text: publisher.name },
    ...(item === undefined ? [] : [{ href: `${home}#${item.type}`, text: words.kinds[item.type] }]),
  ];
}

function updated({ updatedAt, language }: ContentItem, words: Words): Markup | string {
  if (updatedAt === null) return '';
  const day = new Intl.DateTimeFormat(DAY_LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' });
  return html`<time datetime="${updatedAt}">${words.reading.updated(day.format(new Date(updatedAt)))}</time> `;
}

function parts(headings: readonly Heading[], words: Words): Markup | string {
  if (headings.length < MIN_LISTED_PARTS) return '';
  return html`<nav class="parts" aria-label="${words.reading.parts}">
<h2>${words.reading.parts}</h2>
<ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${raw(text)}</a></li>`)}</ul>
</nav>`;
}

/**
 * Says where a text's links lead. They are as on the website: a path belongs to the website, and where the same content is here, the link
 * leads to its page here.
 */
function follower(
  record: ContentRecord,
  items: readonly ContentItem[],
  links: Links,
): (href: string) => string | undefined {
  const pages = new Map(items.map((item) => [item.url, links.page(item)]));
  return (href) => {
    if (href.startsWith('#')) return href;
    const url = URL.parse(href, record.url);
    if (url === null || !FOLLOWED.has(url.protocol)) return undefined;
    const { hash } = url;
    url.hash = '';
    return (pages.get(url.href) ?? url.href) + hash;
  };
}
