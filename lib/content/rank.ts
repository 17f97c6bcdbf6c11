/**
 * Decides which entries a query finds and in which order (docs/content.md#search). The library finds words. The score of a match
 * depends only on the entry, so that results of several indexes can be merged.
 */

import { wordsOf } from './folded-words.ts';
import { differByOneError } from './one-error.ts';
import type { IndexedEntry, SearchIndex } from './search-index.ts';
import { isStopWord } from './stop-words.ts';

/** Any match in a title counts more than any match in a keyword, and so on. */
const FIELD_WEIGHT: Record<Exclude<keyof IndexedEntry, 'id'>, number> = {
  title: 16,
  keywords: 4,
  description: 1,
};
const EXACT = 3.5;
const PREFIX = 2;
const MISTYPED = 1;
/** Words of at least this length may have a typing error. */
const LONG_WORD = 5;
/** Shorter words must match whole words: nearly every text has a word that begins with `a`. */
const MIN_PREFIX = 2;
/** Only this many words of a query count; a query may have a hundred. */
const MAX_WORDS = 12;
/** Shorter words are ignored when not all words need to match. */
const MIN_TELLING = 3;

/**
 * Ids of the entries that have all words of the query, best first, ties by id. If no entry has all words, the entries that have some. A
 * word matches a whole word, the beginning of a word, or, if it is long, a word with one typing error. Stop words count only in a query
 * of stop words, and then as beginnings.
 */
export function rank(
  indexes: readonly SearchIndex[],
  query: string,
  accept: (id: string) => boolean,
): string[] {
  const words = tellingWords(query);
  if (words.length === 0) return [];
  const scored = indexes.flatMap((index) => scoreAll(index, words, accept));
  const complete = scored.filter(({ found }) => found.every((score) => score > 0));
  if (complete.length > 0) return inOrder(complete);
  const telling = words.map((word) => word.length >= MIN_TELLING);
  const partial = scored.map(({ id, found }) => ({
    id,
    found: found.map((score, at) => (telling[at] ? score : 0)),
  }));
  return inOrder(partial.filter(({ found }) => found.some((score) => score > 0)));
}

/** The words of a query without stop words, unless it has no others. */
function tellingWords(query: string): string[] {
  const words = [...new Set(wordsOf(query))];
  const telling = words.filter((word) => !isStopWord(word));
  return (telling.length > 0 ? telling : words).slice(0, MAX_WORDS);
}

interface Scored {
  id: string;
  /** For each word of the query, the score of its best match; 0 if it isn't found. */
  found: number[];
}

function scoreAll(index: SearchIndex, words: readonly string[], accept: (id: string) => boolean): Scored[] {
  const quality = rememberQualities(words);
  const long = words.filter((word) => word.length >= LONG_WORD);
  const results = index.search(
    {
      combineWith: 'OR',
      queries: [
        {
          queries: [...words],
          combineWith: 'OR',
          tokenize: asOneWord,
          prefix: (word) => word.length >= MIN_PREFIX,
          fuzzy: (word) => (word.length >= LONG_WORD ? 1 : false),
        },
        // To the library, two swapped neighbours are two edits. Looking up each swapped word costs less than all words two edits away.
        { queries: long.flatMap(withNeighboursSwapped), combineWith: 'OR', tokenize: asOneWord },
      ],
    },
    { filter: ({ id }) => accept(id) },
  );
  return results.map(({ id, match }) => {
    const found = words.map(() => 0);
    for (const [term, fields] of Object.entries(match)) {
      const weight = Math.max(...fields.map((field) => FIELD_WEIGHT[field as keyof typeof FIELD_WEIGHT]));
      for (const [at, worth] of quality(term).entries()) found[at] = Math.max(found[at] ?? 0, worth * weight);
    }
    return { id, found };
  });
}

const asOneWord = (word: string): string[] => [word];

/** For `tide`: `itde`, `tdie`, `tied`. */
const withNeighboursSwapped = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  );

/** The score of an indexed term for each word of the query. */
function rememberQualities(words: readonly string[]): (term: string) => number[] {
  const known = new Map<string, number[]>();
  return (term) => {
    const worths = known.get(term) ?? words.map((word) => qualityOf(word, term));
    known.set(term, worths);
    return worths;
  };
}

function qualityOf(word: string, term: string): number {
  if (term === word) return EXACT;
  if (word.length >= MIN_PREFIX && term.startsWith(word)) return PREFIX;
  return word.length >= LONG_WORD && differByOneError(word, term) ? MISTYPED : 0;
}

function inOrder(scored: readonly Scored[]): string[] {
  const sums = scored.map(({ id, found }) => ({ id, sum: found.reduce((a, b) => a + b, 0) }));
  return sums.sort((a, b) => b.sum - a.sum || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}
