/** Made-up items out of the real words of `content/`, as often as they are there. */
import { join } from 'node:path';
import generated from '../../content/catalogue.generated.json' with { type: 'json' };
import { createRandom } from '../../dev/demo/seeded-random.ts';
import type { IndexedEntry } from '../../lib/content/search-index.ts';
import type { Language } from '../../lib/languages.ts';
import { readGuides } from '../../tooling/content/read-guides.ts';
import { ROOT } from '../../tooling/deployment.ts';

const SEED = 7;
/** Words of each part, as those of the catalogue have them. */
const TITLE = 6;
const KEYWORDS = 5;
const DESCRIPTION = 24;

/** So many entries of a language. The same each time, as long as `content/` is. */
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

/** All words of all texts, each as often as it is there. */
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
