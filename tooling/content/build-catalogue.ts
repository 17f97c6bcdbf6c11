import type {
  Catalogue,
  CatalogueRecord,
  SerializedIndex,
  SynonymList,
} from '../../lib/content/catalogue.ts';
import { revisionOf } from '../../lib/content/revision.ts';
import { buildIndex } from '../../lib/content/search-index.ts';
import { compileSynonyms } from '../../lib/content/synonyms.ts';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import { type Content, type Entry, publishedFields } from './entry.ts';

const NO_LIST: SynonymList = { kinds: {}, asks: [], common: [], groups: [] };
const NO_SYNONYMS = { en: NO_LIST, es: NO_LIST, 'pt-PT': NO_LIST };

/** The catalogue of public content, without guides, which are published separately. */
export async function buildCatalogue({
  publisher,
  entries,
  synonyms = NO_SYNONYMS,
}: Pick<Content, 'publisher' | 'entries'> & {
  synonyms?: Readonly<Record<Language, SynonymList>>;
}): Promise<Catalogue> {
  const records = await Promise.all(
    entries
      .filter(({ type, isPublic }) => type !== 'guide' && isPublic)
      .map((entry) => toRecord(entry, publisher)),
  );
  const lists = { en: listOf(synonyms.en), es: listOf(synonyms.es), 'pt-PT': listOf(synonyms['pt-PT']) };
  return {
    revision: await revisionOf([records.map(({ id, revision }) => [id, revision]), lists]),
    publisher,
    records,
    indexes: indexesOf(records, lists),
    synonyms: lists,
  };
}

const listOf = ({ kinds, asks, common, groups }: SynonymList): SynonymList => ({
  ...{ kinds, asks, common, groups },
});

async function toRecord(entry: Entry, publisher: Content['publisher']): Promise<CatalogueRecord> {
  const { type, slug, language, text, keywords } = entry;
  const record = {
    id: `${type}:${slug}:${language}`,
    type,
    ...publishedFields(entry, publisher),
    text,
    keywords: [...keywords],
  };
  return { ...record, revision: await revisionOf(record) };
}

function indexesOf(
  records: readonly CatalogueRecord[],
  lists: Record<Language, SynonymList>,
): Record<Language, SerializedIndex> {
  const indexOf = (language: Language) =>
    buildIndex(
      records
        .filter((record) => record.language === language)
        .map(({ id, title, keywords, description }) => ({ id, title, keywords, description })),
      { language, synonyms: compileSynonyms(lists[language], language) },
    );
  return { en: indexOf('en'), es: indexOf('es'), 'pt-PT': indexOf('pt-PT') };
}

/** JSON with one line per record and per index, so that diffs show changed records. */
export function formatCatalogue({ revision, publisher, records, indexes, synonyms }: Catalogue): string {
  const list = records.map((record) => JSON.stringify(record)).join(',\n');
  const maps = (byLanguage: Record<Language, object>) =>
    LANGUAGES.map((language) => `${JSON.stringify(language)}: ${JSON.stringify(byLanguage[language])}`).join(
      ',\n',
    );
  return `{
"revision": ${JSON.stringify(revision)},
"publisher": ${JSON.stringify(publisher)},
"records": [
${list}
],
"indexes": {
${maps(indexes)}
},
"synonyms": {
${maps(synonyms)}
}
}
`;
}
