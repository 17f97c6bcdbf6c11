/** Documents about the service, rendered once per isolate: they are the same for all readers of a language. */
import { pagePolicy } from '../../lib/http/page-policy.ts';
import { type Rendition, renditionOf } from '../../lib/http/rendition.ts';
import type { Language } from '../../lib/languages.ts';
import { aiCatalog, CARD_TYPE, CATALOG_TYPE, serverCard } from './discovery.ts';
import { type HomeContext, renderHome } from './home/home-page.ts';
import { STYLE } from './home/home-style.ts';
import openapi from './openapi.generated.json' with { type: 'json' };

export interface Documents {
  openapi(): Promise<Rendition>;
  card(): Promise<Rendition>;
  catalog(): Promise<Rendition>;
  home(language: Language): Promise<Rendition>;
  /** The page's `Content-Security-Policy`. */
  homePolicy(): Promise<string>;
}

export function createDocuments(ctx: HomeContext): Documents {
  const { publisher } = ctx.catalogue;
  return {
    // The generated document has no deployment's address.
    openapi: remember(() => asJson({ ...openapi, servers: [{ url: ctx.links.base }] }, 'application/json')),
    card: remember(() => asJson(serverCard(publisher, ctx.links), CARD_TYPE)),
    catalog: remember(() => asJson(aiCatalog(publisher, ctx.links), CATALOG_TYPE)),
    home: remember(async (language) =>
      renditionOf(await renderHome(ctx, language), 'text/html; charset=utf-8'),
    ),
    homePolicy: remember(() => pagePolicy(STYLE)),
  };
}

const asJson = (value: object, contentType: string): Promise<Rendition> =>
  renditionOf(JSON.stringify(value), contentType);

/** Remembers the finished value, not its promise: a promise belongs to the request that started it. */
function remember<Made, Key = void>(make: (key: Key) => Promise<Made>): (key: Key) => Promise<Made> {
  const made = new Map<Key, Made>();
  return async (key) => {
    const known = made.get(key) ?? (await make(key));
    made.set(key, known);
    return known;
  };
}
