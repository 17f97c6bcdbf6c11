/** Answers of a search (docs/content.md#search) and their pages. `tests/lib/content` tests how words match. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { askRest, callTool, type Fetch, searchPath } from './client.ts';
import { SAMPLE_ENTRIES, SAMPLE_GUIDES, sampleEntry, sampleGuide } from './content-samples.ts';
import { publish, startService } from './node-service.ts';

type Query = Record<string, string | number | undefined>;

const body = 'Only the text says quintessence.';
const ENTRIES = [
  ...SAMPLE_ENTRIES,
  sampleEntry({ type: 'service', slug: 'web', title: 'Web design', keywords: ['sites', 'AÇÃO'], text: body }),
  sampleEntry({ type: 'product', slug: 'words', title: 'Translation memory', description: 'For the web.' }),
  sampleEntry({ type: 'product', slug: 'hosting', title: 'Hosting', keywords: ['web', 'servers'] }),
  sampleEntry({ type: 'case-study', slug: 'web-b', title: 'Web for a museum' }),
  sampleEntry({ type: 'case-study', slug: 'web-a', title: 'Web for a school' }),
  sampleEntry({
    type: 'product',
    slug: 'año',
    language: 'es',
    title: 'Informe del año',
    keywords: ['niñez'],
  }),
];
const GUIDES = [
  ...SAMPLE_GUIDES,
  sampleGuide('web', 'en', { title: 'Writing for the web', text: body }),
  sampleGuide('audit', 'en', { description: 'An accessibility audit of a website.' }),
];

let fetch: Fetch;
beforeAll(async () => {
  ({ fetch } = await startService({ entries: ENTRIES }));
  await publish(GUIDES);
});

const search = async (query: Query) => (await askRest(fetch, searchPath(query))).answer;
const idsOf = (answer: Record<string, unknown>): string[] =>
  (answer.items as { id: string }[]).map(({ id }) => id);
const find = async (query: Query) => idsOf(await search({ limit: 20, ...query }));

test('an item has these fields and no other', async () => {
  const { items } = await search({ query: 'pilots' });
  expect(items).toEqual([
    {
      id: 'service:harbour:en',
      type: 'service',
      language: 'en',
      title: 'Harbour pilots',
      description: 'One plain sentence.',
      url: 'https://www.example.com/harbour',
      updatedAt: '2026-09-30T00:00:00.000Z',
    },
  ]);
  const [guide] = (await search({ query: 'knots' })).items as object[];
  expect(guide).toEqual({
    id: 'guide:knots',
    type: 'guide',
    language: 'en',
    title: 'Guide to knots',
    description: 'How it is done.',
    url: 'https://www.example.com/guides/knots',
    updatedAt: null,
  });
});

describe('what is found', () => {
  test.each<[string, Query, string[]]>([
    [
      'title before keyword before description, ties by id, guides among them',
      { query: 'web' },
      [
        'case-study:web-a:en',
        'case-study:web-b:en',
        'guide:web',
        'service:web:en',
        'product:hosting:en',
        'product:words:en',
        'guide:audit',
      ],
    ],
    ['one kind', { query: 'web', type: 'product' }, ['product:hosting:en', 'product:words:en']],
    ['guides alone', { query: 'web', type: 'guide' }, ['guide:web', 'guide:audit']],
    ['a guide’s description', { query: 'accessibility' }, ['guide:audit']],
    ['whatever the case', { query: 'TRANSLATION' }, ['product:words:en']],
    ['whatever the accents', { query: 'acao' }, ['service:web:en']],
    ['a beginning', { query: 'transl' }, ['product:words:en']],
    ['with a typing error', { query: 'tranlsation' }, ['product:words:en']],
    ['in Spanish', { query: 'ano', language: 'es' }, ['product:año:es']],
    ['with a typing error in Spanish', { query: 'prácitcos', language: 'es' }, ['service:harbour:es']],
    ['a guide in Spanish', { query: 'mareas', language: 'es' }, ['guide:tides']],
    ['in Portuguese', { query: 'cheia', language: 'pt-PT' }, ['service:maré:pt-PT']],
    ['a guide in Portuguese', { query: 'ventos', language: 'pt-PT' }, ['guide:ventos']],
    ['not in another language', { query: 'cheia' }, []],
    ['not in a text', { query: 'quintessence' }, []],
    ['not a guide’s text', { query: 'quintessence', type: 'guide' }, []],
    ['nothing in punctuation', { query: '?!' }, []],
  ])('%s', async (_, query, expected) => {
    expect(await find(query)).toEqual(expected);
    expect(idsOf((await callTool(fetch, 'search_content', { limit: 20, ...query })).answer)).toEqual(
      expected,
    );
  });

  test('without a query, everything in a language, in catalogue order', async () => {
    expect(await find({ language: 'es' })).toEqual([
      'service:harbour:es',
      'business:facts:es',
      'product:año:es',
      'guide:tides',
    ]);
    const all = await find({});
    expect(all.slice(0, 4)).toEqual([
      'service:harbour:en',
      'case-study:salt:en',
      'product:buoy:en',
      'business:facts:en',
    ]);
    expect(all.slice(-4)).toEqual(['guide:tides', 'guide:knots', 'guide:web', 'guide:audit']);
    for (const type of ['service', 'case-study', 'product', 'business', 'guide']) {
      expect(await find({ type })).toEqual(all.filter((id) => id.startsWith(`${type}:`)));
    }
  });
});

describe('an empty answer says what there is', () => {
  const ALL =
    'In `en` there are these types: service (2), case-study (3), product (3), business (1), guide (4).';
  const ADVICE = 'Ask with other or fewer words, or without `query` for a list.';
  test.each<[string, Query, string]>([
    ['of each type', { query: 'quintessence' }, `Nothing matches. ${ALL} ${ADVICE}`],
    [
      'and in which language it is found',
      { query: 'cheia' },
      `Nothing matches. ${ALL} Of other types and languages, \`service:maré:pt-PT\` may fit. ${ADVICE}`,
    ],
    [
      'and as which type',
      { query: 'translation', type: 'guide' },
      `Nothing matches. ${ALL} Of other types and languages, \`product:words:en\` may fit. ${ADVICE}`,
    ],
    [
      'guides too, for a question without them',
      { query: 'knots', type: 'product' },
      `Nothing matches. ${ALL} Of other types and languages, \`guide:knots\` may fit. ${ADVICE}`,
    ],
  ])('%s', async (_, query, message) => {
    const warnings = [{ code: 'nothing_found', message }];
    expect(await search(query)).toEqual({ items: [], nextCursor: null, warnings });
    expect((await callTool(fetch, 'search_content', query)).answer).toMatchObject({ items: [], warnings });
  });

  test('which no answer with items does', async () => {
    for (const query of [{}, { query: 'web' }]) expect((await search(query)).warnings).toEqual([]);
  });
});

/** The ids of all items, read page by page. */
async function walk(query: Query): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const answer = await search({ ...query, cursor });
    ids.push(...idsOf(answer));
    if (answer.nextCursor === null) return ids;
    expect(idsOf(answer)).toHaveLength(Number(query.limit));
    cursor = String(answer.nextCursor);
  }
}

test('walking the pages visits each item once, whatever is asked and however many at once', async () => {
  const queries = fc.record({
    limit: fc.integer({ min: 1, max: 20 }),
    query: fc.constantFrom(undefined, 'web', 'harbour', 'gu', 'sample keyword', 'xyz'),
    type: fc.constantFrom(undefined, 'guide', 'service', 'product'),
    language: fc.constantFrom(undefined, 'en', 'es', 'pt-PT'),
  });
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const { limit, ...rest } = query;
      const ids = await walk(query);
      expect(ids).toEqual(await walk({ ...rest, limit: 20 }));
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 60 },
  );
});

test('another catalogue, the same content otherwise: cursors from before are refused with that reason', async () => {
  const { nextCursor } = await search({ limit: 2 });
  const later = await startService({
    entries: ENTRIES.map((entry) => ({ ...entry, text: `${entry.text}.` })),
  });
  await publish(GUIDES);
  const { status, answer } = await askRest(later.fetch, searchPath({ limit: 2, cursor: String(nextCursor) }));
  expect([status, answer]).toMatchObject([409, { error: { code: 'revision_changed' } }]);
  const again = await startService({ entries: ENTRIES });
  await publish(GUIDES);
  expect((await askRest(again.fetch, searchPath({ limit: 2, cursor: String(nextCursor) }))).status).toBe(200);
});
