import * as v from 'valibot';
import { LANGUAGES } from '../../lib/content/catalogue.ts';

const MAX_CURSOR_LENGTH = 60;

export const AuditQuery = v.strictObject({
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100'),
      v.metadata({ jsonSchema: { type: 'integer', minimum: 1, maximum: 100 } }),
    ),
    '50',
  ),
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.description('`meta.nextCursor` of the page before.'),
      v.maxLength(MAX_CURSOR_LENGTH),
    ),
  ),
});

/** The pages'. */
export const PageQuery = v.strictObject({
  lang: v.optional(v.pipe(v.picklist(LANGUAGES), v.description('Language of the page.'))),
});
