/** Answers of `get_content`, page by page, and answers to changed cursors. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  askRest,
  callTool,
  contentPath,
  expectError,
  type Fetch,
  nextAddress,
  searchPath,
} from './client.ts';
import { longText, SAMPLE_ENTRIES, SAMPLE_GUIDES, sampleEntry, sampleGuide } from './content-samples.ts';
import { publish, startService } from './node-service.ts';

let fetch: Fetch;
beforeAll(async () => {
  ({ fetch } = await startService());
});

const read = async (id: string, query: Record<string, string> = {}, from = fetch) =>
  (await askRest(from, contentPath(id, query))).answer;

async function readAll(from: Fetch, id: string, query: Record<string, string> = {}): Promise<string[]> {
  const pages: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { text, nextCursor } = await read(id, { ...query, ...(cursor !== undefined && { cursor }) }, from);
    pages.push(String(text));
    if (nextCursor === null) return pages;
    cursor = String(nextCursor);
  }
}

test('a record has these fields and no other', async () => {
  expect(await read('product:buoy:en')).toEqual({
    id: 'product:buoy:en',
    type: 'product',
    language: 'en',
    title: 'Buoy',
    description: 'One plain sentence.',
    text: 'A short text.',
    url: 'https://www.example.com/buoy',
    updatedAt: '2026-09-30T00:00:00.000Z',
    revision: expect.stringMatching(/^[0-9a-f]{16}$/),
    freshness: { status: 'fresh', cachedAt: null },
    nextCursor: null,
  });
});

test('a guide has the same, and when it was cached', async () => {
  expect(await read('guide:knots')).toEqual({
    id: 'guide:knots',
    type: 'guide',
    language: 'en',
    title: 'Guide to knots',
    description: 'How it is done.',
    text: 'A short guide.',
    url: 'https://www.example.com/guides/knots',
    updatedAt: null,
    revision: expect.stringMatching(/^[0-9a-f]{16}$/),
    freshness: { status: 'fresh', cachedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
    nextCursor: null,
  });
});

describe('which language', () => {
  test.each<[string, string, Record<string, string>, string]>([
    ['a static id names its own', 'service:harbour:es', {}, 'es'],
    ['the same said again', 'service:harbour:es', { language: 'es' }, 'es'],
    ['an id with an accent', 'service:maré:pt-PT', {}, 'pt-PT'],
    ['a guide is in English', 'guide:tides', {}, 'en'],
    ['or in English as asked', 'guide:tides', { language: 'en' }, 'en'],
    ['or in another as asked', 'guide:tides', { language: 'es' }, 'es'],
    ['a guide that is in Portuguese alone', 'guide:ventos', { language: 'pt-PT' }, 'pt-PT'],
  ])('%s', async (_, id, query, language) => {
    expect(await read(id, query)).toMatchObject({ id, language });
    expect((await callTool(fetch, 'get_content', { id, ...query })).answer).toMatchObject({ id, language });
  });

  test('an id is the same whether its colons are encoded or not', async () => {
    const { answer } = await askRest(fetch, '/api/agent/content/service:harbour:es');
    expect(answer).toEqual(await read('service:harbour:es'));
  });
});

describe('pages', () => {
  test('joined, they are the text; each has at most 20,000 characters and is whole', async () => {
    for (const [id, count] of [
      ['service:harbour:en', 3],
      ['case-study:salt:en', 2],
      ['guide:tides', 3],
    ] as const) {
      const pages = await readAll(fetch, id);
      expect(pages).toHaveLength(count);
      expect(pages.join('')).toBe(longText(count === 2 ? 21_000 : 41_000));
      for (const page of pages) {
        expect(page.length).toBeLessThanOrEqual(20_000);
        expect(page.endsWith('\n\n')).toBe(true);
      }
    }
  });

  test('of any text', async () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => text.repeat(700)),
      fc.constantFrom('\n\n', ' ', '👩‍👩‍👧'.repeat(1500), 'a'.repeat(19_999), '🌊'.repeat(10_001)),
    );
    const texts = fc.sample(fc.array(part, { minLength: 1, maxLength: 6 }), {
      numRuns: 40,
      seed: 20_261_121,
    });
    const whole = texts.map((parts) => parts.join('')).filter((text) => text.isWellFormed());
    const entries = whole.map((text, n) => sampleEntry({ type: 'product', slug: `p${n}`, text }));
    const { fetch: from } = await startService({ entries });
    await publish(whole.map((text, n) => sampleGuide(`g${n}`, 'en', { text })));
    for (const [n, text] of whole.entries()) {
      for (const id of [`product:p${n}:en`, `guide:g${n}`]) {
        const pages = await readAll(from, id);
        expect(pages.join('') === text).toBe(true);
        expect(pages.every((page) => page.length <= 20_000 && page.isWellFormed())).toBe(true);
      }
    }
    await publish(SAMPLE_GUIDES);
  });
});

describe('a cursor', () => {
  const refused = [
    expect.toBeOneOf([400, 409]),
    expect.toBeOneOf(['invalid_cursor', 'revision_changed', 'invalid_input']),
  ];

  test('that somebody changed never gives content', async () => {
    const cursor = String((await read('service:harbour:en')).nextCursor);
    const letter = fc.constantFrom(
      ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.+/ ',
    );
    const tampered = fc.oneof(
      fc
        .tuple(fc.nat(cursor.length - 1), letter)
        .map(([at, other]) => cursor.slice(0, at) + other + cursor.slice(at + 1)),
      fc.nat(cursor.length - 1).map((at) => cursor.slice(0, at)),
      fc.string({ unit: letter, minLength: 1, maxLength: 9 }).map((more) => cursor + more),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 512 }),
    );
    await fc.assert(
      fc.asyncProperty(
        tampered.filter((text) => text !== cursor),
        async (text) => {
          const { status, answer } = await askRest(
            fetch,
            contentPath('service:harbour:en', { cursor: text }),
          );
          expect([status, (answer.error as { code: string }).code]).toEqual(refused);
          const tool = await callTool(fetch, 'get_content', { id: 'service:harbour:en', cursor: text });
          expect(tool.isError).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('says nothing of the key, the text or the revision', async () => {
    const { nextCursor, revision } = await read('service:harbour:en');
    const bytes = Buffer.from(String(nextCursor), 'base64url').toString('latin1');
    for (const secret of ['c'.repeat(8), String(revision), 'harbour', 'service', 'en'])
      expect(bytes).not.toContain(secret);
  });

  test('of another key is invalid', async () => {
    const cursor = String((await read('service:harbour:en')).nextCursor);
    const { fetch: other } = await startService({ cursorKey: 'd'.repeat(32) });
    const response = await other(contentPath('service:harbour:en', { cursor }), { address: nextAddress() });
    await expectError(response, 400, 'invalid_cursor');
  });

  test('from before a change of its record is refused with that reason; changes elsewhere don’t matter', async () => {
    const cursor = String((await read('service:harbour:en')).nextCursor);
    const changed = (slug: string) =>
      SAMPLE_ENTRIES.map((entry) => (entry.slug === slug ? { ...entry, title: 'Another' } : entry));
    const own = await startService({ entries: changed('harbour') });
    const path = contentPath('service:harbour:en', { cursor });
    await expectError(await own.fetch(path, { address: nextAddress() }), 409, 'revision_changed');
    const elsewhere = await startService({ entries: changed('salt') });
    expect((await askRest(elsewhere.fetch, path)).status).toBe(200);
  });

  test('of a record that is gone: it is unknown', async () => {
    const cursor = String((await read('service:harbour:en')).nextCursor);
    const { fetch: without } = await startService({ entries: SAMPLE_ENTRIES.slice(1) });
    const response = await without(contentPath('service:harbour:en', { cursor }), { address: nextAddress() });
    await expectError(response, 404, 'not_found');
  });

  test('of a search is none of a read', async () => {
    const { nextCursor } = (await askRest(fetch, searchPath({ limit: 1 }))).answer;
    const path = contentPath('service:harbour:en', { cursor: String(nextCursor) });
    await expectError(await fetch(path, { address: nextAddress() }), 409, 'revision_changed');
  });
});
