const MARKS = /\p{M}+/gu;
const SEPARATORS = /[^\p{L}\p{N}]+/u;

/** Text without case and accents: `Ação` becomes `acao`. */
export const fold = (text: string): string => text.normalize('NFKD').replaceAll(MARKS, '').toLowerCase();

/** The folded words of a text, in order. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .split(SEPARATORS)
    .filter((word) => word !== '');
