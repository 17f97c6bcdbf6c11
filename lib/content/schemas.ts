/** Inputs and outputs of the content verbs, shared by REST, MCP and their documents (docs/content.md#tools). */
import * as v from 'valibot';
import { MAX_CURSOR_LENGTH } from '../cursor.ts';
import { DEFAULT_LANGUAGE, Language } from '../languages.ts';
import { CONTENT_TYPES } from './catalogue.ts';
import { MAX_PAGE_LENGTH } from './text-page.ts';

/** docs/content.md#search */
export const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 20;
const MAX_ID_LENGTH = 200;

/** A text with a length in code points, as JSON Schema counts characters. */
const Characters = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => [...text].length >= min,
      `must have at least ${min} ${min === 1 ? 'character' : 'characters'}`,
    ),
    v.check((text) => [...text].length <= max, `must have at most ${max} characters`),
    v.metadata({ jsonSchema: { type: 'string', minLength: min, maxLength: max } }),
  );

/** Ids are in NFC; some systems send letters and their accents apart. */
const Identifier = (
  pattern: RegExp,
  description: string,
  rule = 'must have only letters, digits, underscores, colons and hyphens',
) =>
  v.pipe(
    v.string(),
    v.metadata({
      jsonSchema: { type: 'string', minLength: 1, maxLength: MAX_ID_LENGTH, pattern: pattern.source },
    }),
    v.description(description),
    v.transform((id) => id.normalize('NFC')),
    Characters(1, MAX_ID_LENGTH),
    v.regex(pattern, rule),
  );

export const ContentId = Identifier(
  /^[\p{L}\p{N}_:-]+$/u,
  'Id from a search result or a list, such as `guide:<slug>` or `service:<slug>:<language>`.',
);
const GuideId = Identifier(
  /^guide:[\p{L}\p{N}_:-]+$/u,
  '`guide:<slug>`, from a search result.',
  'must be `guide:` and the guide’s slug of letters, digits, underscores, colons and hyphens',
);
const Slug = (what: string) =>
  Identifier(/^[\p{L}\p{N}_:-]+$/u, `Slug of the ${what}: the middle part of its id.`);

const ContentLanguage = v.pipe(Language, v.description('Language of the content.'));
const LanguageOrDefault = v.optional(ContentLanguage, DEFAULT_LANGUAGE);
const Cursor = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(MAX_CURSOR_LENGTH),
  v.description('`nextCursor` of the answer before, with everything else in the request the same.'),
);
const Query = v.pipe(
  Characters(2, 200),
  v.description(
    'Words to find in titles, descriptions and keywords. Left out: everything, in catalogue order.',
  ),
  v.check((query) => query.isWellFormed() && !query.includes('\0'), 'must be well-formed text without NUL'),
);

export const searchFields = {
  query: v.optional(Query),
  type: v.optional(v.pipe(v.picklist(CONTENT_TYPES), v.description('Only content of this kind.'))),
  language: LanguageOrDefault,
  cursor: v.optional(Cursor),
};

export const SearchInput = v.strictObject({
  ...searchFields,
  limit: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_LIMIT), v.description('Results a page.')),
    DEFAULT_LIMIT,
  ),
});
export type SearchInput = v.InferOutput<typeof SearchInput>;

export const readFields = { language: v.optional(ContentLanguage), cursor: v.optional(Cursor) };

export const ContentInput = v.strictObject({ id: ContentId, ...readFields });
export type ContentInput = v.InferOutput<typeof ContentInput>;

export const GuideInput = v.strictObject({ id: GuideId, ...readFields });
export const ServiceInput = v.strictObject({ slug: Slug('service'), language: LanguageOrDefault });
export const CaseStudyInput = v.strictObject({ slug: Slug('case study'), language: LanguageOrDefault });
export const LanguageInput = v.strictObject({ language: LanguageOrDefault });

const Time = v.pipe(v.string(), v.isoTimestamp(), v.description('RFC 3339, UTC.'));
const NextCursor = v.nullable(
  v.pipe(v.string(), v.description('For the next page, as `cursor`. Null: there is none.')),
);

const itemEntries = {
  id: v.pipe(v.string(), v.description('Stable id, for `get_content`.')),
  type: v.picklist(CONTENT_TYPES),
  language: Language,
  title: v.string(),
  description: v.string(),
  url: v.pipe(v.string(), v.url(), v.description('The same content on the website.')),
  updatedAt: v.nullable(Time),
};

export const ContentItemOutput = v.strictObject(itemEntries);

const Warning = v.strictObject({
  code: v.pipe(
    v.picklist(['guides_unavailable', 'guides_stale', 'nothing_found']),
    v.description(
      'Unavailable: no guide is among the items. Stale: they may be out of date. Nothing found: what there is instead.',
    ),
  ),
  message: v.string(),
});
export type Warning = v.InferOutput<typeof Warning>;

export const SearchOutput = v.strictObject({
  items: v.array(ContentItemOutput),
  nextCursor: NextCursor,
  warnings: v.array(Warning),
});
export type SearchOutput = v.InferOutput<typeof SearchOutput>;

export const DetailOutput = v.strictObject({
  ...itemEntries,
  text: v.pipe(
    v.string(),
    v.maxLength(MAX_PAGE_LENGTH),
    v.description('This page of the text, Markdown. All pages joined are the whole text.'),
  ),
  revision: v.pipe(v.string(), v.description('Changes with the content.')),
  freshness: v.strictObject({
    status: v.pipe(
      v.picklist(['fresh', 'stale']),
      v.description('Stale: the guide was cached over 24 hours ago and may be out of date.'),
    ),
    cachedAt: v.nullable(Time),
  }),
  nextCursor: NextCursor,
});
export type DetailOutput = v.InferOutput<typeof DetailOutput>;

export const ServicesOutput = v.strictObject({
  items: v.array(ContentItemOutput),
  language: Language,
});
export type ServicesOutput = v.InferOutput<typeof ServicesOutput>;
