/**
 * Plain questions that people and agents ask, with the entry that answers each best, in the words of a customer who has read titles at
 * most. `tuned` ones guide the rules and the synonyms. `held` ones are the test: only their number is looked at, never a single answer.
 * Each was written before the search knew it, and the expected entry doesn't change with the search.
 */
import type { Language } from '../../../../lib/languages.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { pt } from './pt.ts';

/** By the id that should come first, without its language; a type and a colon mean any entry of the type. */
type ByAnswer = Readonly<Record<string, readonly string[]>>;

interface Questions {
  tuned: ByAnswer;
  held: ByAnswer;
}

export const QUESTIONS: Readonly<Record<Language, Questions>> = { en, es, 'pt-PT': pt };
