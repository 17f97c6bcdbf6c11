import type { ContentItem } from '../../lib/content/catalogue.ts';

/** Addresses of this service, for texts that link to it. `base` has no final slash. */
export interface Links {
  base: string;
  mcp: string;
  search: string;
  llms: string;
  openapi: string;
  card: string;
  /** The detail page of an item. A guide has the same id in all languages, so its link adds the language. */
  detail(item: Pick<ContentItem, 'id' | 'type' | 'language'>): string;
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
    detail: ({ id, type, language }) =>
      `${base}/api/agent/content/${encodeURIComponent(id).replaceAll('%3A', ':')}${type === 'guide' ? `?language=${language}` : ''}`,
  };
}
