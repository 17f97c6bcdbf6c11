/** What lists take in their queries. */
import * as v from 'valibot';
import { MAX_CURSOR_LENGTH } from '../cursor.ts';

export const limitOf = (otherwise = 10) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100'),
      v.metadata({ jsonSchema: { type: 'integer', minimum: 1, maximum: 100 } }),
    ),
    String(otherwise),
  );

export const cursorOf = (maxLength = MAX_CURSOR_LENGTH) =>
  v.optional(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(maxLength),
      v.description('`meta.nextCursor` of the answer before, with everything else in the request the same.'),
    ),
  );

export const paging = { limit: limitOf(), cursor: cursorOf() };
