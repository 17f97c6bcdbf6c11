/** Random catalogues and guides, and a context for the verbs. */
import fc from 'fast-check';
import {
  type Catalogue,
  type CatalogueRecord,
  CONTENT_TYPES,
  type ContentType,
} from '../../../lib/content/catalogue.ts';
import type { ContentContext } from '../../../lib/content/content-context.ts';
import { createGuideSource, REMEMBERED_MS } from '../../../lib/content/guide-source.ts';
import { loadCatalogue } from '../../../lib/content/load-catalogue.ts';
import { buildIndex, type Lexicon } from '../../../lib/content/search-index.ts';
import { compileSynonyms } from '../../../lib/content/synonyms.ts';
import { createCursors } from '../../../lib/cursor.ts';
import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import type { Redis } from '../../../lib/redis.ts';
import { publishGuides } from '../../../tooling/content/publish-guides.ts';
import type { PublicGuide } from '../../../tooling/content/read-guides.ts';

type StaticType = Exclude<ContentType, 'guide'>;

const slug = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '1'), minLength: 1, maxLength: 6 });
const words = fc
  .array(fc.constantFrom('boat', 'boats', 'tide', 'ação', 'quay', 'Norte'), { minLength: 1, maxLength: 4 })
  .map((list) => list.join(' '));
const revision = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 16, maxLength: 16 });
const url = fc.constant('https://www.caisnorte.example/x');
const text = fc.oneof(words, fc.string({ unit: 'binary', maxLength: 100 }));

const SYNONYMS = { kinds: {}, asks: [], common: [], groups: [['boat', 'quay']] };
const lexiconOf = (language: Language): Lexicon => ({
  language,
  synonyms: compileSynonyms(SYNONYMS, language),
});

const record = fc
  .record({
    type: fc.constantFrom(...CONTENT_TYPES.filter((type): type is StaticType => type !== 'guide')),
    slug,
    language: fc.constantFrom(...LANGUAGES),
    title: words,
    description: words,
    keywords: fc.array(words, { maxLength: 2 }),
    url,
    updatedAt: fc.constant(null),
    text,
    revision,
  })
  .map(
    ({ slug: own, ...rest }): CatalogueRecord => ({ id: `${rest.type}:${own}:${rest.language}`, ...rest }),
  );

const guide: fc.Arbitrary<PublicGuide> = fc.record({
  slug,
  language: fc.constantFrom(...LANGUAGES),
  title: words,
  description: words,
  url,
  updatedAt: fc.constant(null),
  text,
});

export const catalogues: fc.Arbitrary<Catalogue> = fc
  .record({ revision, records: fc.uniqueArray(record, { selector: ({ id }) => id, maxLength: 30 }) })
  .map(({ records, ...rest }) => ({
    ...rest,
    publisher: { name: 'Cais Norte', website: 'https://www.caisnorte.example' },
    records,
    indexes: {
      en: buildIndex(inLanguage(records, 'en'), lexiconOf('en')),
      es: buildIndex(inLanguage(records, 'es'), lexiconOf('es')),
      'pt-PT': buildIndex(inLanguage(records, 'pt-PT'), lexiconOf('pt-PT')),
    },
    synonyms: { en: SYNONYMS, es: SYNONYMS, 'pt-PT': SYNONYMS },
  }));

export const guideSets = fc.uniqueArray(guide, {
  selector: (one) => `${one.language} ${one.slug}`,
  maxLength: 20,
});

export const queries = fc.option(
  fc.constantFrom('boat', 'boats tide', 'acao', 'bo', 'norte quay', 'nothing here'),
  {
    nil: undefined,
  },
);

export function inLanguage<T extends { language: Language }>(list: readonly T[], language: Language): T[] {
  return list.filter((one) => one.language === language);
}

/** A context with this catalogue and with these guides, which are published under a new key. */
export async function contextOf(
  redis: Redis,
  catalogue: Catalogue,
  guides: readonly PublicGuide[],
): Promise<ContentContext & { publish(changed: readonly PublicGuide[]): Promise<void> }> {
  const key = `test:${crypto.randomUUID()}`;
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const publish = async (changed: readonly PublicGuide[]): Promise<void> => {
    await publishGuides(redis, changed, { now: now(), key, allowEmpty: true });
    ahead += REMEMBERED_MS;
  };
  await publish(guides);
  const loaded = loadCatalogue(catalogue);
  return {
    catalogue: loaded,
    guides: createGuideSource({ redis, now, lexicon: loaded.lexicon, key }),
    cursors: createCursors('k'.repeat(32)),
    report: (fault) => {
      throw fault;
    },
    publish,
  };
}
