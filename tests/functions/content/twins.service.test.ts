/** REST and tools answer the same objects, and a cursor of one works at the other. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useStack } from '../../services/use-stack.ts';
import { askMcp, askRest, callTool, contentPath, ERAS, type Fetch, searchPath } from './client.ts';
import { longText, SAMPLE_GUIDES } from './content-samples.ts';
import { startService } from './node-service.ts';

const LANGUAGES = ['en', 'es', 'pt-PT'];
const stack = useStack({ guides: SAMPLE_GUIDES });
let sample: Fetch;
beforeAll(async () => {
  ({ fetch: sample } = await startService());
});
const deployed: Fetch = (path, init) => stack().fetchContent(path, init);

type Args = Record<string, string | number>;

/**
 * Expects the same answer by REST and by a tool, in both eras. Of errors only the code is the same, because each surface has its own
 * words.
 */
async function expectTwins(
  fetch: Fetch,
  path: string,
  name: string,
  args: Args,
): Promise<Record<string, unknown>> {
  const { status, answer } = await askRest(fetch, path);
  const expected =
    status === 200 ? answer : { error: { ...(answer.error as object), message: expect.any(String) } };
  for (const era of ERAS) {
    expect(await callTool(fetch, name, args, era)).toEqual({ isError: status !== 200, answer: expected });
  }
  return answer;
}

describe.each<[string, () => Fetch]>([
  ['the sample under Node', () => sample],
  ['the catalogue in workerd', () => deployed],
])('%s', (_, fetch) => {
  test.each<Args>([
    {},
    { limit: 1 },
    { limit: 20, language: 'es' },
    { language: 'pt-PT' },
    { query: 'harbour' },
    { query: 'site', limit: 2 },
    { query: 'accesibilidad', language: 'es' },
    { query: 'nothing such as this' },
    { type: 'guide' },
    { type: 'product', language: 'pt-PT' },
    { type: 'service', query: 'web', language: 'en', limit: 3 },
    { query: 'a' },
    { limit: 21 },
    { language: 'fr' },
    { cursor: 'AAAA' },
    { type: 'page' },
  ])('search_content %j', async (args) => {
    await expectTwins(fetch(), searchPath(args), 'search_content', args);
  });

  test('every search result is read alike, and is what the search said', async () => {
    for (const language of LANGUAGES) {
      const items = await searchAll(fetch(), language);
      expect(items.length).toBeGreaterThan(2);
      for (const item of items) {
        const args = { id: String(item.id), language };
        const detail = await expectTwins(fetch(), contentPath(args.id, { language }), 'get_content', args);
        expect(detail).toMatchObject(item);
        await expectNamedTool(fetch(), detail);
      }
    }
  });

  test('get_business_info is the content endpoint’s answer, and the resource’s', async () => {
    for (const language of LANGUAGES) {
      const path = contentPath(`business:facts:${language}`);
      const answer = await expectTwins(fetch(), path, 'get_business_info', { language });
      expect(await readResource(fetch(), `vendor://business/${language}`)).toEqual(answer);
    }
    await expectTwins(fetch(), contentPath('business:facts:en'), 'get_business_info', {});
  });

  test('list_services is the search for all services, and the resource', async () => {
    for (const language of LANGUAGES) {
      const { answer } = await callTool(fetch(), 'list_services', { language });
      const found = (await askRest(fetch(), searchPath({ type: 'service', language, limit: 20 }))).answer;
      expect(answer).toEqual({ items: found.items, language });
      expect(await readResource(fetch(), `vendor://services/${language}`)).toEqual(answer);
    }
  });

  test('a guide is the same by every way to it', async () => {
    const answer = await expectTwins(fetch(), contentPath('guide:tides'), 'get_guide', { id: 'guide:tides' });
    expect(await readResource(fetch(), 'vendor://guides/en/guide%3Atides')).toEqual(answer);
    expect((await askRest(fetch(), contentPath('guide:tides', { language: 'en' }))).answer).toEqual(answer);
    const spanish = { id: 'guide:tides', language: 'es' };
    const other = await expectTwins(
      fetch(),
      contentPath('guide:tides', { language: 'es' }),
      'get_guide',
      spanish,
    );
    expect(other.language).toBe('es');
  });
});

/** Expects the same answer of the tool for this type and of `get_content`. */
async function expectNamedTool(fetch: Fetch, detail: Record<string, unknown>): Promise<void> {
  const { id, type, language } = detail as Record<'id' | 'type' | 'language', string>;
  const slug = id.split(':')[1] ?? '';
  const tools: Record<string, [string, Args]> = {
    service: ['get_service', { slug, language }],
    'case-study': ['get_case_study', { slug, language }],
    business: ['get_business_info', { language }],
    guide: ['get_guide', { id, language }],
  };
  const [name, args] = tools[type] ?? ['get_content', { id }];
  expect((await callTool(fetch, name, args)).answer).toEqual(detail);
}

async function readResource(fetch: Fetch, uri: string): Promise<unknown> {
  const { result } = await askMcp(fetch, 'resources/read', { uri });
  const [content] = (result?.contents ?? []) as { uri: string; mimeType: string; text: string }[];
  expect(content).toMatchObject({ uri, mimeType: 'application/json' });
  return JSON.parse(content?.text ?? '');
}

async function searchAll(fetch: Fetch, language: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const { answer } = await askRest(fetch, searchPath({ language, limit: 20, cursor }));
    items.push(...(answer.items as Record<string, unknown>[]));
    more = answer.nextCursor !== null;
    cursor = String(answer.nextCursor);
  }
  return items;
}

type Reader = (id: string, cursor: string) => Promise<Record<string, unknown>>;

describe('a cursor works across the ways to a text', () => {
  const byRest: Reader = async (id, cursor) => (await askRest(sample, contentPath(id, { cursor }))).answer;
  const byContent: Reader = async (id, cursor) =>
    (await callTool(sample, 'get_content', { id, cursor })).answer;
  const byGuide: Reader = async (id, cursor) => (await callTool(sample, 'get_guide', { id, cursor })).answer;

  test.each<[string, string, Args, string, number, Reader[]]>([
    ['a service', 'get_service', { slug: 'harbour' }, 'service:harbour:en', 41_000, [byRest, byContent]],
    [
      'a service, the other way round',
      'get_service',
      { slug: 'harbour' },
      'service:harbour:en',
      41_000,
      [byContent, byRest],
    ],
    ['a case study', 'get_case_study', { slug: 'salt' }, 'case-study:salt:en', 21_000, [byContent]],
    ['a guide', 'get_guide', { id: 'guide:tides' }, 'guide:tides', 41_000, [byContent, byGuide]],
    ['a guide by REST', 'get_content', { id: 'guide:tides' }, 'guide:tides', 41_000, [byGuide, byRest]],
  ])('%s', async (_, name, args, id, length, readers) => {
    const first = (await callTool(sample, name, args)).answer;
    const pages = [first];
    for (const reader of readers) {
      expect(pages.at(-1)?.nextCursor).toEqual(expect.any(String));
      pages.push(await reader(id, String(pages.at(-1)?.nextCursor)));
    }
    expect(pages.at(-1)?.nextCursor).toBeNull();
    expect(pages.map(({ text }) => text).join('')).toBe(longText(length));
    for (const { text, nextCursor, ...rest } of pages) {
      const { text: _text, nextCursor: _next, ...same } = first;
      expect(rest).toEqual(same);
    }
  });

  test('and of a search', async () => {
    const args = { limit: 2, language: 'en' };
    const first = (await callTool(sample, 'search_content', args)).answer;
    const cursor = String(first.nextCursor);
    await expectTwins(sample, searchPath({ ...args, cursor }), 'search_content', { ...args, cursor });
    // A request with explicit defaults is the same request.
    const plain = (await callTool(sample, 'search_content', { limit: 2, cursor })).answer;
    expect(plain).toEqual((await askRest(sample, searchPath({ ...args, cursor }))).answer);
  });

  test('and of a resource’s first page', async () => {
    const first = (await readResource(sample, 'vendor://guides/en/guide%3Atides')) as Record<string, unknown>;
    const { answer } = await callTool(sample, 'get_guide', {
      id: 'guide:tides',
      language: 'en',
      cursor: first.nextCursor,
    });
    expect(longText(41_000).startsWith(`${first.text}${answer.text}`)).toBe(true);
  });
});
