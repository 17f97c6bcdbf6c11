import type { Language } from '../languages.ts';
import type { Catalogue, CatalogueRecord } from './catalogue.ts';
import { type Lexicon, loadIndex, type SearchIndex } from './search-index.ts';
import { compileSynonyms } from './synonyms.ts';

/** The generated catalogue, ready for questions. */
export interface LoadedCatalogue {
  publisher: Catalogue['publisher'];
  revision: string;
  find(id: string): CatalogueRecord | undefined;
  /** In catalogue order. */
  list(language: Language): readonly CatalogueRecord[];
  index(language: Language): SearchIndex;
  lexicon(language: Language): Lexicon;
}

/** A language's index is parsed at its first search: most isolates never need all languages. */
export function loadCatalogue(catalogue: Catalogue): LoadedCatalogue {
  const byId = new Map(catalogue.records.map((record) => [record.id, record]));
  const byLanguage = Map.groupBy(catalogue.records, ({ language }) => language);
  const lexicon = remember((language) => ({
    language,
    synonyms: compileSynonyms(catalogue.synonyms[language], language),
  }));
  return {
    publisher: catalogue.publisher,
    revision: catalogue.revision,
    find: (id) => byId.get(id),
    list: (language) => byLanguage.get(language) ?? [],
    index: remember((language) => loadIndex(catalogue.indexes[language])),
    lexicon,
  };
}

function remember<Made>(make: (language: Language) => Made): (language: Language) => Made {
  const made = new Map<Language, Made>();
  return (language) => {
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}
