/** Parameters for the pages of a list. */
import * as v from 'valibot';
import { MAX_CURSOR_LENGTH } from './cursor.ts';
import { oneTo } from './fields.ts';

/** The number of items per page. */
export const Limit = (otherwise = 10) => v.optional(oneTo(100), otherwise);

export const Cursor = (maxLength = MAX_CURSOR_LENGTH) =>
  v.optional(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(maxLength),
      v.description('`meta.nextCursor` of the previous answer. All other parameters must stay the same.'),
    ),
  );

export const paging = { limit: Limit(), cursor: Cursor() };
