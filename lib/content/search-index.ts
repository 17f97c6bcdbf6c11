import MiniSearch, { type AsPlainObject, type Options } from 'minisearch';
import type { SerializedIndex } from './catalogue.ts';
import { wordsOf } from './folded-words.ts';
import { isStopWord } from './stop-words.ts';

/** The searchable fields of a record or a guide (docs/content.md#search). */
export interface IndexedEntry {
  id: string;
  title: string;
  keywords?: readonly string[];
  description: string;
}

export type SearchIndex = MiniSearch<IndexedEntry>;

/** `wordsOf` returns folded words, so terms need no further processing. */
const OPTIONS: Options<IndexedEntry> = {
  fields: ['title', 'keywords', 'description'],
  tokenize: (text) => wordsOf(text).filter((word) => !isStopWord(word)),
  processTerm: (term) => term,
  extractField: (entry, field) => {
    const value = entry[field as keyof IndexedEntry];
    return Array.isArray(value) ? value.join(' ') : (value as string);
  },
};

/** Runs at build time for the catalogue, and once per publication for guides. */
export function createIndex(entries: readonly IndexedEntry[]): SearchIndex {
  const index = new MiniSearch<IndexedEntry>(OPTIONS);
  index.addAll(entries);
  return index;
}

/** An index as JSON. */
export const buildIndex = (entries: readonly IndexedEntry[]): SerializedIndex =>
  createIndex(entries).toJSON();

export const loadIndex = (serialized: SerializedIndex): SearchIndex =>
  MiniSearch.loadJS<IndexedEntry>(serialized as AsPlainObject, OPTIONS);
