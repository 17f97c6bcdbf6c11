/** Contents of the guides' cache that are of an older format, incomplete, broken or old, and what each surface answers then. */
import { beforeEach, describe, expect, test } from 'vitest';
import { GUIDES_KEY, guideField, HEAD_FIELD, indexField } from '../../../lib/content/guide-cache.ts';
import { REMEMBERED_MS } from '../../../lib/content/guide-source.ts';
import type { Warning } from '../../../lib/content/schemas.ts';
import {
  askMcp,
  askRest,
  callTool,
  contentPath,
  expectError,
  type Fetch,
  nextAddress,
  searchPath,
} from './client.ts';
import { SAMPLE_GUIDES, sampleGuide } from './content-samples.ts';
import {
  expectDetailAway,
  expectGuidesThere,
  expectSearchAway,
  expectStaticUnaffected,
} from './content-surfaces.ts';
import { publish, redis, startService } from './node-service.ts';

const DAY_MS = 86_400_000;
const TIDES = guideField('en', 'tides');
const EN = indexField('en');

let fetch: Fetch;
/** Each test needs an isolate that never read guides. Others have the index of their publication in memory. */
beforeEach(async () => {
  ({ fetch } = await startService());
});

const read = async (field: string): Promise<Record<string, unknown>> =>
  JSON.parse((await redis.hget<string>(GUIDES_KEY, field)) ?? 'null') as Record<string, unknown>;
const write = (field: string, text: string) => redis.hset(GUIDES_KEY, { [field]: text });
const change = async (field: string, changes: Record<string, unknown>) =>
  write(field, JSON.stringify({ ...(await read(field)), ...changes }));

describe('all guides are away', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['nothing was published', () => redis.del(GUIDES_KEY)],
    ['the head is missing', () => redis.hdel(GUIDES_KEY, HEAD_FIELD)],
    ['an older format', () => write(HEAD_FIELD, '{"format":0}')],
    ['an older format with everything else', () => change(HEAD_FIELD, { format: 0 })],
    ['a newer format', () => change(HEAD_FIELD, { format: 2 })],
    ['no format', () => change(HEAD_FIELD, { format: undefined })],
    ['a head that is no JSON', () => write(HEAD_FIELD, '{"format":1,')],
    ['a head that is a page', () => write(HEAD_FIELD, '<html></html>')],
    ['an empty head', () => write(HEAD_FIELD, '')],
    ['a head that is a list', () => write(HEAD_FIELD, '[1]')],
    ['a head without its time', () => change(HEAD_FIELD, { cachedAt: undefined })],
    ['a head whose time is none', () => change(HEAD_FIELD, { cachedAt: 'yesterday' })],
    ['a head without indexes', () => change(HEAD_FIELD, { indexes: {} })],
    [
      'a key of another type',
      async () => {
        await redis.del(GUIDES_KEY);
        await redis.set(GUIDES_KEY, 'guides');
      },
    ],
  ])('%s', async (_, spoil) => {
    await spoil();
    await Promise.all([expectSearchAway(fetch), expectDetailAway(fetch), expectStaticUnaffected(fetch)]);
    await redis.del(GUIDES_KEY);
    await publish(SAMPLE_GUIDES);
    await expectGuidesThere(fetch);
  });
});

describe('what can’t be read of a language is away, and what can is there', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['no index', () => redis.hdel(GUIDES_KEY, EN)],
    ['an index that is no JSON', () => write(EN, '[{')],
    ['an index that is no list', () => write(EN, '{"id":"guide:tides"}')],
    ['an entry without a title', () => write(EN, JSON.stringify([{ id: 'guide:tides', language: 'en' }]))],
    ['an entry of another kind', () => write(EN, JSON.stringify([{ id: 'service:a:en' }]))],
    ['an entry that is null', () => write(EN, '[null]')],
  ])('%s', async (_, spoil) => {
    await spoil();
    await Promise.all([expectSearchAway(fetch), expectStaticUnaffected(fetch)]);
    expect((await askRest(fetch, contentPath('guide:tides'))).status).toBe(200);
    const spanish = (await askRest(fetch, searchPath({ type: 'guide', language: 'es' }))).answer;
    expect(spanish).toMatchObject({ items: [{ id: 'guide:tides' }], warnings: [] });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a guide that is no JSON', () => write(TIDES, '{')],
    ['a guide that is a page', () => write(TIDES, '<html></html>')],
    ['a guide without its text', () => change(TIDES, { text: undefined })],
    ['a guide whose text is a list', () => change(TIDES, { text: ['a'] })],
    ['a guide without a title', () => change(TIDES, { title: undefined })],
    ['a guide without a revision', () => change(TIDES, { revision: undefined })],
    ['a guide with another revision’s form', () => change(TIDES, { revision: 'v2' })],
    ['a guide in no language', () => change(TIDES, { language: 'fr' })],
    ['a guide whose time is none', () => change(TIDES, { updatedAt: 'soon' })],
    ['a guide that is null', () => write(TIDES, 'null')],
  ])('%s', async (_, spoil) => {
    await spoil();
    await Promise.all([expectDetailAway(fetch), expectStaticUnaffected(fetch)]);
    expect((await askRest(fetch, contentPath('guide:tides', { language: 'es' }))).status).toBe(200);
    expect((await askRest(fetch, contentPath('guide:knots'))).status).toBe(200);
    expect((await askRest(fetch, searchPath())).answer.warnings).toEqual([]);
  });

  test('a guide that isn’t there is unknown, wherever a search found it', async () => {
    await redis.hdel(GUIDES_KEY, TIDES);
    const response = await fetch(contentPath('guide:tides'), { address: nextAddress() });
    await expectError(response, 404, 'not_found');
  });
});

describe('guides cached over 24 hours ago are stale and still served', () => {
  const NOW = Date.UTC(2026, 10, 21, 12);
  const cachedAt = new Date(NOW).toISOString();
  const STALE = [{ code: 'guides_stale', message: expect.stringMatching(/\.$/) }];

  test.each([
    ['just published', 0, 'fresh'],
    ['24 hours ago', DAY_MS, 'fresh'],
    ['a millisecond earlier', DAY_MS + 1, 'stale'],
    ['a year ago', 365 * DAY_MS, 'stale'],
    ['by a clock that is ahead', -DAY_MS, 'fresh'],
  ])('%s', async (_, age, status) => {
    const clock = { now: NOW };
    const service = await startService({ now: () => clock.now });
    clock.now += age;
    const stale = status === 'stale';
    const freshness = { status, cachedAt };
    for (const path of [contentPath('guide:tides'), contentPath('guide:tides', { language: 'es' })]) {
      expect((await askRest(service.fetch, path)).answer).toMatchObject({ freshness });
    }
    const tool = await callTool(service.fetch, 'get_guide', { id: 'guide:knots' });
    expect(tool.answer).toMatchObject({ freshness });
    const uri = 'vendor://guides/en/guide%3Aknots';
    const { result } = await askMcp(service.fetch, 'resources/read', { uri });
    const [content] = (result?.contents ?? []) as { text: string }[];
    expect(JSON.parse(content?.text ?? '')).toMatchObject({ freshness });
    for (const query of [{}, { type: 'guide' }, { query: 'tides' }, { query: 'nothing such' }]) {
      const { status: answered, answer } = await askRest(service.fetch, searchPath(query));
      const warnings = (answer.warnings as Warning[]).filter(({ code }) => code !== 'nothing_found');
      expect([answered, warnings]).toEqual([200, stale ? STALE : []]);
      expect((await callTool(service.fetch, 'search_content', query)).answer).toEqual(answer);
    }
    expect((await askRest(service.fetch, searchPath({ type: 'service' }))).answer.warnings).toEqual([]);
    const fixed = (await askRest(service.fetch, contentPath('business:facts:en'))).answer;
    expect(fixed).toMatchObject({ freshness: { status: 'fresh', cachedAt: null } });
  });

  test('a cursor outlives the day, and publishing the same guides again', async () => {
    const clock = { now: NOW };
    const service = await startService({ now: () => clock.now });
    const cursorOf = async (path: string) => (await askRest(service.fetch, path)).answer.nextCursor as string;
    const search = await cursorOf(searchPath({ limit: 2 }));
    const detail = await cursorOf(contentPath('guide:tides'));
    const goOn = async () => [
      (await askRest(service.fetch, searchPath({ limit: 2, cursor: search }))).status,
      (await askRest(service.fetch, contentPath('guide:tides', { cursor: detail }))).status,
    ];
    clock.now += 2 * DAY_MS;
    expect(await goOn()).toEqual([200, 200]);
    await publish(SAMPLE_GUIDES, clock.now);
    expect(await goOn()).toEqual([200, 200]);
    clock.now += REMEMBERED_MS;
    await publish([...SAMPLE_GUIDES, sampleGuide('new')], clock.now);
    expect(await goOn()).toEqual([409, 200]);
    const changed = SAMPLE_GUIDES.map((guide) =>
      guide.slug === 'tides' ? { ...guide, text: `${guide.text}!` } : guide,
    );
    clock.now += REMEMBERED_MS;
    await publish(changed, clock.now);
    expect(await goOn()).toEqual([200, 409]);
  });
});
