import {
  GUIDE_FORMAT,
  GUIDES_KEY,
  type GuideBody,
  type GuideEntry,
  type GuideHead,
  guideField,
  HEAD_FIELD,
  indexField,
  STAGED_SECONDS,
  stagedKey,
} from '../../lib/content/guide-cache.ts';
import { revisionOf } from '../../lib/content/revision.ts';
import { LANGUAGES, type Language } from '../../lib/languages.ts';
import type { Redis } from '../../lib/redis.ts';
import type { PublicGuide } from './read-guides.ts';

export interface Progress {
  done: number;
  of: number;
  guide: PublicGuide;
}

interface Options {
  /** Epoch milliseconds. */
  now: number;
  onProgress?: (progress: Progress) => void;
  /** Default: where the service reads. */
  key?: string;
}

export interface Publication {
  /** Changes with any guide: 16 hex digits. */
  revision: string;
  guides: number;
}

/**
 * Replaces the guides in Redis by these, whose order they keep. They are staged under a name of their own and take their
 * place in one step, so that a reader has the old ones or the new ones, and the last of two publishers wins whole.
 * Throws, with the old ones still in place, if Redis fails; only if the answer to the last step is lost are the new ones
 * there all the same.
 */
export async function publishGuides(
  redis: Redis,
  guides: readonly PublicGuide[],
  { now, onProgress = () => {}, key = GUIDES_KEY }: Options,
): Promise<Publication> {
  const staged = stagedKey(key, crypto.randomUUID());
  const stage = (fields: Record<string, string>) =>
    redis.multi().hset(staged, fields).expire(staged, STAGED_SECONDS).exec();
  try {
    const bodies = await Promise.all(guides.map(toBody));
    for (const [index, guide] of guides.entries()) {
      await stage({ [guideField(guide.language, guide.slug)]: JSON.stringify(bodies[index]) });
      onProgress({ done: index + 1, of: guides.length, guide });
    }
    const { head, indexes } = await describe(guides, now);
    await stage({ ...indexes, [HEAD_FIELD]: JSON.stringify(head) });
    await checkWhole(redis, staged, guides.length + LANGUAGES.length + 1);
    await redis.multi().persist(staged).rename(staged, key).exec();
    return { revision: await revisionOf(bodies.map(({ revision }) => revision)), guides: guides.length };
  } catch (error) {
    // Expires anyway.
    await redis.del(staged).catch(() => {});
    throw new Error(`The guides can't be published: ${reasonOf(error)}`, { cause: error });
  }
}

/** The client's own messages end with the command, which is a whole guide. */
const reasonOf = (error: unknown): string => String(error).split(', command was:')[0] ?? '';

/** A publisher that slept longer than its staged guides were kept has only the later ones staged. */
async function checkWhole(redis: Redis, staged: string, expected: number): Promise<void> {
  const present = await redis.hlen(staged);
  if (present !== expected)
    throw new Error(`Only ${present} of ${expected} fields are staged. Publish again.`);
}

const toEntry = ({ slug, language, title, description, url, updatedAt }: PublicGuide): GuideEntry => ({
  id: `guide:${slug}`,
  ...{ language, title, description, url, updatedAt },
});

async function toBody(guide: PublicGuide): Promise<GuideBody> {
  const body = { ...toEntry(guide), text: guide.text };
  return { ...body, revision: await revisionOf(body) };
}

async function describe(
  guides: readonly PublicGuide[],
  now: number,
): Promise<{ head: GuideHead; indexes: Record<string, string> }> {
  const entriesIn = (language: Language) =>
    guides.filter((guide) => guide.language === language).map(toEntry);
  const [en, es, pt] = await Promise.all([
    revisionOf(entriesIn('en')),
    revisionOf(entriesIn('es')),
    revisionOf(entriesIn('pt-PT')),
  ]);
  return {
    head: {
      format: GUIDE_FORMAT,
      indexes: { en, es, 'pt-PT': pt },
      cachedAt: new Date(now).toISOString(),
    },
    indexes: Object.fromEntries(
      LANGUAGES.map((language) => [indexField(language), JSON.stringify(entriesIn(language))]),
    ),
  };
}
