import type { ContentItem } from '../../lib/content/catalogue.ts';

/** Addresses of this service, for texts that name them. `base` has no slash at its end. */
export interface Links {
  base: string;
  mcp: string;
  search: string;
  llms: string;
  openapi: string;
  card: string;
  /** The detail of an item. Guides have one id in all languages, so theirs says which. */
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
