/** The content app under Node, with a catalogue, a Redis and a clock of its own. */
import { createContentApp } from '../../../functions/content/app.ts';
import { REMEMBERED_MS } from '../../../lib/content/guide-source.ts';
import type { LogLine } from '../../../lib/http/log.ts';
import { connectRedis } from '../../../lib/redis.ts';
import type { Entry } from '../../../tooling/content/entry.ts';
import { publishGuides } from '../../../tooling/content/publish-guides.ts';
import type { PublicGuide } from '../../../tooling/content/read-guides.ts';
import { startUpstash, type Upstash } from '../../../tooling/upstash/start-upstash.ts';
import { type Fetch, nextAddress } from './client.ts';
import { makeCatalogue, SAMPLE_ENTRIES, SAMPLE_GUIDES } from './content-samples.ts';

/** All files of a worker share it. It ends with the worker. */
const upstash = await startUpstash({ redis: 'memory' });

/** Longer than any command takes, even on a busy machine. */
export const redis = connectRedis(upstash, 15_000);

/** The time of services without a clock of their own. */
let ahead = 0;
const usualNow = (): number => Date.now() + ahead;

/** Replaces the published guides, at the time `now`. Services whose clock is the usual one forget the guides that they remember. */
export const publish = (guides: readonly PublicGuide[], now = usualNow()) => {
  ahead += REMEMBERED_MS;
  return publishGuides(redis, guides, { now, allowEmpty: true });
};

export interface ServiceOptions {
  entries?: readonly Entry[];
  now?: () => number;
  /** Default: the Redis of the tests. */
  redisUrl?: string;
  cursorKey?: string;
}

export interface Service {
  fetch: Fetch;
  log: LogLine[];
  upstash: Upstash;
}

/** Publishes the sample guides again and starts the service. Two services are like two versions of one deployment. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const {
    entries = SAMPLE_ENTRIES,
    now = usualNow,
    redisUrl = upstash.url,
    cursorKey = 'c'.repeat(32),
  } = options;
  const log: LogLine[] = [];
  const app = createContentApp({
    catalogue: await makeCatalogue(entries),
    now,
    log: (line) => log.push(line),
  });
  await publish(SAMPLE_GUIDES, now());
  const env = {
    UPSTASH_REDIS_REST_URL: redisUrl,
    UPSTASH_REDIS_REST_TOKEN: upstash.token,
    CONTENT_URL: 'https://content.example.com',
    ALLOWED_ORIGINS: 'https://app.example.com, https://docs.example.com',
    CURSOR_KEY: cursorKey,
    ADDRESS_KEY: 'a'.repeat(32),
  };
  // Limits count by address, including requests of other files.
  const ownAddress = nextAddress();
  const fetch: Fetch = async (path, { address = ownAddress, ...init } = {}) => {
    const headers = new Headers(init.headers);
    headers.set('CF-Connecting-IP', address);
    return app.request(`https://content.example.com${path}`, { ...init, headers }, env);
  };
  return { fetch, log, upstash };
}
