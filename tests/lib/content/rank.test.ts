import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SynonymList } from '../../../lib/content/catalogue.ts';
import { fold } from '../../../lib/content/folded-words.ts';
import { rank } from '../../../lib/content/rank.ts';
import {
  buildIndex,
  createIndex,
  type IndexedEntry,
  type Lexicon,
  loadIndex,
} from '../../../lib/content/search-index.ts';
import { isStopWord } from '../../../lib/content/stop-words.ts';
import { compileSynonyms } from '../../../lib/content/synonyms.ts';
import { stemOf } from '../../../lib/content/word-stem.ts';
import { LANGUAGES, type Language } from '../../../lib/languages.ts';

const accept = () => true;
const lexiconOf = (language: Language, list: Partial<SynonymList> = {}): Lexicon => ({
  language,
  synonyms: compileSynonyms({ kinds: {}, asks: [], common: [], groups: [], ...list }, language),
});
const PLAIN = lexiconOf('en');
const find = (entries: IndexedEntry[], query: string, lexicon = PLAIN): string[] =>
  rank({ indexes: [createIndex(entries, lexicon)], query, lexicon, accept });

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
    entry('h', 'Quay', ['sobre', 'Vigo']),
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
    ['all words, in any order', 'audit wcag', 'a b c'],
    ['some words', 'audit formação', 'c a b e'],
    ['a plural', 'audits', 'a'],
    ['not the inside of a word', 'udit', ''],
    ['no word', '¿?', ''],
    ['nothing', 'quantum', ''],
    ['one letter only as it is', 'c', 'g'],
    ['a stop word aside', 'the audit', 'a b c'],
    ['of a stop word alone the beginnings', 'de', 'b c'],
    ['a stop word of a keyword', 'sobre', 'h'],
    ['a stop word of a keyword among others', 'sobre Vigo', 'h'],
    ['not a stop word of a description', 'how', ''],
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
    ['a keyword before a mistyped title', [entry('a', 'boots'), entry('b', 'x', ['boats'])], 'b a'],
    ['a title before a longer one', [entry('a', 'boats at the quay of Vigo'), entry('b', 'boats')], 'b a'],
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

  test('words add up, and a good match of some isn’t hidden by a poor one of all', () => {
    const entries = [
      entry('a', 'boats'),
      entry('b', 'boats', ['tide']),
      entry('c', 'boats tide'),
      entry('d', 'x', [], 'boats and tide'),
    ];
    expect(find(entries, 'boats tide')).toEqual(['c', 'b', 'a', 'd']);
  });

  test('a rare word counts more than a common one', () => {
    const entries = [entry('a', 'site boats'), entry('b', 'site'), entry('c', 'site'), entry('d', 'tide')];
    expect(find(entries, 'site tide')[0]).toBe('d');
  });

  test('what shares only a minor word isn’t found', () => {
    const entries = [entry('a', 'the tide'), entry('b', 'the boats')];
    expect(find(entries, 'the tide')).toEqual(['a']);
  });
});

describe('one and many meet', () => {
  test.each<[Language, string]>([
    ['en', 'shop shops'],
    ['en', 'gallery galleries'],
    ['en', 'box boxes'],
    ['en', 'address addresses'],
    ['es', 'tienda tiendas'],
    ['es', 'red redes'],
    ['es', 'luz luces'],
    ['es', 'traducción traducciones'],
    ['es', 'cliente clientes'],
    ['es', 'web webs'],
    ['pt-PT', 'loja lojas'],
    ['pt-PT', 'formação formações'],
    ['pt-PT', 'imagem imagens'],
    ['pt-PT', 'canal canais'],
    ['pt-PT', 'acessível acessíveis'],
    ['pt-PT', 'fácil fáceis'],
    ['pt-PT', 'pão pães'],
    ['pt-PT', 'mão mãos'],
    ['pt-PT', 'mês meses'],
    ['pt-PT', 'hífen hífenes'],
  ])('%s: %s', (language, words) => {
    const lexicon = lexiconOf(language);
    const entries = words.split(' ').map((word) => entry(word, `a ${word}`));
    for (const word of words.split(' '))
      expect(find(entries, word, lexicon).sort()).toEqual(words.split(' ').sort());
  });

  test.each(LANGUAGES)('every word of a title is found in %s, and by its beginnings', (language) => {
    const words = 'gas bus lápis imagens traducciones analysis class espanhóis ases ls es s'.split(' ');
    const entries = words.map((word) => entry(word, word));
    for (const word of words)
      for (let length = Math.min(2, word.length); length <= word.length; length += 1)
        expect(find(entries, word.slice(0, length), lexiconOf(language))).toContain(word);
  });
});

describe('synonyms', () => {
  const lexicon = lexiconOf('en', {
    kinds: { service: ['what do you offer', 'services'] },
    groups: [
      ['web shop', 'online shop', 'store'],
      ['where are you', 'address'],
      ['phone', 'contact'],
      ['phone', 'handset'],
    ],
  });
  const entries = [
    entry('service:a:en', 'Online shop'),
    entry('service:b:en', 'Training', ['contact']),
    entry('product:c:en', 'Web of ropes', ['shop online']),
    entry('business:facts:en', 'About', ['address']),
    entry('product:d:en', 'Handset'),
  ];
  test.each([
    ['a phrase', 'web shop', 'service:a:en'],
    ['a phrase in the plural, within a question', 'do you build web shops?', 'service:a:en'],
    ['a word for a phrase', 'stores', 'service:a:en'],
    ['stop words that mean something', 'where are you?', 'business:facts:en'],
    ['all records of a type', 'what do you offer?', 'service:a:en service:b:en'],
    ['every group of a word', 'phone', 'product:d:en service:b:en'],
    ['a phrase that no entry has as one', 'online web', 'product:c:en service:a:en'],
  ])('%s: %s', (_, query, first) => {
    const expected = first.split(' ');
    expect(find(entries, query, lexicon).slice(0, expected.length)).toEqual(expected);
  });

  test('a phrase isn’t found where its words stand apart, nor over two keywords', () => {
    const apart = [
      entry('a', 'The shop that is online'),
      entry('b', 'x', ['online', 'shop']),
      entry('c', 'x', ['online shop']),
    ];
    expect(find(apart, 'store', lexicon)).toEqual(['c']);
  });

  test('what is asked for comes before what means the same', () => {
    expect(find([entry('a', 'Online shop'), entry('b', 'Store')], 'store', lexicon)).toEqual(['b', 'a']);
  });

  test('words of a phrase count alone too', () => {
    expect(find([entry('a', 'Web site')], 'web shop', lexicon)).toEqual(['a']);
  });
});

test('only what is accepted is found, and decides what is worth finding', () => {
  const entries = [entry('a', 'boats tide'), entry('b', 'boats')];
  const indexes = [createIndex(entries, PLAIN)];
  expect(rank({ indexes, query: 'boats tide', lexicon: PLAIN, accept: (id) => id !== 'a' })).toEqual(['b']);
});

/** Similar words, so that random ones match in every way. */
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
    id: fc.tuple(fc.constantFrom('product', 'guide', 'business'), fc.uuid()).map((parts) => parts.join(':')),
    title: words(3),
    keywords: fc.array(words(2), { maxLength: 2 }),
    description: words(4),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
);

const LEXICON = lexiconOf('en', {
  kinds: { product: ['tides'] },
  asks: [{ types: ['guide', 'business'], phrases: ['bo', 'tied boats'] }],
  common: ['botas', 'ab'],
  groups: [
    ['boat', 'boots bo', 'ação'],
    ['botas', 'abots'],
  ],
});

test('agrees with a slow, obvious search, in one index or several, built or loaded', () => {
  fc.assert(
    fc.property(
      entriesOf,
      fc.array(word, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      (entries, query, cut) => {
        const at = cut % (entries.length + 1);
        const first = loadIndex(JSON.parse(JSON.stringify(buildIndex(entries.slice(0, at), LEXICON))));
        const indexes = [first, createIndex(entries.slice(at), LEXICON)];
        const found = rank({ indexes, query: query.join(' '), lexicon: LEXICON, accept });
        expect(found).toEqual(obviously(entries, query));
      },
    ),
    { numRuns: 1000 },
  );
});

/** What each phrase of the lexicon means, written a second time. */
const MEANS: Record<string, string[]> = {
  boat: ['boot bo', 'acao'],
  'boot bo': ['boat', 'acao'],
  acao: ['boat', 'boot bo'],
  bota: ['abot'],
  abot: ['bota'],
};
const KINDS: Record<string, string> = { tide: 'product' };
const ASKS: Record<string, string[]> = {
  bo: ['guide', 'business'],
  'ti boat': ['guide', 'business'],
  tide: ['product'],
};
const COMMON = ['bota', 'ab'];
const stemmed = (text: string): string[] =>
  fold(text)
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => stemOf(one, 'en'));

interface Asked {
  words: string[];
  term: string;
  role: 'telling' | 'type' | 'stop';
}

/** The parts of a query: phrases of two words, and single words. */
function partsOf(query: readonly string[]): (Asked & { weight: number })[] {
  const words = query.map(fold);
  const parts = new Map<string, Asked>();
  for (let at = 0; at < words.length; ) {
    const pair = stemmed(words.slice(at, at + 2).join(' ')).join(' ');
    const length = MEANS[pair] !== undefined && at + 1 < words.length ? 2 : 1;
    const own = words.slice(at, at + length);
    const term = stemmed(own.join(' ')).join(' ');
    const isStop = MEANS[term] === undefined && isStopWord(own[0] ?? '');
    parts.set(term, { words: own, term, role: KINDS[term] ? 'type' : isStop ? 'stop' : 'telling' });
    at += length;
  }
  const of = (role: string, weight: (term: string) => number) =>
    [...parts.values()]
      .filter((part) => part.role === role)
      .map((part) => ({ ...part, weight: weight(part.term) }));
  const telling = of('telling', (term) => (COMMON.includes(term) ? 0.4 : 1));
  const types = of('type', () => 0.1);
  if (telling.length > 0) return [...telling, ...types];
  return types.length > 0 ? types : of('stop', () => 1);
}

/** The rule of docs/content.md#search in a slow and obvious form. */
function obviously(entries: readonly IndexedEntry[], query: readonly string[]): string[] {
  const parts = partsOf(query);
  const asked = Object.entries(ASKS).flatMap(([phrase, types]) =>
    ` ${stemmed(query.join(' ')).join(' ')} `.includes(` ${phrase} `) ? types : [],
  );
  const scored = entries.map((candidate) => parts.map((part) => bestOf(part, candidate)));
  const rarity = parts.map(({ weight }, at) => {
    const scores = scored.map((each) => each[at] ?? 0);
    const best = Math.max(...scores, 0);
    const count = scores.filter((score) => score > 0 && score >= best / 2).length;
    return weight * Math.log(1 + entries.length / Math.max(1, count));
  });
  const sums = scored.map((each, at) => {
    const factor = asked.includes(typeOf(entries[at]?.id ?? '')) ? 2 : 1;
    return Math.round(1e6 * factor * each.reduce((sum, score, part) => sum + score * (rarity[part] ?? 0), 0));
  });
  return entries
    .map(({ id }, at) => ({ id, sum: sums[at] ?? 0 }))
    .filter(({ sum }) => sum > 0 && sum >= 0.1 * Math.max(...sums))
    .sort((a, b) => b.sum - a.sum || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

const typeOf = (id: string): string => id.split(':')[0] ?? '';

function bestOf({ words, term }: Asked, candidate: IndexedEntry): number {
  const { id, title, keywords = [], description } = candidate;
  const length = title.split(' ').filter((one) => one !== '' && !isStopWord(fold(one))).length;
  const titleWeight = 6 * (0.75 + 0.5 / Math.max(1, length));
  const whole = { texts: keywords, isWhole: true, isDescription: false };
  const part = { isWhole: false, isDescription: false };
  const fields = [
    { texts: [title], weight: titleWeight, ...part },
    ...(typeOf(id) === 'business' ? [{ weight: titleWeight, ...whole }] : []),
    { weight: 4, ...whole },
    { texts: keywords, weight: 3, ...part },
    { texts: [description], weight: 2, isWhole: false, isDescription: true },
  ];
  const best = (worthsIn: (text: string, field: { isWhole: boolean; isDescription: boolean }) => number[]) =>
    Math.max(
      0,
      ...fields.flatMap((field) =>
        field.texts.flatMap((text) => worthsIn(text, field).map((worth) => worth * field.weight)),
      ),
    );
  const phrase =
    (wanted: string, worth: number): Parameters<typeof best>[0] =>
    (text, { isWhole, isDescription }) => {
      const stems = stemmed(text).join(' ');
      const isThere = isWhole ? stems === wanted : ` ${stems} `.includes(` ${wanted} `);
      return isThere && !(isDescription && isStopWord(wanted)) ? [worth] : [];
    };
  const single =
    (one: string): Parameters<typeof best>[0] =>
    (text, { isWhole, isDescription }) => {
      const present = fold(text)
        .split(' ')
        .filter((each) => each !== '' && !(isDescription && isStopWord(each)));
      return isWhole && present.length > 1 ? [] : present.map((each) => worthOf(one, each));
    };
  const meaningful = words.filter((one) => !isStopWord(one));
  const own = meaningful.length > 0 ? meaningful : words;
  const mean = own.reduce((sum, one) => sum + best(single(one)), 0) / own.length;
  const others = (MEANS[term] ?? []).map((other) => best(phrase(other, 0.9)));
  const ofType = KINDS[term] === typeOf(id) ? 3 : 0;
  return Math.max(words.length > 1 ? mean / 2 : mean, best(phrase(term, 1)), ...others, ofType);
}

function worthOf(one: string, present: string): number {
  if (one === present || stemOf(one, 'en') === stemOf(present, 'en')) return 1;
  if (one.length >= 2 && present.startsWith(one)) return 0.6;
  return one.length >= 5 && errorsOf(one).has(present) ? 0.4 : 0;
}

/** Every text with one typing error, made with the letters of the test. */
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
