import { DomainError } from '../errors.ts';
import { DEFAULT_LANGUAGE, type Language } from '../languages.ts';
import type { ContentRecord } from './catalogue.ts';
import type { ContentContext } from './content-context.ts';
import type { Freshness } from './guide-source.ts';
import { needGuides } from './guides-away.ts';
import { didYouMean, languagesOf, suggestIds } from './suggest-ids.ts';

const GUIDE_PREFIX = 'guide:';
/** The catalogue is part of the Worker and can't be stale. */
const ALWAYS_FRESH: Freshness = { status: 'fresh', cachedAt: null };

/**
 * A record with its whole text. An id of the catalogue names its language; a different `language` beside it is `NOT_FOUND`, as is a guide
 * that lacks the language. Throws `UNAVAILABLE` if a guide can't be read.
 */
export async function findRecord(
  ctx: ContentContext,
  { id, language }: { id: string; language?: Language | undefined },
): Promise<{ record: ContentRecord; freshness: Freshness }> {
  if (!id.startsWith(GUIDE_PREFIX)) {
    const record = ctx.catalogue.find(id);
    if (record === undefined) throw await noSuchContent(ctx, id, language);
    if ((language ?? record.language) !== record.language) throw await notInLanguage(ctx, id, language);
    return { record, freshness: ALWAYS_FRESH };
  }
  const slug = id.slice(GUIDE_PREFIX.length);
  const found = await needGuides(ctx.guides.find(language ?? DEFAULT_LANGUAGE, slug));
  if (found === undefined) {
    const languages = await languagesOf(ctx, id);
    throw languages.length > 0
      ? await notInLanguage(ctx, id, language, languages)
      : await noSuchContent(ctx, id, language);
  }
  return { record: { ...found.guide, type: 'guide' }, freshness: found.freshness };
}

async function noSuchContent(ctx: ContentContext, id: string, language?: Language): Promise<DomainError> {
  const ids = await suggestIds(ctx, id, language);
  const advice = ids.length > 0 ? didYouMean(ids) : ' Search or list the content for its id.';
  return new DomainError('NOT_FOUND', `No such content.${advice}`);
}

/** Content that there is, but not in the language that was asked for. */
async function notInLanguage(
  ctx: ContentContext,
  id: string,
  language: Language | undefined,
  known?: readonly Language[],
): Promise<DomainError> {
  const languages = known ?? (await languagesOf(ctx, id));
  const advice = id.startsWith(GUIDE_PREFIX)
    ? ' Ask for it with `language`.'
    : didYouMean(languages.includes(language ?? DEFAULT_LANGUAGE) ? [withLanguage(id, language)] : [id]);
  return new DomainError(
    'NOT_FOUND',
    `This ${id.startsWith(GUIDE_PREFIX) ? 'guide' : 'id'} isn’t in that language. The content is in ${languages.join(', ')}.${advice}`,
  );
}

/** The id of a record in another language. */
const withLanguage = (id: string, language: Language = DEFAULT_LANGUAGE): string =>
  id.replace(/[^:]+$/, language);
