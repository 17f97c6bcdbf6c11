/** An index from words to the records of a language (docs/content.md#search). */
import type { Language } from '../languages.ts';
import type { SerializedIndex } from './catalogue.ts';
import { wordsOf } from './folded-words.ts';
import { differByOneError } from './one-error.ts';
import { isStopWord } from './stop-words.ts';
import { isWord, type Synonyms, stemsOf, termOf } from './synonyms.ts';

/** What is searched of a record or a guide. Its id begins with its type. */
export interface IndexedEntry {
  id: string;
  title: string;
  keywords?: readonly string[];
  description: string;
}

/** Best first: an entry has a term in the first of these that it stands in. `keyword` is a whole one, `keywords` a part of a longer one. */
export const FIELDS = ['title', 'keyword', 'keywords', 'description'] as const;
export type Field = (typeof FIELDS)[number];

/** What texts and queries are read with. An index is made for one. */
export interface Lexicon {
  language: Language;
  synonyms: Synonyms;
}

export interface SearchIndex {
  ids: readonly string[];
  /** Telling words in the entries' titles. */
  titleLengths: readonly number[];
  /** The entries that have a term: `entryOf` and `fieldOf` each number. */
  postingsOf(term: string): readonly number[];
  /** The words that begin with a prefix. */
  wordsWithPrefix(prefix: string): string[];
  /** The words that differ from another by one typing error. */
  wordsLike(word: string): string[];
}

/** Runs at build time for the catalogue, and once per publication for guides. */
export const createIndex = (entries: readonly IndexedEntry[], lexicon: Lexicon): SearchIndex =>
  loadIndex(buildIndex(entries, lexicon));

/** An index as JSON. */
export function buildIndex(entries: readonly IndexedEntry[], lexicon: Lexicon): SerializedIndex {
  const terms = new Map<string, number[]>();
  for (const [entry, { id, title, keywords = [], description }] of entries.entries()) {
    const wholeKeywords = keywords.flatMap((keyword) => wholeTermsOf(keyword, lexicon));
    const fields: Record<Field, string[]> = {
      title: [...termsOf(title, lexicon), ...(isFacts(id) ? wholeKeywords : [])],
      keyword: wholeKeywords,
      // No phrase spans two keywords.
      keywords: keywords.flatMap((keyword) => termsOf(keyword, lexicon)),
      // Nearly all descriptions have stop words.
      description: termsOf(description, lexicon, isStopWord),
    };
    const found = new Set<string>();
    for (const [field, name] of FIELDS.entries())
      for (const term of fields[name]) {
        if (found.has(term)) continue;
        found.add(term);
        const postings = terms.get(term) ?? [];
        postings.push(entry * FIELDS.length + field);
        terms.set(term, postings);
      }
  }
  return {
    ids: entries.map(({ id }) => id),
    titleLengths: entries.map(({ title }) => wordsOf(title).filter((word) => !isStopWord(word)).length),
    terms: [...terms].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/** The keywords of facts are the facts' names, so they count like titles. */
const isFacts = (id: string): boolean => id.startsWith('business:');

/** Folded words as they are written, their stems, and phrases that have synonyms; `skips` says which single words don't count. */
function termsOf(text: string, { language, synonyms }: Lexicon, skips = (_word: string) => false): string[] {
  const words = wordsOf(text);
  const stems = stemsOf(text, language);
  const skipped = new Set(
    words.flatMap((word, at) => (skips(word) ? [word, termOf(stems.slice(at, at + 1))] : [])),
  );
  const terms = [...words, ...stems.map((stem) => termOf([stem])), ...synonyms.termsIn(stems)];
  return terms.filter((term) => !skipped.has(term));
}

/** The terms of a text that stand for the whole of it. */
function wholeTermsOf(text: string, lexicon: Lexicon): string[] {
  const { length } = wordsOf(text);
  return length === 1 ? termsOf(text, lexicon) : [termOf(stemsOf(text, lexicon.language))];
}

export function loadIndex({ ids, titleLengths, terms }: SerializedIndex): SearchIndex {
  const postings = new Map(terms);
  const sorted = terms.map(([term]) => term);
  const byLength = Map.groupBy(sorted.filter(isWord), ({ length }) => length);
  return {
    ids,
    titleLengths,
    postingsOf: (term) => postings.get(term) ?? NONE,
    wordsWithPrefix(prefix) {
      const start = firstFrom(sorted, prefix);
      const length = sorted.slice(start).findIndex((term) => !term.startsWith(prefix));
      return sorted.slice(start, length === -1 ? undefined : start + length);
    },
    wordsLike: (word) =>
      [-1, 0, 1]
        .flatMap((difference) => byLength.get(word.length + difference) ?? [])
        .filter((term) => beginAlike(word, term) && differByOneError(word, term)),
  };
}

const NONE: readonly number[] = [];
/** The position in `ids` of the entry that has a term. */
export const entryOf = (posting: number): number => Math.floor(posting / FIELDS.length);
/** The position in `FIELDS` of the field that it has the term in. */
export const fieldOf = (posting: number): number => posting % FIELDS.length;

/** False for most words that differ by more than one error, and cheap. */
const beginAlike = (a: string, b: string): boolean =>
  a[0] === b[0] || a[1] === b[1] || a[0] === b[1] || a[1] === b[0];

/** The position of the first text that isn't before `start`. */
function firstFrom(sorted: readonly string[], start: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
