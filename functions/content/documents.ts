/** Documents about the service, rendered once per isolate: they are the same for all readers of a language. */

import type { LoadedCatalogue } from '../../lib/content/load-catalogue.ts';
import { type Rendition, renditionOf } from '../../lib/http/rendition.ts';
import type { Links } from './content-links.ts';
import { aiCatalog, CARD_TYPE, CATALOG_TYPE, serverCard } from './discovery.ts';
import openapi from './openapi.generated.json' with { type: 'json' };

export interface Documents {
  openapi(): Promise<Rendition>;
  card(): Promise<Rendition>;
  catalog(): Promise<Rendition>;
}

export function createDocuments({ publisher }: LoadedCatalogue, links: Links): Documents {
  return {
    // The generated document has no deployment's address.
    openapi: once(() => asJson({ ...openapi, servers: [{ url: links.base }] }, 'application/json')),
    card: once(() => asJson(serverCard(publisher, links), CARD_TYPE)),
    catalog: once(() => asJson(aiCatalog(publisher, links), CATALOG_TYPE)),
  };
}

const asJson = (value: object, contentType: string): Promise<Rendition> =>
  renditionOf(JSON.stringify(value), contentType);

/** Remembers the finished value, not its promise: a promise belongs to the request that started it. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: { value: Made } | undefined;
  return async () => {
    made ??= { value: await make() };
    return made.value;
  };
}
