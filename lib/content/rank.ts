/** Decides which entries a query finds and in which order (docs/content.md#search). */
import { type QueryPart, type QueryWord, readQuery } from './query-parts.ts';
import { entryOf, FIELDS, type Field, fieldOf, type Lexicon, type SearchIndex } from './search-index.ts';
import { isStopWord } from './stop-words.ts';
import { termOf } from './synonyms.ts';

/** What a match in a field is worth. A title counts up to a quarter less the more words it has, and up to a quarter more if it has one. */
const FIELD_WEIGHT: Record<Field, number> = { title: 6, keyword: 4, keywords: 3, description: 2 };
const WEIGHTS = FIELDS.map((field) => FIELD_WEIGHT[field]);
const TITLE = FIELDS.indexOf('title');
const titleShare = (length: number): number => 0.75 + 0.5 / Math.max(1, length);
/** What a record is worth to a phrase that stands for all records of its type. */
const OF_TYPE = 3;
/** Entries of a type that the query asks for count this many times as much. */
const ASKED = 2;
const EXACT = 1;
const SYNONYM = 0.9;
const PREFIX = 0.6;
const MISTYPED = 0.4;
/** What the single words of a phrase count that has synonyms. */
const WORD_OF_PHRASE = 0.5;
/** Words of at least this length may have a typing error. */
const LONG_WORD = 5;
/** Shorter words must match whole words: nearly every text has a word that begins with `a`. */
const MIN_PREFIX = 2;
/** Entries worth less than this part of the best one aren't found: they share a minor word with the query. */
const MIN_PART = 0.1;
/** Sums are compared to this part of one. */
const PRECISION = 1e6;

export interface RankedQuery {
  /** Indexes of the lexicon's language. */
  indexes: readonly SearchIndex[];
  query: string;
  lexicon: Lexicon;
  /** Which entries may be found. */
  accept: (id: string) => boolean;
}

/**
 * Ids of the entries that a query finds, best first, ties by id. A word matches a word of an entry in any of its forms, the beginning of
 * a word, or, if it is long, a word with one typing error; a phrase matches its synonyms too. Each part of the query counts by the field
 * in which it is found, by how well it matches, and by how few entries have it.
 */
export function rank({ indexes, query, lexicon, accept }: RankedQuery): string[] {
  const { parts, types } = readQuery(query, lexicon);
  const scored = indexes.map((index) => scoreAll(index, parts, accept));
  const total = indexes.reduce((sum, { ids }) => sum + ids.length, 0);
  const weights = parts.map(({ weight }, at) => {
    const scores = scored.flatMap(({ byPart }) => byPart[at] ?? []);
    return weight * rarity(scores, total);
  });
  const asked: ReadonlySet<string> = types;
  const sums = scored.flatMap(({ ids, byPart }) => {
    const of = sumUp(byPart, weights);
    return ids.flatMap((id, entry) => {
      const factor = asked.has(typeOf(id)) ? ASKED : 1;
      // Sums that are equal but for rounding are equal.
      const sum = Math.round((of[entry] ?? 0) * factor * PRECISION);
      return sum > 0 ? { id, sum } : [];
    });
  });
  const best = sums.reduce((most, { sum }) => Math.max(most, sum), 0);
  return sums
    .filter(({ sum }) => sum >= best * MIN_PART)
    .sort((a, b) => b.sum - a.sum || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

const typeOf = (id: string): string => id.slice(0, id.indexOf(':'));

interface Scored {
  ids: readonly string[];
  /** For each part of the query, the entries' scores by position; 0 where it isn't found. */
  byPart: Float64Array[];
}

function scoreAll(index: SearchIndex, parts: readonly QueryPart[], accept: (id: string) => boolean): Scored {
  const byPart = parts.map((part) => scorePart(index, part));
  for (const [entry, id] of index.ids.entries())
    if (!accept(id)) for (const scores of byPart) scores[entry] = 0;
  return { ids: index.ids, byPart };
}

/** The fewer entries have a part about as well as the best one, the more it counts. */
function rarity(lists: readonly Float64Array[], total: number): number {
  const best = lists.reduce((most, scores) => scores.reduce((a, b) => Math.max(a, b), most), 0);
  if (best === 0) return 0;
  let having = 0;
  for (const scores of lists) for (const score of scores) if (score >= best / 2) having += 1;
  return Math.log(1 + total / having);
}

/** The entries' sums of weighted scores. */
function sumUp(byPart: readonly Float64Array[], weights: readonly number[]): Float64Array {
  const sums = new Float64Array(byPart[0]?.length ?? 0);
  for (const [at, scores] of byPart.entries())
    for (let entry = 0; entry < sums.length; entry += 1)
      sums[entry] = (sums[entry] ?? 0) + (scores[entry] ?? 0) * (weights[at] ?? 0);
  return sums;
}

/** For each entry, the best score: of the whole phrase, of a synonym, of its type, or the mean of the phrase's words. */
function scorePart(index: SearchIndex, { words, term, synonyms, kinds }: QueryPart): Float64Array {
  const telling = words.filter(({ word }) => !isStopWord(word));
  const own = telling.length > 0 ? telling : words;
  const share = (words.length > 1 ? WORD_OF_PHRASE : 1) / own.length;
  const found = new Float64Array(index.ids.length);
  for (const word of own) {
    const scores = scoreTerms(index, termsFor(index, word));
    for (let entry = 0; entry < found.length; entry += 1)
      found[entry] = (found[entry] ?? 0) + (scores[entry] ?? 0) * share;
  }
  const worths = [...synonyms.map((synonym) => [synonym, SYNONYM] as const), [term, EXACT] as const];
  const whole = scoreTerms(index, new Map(worths));
  const types = new Set<string>(kinds);
  return found.map((score, entry) =>
    Math.max(score, whole[entry] ?? 0, types.has(typeOf(index.ids[entry] ?? '')) ? OF_TYPE : 0),
  );
}

/** The terms that a word matches, and how well. */
function termsFor(index: SearchIndex, { word, stem }: QueryWord): Map<string, number> {
  const terms = new Map<string, number>();
  if (word.length >= LONG_WORD) for (const term of index.wordsLike(word)) terms.set(term, MISTYPED);
  if (word.length >= MIN_PREFIX) for (const term of index.wordsWithPrefix(word)) terms.set(term, PREFIX);
  for (const form of [word, termOf([stem])]) terms.set(form, EXACT);
  return terms;
}

/** For each entry, the best score of these terms. */
function scoreTerms(index: SearchIndex, terms: ReadonlyMap<string, number>): Float64Array {
  const found = new Float64Array(index.ids.length);
  for (const [term, worth] of terms)
    for (const posting of index.postingsOf(term)) {
      const entry = entryOf(posting);
      const field = fieldOf(posting);
      const share = field === TITLE ? titleShare(index.titleLengths[entry] ?? 0) : 1;
      found[entry] = Math.max(found[entry] ?? 0, worth * (WEIGHTS[field] ?? 0) * share);
    }
  return found;
}
