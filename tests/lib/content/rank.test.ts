import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../../../lib/content/folded-words.ts';
import { rank } from '../../../lib/content/rank.ts';
import { buildIndex, createIndex, type IndexedEntry, loadIndex } from '../../../lib/content/search-index.ts';
import { isStopWord } from '../../../lib/content/stop-words.ts';

const all = () => true;
const find = (entries: IndexedEntry[], query: string): string[] => rank([createIndex(entries)], query, all);

const entry = (id: string, title: string, keywords: string[] = [], description = ''): IndexedEntry => ({
  id,
  title,
  keywords,
  description,
});

describe('what a query finds', () => {
  const entries = [
    entry('a', 'Accessibility audit', ['WCAG', 'a11y'], 'What keeps people out, and how to mend it.'),
    entry('b', 'Auditoría de accesibilidad', ['WCAG', 'lector de pantalla'], 'Qué deja fuera a la gente.'),
    entry('c', 'Auditoria de acessibilidade', ['leitor de ecrã'], 'O que deixa pessoas de fora.'),
    entry('d', 'Conservación y diseño', ['niño'], 'Año nuevo.'),
    entry('e', 'Formação', ['lição', 'avô'], 'Um dia de trabalho.'),
    entry('f', 'STRASSE und Straße', [], 'Ελληνικά: Αθήνα'),
    entry('g', 'Vitamin C', ['canal']),
  ];
  test.each([
    ['a word of a title', 'audit', 'a b c'],
    ['in another case', 'AUDIT', 'a b c'],
    ['without its accents', 'auditoria', 'b c'],
    ['with accents that the text lacks', 'áudit', 'a b c'],
    ['ñ as n', 'diseno', 'd'],
    ['ç and ã', 'formacao', 'e'],
    ['decomposed accents', 'lic\u0327a\u0303o', 'e'],
    ['a beginning', 'acces', 'a b'],
    ['a beginning with an accent', 'conservació', 'd'],
    ['one letter wrong', 'accessibitity', 'a'],
    ['one letter missing', 'acessibility', 'a'],
    ['one letter too many', 'acceessibility', 'a'],
    ['two letters swapped', 'accessibiltiy', 'a'],
    ['two typing errors', 'acessibilty', ''],
    ['no typing error in a short word', 'wgac', ''],
    ['a keyword', 'wcag', 'a b'],
    ['a word of a keyword', 'pantalla', 'b'],
    ['a word of a description', 'mend', 'a'],
    ['Greek', 'αθηνα', 'f'],
    ['all words, in any order', 'audit wcag', 'a b'],
    ['some words, where no entry has all', 'audit formação', 'c a b e'],
    ['not the inside of a word', 'udit', ''],
    ['no word', '¿?', ''],
    ['nothing', 'quantum', ''],
    ['one letter only as it is', 'c', 'g'],
    ['a stop word aside', 'the audit', 'a b c'],
    ['of a stop word alone the beginnings', 'de', 'b c'],
    ['punctuation aside', '(WCAG)', 'a b'],
  ])('%s: %s', (_, query, expected) => {
    expect(find(entries, query).sort().join(' ')).toBe(expected.split(' ').sort().join(' '));
  });
});

describe('which comes first', () => {
  test.each([
    [
      'title, keyword, description',
      [entry('c', 'x', [], 'boats'), entry('b', 'x', ['boats']), entry('a', 'boats')],
      'a b c',
    ],
    ['a mistyped title before a keyword', [entry('a', 'x', ['boats']), entry('b', 'boots')], 'b a'],
    [
      'the word, its beginning, mistyped',
      [entry('c', 'boots'), entry('b', 'boatsman'), entry('a', 'boats')],
      'a b c',
    ],
    [
      'ties by id',
      [entry('b', 'boats'), entry('a', 'boats'), entry('é', 'boats'), entry('B', 'boats')],
      'B a b é',
    ],
  ])('%s', (_, entries, expected) => {
    expect(find(entries, 'boats').join(' ')).toBe(expected);
  });

  test('words add up', () => {
    const entries = [entry('a', 'boats'), entry('b', 'boats', ['tide']), entry('c', 'boats tide')];
    expect(find(entries, 'boats tide')).toEqual(['c', 'b']);
  });
});

test('only what is accepted is found, and decides whether all words can be had', () => {
  const entries = [entry('a', 'boats tide'), entry('b', 'boats')];
  expect(rank([createIndex(entries)], 'boats tide', (id) => id !== 'a')).toEqual(['b']);
});

/** Words that are near each other, so that random ones match in every way. */
const word = fc.oneof(
  fc.constantFrom(
    'boat',
    'boats',
    'Boats',
    'boots',
    'bóats',
    'abots',
    'botas',
    'bo',
    'b',
    'tide',
    'tides',
    'tied',
    'ação',
  ),
  fc.string({ unit: fc.constantFrom('a', 'b', 'ã', 'o', 's'), minLength: 1, maxLength: 7 }),
);
const words = (maxLength: number) => fc.array(word, { maxLength }).map((list) => list.join(' '));
const entriesOf = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    title: words(3),
    keywords: fc.array(words(2), { maxLength: 2 }),
    description: words(4),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
);

test('agrees with a slow, obvious search, in one index or several, built or loaded', () => {
  fc.assert(
    fc.property(
      entriesOf,
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      (entries, query, cut) => {
        const at = cut % (entries.length + 1);
        const first = loadIndex(JSON.parse(JSON.stringify(buildIndex(entries.slice(0, at)))));
        const found = rank([first, createIndex(entries.slice(at))], query.join(' '), all);
        expect(found).toEqual(obviously(entries, query));
      },
    ),
    { numRuns: 500 },
  );
});

/** The rule of docs/content.md#search, word by word. */
function obviously(entries: readonly IndexedEntry[], query: readonly string[]): string[] {
  const all = [...new Set(query.map(fold))];
  const meant = all.filter((one) => !isStopWord(one));
  const wanted = meant.length > 0 ? meant : all;
  const scored = entries.map((candidate) => ({
    id: candidate.id,
    scores: wanted.map((one) => bestOf(one, candidate)),
  }));
  const complete = scored.filter(({ scores }) => scores.every((score) => score > 0));
  const some = scored.map(({ id, scores }) => ({
    id,
    scores: scores.map((score, at) => ((wanted[at] ?? '').length < 3 ? 0 : score)),
  }));
  const chosen =
    complete.length > 0 ? complete : some.filter(({ scores }) => scores.some((score) => score > 0));
  const total = ({ scores }: { scores: number[] }) => scores.reduce((a, b) => a + b, 0);
  return chosen.sort((a, b) => total(b) - total(a) || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
}

function bestOf(one: string, { title, keywords = [], description }: IndexedEntry): number {
  const fields: [string, number][] = [
    [title, 16],
    [keywords.join(' '), 4],
    [description, 1],
  ];
  const worths = fields.flatMap(([text, weight]) =>
    fold(text)
      .split(' ')
      .filter((present) => present !== '' && !isStopWord(present))
      .map((present) => weight * worthOf(one, present)),
  );
  return Math.max(0, ...worths);
}

function worthOf(one: string, present: string): number {
  if (one === present) return 3.5;
  if (one.length >= 2 && present.startsWith(one)) return 2;
  return one.length >= 5 && errorsOf(one).has(present) ? 1 : 0;
}

/** Every text one typing error away, over the letters of the test. */
function errorsOf(text: string): Set<string> {
  const letters = 'abcdeiost';
  const found = new Set<string>();
  for (let at = 0; at <= text.length; at += 1) {
    found.add(text.slice(0, at) + text.slice(at + 1));
    const pair = text.slice(at, at + 2);
    found.add(text.slice(0, at) + [...pair].reverse().join('') + text.slice(at + 2));
    for (const letter of letters) {
      found.add(text.slice(0, at) + letter + text.slice(at));
      found.add(text.slice(0, at) + letter + text.slice(at + 1));
    }
  }
  return found;
}
