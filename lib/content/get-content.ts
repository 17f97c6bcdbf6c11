import type { ContentContext } from './content-context.ts';
import { itemOf } from './content-item.ts';
import { findRecord } from './find-record.ts';
import type { ContentInput, DetailOutput } from './schemas.ts';
import { pageOf } from './text-page.ts';

/**
 * A page of a record's text (docs/content.md#detail-pages). Throws the errors of `findRecord`, `VALIDATION_ERROR` for an invalid cursor, and
 * `CONFLICT` if the record changed since the cursor was issued.
 */
export async function getContent(ctx: ContentContext, input: ContentInput): Promise<DetailOutput> {
  const open = input.cursor === undefined ? undefined : await ctx.cursors.open(input.cursor);
  const { record, freshness } = await findRecord(ctx, input);
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
