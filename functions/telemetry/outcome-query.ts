import * as v from 'valibot';
import { cursorOf, limitOf } from '../../lib/http/paging.ts';
import { FilterText } from '../../lib/telemetry/schemas.ts';
import { oneRange, rangeEntries } from './query.ts';

export const OutcomeQuery = v.pipe(
  v.strictObject({
    ...rangeEntries,
    type: v.optional(v.pipe(FilterText, v.description('Only outcomes of this type.'))),
    limit: limitOf(),
    cursor: cursorOf(60),
  }),
  oneRange(),
);
