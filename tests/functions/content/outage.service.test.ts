/** The product in workerd while Redis is stopped, slow, or answers nonsense: what it answers, how fast, and how it recovers. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { useOwnStack } from '../../services/use-stack.ts';
import {
  askRest,
  callTool,
  contentPath,
  expectError,
  type Fetch,
  nextAddress,
  searchPath,
} from './client.ts';
import { SAMPLE_GUIDES } from './content-samples.ts';
import {
  expectDetailAway,
  expectGuidesThere,
  expectSearchAway,
  expectStaticUnaffected,
  impatient,
} from './content-surfaces.ts';
import { FAULTS } from './redis-faults.ts';
import { type Behaviour, startRedisProxy } from './redis-proxy.ts';

const proxy = await startRedisProxy();
const stack = useOwnStack({
  redis: 'memory',
  guides: SAMPLE_GUIDES,
  vars: { UPSTASH_REDIS_REST_URL: proxy.url, UPSTASH_REDIS_REST_TOKEN: proxy.token },
});
const fetch: Fetch = (path, init) => stack().fetchContent(path, { address: nextAddress(), ...init });
const withRedis = (behaviour: Behaviour) => {
  proxy.behave = () => behaviour;
};

/** Isolates remember guides for a second, so the outage shows after it. */
const showsAway = () =>
  vi.waitFor(
    () => Promise.all([expectSearchAway(fetch), expectDetailAway(fetch), expectStaticUnaffected(fetch)]),
    { timeout: 20_000, interval: 200 },
  );

beforeAll(() => {
  proxy.target = stack().upstash;
});
afterEach(() => {
  withRedis('pass');
  return proxy.start();
});
afterAll(() => proxy.stop());

describe.each(FAULTS)('a Redis that %s', (_, behaviour) => {
  test('is an outage on every surface, in time, and is over at once', async () => {
    withRedis(behaviour);
    await showsAway();
    withRedis('pass');
    await expectGuidesThere(fetch);
  });
});

test('a Redis that is stopped is an outage, and over once it is back', async () => {
  await proxy.stop();
  await showsAway();
  await proxy.start();
  await expectGuidesThere(fetch);
});

test('a Redis that is slow, but not that slow, is none', async () => {
  withRedis({ delayMs: 300 });
  await expectGuidesThere(impatient(fetch));
});

describe('cursors over an outage', () => {
  const first = async (path: string) => (await askRest(fetch, path)).answer.nextCursor as string;

  test('of a search with guides: 409, and as good as before when it is over', async () => {
    const cursor = await first(searchPath({ limit: 2 }));
    withRedis('cut');
    await showsAway();
    await expectError(await fetch(searchPath({ limit: 2, cursor })), 409, 'revision_changed');
    expect((await callTool(fetch, 'search_content', { limit: 2, cursor })).answer).toMatchObject({
      error: { code: 'revision_changed' },
    });
    withRedis('pass');
    expect((await askRest(fetch, searchPath({ limit: 2, cursor }))).status).toBe(200);
  });

  test('of a search begun without guides: goes on without them, 409 when they are back', async () => {
    withRedis('cut');
    await showsAway();
    const cursor = await first(searchPath({ limit: 2 }));
    expect((await askRest(fetch, searchPath({ limit: 2, cursor }))).answer).toMatchObject({
      items: [{}, {}],
      warnings: [{ code: 'guides_unavailable' }],
    });
    withRedis('pass');
    await expectError(await fetch(searchPath({ limit: 2, cursor })), 409, 'revision_changed');
  });

  test('of a search for something else: nothing happens', async () => {
    const path = { type: 'service', limit: 2 };
    const cursor = await first(searchPath(path));
    withRedis('cut');
    expect((await askRest(fetch, searchPath({ ...path, cursor }))).status).toBe(200);
  });

  test('of a guide: 503, then it goes on', async () => {
    const cursor = await first(contentPath('guide:tides'));
    withRedis('cut');
    await showsAway();
    await expectError(await fetch(contentPath('guide:tides', { cursor })), 503, 'content_unavailable');
    withRedis('pass');
    expect((await askRest(fetch, contentPath('guide:tides', { cursor }))).status).toBe(200);
  });

  test('a broken one is refused with its reason, outage or not', async () => {
    withRedis('cut');
    await expectError(await fetch(contentPath('guide:tides', { cursor: 'AAAA' })), 400, 'invalid_cursor');
    await expectError(await fetch(searchPath({ cursor: 'AAAA' })), 400, 'invalid_cursor');
  });
});
