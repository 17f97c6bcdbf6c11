import { LANGUAGES, type Language } from '../languages.ts';
import { CONTENT_TYPES, type ContentItem } from './catalogue.ts';
import type { ContentContext } from './content-context.ts';
import { guideItem, itemOf } from './content-item.ts';
import { type GuideListing, GuidesAway } from './guide-source.ts';
import { needGuides } from './guides-away.ts';
import { rank } from './rank.ts';
import type { SearchInput, SearchOutput, Warning } from './schemas.ts';

const AWAY: Warning = {
  code: 'guides_unavailable',
  message: 'Guides can’t be read at the moment and are missing here. Ask again later.',
};
const STALE: Warning = {
  code: 'guides_stale',
  message: 'Guides were last refreshed over 24 hours ago and may be out of date.',
};

/**
 * A page of the results of a query, or of all content (docs/content.md#search). If guides can't be read, they are left out with a
 * warning; a question for guides alone throws `UNAVAILABLE`. Throws `VALIDATION_ERROR` for an invalid cursor, `CONFLICT` if the results
 * or the request changed since it was issued, also because guides became available or unavailable.
 */
export async function searchContent(ctx: ContentContext, input: SearchInput): Promise<SearchOutput> {
  const { query, type, language, limit, cursor } = input;
  const open = cursor === undefined ? undefined : await ctx.cursors.open(cursor);
  const guides = type === undefined || type === 'guide' ? await listGuides(ctx, language, type) : undefined;
  const scope = {
    request: ['search', query ?? null, type ?? null, language, limit],
    revision: `${ctx.catalogue.revision} ${guides?.revision ?? 'none'}`,
  };
  const start = (await open?.positionIn(scope)) ?? 0;
  const found = query === undefined ? listAll(ctx, input, guides) : findItems(ctx, input, query, guides);
  const end = start + limit;
  return {
    items: found.slice(start, end),
    nextCursor: end < found.length ? await ctx.cursors.issue(scope, end) : null,
    warnings: [
      ...warningsOf(guides, type),
      ...(query === undefined || found.length > 0 ? [] : [await describeAll(ctx, input, query, guides)]),
    ],
  };
}

/** Undefined if guides are unavailable and the question asks for other types too. */
async function listGuides(
  ctx: ContentContext,
  language: Language,
  type: SearchInput['type'],
): Promise<GuideListing | undefined> {
  if (type === 'guide') return needGuides(ctx.guides.list(language));
  try {
    return await ctx.guides.list(language);
  } catch (error) {
    if (!(error instanceof GuidesAway)) throw error;
    ctx.report(error);
    return undefined;
  }
}

function listAll(ctx: ContentContext, { type, language }: SearchInput, guides?: GuideListing): ContentItem[] {
  const records = ctx.catalogue.list(language).filter((record) => type === undefined || record.type === type);
  return [...records.map(itemOf), ...(guides?.entries ?? []).map(guideItem)];
}

function findItems(
  ctx: ContentContext,
  { type, language }: Pick<SearchInput, 'type' | 'language'>,
  query: string,
  guides?: GuideListing,
): ContentItem[] {
  const { catalogue } = ctx;
  const indexes = [
    ...(type === 'guide' ? [] : [catalogue.index(language)]),
    ...(guides ? [guides.index] : []),
  ];
  const entries = new Map(guides?.entries.map((entry) => [entry.id, entry]));
  const accept = (id: string): boolean => type === undefined || id.startsWith(`${type}:`);
  const ranked = rank({ indexes, query, lexicon: catalogue.lexicon(language), accept });
  return ranked.flatMap((id) => {
    const record = catalogue.find(id);
    if (record !== undefined) return [itemOf(record)];
    const entry = entries.get(id);
    return entry === undefined ? [] : [guideItem(entry)];
  });
}

/** For an empty answer: how much there is of each type, and what other types and languages have. */
async function describeAll(
  ctx: ContentContext,
  input: SearchInput,
  query: string,
  read?: GuideListing,
): Promise<Warning> {
  const { type, language } = input;
  // A question for another type didn't read the guides.
  const guides = read ?? (type === undefined ? undefined : await listGuides(ctx, language, undefined));
  const all = listAll(ctx, { ...input, type: undefined }, guides);
  const counts = CONTENT_TYPES.flatMap((each) => {
    const count = all.filter((item) => item.type === each).length;
    return count === 0 ? [] : `${each} (${count})`;
  });
  const others = LANGUAGES.filter((each) => each !== language);
  const elsewhere = [
    ...(type === undefined ? [] : findItems(ctx, { language }, query, guides).slice(0, 1)),
    ...others.flatMap((each) => findItems(ctx, { language: each }, query).slice(0, 1)),
  ].map(({ id }) => `\`${id}\``);
  return {
    code: 'nothing_found',
    message: [
      `Nothing matches. In \`${language}\` there are these types: ${counts.join(', ')}.`,
      ...(elsewhere.length > 0 ? [`Of other types and languages, ${elsewhere.join(', ')} may fit.`] : []),
      'Ask with other or fewer words, or without `query` for a list.',
    ].join(' '),
  };
}

function warningsOf(guides: GuideListing | undefined, type: SearchInput['type']): Warning[] {
  if (guides !== undefined) return guides.freshness.status === 'stale' ? [STALE] : [];
  return type === undefined ? [AWAY] : [];
}
