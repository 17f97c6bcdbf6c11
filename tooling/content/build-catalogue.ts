import type { Catalogue, CatalogueRecord, SerializedIndex } from '../../lib/content/catalogue.ts';
import { revisionOf } from '../../lib/content/revision.ts';
import { buildIndex } from '../../lib/content/search-index.ts';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import { type Content, type Entry, publishedFields } from './entry.ts';

/** The catalogue of public content, without guides, which are published separately. */
export async function buildCatalogue({ publisher, entries }: Content): Promise<Catalogue> {
  const records = await Promise.all(
    entries
      .filter(({ type, isPublic }) => type !== 'guide' && isPublic)
      .map((entry) => toRecord(entry, publisher)),
  );
  return {
    revision: await revisionOf(records.map(({ id, revision }) => [id, revision])),
    publisher,
    records,
    indexes: indexesOf(records),
  };
}

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

function indexesOf(records: readonly CatalogueRecord[]): Record<Language, SerializedIndex> {
  const indexOf = (language: Language) =>
    buildIndex(
      records
        .filter((record) => record.language === language)
        .map(({ id, title, keywords, description }) => ({ id, title, keywords, description })),
    );
  return { en: indexOf('en'), es: indexOf('es'), 'pt-PT': indexOf('pt-PT') };
}

/** JSON with one line per record and per index, so that diffs show changed records. */
export function formatCatalogue({ revision, publisher, records, indexes }: Catalogue): string {
  const list = records.map((record) => JSON.stringify(record)).join(',\n');
  const maps = LANGUAGES.map(
    (language) => `${JSON.stringify(language)}: ${JSON.stringify(indexes[language])}`,
  );
  return `{
"revision": ${JSON.stringify(revision)},
"publisher": ${JSON.stringify(publisher)},
"records": [
${list}
],
"indexes": {
${maps.join(',\n')}
}
}
`;
}
