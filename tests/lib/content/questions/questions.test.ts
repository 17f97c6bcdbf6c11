/** How often the content's own search answers plain questions with the right entry first (docs/content.md#search). */
import { beforeAll, describe, expect, test } from 'vitest';
import { wordsOf } from '../../../../lib/content/folded-words.ts';
import { rank } from '../../../../lib/content/rank.ts';
import {
  createIndex,
  type Lexicon,
  loadIndex,
  type SearchIndex,
} from '../../../../lib/content/search-index.ts';
import { compileSynonyms } from '../../../../lib/content/synonyms.ts';
import { LANGUAGES, type Language } from '../../../../lib/languages.ts';
import { buildCatalogue } from '../../../../tooling/content/build-catalogue.ts';
import { readContent } from '../../../../tooling/content/read-content.ts';
import { ROOT } from '../../../../tooling/deployment.ts';
import { QUESTIONS } from './questions.ts';

/** The fewest right answers, in percent, and the most questions without any answer. Made stricter with the search, never looser. */
const RIGHT = { tuned: 98, held: 95 };
const EMPTY = { tuned: 0, held: 0 };

const indexes = new Map<Language, SearchIndex[]>();
const lexicons = new Map<Language, Lexicon>();
const entries = new Map<Language, { id: string; title: string; keywords: readonly string[] }[]>();

beforeAll(async () => {
  const content = await readContent(`${ROOT}/content`);
  const catalogue = await buildCatalogue(content);
  for (const language of LANGUAGES) {
    const lexicon = { language, synonyms: compileSynonyms(catalogue.synonyms[language], language) };
    lexicons.set(language, lexicon);
    const guides = content.entries.filter(
      (entry) => entry.type === 'guide' && entry.isPublic && entry.language === language,
    );
    const indexed = guides.map((guide) => ({ ...guide, id: `guide:${guide.slug}`, keywords: [] }));
    indexes.set(language, [loadIndex(catalogue.indexes[language]), createIndex(indexed, lexicon)]);
    const records = catalogue.records.filter((record) => record.language === language);
    entries.set(language, [...records, ...indexed]);
  }
});

function find(language: Language, query: string): string[] {
  const lexicon = lexicons.get(language);
  if (lexicon === undefined) throw new Error('no lexicon');
  return rank({ indexes: indexes.get(language) ?? [], query, lexicon, accept: () => true });
}

const isRight = (id: string | undefined, first: string, language: Language): boolean =>
  first.endsWith(':') || first.startsWith('guide:')
    ? id?.startsWith(first) === true
    : id === `${first}:${language}`;

interface Answer {
  ask: string;
  first: string;
  language: Language;
  found: string[];
  right: boolean;
}

const answersOf = (part: 'tuned' | 'held'): Answer[] =>
  LANGUAGES.flatMap((language) =>
    Object.entries(QUESTIONS[language][part]).flatMap(([first, asked]) =>
      asked.map((ask) => {
        const found = find(language, ask);
        return { ask, first, language, found, right: isRight(found[0], first, language) };
      }),
    ),
  );

describe.each(['tuned', 'held'] as const)('%s', (part) => {
  test('how often the right entry comes first, and how often nothing is found', () => {
    const answers = answersOf(part);
    const right = answers.filter((answer) => answer.right).length;
    const empty = answers.filter(({ found }) => found.length === 0).length;
    const rate = (100 * right) / answers.length;
    console.log(`${part}: ${right} of ${answers.length} right (${rate.toFixed(0)} %), ${empty} empty`);
    // Single answers of the part that is held back aren't shown, so that nobody tunes to them.
    if (part === 'tuned')
      for (const { ask, first, found, language } of answers.filter((answer) => !answer.right))
        console.log(`  ${language} "${ask}": ${found.slice(0, 3).join(', ') || 'nothing'}; wanted ${first}`);
    expect(rate).toBeGreaterThanOrEqual(RIGHT[part]);
    expect(empty).toBeLessThanOrEqual(EMPTY[part]);
  });
});

test.each(LANGUAGES)(
  'a title finds its own entry first, and so does each keyword find it, in %s',
  (language) => {
    for (const { id, title, keywords } of entries.get(language) ?? []) {
      expect(find(language, title)[0], title).toBe(id);
      for (const keyword of keywords) expect(find(language, keyword), keyword).toContain(id);
      for (const word of [title, ...keywords].flatMap(wordsOf))
        expect(find(language, word), word).toContain(id);
    }
  },
);

test('a hundred questions are held back, and none of them guides the search too', () => {
  const [tuned, held] = (['tuned', 'held'] as const).map((part) => answersOf(part).map(({ ask }) => ask));
  expect(held).toHaveLength(100);
  expect(new Set([...(tuned ?? []), ...(held ?? [])])).toHaveLength((tuned?.length ?? 0) + 100);
});
