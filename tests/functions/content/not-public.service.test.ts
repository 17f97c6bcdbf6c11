/** Content that isn't public is in no answer, cache, catalogue or bundle, and no error reveals that it exists. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectRedis } from '../../../lib/redis.ts';
import { bundleWorker } from '../../../tooling/bundle-worker.ts';
import type { Entry } from '../../../tooling/content/entry.ts';
import { readContent } from '../../../tooling/content/read-content.ts';
import { ROOT } from '../../../tooling/deployment.ts';
import { useOwnStack } from '../../services/use-stack.ts';
import {
  askMcp,
  askRest,
  callTool,
  contentPath,
  ERAS,
  type Fetch,
  mcpRequest,
  nextAddress,
  searchPath,
} from './client.ts';

const CONTENT = join(ROOT, 'content');
const LANGUAGES = ['en', 'es', 'pt-PT'];
/** Words that only the demo's hidden content has. They are there for this test. */
const MARKERS = ['quaybrandomatic', 'nondisclosurium', 'handoverium'];

const { entries } = await readContent(CONTENT);
const hidden = entries.filter(({ isPublic }) => !isPublic);
const shown = entries.filter(({ isPublic }) => isPublic);

const idOf = ({ type, slug, language }: Entry) =>
  type === 'guide' ? `guide:${slug}` : `${type}:${slug}:${language}`;
/** Slugs without any public content. */
const hiddenSlugs = [...new Set(hidden.map(({ slug }) => slug))].filter(
  (slug) => !shown.some((entry) => entry.slug === slug),
);
/** Texts that occur only in hidden content. */
const secrets = [
  ...MARKERS,
  ...hiddenSlugs,
  ...hidden.flatMap(({ title, description, path, text }) => [title, description, path, ...text.split('\n')]),
].filter((secret) => secret.length >= 12 && !shown.some((entry) => holds(entry, secret)));

function holds({ title, description, path, text, keywords }: Entry, secret: string): boolean {
  return [title, description, path, text, ...keywords].some((part) =>
    part.toLowerCase().includes(secret.toLowerCase()),
  );
}

/** Each text as it is and as in JSON, in lower case. */
const written = [
  ...new Set(
    secrets
      .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
      .map((secret) => secret.toLowerCase()),
  ),
];
const leaks = (text: string): string[] => {
  const folded = text.toLowerCase();
  return written.filter((secret) => folded.includes(secret));
};

const stack = useOwnStack({ redis: 'memory' });
const fetch: Fetch = (path, init) => stack().fetchContent(path, { address: nextAddress(), ...init });

test('there is hidden content of each kind, and the demo’s words are in it', () => {
  expect(hidden.map(idOf)).toEqual(
    expect.arrayContaining([
      'service:brand-sprint:en',
      'case-study:banco-discreto:en',
      'product:prumo:en',
      'guide:internal-handover-notes',
      'guide:rate-card-2027',
      'guide:image-weight-budget',
    ]),
  );
  for (const marker of MARKERS) expect(hidden.some((entry) => holds(entry, marker))).toBe(true);
  expect(secrets.length).toBeGreaterThan(50);
});

describe('no search finds it', () => {
  const searchAll = async (query: Record<string, string>): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const { answer } = await askRest(fetch, searchPath({ ...query, limit: 20, cursor }));
      expect(leaks(JSON.stringify(answer))).toEqual([]);
      ids.push(...(answer.items as { id: string }[]).map(({ id }) => id));
      more = answer.nextCursor !== null;
      cursor = String(answer.nextCursor);
    }
    return ids;
  };

  test.each(LANGUAGES)('everything in %s is what is public', async (language) => {
    const expected = shown.filter((entry) => entry.language === language).map(idOf);
    expect(new Set(await searchAll({ language }))).toEqual(new Set(expected));
  });

  test('by its own words', async () => {
    const queries = [
      ...MARKERS,
      ...hidden.flatMap(({ title, slug, keywords }) => [title, slug, ...keywords]),
    ].map((query) => query.slice(0, 200));
    for (const query of new Set(queries)) {
      for (const language of LANGUAGES) {
        const ids = await searchAll({ query, language });
        const reachable = shown.filter((entry) => entry.language === language).map(idOf);
        expect(ids.filter((id) => !reachable.includes(id))).toEqual([]);
      }
    }
  });

  test.each(MARKERS)('%s', async (query) => {
    for (const language of LANGUAGES) expect(await searchAll({ query, language })).toEqual([]);
  });
});

describe('its error is that of what never existed', () => {
  const NEVER = 'never-existed';

  /** An answer without what differs between any two answers: request id, time and counts, and the slug that is asked for. */
  async function answerTo(slug: string, path: string, init?: RequestInit): Promise<unknown> {
    const response = await fetch(path, init);
    const differing = /^(x-request-id|date|ratelimit|content-length)$/;
    const headers = [...response.headers].filter(([name]) => !differing.test(name));
    return { status: response.status, headers, body: (await response.text()).replaceAll(slug, 'SLUG') };
  }

  const publicLanguages = (slug: string): string =>
    shown
      .filter((entry) => entry.type === 'guide' && entry.slug === slug)
      .map(({ language }) => language)
      .sort()
      .join();

  /** What never existed in the same way: a guide that is public in the same other languages, otherwise nothing at all. */
  function counterpartOf({ slug }: { slug: string }): string {
    const languages = publicLanguages(slug);
    if (languages === '') return NEVER;
    const same = shown.find((other) => other.slug !== slug && publicLanguages(other.slug) === languages);
    if (same === undefined) throw new Error(`no other guide is in ${languages} alone`);
    return same.slug;
  }

  test.each(hidden.map((entry) => [idOf(entry), entry.language, entry] as const))(
    '%s in %s',
    async (id, language, entry) => {
      const { slug } = entry;
      const counterpart = counterpartOf(entry);
      const never = idOf({ ...entry, slug: counterpart });
      const own: Record<string, string> = entry.type === 'guide' ? { language } : {};
      const [path, other] = [contentPath(id, own), contentPath(never, own)];
      const expected = await answerTo(counterpart, other);
      expect(await answerTo(slug, path)).toEqual(expected);
      expect(expected).toMatchObject({ status: 404 });

      const tools: [string, Record<string, string>, Record<string, string>][] = [
        ['get_content', { id, ...own }, { id: never, ...own }],
        ['get_guide', { id, language }, { id: never, language }],
        ['get_service', { slug, language }, { slug: counterpart, language }],
        ['get_case_study', { slug, language }, { slug: counterpart, language }],
      ];
      for (const [name, given, unknown] of tools) {
        for (const era of ERAS) {
          const ask = (of: string, args: Record<string, string>) =>
            answerTo(of, '/mcp', mcpRequest('tools/call', { name, arguments: args }, era));
          expect(await ask(slug, given)).toEqual(await ask(counterpart, unknown));
        }
      }
    },
  );

  test('as a resource, where the address asked for is all that differs', async () => {
    for (const { slug, language } of hidden.filter(({ type }) => type === 'guide')) {
      const uri = (name: string) => `vendor://guides/${language}/${encodeURIComponent(`guide:${name}`)}`;
      const given = JSON.stringify(await askMcp(fetch, 'resources/read', { uri: uri(slug) }));
      const unknown = JSON.stringify(await askMcp(fetch, 'resources/read', { uri: uri(NEVER) }));
      expect(given.replaceAll(slug, NEVER)).toBe(unknown);
      expect(given).toContain('"error"');
    }
  });

  test('with a cursor of something else, too', async () => {
    const { answer } = await askRest(fetch, contentPath('guide:web-glossary'));
    const cursor = String(answer.nextCursor);
    for (const id of hidden.map(idOf)) {
      if (shown.some((entry) => idOf(entry) === id)) continue;
      expect(await answerTo(NEVER, contentPath(id, { cursor }))).toEqual(
        await answerTo(NEVER, contentPath('guide:never-existed', { cursor })),
      );
    }
  });
});

describe('nothing else tells of it', () => {
  test('completions', async () => {
    for (const language of LANGUAGES) {
      for (const value of ['', 'guide:', ...hidden.map(idOf)]) {
        const { result } = await askMcp(fetch, 'completion/complete', {
          ref: { type: 'ref/resource', uri: 'vendor://guides/{language}/{id}' },
          argument: { name: 'id', value },
          context: { arguments: { language } },
        });
        const { values } = (result?.completion ?? {}) as { values: string[] };
        const known = shown
          .filter((entry) => entry.type === 'guide' && entry.language === language)
          .map(idOf);
        expect(values.filter((id) => !known.includes(id))).toEqual([]);
      }
    }
  });

  test('lists, resources and what the server says of itself', async () => {
    for (const era of ERAS) {
      const answers = await Promise.all([
        askMcp(fetch, 'tools/list', {}, era),
        askMcp(fetch, 'resources/list', {}, era),
        askMcp(fetch, 'resources/templates/list', {}, era),
        askMcp(fetch, 'server/discover', {}, era),
        ...LANGUAGES.flatMap((language) => [
          askMcp(fetch, 'resources/read', { uri: `vendor://services/${language}` }, era),
          askMcp(fetch, 'resources/read', { uri: `vendor://business/${language}` }, era),
        ]),
      ]);
      expect(leaks(JSON.stringify(answers))).toEqual([]);
    }
    for (const language of LANGUAGES) {
      expect(leaks(JSON.stringify((await callTool(fetch, 'list_services', { language })).answer))).toEqual(
        [],
      );
    }
  });

  test('pages and documents', async () => {
    for (const path of [
      '/',
      '/llms.txt',
      '/openapi.json',
      '/.well-known/mcp.json',
      '/robots.txt',
      '/sitemap.xml',
    ]) {
      expect(leaks(await (await fetch(path)).text())).toEqual([]);
    }
  });

  test('texts of what is public', async () => {
    for (const entry of shown) {
      const { answer } = await askRest(fetch, contentPath(idOf(entry), { language: entry.language }));
      expect([idOf(entry), leaks(JSON.stringify(answer))]).toEqual([idOf(entry), []]);
      const page = await (
        await fetch(`/content/${encodeURIComponent(idOf(entry))}?lang=${entry.language}`)
      ).text();
      expect([idOf(entry), leaks(page)]).toEqual([idOf(entry), []]);
    }
  });

  test('the catalogue and the bundle', async () => {
    const catalogue = await readFile(join(CONTENT, 'catalogue.generated.json'), 'utf8');
    const spec = stack().functions.find(({ fn }) => fn === 'content');
    const bundle = await bundleWorker(spec?.main ?? '', { alias: spec?.alias ?? {} });
    // Both contain the public content. This proves that the search for hidden content works.
    for (const text of [catalogue, bundle]) {
      expect(text).toContain('service:website-design:en');
      expect(leaks(text)).toEqual([]);
    }
  });

  describe('Redis', () => {
    let dump = '';
    beforeAll(async () => {
      const redis = connectRedis(stack().upstash, 15_000);
      const [, keys] = await redis.scan('0', { match: 'content:*', count: 10_000 });
      expect(keys).toEqual(['content:guides']);
      dump = JSON.stringify(await redis.hgetall('content:guides'));
    });

    test('holds the public guides and no others', () => {
      expect(dump).toContain('guide:en:web-glossary');
      expect(leaks(dump)).toEqual([]);
    });
  });
});
