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

/** An index from words to the records of one language, serialised by the search library; see `search-index.ts`. */
export type SerializedIndex = object;

/** The generated catalogue: public records only. */
export interface Catalogue {
  /** Changes with any record. 16 hex digits. */
  revision: string;
  /** The company that publishes the content, named in descriptions, the HTML page and the server's instructions. */
  publisher: { name: string; website: string };
  /** In catalogue order. */
  records: CatalogueRecord[];
  indexes: Record<Language, SerializedIndex>;
}
