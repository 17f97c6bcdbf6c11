import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import type { Language } from '../languages.ts';

/** Snowball's stemmers, which cut the ends of verbs, nouns and adjectives: `vender`, `vendo` and `venda` are `vend`. */
const STEMMERS: Record<Language, (word: string) => string> = {
  en: english,
  es: spanish,
  'pt-PT': portuguese,
};

/** Shorter words have no plural that would be worth it: `gas`, `mes`. */
const MIN_LENGTH = 4;

type Ends = readonly (readonly [end: RegExp, becomes: string])[];

/** Ends of folded words and what they become. The first match in each list counts; the lists follow each other. */
const ENDS: Record<Language, readonly Ends[]> = {
  // The stemmer does it all.
  en: [],
  es: [
    // The stemmer knows `habláis` with its accent alone.
    [
      [/(?<=...)[ae]is$/, ''],
      [/(?<![siu])s$/, ''],
    ],
    // Plurals of consonants end in -es: `red`, `redes`. So do those of `cliente`.
    [[/(?<=...)e$/, '']],
    [[/z$/, 'c']],
  ],
  'pt-PT': [
    [
      [/(?:oes|aes)$/, 'ao'],
      [/ns$/, 'm'],
      [/(?<=[aeou])is$/, 'l'],
      [/(?:is|il)$/, 'el'],
      [/(?<![su])s$/, ''],
    ],
    [[/(?<=...)e$/, '']],
    [
      [/z$/, 'c'],
      [/n$/, 'm'],
    ],
  ],
};

/**
 * What the forms of a folded word share: `translate` and `translations` are `translat`. It needn't be a word. Plurals come first, since
 * the stemmers expect the accents that folded words lack: they know `traduções`, not `traducoes`.
 */
export function stemOf(word: string, language: Language): string {
  const [plurals = [], ...others] = ENDS[language];
  const lists = word.length < MIN_LENGTH ? others : [plurals, ...others];
  const singular = lists.reduce((stem, ends) => {
    const [end, becomes] = ends.find(([each]) => each.test(stem)) ?? [/$/, ''];
    return stem.replace(end, becomes);
  }, word);
  return spell(STEMMERS[language](singular));
}

/** Verbs change the spelling of their last consonant: `buscar`, `busque`; `pagar`, `pague`; `actualizar`, `actualice`. */
const spell = (stem: string): string => stem.replace(/qu$|z$/, 'c').replace(/gu$/, 'g');
