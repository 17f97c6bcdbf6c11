/** Parameters for the pages of a list. */
import * as v from 'valibot';
import { MAX_CURSOR_LENGTH } from './cursor.ts';

const LIMIT_RULE = 'must be a whole number from 1 to 100';

/** The number of items per page. */
export const Limit = (otherwise = 10) =>
  v.optional(
    v.pipe(
      v.number(LIMIT_RULE),
      v.integer(LIMIT_RULE),
      v.minValue(1, LIMIT_RULE),
      v.maxValue(100, LIMIT_RULE),
    ),
    otherwise,
  );

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
