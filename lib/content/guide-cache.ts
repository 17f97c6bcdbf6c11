/**
 * The format of guides in Redis: one hash. A publication writes a staged hash and renames it, so readers never see a half-written one.
 * Publisher and reader share this file.
 *
 * | field | |
 * |---|---|
 * | `head` | `GuideHead`: small, read by each request that needs guides |
 * | `index:<language>` | `GuideEntry[]`: what a search needs, in catalogue order |
 * | `guide:<language>:<slug>` | `GuideBody` |
 */
import * as v from 'valibot';
import { Language } from '../languages.ts';

export const GUIDES_KEY = 'content:guides';
/** The key of a publication before it is renamed to `key`. It expires if the rename never happens. */
export const stagedKey = (key: string, id: string): string => `${key}:staged:${id}`;
export const STAGED_SECONDS = 3600;

export const HEAD_FIELD = 'head';
export const indexField = (language: Language): string => `index:${language}`;
export const guideField = (language: Language, slug: string): string => `guide:${language}:${slug}`;

/** Increase it with any change to these shapes. A reader treats any other format as an outage. */
export const GUIDE_FORMAT = 1;

const Revision = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/));
const Time = v.pipe(v.string(), v.isoTimestamp());

export const GuideHead = v.object({
  format: v.literal(GUIDE_FORMAT),
  /** For each language, a hash over the entries of its index. */
  indexes: v.object({ en: Revision, es: Revision, 'pt-PT': Revision }),
  /** Changes with any guide. Publications of older versions lack it. */
  revision: v.optional(Revision),
  /** When the publisher wrote them. */
  cachedAt: Time,
});
export type GuideHead = v.InferOutput<typeof GuideHead>;

/** A guide in search results. Its id is `guide:<slug>` in every language. */
export const GuideEntry = v.object({
  id: v.pipe(v.string(), v.startsWith('guide:')),
  language: Language,
  title: v.string(),
  description: v.string(),
  url: v.string(),
  updatedAt: v.nullable(Time),
});
export type GuideEntry = v.InferOutput<typeof GuideEntry>;

export const GuideIndex = v.array(GuideEntry);

export const GuideBody = v.object({
  ...GuideEntry.entries,
  text: v.string(),
  /** Changes only with this guide in this language. */
  revision: Revision,
});
export type GuideBody = v.InferOutput<typeof GuideBody>;
