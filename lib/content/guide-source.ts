import * as v from 'valibot';
import type { Language } from '../languages.ts';
import type { Redis } from '../redis.ts';
import {
  GUIDES_KEY,
  GuideBody,
  type GuideEntry,
  GuideHead,
  GuideIndex,
  guideField,
  HEAD_FIELD,
  indexField,
} from './guide-cache.ts';
import { createIndex, type Lexicon, type SearchIndex } from './search-index.ts';

/** Older guides are stale but still served (docs/content.md#guides). */
const FRESH_MS = 24 * 60 * 60 * 1000;

export interface Freshness {
  status: 'fresh' | 'stale';
  /** When the guide was written to the cache, RFC 3339; null for records outside the cache. */
  cachedAt: string | null;
}

/** The guides of a language as a search needs them. */
export interface GuideListing {
  /** In catalogue order. */
  entries: readonly GuideEntry[];
  index: SearchIndex;
  /** Changes with any entry. */
  revision: string;
  freshness: Freshness;
}

/** The published guides. Both methods throw `GuidesAway` if the cache can't be read or its content isn't valid. */
export interface GuideSource {
  list(language: Language): Promise<GuideListing>;
  find(language: Language, slug: string): Promise<{ guide: GuideBody; freshness: Freshness } | undefined>;
}

/** Redis is unreachable, slow or empty, or holds invalid data. `cause` goes to the log. */
export class GuidesAway extends Error {
  constructor(cause: unknown) {
    super('The guides can’t be read.', { cause });
    this.name = 'GuidesAway';
  }
}

/** Sends the index only if the caller's head (ARGV[1]) is out of date, so that most searches transfer few bytes. */
const LIST_SCRIPT = `
local head = redis.call('HGET', KEYS[1], ARGV[2])
if head == ARGV[1] then return {head} end
return {head, redis.call('HGET', KEYS[1], ARGV[3])}`;

const Listed = v.pipe(v.array(v.nullable(v.string())), v.minLength(1), v.maxLength(2));
const Found = v.strictTuple([v.nullable(v.string()), v.nullable(v.string())]);

/**
 * Reads guides with one Redis command per call. `redis` sets the timeout; `key` is the hash with the guides. Create one per isolate: it
 * remembers each language's index until the next publication.
 */
export function createGuideSource(options: {
  redis: Redis;
  now: () => number;
  lexicon: (language: Language) => Lexicon;
  key?: string;
}): GuideSource {
  const { redis, now, lexicon, key = GUIDES_KEY } = options;
  const known = new Map<Language, Omit<GuideListing, 'freshness'> & { head: string }>();

  return {
    list: (language) =>
      orAway(async () => {
        const remembered = known.get(language);
        const argv = [remembered?.head ?? '', HEAD_FIELD, indexField(language)];
        const [raw, index] = v.parse(Listed, await redis.eval(LIST_SCRIPT, [key], argv));
        const head = readHead(raw);
        const freshness = freshnessOf(head, now());
        if (remembered !== undefined && raw === remembered.head) return { ...remembered, freshness };
        const entries = v.parse(GuideIndex, parse(index));
        const listing = {
          head: raw ?? '',
          entries,
          index: createIndex(entries, lexicon(language)),
          revision: head.indexes[language],
        };
        known.set(language, listing);
        return { ...listing, freshness };
      }),

    find: (language, slug) =>
      orAway(async () => {
        const fields = [HEAD_FIELD, guideField(language, slug)];
        const [raw, body] = v.parse(Found, await redis.hmget(key, ...fields));
        const head = readHead(raw);
        if (body === null) return undefined;
        return { guide: v.parse(GuideBody, parse(body)), freshness: freshnessOf(head, now()) };
      }),
  };
}

async function orAway<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw new GuidesAway(cause);
  }
}

function readHead(raw: string | null | undefined): GuideHead {
  if (raw === null || raw === undefined) throw new Error('No guides were published.');
  return v.parse(GuideHead, parse(raw));
}

/** The parser's own error would quote the text, which may be long. */
function parse(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    throw new Error('The guides’ cache holds something that is not JSON.');
  }
}

function freshnessOf({ cachedAt }: GuideHead, now: number): Freshness {
  return { status: now - Date.parse(cachedAt) > FRESH_MS ? 'stale' : 'fresh', cachedAt };
}
