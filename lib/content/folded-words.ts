const MARKS = /\p{M}+/gu;
const SEPARATORS = /[^\p{L}\p{N}]+/u;

/** Text without case and accents: `Ação` as `acao`. */
export const fold = (text: string): string => text.normalize('NFKD').replaceAll(MARKS, '').toLowerCase();

/** The words of a text, folded, in their order. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .split(SEPARATORS)
    .filter((word) => word !== '');
