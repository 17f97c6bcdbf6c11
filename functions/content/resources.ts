import type { Catalogue } from '../../lib/content/catalogue.ts';
import type { ContentContext } from '../../lib/content/content-context.ts';
import { createGuideSource } from '../../lib/content/guide-source.ts';
import { loadCatalogue } from '../../lib/content/load-catalogue.ts';
import { MAX_LIMIT } from '../../lib/content/schemas.ts';
import { MAX_PAGE_LENGTH } from '../../lib/content/text-page.ts';
import { createCursors } from '../../lib/cursor.ts';
import { addressKeys } from '../../lib/http/client-address.ts';
import { splitList } from '../../lib/http/env-fields.ts';
import { isolateLimiter } from '../../lib/http/isolate-limiter.ts';
import { causesOf, type Log } from '../../lib/http/log.ts';
import { MAX_BODY_BYTES } from '../../lib/http/read-body.ts';
import { sharedCount } from '../../lib/http/redis-limiter.ts';
import { COUNT_TIMEOUT_MS, connectRedis } from '../../lib/redis.ts';
import { linksOf } from './content-links.ts';
import { createDocuments } from './documents.ts';
import type { Env } from './env.ts';
import { REQUESTS } from './limits.ts';
import { createTools } from './tools.ts';

/** The limits that the page for people shows. */
const FIGURES = {
  requests: REQUESTS.quota,
  bodyBytes: MAX_BODY_BYTES,
  pageCharacters: MAX_PAGE_LENGTH,
  results: MAX_LIMIT,
};
/** Most clients send fewer requests per minute and so cost no Redis command. */
const FREE = 20;
const CHUNK = 10;

/** Guides count as away after this time. Together with the limit's patience every answer takes under a second. */
const GUIDES_TIMEOUT_MS = 800;

export interface ResourceOptions {
  catalogue: Catalogue;
  now: () => number;
  log: Log;
}

/** Makes the function's resources, once per isolate. */
export function createResources(env: Env, { catalogue, now, log }: ResourceOptions) {
  const address = { url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN };
  const loaded = loadCatalogue(catalogue);
  const content: ContentContext = {
    catalogue: loaded,
    guides: createGuideSource({
      redis: connectRedis(address, GUIDES_TIMEOUT_MS),
      now,
      lexicon: loaded.lexicon,
    }),
    cursors: createCursors(env.CURSOR_KEY),
    report: (fault) =>
      log({ level: 'error', function: 'content', event: 'guides-away', causes: causesOf(fault) }),
  };
  const tools = createTools();
  const links = linksOf(env.CONTENT_URL);
  return {
    content,
    tools,
    links,
    documents: createDocuments(loaded, links),
    home: { catalogue: loaded, tools, links, figures: FIGURES },
    origins: [new URL(env.CONTENT_URL).origin, ...splitList(env.ALLOWED_ORIGINS)],
    addressKey: addressKeys(env.ADDRESS_KEY),
    limiter: isolateLimiter({
      policy: REQUESTS,
      shared: sharedCount(connectRedis(address, COUNT_TIMEOUT_MS), REQUESTS),
      free: FREE,
      chunk: CHUNK,
      now,
    }),
  };
}

export type Resources = ReturnType<typeof createResources>;
