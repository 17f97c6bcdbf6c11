/** The REST endpoints' parameters: the tools' inputs as they come in a URL. */
import * as v from 'valibot';
import { DEFAULT_LIMIT, MAX_LIMIT, readFields, searchFields } from '../../lib/content/schemas.ts';
import { Language } from '../../lib/languages.ts';

export const SearchQuery = v.strictObject({
  ...searchFields,
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:[1-9]|1\d|20)$/, `must be a whole number from 1 to ${MAX_LIMIT}`),
      v.metadata({
        jsonSchema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: 'Results a page.' },
      }),
      v.transform(Number),
    ),
    String(DEFAULT_LIMIT),
  ),
});

export const ContentQuery = v.strictObject(readFields);

/** The page's. */
export const HomeQuery = v.strictObject({
  lang: v.optional(v.pipe(Language, v.description('Language of the page.'))),
});
