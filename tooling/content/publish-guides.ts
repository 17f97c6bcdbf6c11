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
import { refuseLoss, TooFewGuides } from './refuse-loss.ts';

export interface Progress {
  done: number;
  of: number;
  guide: PublicGuide;
}

interface Options {
  /** Epoch milliseconds. */
  now: number;
  onProgress?: (progress: Progress) => void;
  /** Default: the key that the service reads. */
  key?: string;
  /** Publishes even no guides, or far fewer than before. */
  allowEmpty?: boolean;
}

export interface Publication {
  /** Changes with any guide. 16 hex digits. */
  revision: string;
  guides: number;
}

/**
 * Replaces the guides in Redis and keeps their order. They are staged under a key of their own and renamed in one step, so readers see
 * either the old or the new guides, and the last of two publishers wins completely. If Redis fails, it throws and the old guides stay;
 * only if the answer to the last step is lost can the new guides be published already. Unless it is allowed, no guides and the loss of
 * over a third of the published ones are refused: the folder is probably missing or half checked out.
 */
export async function publishGuides(
  redis: Redis,
  guides: readonly PublicGuide[],
  { now, onProgress = () => {}, key = GUIDES_KEY, allowEmpty = false }: Options,
): Promise<Publication> {
  const staged = stagedKey(key, crypto.randomUUID());
  const stage = (fields: Record<string, string>) =>
    redis.multi().hset(staged, fields).expire(staged, STAGED_SECONDS).exec();
  try {
    if (!allowEmpty) refuseLoss(await redis.hkeys(key), guides);
    const bodies = await Promise.all(guides.map(toBody));
    for (const [index, guide] of guides.entries()) {
      await stage({ [guideField(guide.language, guide.slug)]: JSON.stringify(bodies[index]) });
      onProgress({ done: index + 1, of: guides.length, guide });
    }
    const { head, indexes } = await describe(guides, now);
    const revision = await revisionOf(bodies.map((body) => body.revision));
    await stage({ ...indexes, [HEAD_FIELD]: JSON.stringify({ ...head, revision }) });
    await checkWhole(redis, staged, guides.length + LANGUAGES.length + 1);
    await redis.multi().persist(staged).rename(staged, key).exec();
    return { revision, guides: guides.length };
  } catch (error) {
    // The staged key expires on its own.
    await redis.del(staged).catch(() => {});
    if (error instanceof TooFewGuides) throw error;
    throw new Error(`The guides can't be published: ${reasonOf(error)}`, { cause: error });
  }
}

/** The client's messages end with the command, which contains a whole guide. */
const reasonOf = (error: unknown): string => String(error).split(', command was:')[0] ?? '';

/** If the publisher was suspended for longer than the staged key's lifetime, only the later guides are staged. */
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
