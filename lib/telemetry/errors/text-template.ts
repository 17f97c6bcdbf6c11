/** How much of a text is read, in UTF-16 units. */
const MAX_READ = 1000;
const MAX_WORDS = 16;
const MAX_TEMPLATE = 160;
/** What stands for each variable part. */
const VARIABLE = '*';

/** Opening quotation marks with the mark that closes them. */
const QUOTES = new Map([
  ...['"', "'", '`', '”'].map((mark) => [mark, mark] as const),
  ...[['“', '”'] as const, ['‘', '’'] as const, ['«', '»'] as const, ['„', '“'] as const],
]);
/** What may be before an opening mark, in the same word. */
const OPENS = /^$|[([{<=:,]$/;
const LETTER = /[\p{L}\p{M}\p{N}]/u;
/** A word that may stay: letters, with hyphens, apostrophes, underscores and dots between them. */
const PLAIN = /^[\p{L}\p{M}]+(?:[-_.’'][\p{L}\p{M}]+)*$/u;
/** `Maria`, but neither `ECONNRESET` nor `NullPointer`. */
const CAPITALISED = /^\p{Lu}[\p{Ll}\p{M}’'-]+(?:-\p{Lu}\p{Ll}+)*$/u;
const EDGES = /^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu;
/** Characters that make a word an address, a path, a pair or a value of a program. */
const OF_VALUES = /[@/\\=&?{}[\]<>|#$%*~^]|:./u;
/** Eight or more letters from `a` to `f`: a hexadecimal number rather than a word. */
const HEX_WORD = /^[a-f]{8,}$|^[A-F]{8,}$/;
const LONGEST_WORD = 40;

/**
 * The words of a text that a program wrote, with one `*` for each run of variable parts: numbers, ids, addresses, e-mail addresses,
 * quoted values, paths, URLs and names (words with a capital letter after the first word). Two texts of the same statement in a program
 * so have the same template. Reads the first line, 1,000 characters of it at most, each of them once or twice.
 */
export function templateOf(text: string): string {
  const words: string[] = [];
  let length = 0;
  for (const word of wordsOf(firstLine(text))) {
    const shown = word === VARIABLE ? VARIABLE : shownWord(word, words.length === 0);
    if (shown === VARIABLE && words.at(-1) === VARIABLE) continue;
    length += shown.length + 1;
    if (words.length === MAX_WORDS || length > MAX_TEMPLATE) break;
    if (shown !== '') words.push(shown);
  }
  return words.join(' ');
}

/** The name of an operation, as `GET /orders/:id`, with `*` for the variable parts of its path. */
export const operationOf = (name: string): string =>
  name
    .slice(0, MAX_TEMPLATE)
    .split(' ')
    .map((word) => (word.includes('/') ? word.split('/').map(stepOf).join('/') : stepOf(word)))
    .join(' ');

/** A parameter of a route stays: `:id`, `{orderId}`, `[slug]`, `<int:id>`, `*`. */
const ROUTE_PARAMETER = /^(?::\w+|\{[\w.:*?]+\}|\[[\w.]+\]|<[\w:]+>|\*+)$/;
const VERSION = /^v\d{1,2}$/;

const stepOf = (step: string): string =>
  step === '' || ROUTE_PARAMETER.test(step) || VERSION.test(step) || isReadable(step.replaceAll(EDGES, ''))
    ? step
    : VARIABLE;

const firstLine = (text: string): string => {
  const start = text.slice(0, MAX_READ).trimStart();
  const end = start.search(/[\r\n]/);
  return end < 0 ? start : start.slice(0, end);
};

/** Splits at blanks. A quoted value is one `*`; a mark that nothing closes is a character as others. */
function* wordsOf(line: string): Generator<string> {
  let word = '';
  for (let at = 0; at < line.length; at += 1) {
    const mark = line[at] as string;
    const closing = QUOTES.get(mark);
    const end = closing !== undefined && OPENS.test(word) ? closingMark(line, at + 1, closing) : -1;
    if (end >= 0) {
      if (word !== '') yield word;
      word = '';
      yield VARIABLE;
      at = end;
    } else if (/\s/.test(mark)) {
      if (word !== '') yield word;
      word = '';
    } else word += mark;
  }
  if (word !== '') yield word;
}

/** The next closing mark that no letter follows: an apostrophe within a word closes nothing. */
function closingMark(line: string, from: number, mark: string): number {
  for (let at = line.indexOf(mark, from); at >= 0; at = line.indexOf(mark, at + 1))
    if (!LETTER.test(line[at + 1] ?? ' ')) return at;
  return -1;
}

function shownWord(word: string, isFirst: boolean): string {
  if (word.length > 2 * LONGEST_WORD) return VARIABLE;
  const core = word.replaceAll(EDGES, '');
  // `::` is an address too.
  if (word.includes('::')) return VARIABLE;
  if (core === '') return '';
  if (OF_VALUES.test(word.replace(/:$/, '')) || !isReadable(core)) return VARIABLE;
  if (!isFirst && CAPITALISED.test(core)) return VARIABLE;
  return word.endsWith(':') ? `${core}:` : core;
}

/** Whether a word is one that people write in a program's text, and neither a number nor an id. */
export const isReadable = (word: string): boolean =>
  word.length <= LONGEST_WORD && PLAIN.test(word) && !HEX_WORD.test(word) && !isRandom(word);

/** Ids of mixed letters: `aXbQzRwT` has a capital letter after each one or two, `NullPointerException` hasn't. */
export function isRandom(word: string): boolean {
  if (word.length < 8 || !/\p{Lu}/u.test(word) || !/\p{Ll}/u.test(word)) return false;
  const humps = word.split(/(?=\p{Lu})/u).length;
  return word.length / humps < 3;
}
