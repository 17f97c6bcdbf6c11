import type { ContentType } from './catalogue.ts';
import { wordsOf } from './folded-words.ts';
import type { Lexicon } from './search-index.ts';
import { isStopWord } from './stop-words.ts';
import { termOf } from './synonyms.ts';
import { stemOf } from './word-stem.ts';

/** Only this many words and phrases of a query count; a query may have a hundred. */
const MAX_PARTS = 12;
/** What a word that many questions have counts beside telling words, and what a phrase does that stands for a type alone. */
const COMMON = 0.4;
const TYPE = 0.1;

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
  /** The types whose records it stands for. */
  kinds: readonly ContentType[];
  /** What it counts beside the other parts, up to 1. */
  weight: number;
}

export interface ReadQuery {
  parts: readonly QueryPart[];
  /** The types that the query asks for: `how do I` asks for guides. */
  types: ReadonlySet<ContentType>;
}

/**
 * What a query says: its telling words and phrases, and phrases that stand for a type, such as `services`. Stop words count if there is
 * nothing else.
 */
export function readQuery(query: string, { language, synonyms }: Lexicon): ReadQuery {
  const words = wordsOf(query).map((word) => ({ word, stem: stemOf(word, language) }));
  const stems = words.map(({ stem }) => stem);
  const telling = new Map<string, QueryPart>();
  const ofTypes = new Map<string, QueryPart>();
  const stops = new Map<string, QueryPart>();
  for (let at = 0; at < words.length; ) {
    const meaning = synonyms.find(stems, at);
    const { term, length, others, kinds } = meaning ?? { ...NOTHING, term: termOf(stems.slice(at, at + 1)) };
    const own = words.slice(at, at + length);
    const part = { words: own, term, synonyms: others, kinds };
    if (kinds.length > 0 && others.length === 0) ofTypes.set(term, { ...part, weight: TYPE });
    else if (meaning === undefined && isStopWord(own[0]?.word ?? '')) stops.set(term, { ...part, weight: 1 });
    else telling.set(term, { ...part, weight: synonyms.isCommon(term) ? COMMON : 1 });
    at += length;
  }
  const minor = ofTypes.size > 0 ? ofTypes : stops;
  const parts = telling.size > 0 ? [...telling.values(), ...ofTypes.values()] : [...minor.values()];
  return { parts: parts.slice(0, MAX_PARTS), types: synonyms.typesAsked(stems) };
}

const NOTHING = { length: 1, others: [], kinds: [] };
