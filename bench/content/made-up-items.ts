/** Generates items from the real words of `content/`, with their real frequencies. */
import { join } from 'node:path';
import generated from '../../content/catalogue.generated.json' with { type: 'json' };
import { createRandom } from '../../dev/demo/seeded-random.ts';
import type { IndexedEntry } from '../../lib/content/search-index.ts';
import type { Language } from '../../lib/languages.ts';
import { readGuides } from '../../tooling/content/read-guides.ts';
import { ROOT } from '../../tooling/deployment.ts';

const SEED = 7;
/** Number of words in each field, as in the catalogue. */
const TITLE = 6;
const KEYWORDS = 5;
const DESCRIPTION = 24;

/** Generates entries of a language. The result is the same until `content/` changes. */
export async function makeItems(language: Language, count: number): Promise<IndexedEntry[]> {
  const words = await readWords(language);
  const random = createRandom(SEED);
  const pick = (): string => words[random.between(0, words.length - 1)] ?? '';
  const take = (length: number): string[] => Array.from({ length }, pick);
  return Array.from({ length: count }, (_, number) => ({
    id: `guide:${number}`,
    title: take(TITLE).join(' '),
    keywords: take(KEYWORDS),
    description: take(DESCRIPTION).join(' '),
  }));
}

/** All words of all texts, repeated as often as they occur. */
async function readWords(language: Language): Promise<string[]> {
  const { records } = generated;
  const texts = [...records, ...(await readGuides(join(ROOT, 'content')))].filter(
    (text) => text.language === language,
  );
  const words = texts.flatMap(({ title, description, text }) =>
    `${title} ${description} ${text}`.split(/[^\p{L}]+/u),
  );
  return words.filter((word) => word !== '');
}
