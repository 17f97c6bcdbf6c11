/** The content catalogue that `npm run content:build` writes. */
import type { Language } from '../languages.ts';

/** In catalogue order: the order of a search without a query. */
export const CONTENT_TYPES = ['service', 'case-study', 'product', 'business', 'guide'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** The fields of a record that a search returns (docs/content.md#search). */
export interface ContentItem {
  id: string;
  type: ContentType;
  language: Language;
  title: string;
  description: string;
  /** On the company's website. */
  url: string;
  /** RFC 3339 in UTC with milliseconds, or null if unknown. */
  updatedAt: string | null;
}

/** A record with its whole text. */
export interface ContentRecord extends ContentItem {
  /** Markdown, in well-formed Unicode. */
  text: string;
  /** 16 hex digits of a hash over the other fields of this record. */
  revision: string;
}

/** A record of the catalogue: `<type>:<slug>:<language>`, of any type but a guide. */
export interface CatalogueRecord extends ContentRecord {
  keywords: string[];
}

/** An index from words to the records of one language; see `search-index.ts`. */
export interface SerializedIndex {
  ids: readonly string[];
  /** Telling words in the titles of these records. */
  titleLengths: readonly number[];
  /** Terms in the order of their UTF-16 units. Each number is a record's position, times the number of fields, plus the field. */
  terms: readonly (readonly [term: string, postings: readonly number[]])[];
}

/** The synonyms of a language as writers keep them. A phrase has one or more words. */
export interface SynonymList {
  /** Phrases that mean all records of a type: `what do you offer` means services. */
  kinds: { [Type in ContentType]?: readonly string[] | undefined };
  /** How questions begin that records of a type answer best: `how do I` asks for guides. */
  asks: readonly { types: readonly ContentType[]; phrases: readonly string[] }[];
  /** Words that many questions have whatever they are about, such as `website`. They count less beside others. */
  common: readonly string[];
  /** Phrases of a group mean the same. */
  groups: readonly (readonly string[])[];
}

/** The generated catalogue: public records only. */
export interface Catalogue {
  /** Changes with any record. 16 hex digits. */
  revision: string;
  /** The company that publishes the content, named in descriptions, the HTML page and the server's instructions. */
  publisher: { name: string; website: string };
  /** In catalogue order. */
  records: CatalogueRecord[];
  indexes: Record<Language, SerializedIndex>;
  synonyms: Record<Language, SynonymList>;
}
