import { CONTENT_TYPES } from '../../lib/content/catalogue.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import type { Entry } from './entry.ts';

/** A line per type with the number of records: `service: 6 en, 6 es, 5 pt-PT (1 not public); not yet site-care pt-PT`. */
export function summarise(entries: readonly Entry[]): string {
  return CONTENT_TYPES.map((type) => {
    const ofType = entries.filter((entry) => entry.type === type);
    const counts = LANGUAGES.map(
      (language) => `${ofType.filter((entry) => entry.language === language).length} ${language}`,
    );
    const hidden = ofType.filter(({ isPublic }) => !isPublic).length;
    const missing = findMissing(ofType);
    return [
      `${type}: ${counts.join(', ')}`,
      hidden > 0 ? ` (${hidden} not public)` : '',
      missing.length > 0 ? `; not translated: ${missing.join(', ')}` : '',
    ].join('');
  }).join('\n');
}

/** `<slug> <languages>` of each record that lacks a language. */
function findMissing(entries: readonly Entry[]): string[] {
  const slugs = [...new Set(entries.map(({ slug }) => slug))];
  return slugs.flatMap((slug) => {
    const present = new Set(entries.filter((entry) => entry.slug === slug).map(({ language }) => language));
    const absent = LANGUAGES.filter((language) => !present.has(language));
    return absent.length === 0 ? [] : `${slug} ${absent.join(' ')}`;
  });
}
