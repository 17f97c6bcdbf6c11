import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContentContext } from '../../../lib/content/content-context.ts';
import { getContent } from '../../../lib/content/get-content.ts';
import type { ContentInput, SearchInput, SearchOutput } from '../../../lib/content/schemas.ts';
import { searchContent } from '../../../lib/content/search-content.ts';
import { LANGUAGES } from '../../../lib/languages.ts';
import { connectRedis, type Redis } from '../../../lib/redis.ts';
import { startUpstash } from '../../../tooling/upstash/start-upstash.ts';
import { catalogues, contextOf, guideSets, inLanguage, queries } from './content-world.ts';

let upstash: Awaited<ReturnType<typeof startUpstash>>;
let redis: Redis;

beforeAll(async () => {
  upstash = await startUpstash({ redis: 'memory' });
  redis = connectRedis(upstash, 10_000);
});
afterAll(() => upstash.close());

const searches = fc.record({
  query: queries,
  type: fc.option(fc.constantFrom('service' as const, 'product' as const, 'guide' as const), {
    nil: undefined,
  }),
  language: fc.constantFrom(...LANGUAGES),
  limit: fc.integer({ min: 1, max: 20 }),
});

async function walk(ctx: ContentContext, input: SearchInput): Promise<SearchOutput[]> {
  const pages: SearchOutput[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await searchContent(ctx, cursor === undefined ? input : { ...input, cursor });
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}

test('walking the cursors visits each item once, whatever the limit', async () => {
  await fc.assert(
    fc.asyncProperty(catalogues, guideSets, searches, async (catalogue, guides, input) => {
      const ctx = await contextOf(redis, catalogue, guides);
      const pages = await walk(ctx, input);
      const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
      for (const { items } of pages.slice(0, -1)) expect(items).toHaveLength(input.limit);
      if (pages.length > 1) expect(pages.at(-1)?.items.length).toBeGreaterThan(0);
      const whole = await walk(ctx, { ...input, limit: 20 });
      expect(whole.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids);
      if (input.query === undefined) expect(ids).toEqual(everything(catalogue.records, guides, input));
    }),
    { numRuns: 60 },
  );
});

/** All items in catalogue order: records in their order, then guides. */
function everything(
  records: readonly { id: string; type: string; language: (typeof LANGUAGES)[number] }[],
  guides: readonly { slug: string; language: (typeof LANGUAGES)[number] }[],
  { type, language }: { type?: string | undefined; language: (typeof LANGUAGES)[number] },
): string[] {
  const wanted = (one: string): boolean => type === undefined || type === one;
  return [
    ...inLanguage(records, language)
      .filter((record) => wanted(record.type))
      .map(({ id }) => id),
    ...(wanted('guide') ? inLanguage(guides, language).map(({ slug }) => `guide:${slug}`) : []),
  ];
}

test('a changed request or a changed cursor never gives wrong content', async () => {
  await fc.assert(
    fc.asyncProperty(
      catalogues,
      guideSets,
      searches,
      searches,
      fc.nat(),
      fc.string({ unit: fc.constantFrom(...'AZaz09-_'), minLength: 1, maxLength: 2 }),
      async (catalogue, guides, input, other, at, letters) => {
        const ctx = await contextOf(redis, catalogue, guides);
        const { nextCursor } = await searchContent(ctx, { ...input, limit: 1 });
        fc.pre(nextCursor !== null);
        if (nextCursor === null) return;
        const index = at % nextCursor.length;
        const tampered = nextCursor.slice(0, index) + letters + nextCursor.slice(index + letters.length);
        if (tampered !== nextCursor)
          await refuses(searchContent(ctx, { ...input, limit: 1, cursor: tampered }), 'VALIDATION_ERROR');
        const changed = { ...other, limit: 2 };
        await refuses(searchContent(ctx, { ...changed, cursor: nextCursor }), 'CONFLICT');
        const id = catalogue.records[0]?.id;
        if (id !== undefined) await refuses(getContent(ctx, { id, cursor: nextCursor }), 'CONFLICT');
      },
    ),
    { numRuns: 60 },
  );
});

test('a search’s cursor ends with a change of a guide’s title, not with one of its text', async () => {
  const [catalogue] = fc.sample(catalogues, 1);
  if (catalogue === undefined) throw new Error('no sample');
  const guide = (slug: string) => ({
    slug,
    language: 'en' as const,
    title: `Boats ${slug}`,
    description: 'About boats.',
    url: 'https://www.caisnorte.example/x',
    updatedAt: null,
    text: 'One.',
  });
  const guides = ['a', 'b', 'c'].map(guide);
  const ctx = await contextOf(redis, catalogue, guides);
  const input = { query: 'boats', type: 'guide' as const, language: 'en' as const, limit: 1 };
  const { nextCursor: cursor } = await searchContent(ctx, input);
  if (cursor === null) throw new Error('no second page');
  await ctx.publish(guides.map((one) => ({ ...one, text: 'Two.' })));
  expect((await searchContent(ctx, { ...input, cursor })).items.map(({ id }) => id)).toEqual(['guide:b']);
  await ctx.publish(guides.map((one) => ({ ...one, title: `${one.title} and tides` })));
  await refuses(searchContent(ctx, { ...input, cursor }), 'CONFLICT');
});

test('the pages of a guide are its text; a new text ends its cursors and no others', async () => {
  const [catalogue] = fc.sample(catalogues, 1);
  if (catalogue === undefined) throw new Error('no sample');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 2, maxLength: 5 }),
      async (seeds) => {
        const texts = seeds.map((seed) => seed.repeat(Math.ceil(30_000 / seed.length)));
        const guides = texts.map((text, at) => ({
          slug: `g${at}`,
          language: 'pt-PT' as const,
          title: 'Guia',
          description: 'Um guia.',
          url: 'https://www.caisnorte.example/x',
          updatedAt: null,
          text: `${text}\n\n${text}`,
        }));
        const ctx = await contextOf(redis, catalogue, guides);
        const read = async (input: ContentInput) => getContent(ctx, { language: 'pt-PT', ...input });
        for (const [at, { text }] of guides.entries()) {
          let joined = '';
          for (let cursor: string | null | undefined; cursor !== null; ) {
            const page = await read({ id: `guide:g${at}`, ...(cursor !== undefined && { cursor }) });
            joined += page.text;
            cursor = page.nextCursor;
          }
          expect(joined).toBe(text);
        }
        const first = (await read({ id: 'guide:g0' })).nextCursor ?? '';
        const second = (await read({ id: 'guide:g1' })).nextCursor ?? '';
        await refuses(read({ id: 'guide:g1', cursor: first }), 'CONFLICT');
        await ctx.publish(guides.map((one, at) => (at === 0 ? { ...one, text: `${one.text}!` } : one)));
        await refuses(read({ id: 'guide:g0', cursor: first }), 'CONFLICT');
        expect((await read({ id: 'guide:g1', cursor: second })).text).not.toBe('');
      },
    ),
    { numRuns: 10 },
  );
});

async function refuses(answer: Promise<unknown>, code: string): Promise<void> {
  await expect(answer).rejects.toEqual(expect.objectContaining({ code }));
}
