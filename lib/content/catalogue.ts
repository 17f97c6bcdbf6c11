/** What the content service knows, as `npm run content:build` writes it. */
import type { Language } from '../languages.ts';

/** In catalogue order: the order of a search without a query. */
export const CONTENT_TYPES = ['service', 'case-study', 'product', 'business', 'guide'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** What a search finds of a record (docs/content.md#search). */
export interface ContentItem {
  id: string;
  type: ContentType;
  language: Language;
  title: string;
  description: string;
  /** On the company's website. */
  url: string;
  /** RFC 3339 in UTC with milliseconds, or null if nobody said. */
  updatedAt: string | null;
}

/** A record with its whole text. */
export interface ContentRecord extends ContentItem {
  /** Markdown, in well-formed Unicode. */
  text: string;
  /** Of this record alone: 16 hex digits of a hash over everything else in it. */
  revision: string;
}

/** A record of the catalogue: `<type>:<slug>:<language>`, of any type but a guide. */
export interface CatalogueRecord extends ContentRecord {
  keywords: string[];
}

/** Words to records of one language, as the search library serialises it; see `search-index.ts`. */
export type SerializedIndex = object;

/** The generated catalogue: public records only. */
export interface Catalogue {
  /** Changes with any record. 16 hex digits. */
  revision: string;
  /** The company whose content it is: for descriptions, the page for people and the server's instructions. */
  publisher: { name: string; website: string };
  /** In catalogue order. */
  records: CatalogueRecord[];
  indexes: Record<Language, SerializedIndex>;
}
