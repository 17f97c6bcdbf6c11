/** What a caller may have meant by an id that leads to nothing. Names only what is public. */
import type { Language } from '../languages.ts';
import { CONTENT_TYPES } from './catalogue.ts';
import type { ContentContext } from './content-context.ts';
import { wordsOf } from './folded-words.ts';
import { listContent, versionsOf, withoutLanguage } from './list-content.ts';
import { differByOneError } from './one-error.ts';

const MAX_IDS = 3;
/** Shorter texts differ too much by one error. */
const MIN_MISTYPED = 5;
const PREFIX = new RegExp(`^(?:${CONTENT_TYPES.join('|')}):`);

/**
 * Ids whose slug or title is the given text, whatever its case, accents, separators, type and language, or differs from it by one typing
 * error. At most three, those of `language` first.
 */
export async function suggestIds(ctx: ContentContext, text: string, language?: Language): Promise<string[]> {
  const wanted = keyOf(slugIn(text));
  if (wanted === '') return [];
  const { items } = await listContent(ctx);
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
  const { items } = await listContent(ctx);
  return versionsOf(items, id).map(({ language }) => language);
}

/** A sentence that names the ids; empty without any. */
export const didYouMean = (ids: readonly string[]): string =>
  ids.length === 0 ? '' : ` Did you mean ${ids.map((id) => `\`${id}\``).join(' or ')}?`;

const keyOf = (text: string): string => wordsOf(text).join(' ');

/** The slug in an id, though types or languages stand in it twice. */
function slugIn(id: string): string {
  const slug = withoutLanguage(id.replace(PREFIX, ''));
  return slug === id ? slug : slugIn(slug);
}
