import { wordsOf } from './folded-words.ts';
import type { Lexicon } from './search-index.ts';
import { isStopWord } from './stop-words.ts';

import { stemOf } from './word-stem.ts';

/** Only this many words and phrases of a query count; a query may have a hundred. */
const MAX_PARTS = 12;

/** A word of a query. */
export interface QueryWord {
  /** Folded, as it was asked for. */
  word: string;
  stem: string;
}

/** A word of a query, or a phrase that has synonyms. */
export interface QueryPart {
  words: readonly QueryWord[];
  /** The term of the whole part, and those of phrases that mean the same. */
  term: string;
  synonyms: readonly string[];
  /** A stop word that isn't within a phrase, in a query with other words, says little. */
  isStop: boolean;
}

/** The parts of a query that count: phrases and telling words before stop words, which count on top of them. */
export function partsOf(query: string, { language, synonyms }: Lexicon): QueryPart[] {
  const words = wordsOf(query).map((word) => ({ word, stem: stemOf(word, language) }));
  const stems = words.map(({ stem }) => stem);
  const parts = new Map<string, QueryPart>();
  for (let at = 0; at < words.length; ) {
    const meaning = synonyms.find(stems, at);
    const length = meaning?.length ?? 1;
    const own = words.slice(at, at + length);
    const isStop = meaning === undefined && isStopWord(own[0]?.word ?? '');
    const term = meaning?.term ?? stems[at] ?? '';
    parts.set(term, { words: own, term, synonyms: meaning?.others ?? [], isStop });
    at += length;
  }
  const all = [...parts.values()];
  const telling = all.filter(({ isStop }) => !isStop).slice(0, MAX_PARTS);
  const stops = all.filter(({ isStop }) => isStop).slice(0, MAX_PARTS);
  return telling.length > 0 ? [...telling, ...stops] : stops.map((part) => ({ ...part, isStop: false }));
}
