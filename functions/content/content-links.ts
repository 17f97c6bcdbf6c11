import type { ContentItem } from '../../lib/content/catalogue.ts';
import type { Language } from '../../lib/languages.ts';

type Linked = Pick<ContentItem, 'id' | 'type' | 'language'>;

/** Addresses of this service, for texts that link to it. `base` has no final slash. */
export interface Links {
  base: string;
  mcp: string;
  search: string;
  llms: string;
  openapi: string;
  card: string;
  /** The detail page of an item. A guide has the same id in all languages, so its link adds the language. */
  detail(item: Linked): string;
  /** The page for people, likewise. */
  page(item: Linked): string;
  home(language: Language): string;
}

export function linksOf(contentUrl: string): Links {
  const base = contentUrl.replace(/\/+$/, '');
  return {
    base,
    mcp: `${base}/mcp`,
    search: `${base}/api/agent/search`,
    llms: `${base}/llms.txt`,
    openapi: `${base}/openapi.json`,
    card: `${base}/mcp/server-card`,
    detail: (item) => `${base}/api/agent/content/${encodeId(item)}${languageOf(item, 'language')}`,
    page: (item) => `${base}/content/${encodeId(item)}${languageOf(item, 'lang')}`,
    home: (language) => `${base}/?lang=${language}`,
  };
}

/** The facts about the company: content that there is in every language. */
export const factsIn = (language: Language): Linked => ({
  id: `business:facts:${language}`,
  type: 'business',
  language,
});

const encodeId = ({ id }: Linked): string => encodeURIComponent(id).replaceAll('%3A', ':');

const languageOf = ({ type, language }: Linked, parameter: string): string =>
  type === 'guide' ? `?${parameter}=${language}` : '';
