import * as v from 'valibot';
import type { Language } from '../languages.ts';
import { RecentMap } from '../recent-map.ts';
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

/** For this time after an answer of Redis, what the isolate remembers is served without asking again (docs/content.md#guides). */
export const REMEMBERED_MS = 1000;
/** Texts of guides and indexes that an isolate remembers. A guide is seldom over 50 KB. */
const MAX_REMEMBERED = 100;

/** Sends the field only if the caller's head (ARGV[1]) is out of date, so that most reads transfer few bytes. */
const READ_SCRIPT = `
local head = redis.call('HGET', KEYS[1], ARGV[2])
if head == ARGV[1] then return {head} end
return {head, redis.call('HGET', KEYS[1], ARGV[3])}`;

const Answer = v.pipe(v.array(v.nullable(v.string())), v.minLength(1), v.maxLength(2));

/**
 * Reads guides with at most one Redis command per call, and with none within a second of the last answer if the isolate has the guide
 * or the index in memory. `redis` sets the timeout; `key` is the hash with the guides. Create one per isolate.
 */
export function createGuideSource(options: {
  redis: Redis;
  now: () => number;
  lexicon: (language: Language) => Lexicon;
  key?: string;
}): GuideSource {
  const { redis, now, lexicon, key = GUIDES_KEY } = options;
  /** Fields as they were read under a head. A publication changes the head, and with it all of them are out of date. */
  const remembered = new RecentMap<string, { head: string; value: unknown }>(MAX_REMEMBERED);
  let last: { head: string; parsed: GuideHead; askedAt: number } | undefined;

  /** The head, and the field as `load` makes it of its text; undefined if it isn't there. */
  async function read<T>(
    field: string,
    load: (text: string, head: GuideHead) => T,
  ): Promise<{ head: GuideHead; value: T | undefined }> {
    const known = remembered.get(field) as { head: string; value: T } | undefined;
    const askedAt = now();
    if (last !== undefined && known?.head === last.head && Math.abs(askedAt - last.askedAt) < REMEMBERED_MS) {
      return { head: last.parsed, value: known.value };
    }
    const argv = [known?.head ?? '', HEAD_FIELD, field];
    const [head, text] = v.parse(Answer, await redis.eval(READ_SCRIPT, [key], argv));
    if (head === null || head === undefined) throw new Error('No guides were published.');
    const parsed = head === last?.head ? last.parsed : v.parse(GuideHead, parse(head));
    last = { head, parsed, askedAt };
    if (known?.head === head) return { head: parsed, value: known.value };
    if (text === null || text === undefined) return { head: parsed, value: undefined };
    const value = load(text, parsed);
    remembered.set(field, { head, value });
    return { head: parsed, value };
  }

  return {
    list: (language) =>
      orAway(async () => {
        const { head, value } = await read(indexField(language), (text, { indexes }) => {
          const entries = v.parse(GuideIndex, parse(text));
          return { entries, index: createIndex(entries, lexicon(language)), revision: indexes[language] };
        });
        if (value === undefined) throw new Error('The guides’ cache lacks an index.');
        return { ...value, freshness: freshnessOf(head, now()) };
      }),

    find: (language, slug) =>
      orAway(async () => {
        const { head, value } = await read(guideField(language, slug), (text) =>
          v.parse(GuideBody, parse(text)),
        );
        return value && { guide: value, freshness: freshnessOf(head, now()) };
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

/** The parser's own error would quote the text, which may be long. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The guides’ cache holds something that is not JSON.');
  }
}

function freshnessOf({ cachedAt }: GuideHead, now: number): Freshness {
  return { status: now - Date.parse(cachedAt) > FRESH_MS ? 'stale' : 'fresh', cachedAt };
}
