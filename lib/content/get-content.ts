import { notFound } from '../errors.ts';
import { DEFAULT_LANGUAGE, type Language } from '../languages.ts';
import type { ContentRecord } from './catalogue.ts';
import type { ContentContext } from './content-context.ts';
import { itemOf } from './content-item.ts';
import type { Freshness } from './guide-source.ts';
import { needGuides } from './guides-away.ts';
import type { ContentInput, DetailOutput } from './schemas.ts';
import { pageOf } from './text-page.ts';

const GUIDE_PREFIX = 'guide:';
/** The catalogue is part of the Worker and can't be stale. */
const ALWAYS_FRESH: Freshness = { status: 'fresh', cachedAt: null };

/**
 * A page of a record's text (docs/content.md#detail-pages). An id of the catalogue names its language; a different `language` beside it
 * is `NOT_FOUND`, as is a guide that lacks the language. Throws `UNAVAILABLE` if a guide can't be read, `VALIDATION_ERROR` for an
 * invalid cursor, `CONFLICT` if the record changed since the cursor was issued.
 */
export async function getContent(ctx: ContentContext, input: ContentInput): Promise<DetailOutput> {
  const open = input.cursor === undefined ? undefined : await ctx.cursors.open(input.cursor);
  const { record, freshness } = await findRecord(ctx, input.id, input.language);
  const scope = { request: ['detail', record.id, record.language], revision: record.revision };
  const page = pageOf(record.text, (await open?.positionIn(scope)) ?? 0);
  return {
    ...itemOf(record),
    text: page.text,
    revision: record.revision,
    freshness,
    nextCursor: page.next === null ? null : await ctx.cursors.issue(scope, page.next),
  };
}

async function findRecord(
  ctx: ContentContext,
  id: string,
  language: Language | undefined,
): Promise<{ record: ContentRecord; freshness: Freshness }> {
  if (!id.startsWith(GUIDE_PREFIX)) {
    const record = ctx.catalogue.find(id);
    if (record === undefined || (language ?? record.language) !== record.language) throw notFound('content');
    return { record, freshness: ALWAYS_FRESH };
  }
  const slug = id.slice(GUIDE_PREFIX.length);
  const found = await needGuides(ctx.guides.find(language ?? DEFAULT_LANGUAGE, slug));
  if (found === undefined) throw notFound('content');
  return { record: { ...found.guide, type: 'guide' }, freshness: found.freshness };
}
