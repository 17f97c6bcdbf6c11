import type { Language } from '../languages.ts';
import type { Catalogue, CatalogueRecord } from './catalogue.ts';
import { loadIndex, type SearchIndex } from './search-index.ts';

/** The generated catalogue, ready for questions. */
export interface LoadedCatalogue {
  publisher: Catalogue['publisher'];
  revision: string;
  find(id: string): CatalogueRecord | undefined;
  /** In catalogue order. */
  list(language: Language): readonly CatalogueRecord[];
  index(language: Language): SearchIndex;
}

/** A language's index is parsed at its first search: most isolates never need all languages. */
export function loadCatalogue(catalogue: Catalogue): LoadedCatalogue {
  const byId = new Map(catalogue.records.map((record) => [record.id, record]));
  const byLanguage = Map.groupBy(catalogue.records, ({ language }) => language);
  const indexes = new Map<Language, SearchIndex>();
  return {
    publisher: catalogue.publisher,
    revision: catalogue.revision,
    find: (id) => byId.get(id),
    list: (language) => byLanguage.get(language) ?? [],
    index(language) {
      const loaded = indexes.get(language) ?? loadIndex(catalogue.indexes[language]);
      indexes.set(language, loaded);
      return loaded;
    },
  };
}
