/** The languages of the service: pages, mails, the text for privacy pages, and the content. */
import * as v from 'valibot';

export const LANGUAGES = ['en', 'es', 'pt-PT'] as const;
export const Language = v.picklist(LANGUAGES);
export type Language = v.InferOutput<typeof Language>;

/** The language for callers who name none. */
export const DEFAULT_LANGUAGE: Language = 'en';

/** Each language's name in that language. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  es: 'Español',
  'pt-PT': 'Português',
};

export const isLanguage = (value: string | undefined): value is Language =>
  LANGUAGES.some((language) => language === value);

/** The supported language of a tag, whatever its region and case: `pt` and `PT-br` are our Portuguese. */
export function findLanguage(tag: string | undefined): Language | undefined {
  const primary = primaryOf(tag ?? '');
  return LANGUAGES.find((language) => primaryOf(language) === primary);
}

/** Browsers send a few ranges; more are ignored. */
const MAX_RANGES = 20;

/**
 * The page's language for an `Accept-Language`: the supported language with the best quality, the first one at equal quality (RFC 9110
 * section 12.5.4). Regions are ignored: `pt-BR` gets our Portuguese. Default: English.
 */
export function chooseLanguage(header: string | undefined): Language {
  const ranges = (header ?? '').split(',').slice(0, MAX_RANGES).map(readRange);
  const wanted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  for (const { primary } of wanted) {
    const found = findLanguage(primary);
    if (found !== undefined) return found;
  }
  return DEFAULT_LANGUAGE;
}

function readRange(range: string): { primary: string; quality: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
  const quality = weight === undefined ? 1 : Number(weight);
  return { primary: primaryOf(tag), quality: quality <= 1 ? quality : 0 };
}

const primaryOf = (tag: string): string => (tag.split('-')[0] ?? '').toLowerCase();
