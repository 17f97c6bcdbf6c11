import type { ContentType, SynonymList } from '../../lib/content/catalogue.ts';
import type { Language } from '../../lib/languages.ts';
import type { Fault } from './fault.ts';
import type { NameRule } from './find-wordings.ts';
import type { FoundText } from './markdown-texts.ts';

/** One record in one language as read from its files, public or not. */
export interface Entry {
  type: ContentType;
  slug: string;
  language: Language;
  isPublic: boolean;
  /** Position among records of its type; guides have none and are all 0. */
  order: number;
  title: string;
  description: string;
  /** The path on the company's website. */
  path: string;
  /** A date such as `2026-09-14`. */
  updated: string | undefined;
  /** Empty for guides. */
  keywords: readonly string[];
  /** Markdown. */
  text: string;
  /** The position of a field, or of an item of it. */
  locate(field: 'path' | 'order' | 'updated' | 'keywords', item?: number): Omit<Fault, 'rule'>;
}

interface Publisher {
  name: string;
  /** Has no slash at the end. */
  website: string;
}

/** The synonyms of a language, public as they are. */
export interface Synonyms extends SynonymList {
  /** The position of a group. */
  locate(group: number): Omit<Fault, 'rule'>;
}

export interface Content {
  publisher: Publisher;
  /** Ordered by type, order, slug and language. */
  entries: readonly Entry[];
  synonyms: Readonly<Record<Language, Synonyms>>;
  names: readonly NameRule[];
  /** Every text of the files. */
  texts: readonly FoundText[];
}

/** The fields that every published shape has. */
export function publishedFields(
  { language, title, description, path, updated }: Entry,
  { website }: Publisher,
) {
  return {
    language,
    title,
    description,
    url: new URL(path, website).href,
    updatedAt: updated === undefined ? null : `${updated}T00:00:00.000Z`,
  };
}
