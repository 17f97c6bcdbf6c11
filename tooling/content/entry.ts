import type { ContentType } from '../../lib/content/catalogue.ts';
import type { Language } from '../../lib/languages.ts';
import type { Fault } from './fault.ts';

/** One record in one language as it was read, public or not. */
export interface Entry {
  type: ContentType;
  slug: string;
  language: Language;
  isPublic: boolean;
  /** Among its type; guides have none and are all 0. */
  order: number;
  title: string;
  description: string;
  /** On the website. */
  path: string;
  /** `2026-09-14`. */
  updated: string | undefined;
  /** Empty for guides. */
  keywords: readonly string[];
  /** Markdown. */
  text: string;
  /** Where a field of it is written. */
  locate(field: 'path' | 'order'): Omit<Fault, 'rule'>;
}

interface Publisher {
  name: string;
  /** Without a last slash. */
  website: string;
}

export interface Content {
  publisher: Publisher;
  /** By type, order, slug and language. */
  entries: readonly Entry[];
}

/** The part of an entry that every published shape has. */
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
