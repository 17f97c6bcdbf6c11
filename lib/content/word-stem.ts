import type { Language } from '../languages.ts';

/** Shorter words have no plural that would be worth it: `gas`, `mes`. */
const MIN_LENGTH = 4;

type Ends = readonly (readonly [end: RegExp, becomes: string])[];

/** Ends of folded words and what they become. The first match in each list counts; the lists follow each other. */
const ENDS: Record<Language, readonly Ends[]> = {
  en: [
    [
      [/(?:ss|us|is)$/, '$&'],
      [/ies$/, 'y'],
      [/(?<=ss|x|z|ch|sh)es$/, ''],
      [/s$/, ''],
    ],
  ],
  es: [
    [[/(?<![siu])s$/, '']],
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
 * The form of a folded word that its singular and its plural share: `galleries` and `gallery` are `gallery`, `canais` and `canal` are
 * `canal`. It needn't be a word: `clientes` and `cliente` are `client`.
 */
export function stemOf(word: string, language: Language): string {
  const [plurals = [], ...others] = ENDS[language];
  const lists = word.length < MIN_LENGTH ? others : [plurals, ...others];
  return lists.reduce((stem, ends) => {
    const [end, becomes] = ends.find(([each]) => each.test(stem)) ?? [/$/, ''];
    return stem.replace(end, becomes);
  }, word);
}
