/** Words that mean the same in a search. Writers keep them in `content/synonyms/`. */
import type { Language } from '../languages.ts';
import { CONTENT_TYPES, type ContentType, type SynonymList } from './catalogue.ts';
import { wordsOf } from './folded-words.ts';
import { stemOf } from './word-stem.ts';

interface Meaning {
  /** The number of words of the query. */
  length: number;
  /** The term of the phrase itself. */
  term: string;
  /** Terms of the other phrases with this meaning. */
  others: readonly string[];
  /** The types whose records the phrase stands for. */
  kinds: readonly ContentType[];
}

/** The synonyms of a language, ready for questions. A phrase is a list of stems; its term is one text in the index. */
export interface Synonyms {
  /** The meaning of the longest phrase that begins at a position. */
  find(stems: readonly string[], at: number): Meaning | undefined;
  /** The terms of all phrases in a text. */
  termsIn(stems: readonly string[]): string[];
  /** The types that a question asks for. */
  typesAsked(stems: readonly string[]): ReadonlySet<ContentType>;
  /** Whether many questions have the term, whatever they are about. */
  isCommon(term: string): boolean;
}

export const stemsOf = (phrase: string, language: Language): string[] =>
  wordsOf(phrase).map((word) => stemOf(word, language));

/** The term of one stem or more. It begins with a space, so that it is no word. */
export const termOf = (stems: readonly string[]): string => ` ${stems.join(' ')}`;
/** Whether a term is a word as it was written, which may be mistyped or have a beginning. */
export const isWord = (term: string): boolean => !term.startsWith(' ');

export function compileSynonyms({ kinds, asks, common, groups }: SynonymList, language: Language): Synonyms {
  const meanings = new Map<string, { others: Set<string>; kinds: Set<ContentType> }>();
  /** The lengths of phrases by their first stem. */
  const lengths = new Map<string, Set<number>>();
  const termOfPhrase = (phrase: string): string => termOf(stemsOf(phrase, language));
  const meaningOf = (phrase: string) => {
    const stems = stemsOf(phrase, language);
    const term = termOf(stems);
    const meaning = meanings.get(term) ?? { others: new Set(), kinds: new Set() };
    meanings.set(term, meaning);
    const first = stems[0] ?? '';
    lengths.set(first, (lengths.get(first) ?? new Set()).add(stems.length));
    return meaning;
  };
  for (const phrases of groups) {
    const terms = phrases.map(termOfPhrase);
    for (const [at, phrase] of phrases.entries()) {
      const { others } = meaningOf(phrase);
      for (const term of terms) if (term !== terms[at]) others.add(term);
    }
  }
  for (const type of CONTENT_TYPES) for (const phrase of kinds[type] ?? []) meaningOf(phrase).kinds.add(type);

  const commonTerms = new Set(common.map(termOfPhrase));
  const asking = [
    ...asks.map(({ types, phrases }) => ({ types, terms: phrases.map(termOfPhrase) })),
    ...[...meanings].flatMap(([term, meaning]) =>
      meaning.others.size === 0 ? { types: [...meaning.kinds], terms: [term] } : [],
    ),
  ];
  /** The phrases that begin at a position. */
  const phrasesAt = (stems: readonly string[], at: number): { length: number; term: string }[] =>
    [...(lengths.get(stems[at] ?? '') ?? [])]
      .map((length) => ({ length, term: termOf(stems.slice(at, at + length)) }))
      .filter(({ term }) => meanings.has(term));
  return {
    find(stems, at) {
      const [longest] = phrasesAt(stems, at).sort((a, b) => b.length - a.length);
      const meaning = longest && meanings.get(longest.term);
      return meaning && { ...longest, others: [...meaning.others], kinds: [...meaning.kinds] };
    },
    termsIn: (stems) => stems.flatMap((_, at) => phrasesAt(stems, at).map(({ term }) => term)),
    typesAsked(stems) {
      const text = `${termOf(stems)} `;
      return new Set(
        asking.flatMap(({ types, terms }) => (terms.some((term) => text.includes(`${term} `)) ? types : [])),
      );
    },
    isCommon: (term) => commonTerms.has(term),
  };
}
