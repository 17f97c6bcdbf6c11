/** What a caller may have meant by an id that leads to nothing. Names only what is public. */
import { LANGUAGES, type Language } from '../languages.ts';
import { CONTENT_TYPES, type ContentItem } from './catalogue.ts';
import type { ContentContext } from './content-context.ts';
import { guideItem } from './content-item.ts';
import { wordsOf } from './folded-words.ts';
import { GuidesAway } from './guide-source.ts';
import { differByOneError } from './one-error.ts';

const MAX_IDS = 3;
/** Shorter texts differ too much by one error. */
const MIN_MISTYPED = 5;
const PREFIX = new RegExp(`^(?:${CONTENT_TYPES.join('|')}):`);
const SUFFIX = new RegExp(`:(?:${LANGUAGES.join('|')})$`);

/**
 * Ids whose slug or title is the given text, whatever its case, accents, separators, type and language, or differs from it by one typing
 * error. At most three, those of `language` first.
 */
export async function suggestIds(ctx: ContentContext, text: string, language?: Language): Promise<string[]> {
  const wanted = keyOf(slugIn(text));
  if (wanted === '') return [];
  const items = await readItems(ctx);
  const matches = (fits: (key: string) => boolean) =>
    items.filter(({ id, title }) => fits(keyOf(slugIn(id))) || fits(keyOf(title)));
  const same = matches((key) => key === wanted);
  const found =
    same.length > 0 || wanted.length < MIN_MISTYPED ? same : matches((key) => differByOneError(key, wanted));
  const ordered = [
    ...found.filter((item) => item.language === language),
    ...found.filter((item) => item.language !== language),
  ];
  return [...new Set(ordered.map(({ id }) => id))].slice(0, MAX_IDS);
}

/** The languages of a guide, or of the record with this type and slug. */
export async function languagesOf(ctx: ContentContext, id: string): Promise<Language[]> {
  const key = id.replace(SUFFIX, '');
  const items = (await readItems(ctx)).filter((item) => item.id.replace(SUFFIX, '') === key);
  return LANGUAGES.filter((language) => items.some((item) => item.language === language));
}

/** A sentence that names the ids; empty without any. */
export const didYouMean = (ids: readonly string[]): string =>
  ids.length === 0 ? '' : ` Did you mean ${ids.map((id) => `\`${id}\``).join(' or ')}?`;

const keyOf = (text: string): string => wordsOf(text).join(' ');

/** The slug in an id, though types or languages stand in it twice. */
function slugIn(id: string): string {
  const slug = id.replace(PREFIX, '').replace(SUFFIX, '');
  return slug === id ? slug : slugIn(slug);
}

/** All public content; without guides while they are away. */
async function readItems(ctx: ContentContext): Promise<ContentItem[]> {
  const records = LANGUAGES.flatMap((language) => ctx.catalogue.list(language));
  try {
    const listings = await Promise.all(LANGUAGES.map((language) => ctx.guides.list(language)));
    return [...records, ...listings.flatMap(({ entries }) => entries.map(guideItem))];
  } catch (error) {
    if (!(error instanceof GuidesAway)) throw error;
    ctx.report(error);
    return records;
  }
}
