import * as v from 'valibot';
import { FilterText } from '../../lib/telemetry/schemas.ts';
import { oneRange, rangeEntries } from './query.ts';

export const OutcomeQuery = v.pipe(
  v.strictObject({
    ...rangeEntries,
    type: v.optional(v.pipe(FilterText, v.description('Only outcomes of this type.'))),
    limit: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100'),
        v.metadata({ jsonSchema: { type: 'integer', minimum: 1, maximum: 100 } }),
      ),
      '10',
    ),
    cursor: v.optional(
      v.pipe(v.string(), v.description('`meta.nextCursor` of the page before.'), v.maxLength(60)),
    ),
  }),
  oneRange(),
);
