/** Words that mean the same in a search. Writers keep them in `content/synonyms/`. */
import type { Language } from '../languages.ts';
import type { SynonymList } from './catalogue.ts';
import { wordsOf } from './folded-words.ts';
import { stemOf } from './word-stem.ts';

interface Meaning {
  /** The number of words of the query. */
  length: number;
  /** The term of the phrase itself. */
  term: string;
  /** Terms of the other phrases with this meaning. */
  others: readonly string[];
}

/** The synonyms of a language, ready for questions. A phrase is a list of stems; its term is one text in the index. */
export interface Synonyms {
  /** The meaning of the longest phrase that begins at a position. */
  find(stems: readonly string[], at: number): Meaning | undefined;
  /** The terms of all phrases in a text. */
  termsIn(stems: readonly string[]): string[];
}

export const stemsOf = (phrase: string, language: Language): string[] =>
  wordsOf(phrase).map((word) => stemOf(word, language));

/** No word has a space or a colon, so these terms are nothing else. */
const termOf = (stems: readonly string[]): string => stems.join(' ');
/** The term that stands for all records of a type. */
export const kindTerm = (type: string): string => `:${type}`;

export function compileSynonyms({ kinds, groups }: SynonymList, language: Language): Synonyms {
  const meanings = new Map<string, Set<string>>();
  /** The lengths of phrases by their first stem. */
  const lengths = new Map<string, Set<number>>();
  const add = (phrase: string, others: readonly string[]): void => {
    const stems = stemsOf(phrase, language);
    const term = termOf(stems);
    const known = meanings.get(term) ?? new Set();
    for (const other of others) if (other !== term) known.add(other);
    meanings.set(term, known);
    const first = stems[0] ?? '';
    lengths.set(first, (lengths.get(first) ?? new Set()).add(stems.length));
  };
  for (const phrases of groups) {
    const terms = phrases.map((phrase) => termOf(stemsOf(phrase, language)));
    for (const phrase of phrases) add(phrase, terms);
  }
  for (const [type, phrases = []] of Object.entries(kinds))
    for (const phrase of phrases) add(phrase, [kindTerm(type)]);

  /** The phrases that begin at a position. */
  const phrasesAt = (stems: readonly string[], at: number): { length: number; term: string }[] =>
    [...(lengths.get(stems[at] ?? '') ?? [])]
      .map((length) => ({ length, term: termOf(stems.slice(at, at + length)) }))
      .filter(({ term }) => meanings.has(term));
  return {
    find(stems, at) {
      const [longest] = phrasesAt(stems, at).sort((a, b) => b.length - a.length);
      return longest && { ...longest, others: [...(meanings.get(longest.term) ?? [])] };
    },
    termsIn: (stems) => stems.flatMap((_, at) => phrasesAt(stems, at).map(({ term }) => term)),
  };
}
