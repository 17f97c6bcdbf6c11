/** The pages for people: which text a page shows, in which language, and the headers that all pages have. */
import type { Context } from 'hono';
import * as v from 'valibot';
import type { ContentContext } from '../../lib/content/content-context.ts';
import { guideItem } from '../../lib/content/content-item.ts';
import { findRecord } from '../../lib/content/find-record.ts';
import { unlessAway } from '../../lib/content/guides-away.ts';
import { listContent, versionsOf } from '../../lib/content/list-content.ts';
import { ContentId } from '../../lib/content/schemas.ts';
import { DomainError } from '../../lib/errors.ts';
import { pagePolicy, SCRIPT_RULES } from '../../lib/http/page-policy.ts';
import { chooseLanguage, DEFAULT_LANGUAGE, findLanguage, type Language } from '../../lib/languages.ts';
import { STYLE } from './pages/content-style.ts';
import { WORDS } from './pages/content-words-by-language.ts';
import { type HomeContext, renderHome } from './pages/home-page.ts';
import { renderNotice, renderReading } from './pages/reading-page.ts';

export interface Page {
  html: string;
  language: Language;
  status: 200 | 404 | 503;
  /** False while guides that belong on the page are away: caches must not keep it longer than the outage. */
  whole: boolean;
}

interface Wish {
  /** The language in the link, whatever its region; others are ignored. */
  lang?: string | undefined;
  /** The `Accept-Language` of the browser. */
  accepted?: string | undefined;
}

const languageFor = ({ lang, accepted }: Wish): Language => findLanguage(lang) ?? chooseLanguage(accepted);

export async function homePage(ctx: ContentContext, home: HomeContext, wish: Wish): Promise<Page> {
  const language = languageFor(wish);
  const guides = await unlessAway(ctx, () => ctx.guides.list(language));
  const html = await renderHome(home, language, guides?.entries.map(guideItem));
  return { html, language, status: 200, whole: guides !== undefined };
}

/** The page of a text. For an unknown or malformed id, and for a guide while guides are away, a page that says so. */
export async function readingPage(
  ctx: ContentContext,
  { links, catalogue }: HomeContext,
  { id: given, ...wish }: Wish & { id: string },
): Promise<Page> {
  const wished = languageFor(wish);
  const reading = { links, publisher: catalogue.publisher };
  const notice = async (status: 404 | 503): Promise<Page> => {
    const words = WORDS[wished];
    const html = await renderNotice(reading, wished, status === 404 ? words.missing : words.away);
    return { html, language: wished, status, whole: false };
  };
  const { success, output: id } = v.safeParse(ContentId, given);
  if (!success) return notice(404);
  const { items, whole } = await listContent(ctx);
  const languages = versionsOf(items, id).map((item) => item.language);
  const [first = wished] = languages;
  const language = [wished, DEFAULT_LANGUAGE].find((each) => languages.includes(each)) ?? first;
  try {
    const found = await findRecord(ctx, id.startsWith('guide:') ? { id, language } : { id });
    const html = await renderReading(reading, { ...found, items });
    return { html, language: found.record.language, status: 200, whole };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'NOT_FOUND') return notice(404);
    if (error.code === 'UNAVAILABLE') return notice(503);
    throw error;
  }
}

/** Sets the headers of a page in a language. */
export async function setPageHeaders(c: Context, language: Language): Promise<void> {
  c.header('Content-Language', language);
  c.header('Vary', 'Accept-Language');
  c.header('Content-Security-Policy', await pagePolicy(STYLE, SCRIPT_RULES));
}
