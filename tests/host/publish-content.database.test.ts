/** The guides of `npm start`, which runs for months: they are there before the first request, and never stale. */
import * as v from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';
import { keepContentPublished } from '../../host/start/publish-content.ts';
import { GUIDES_KEY, GuideHead, HEAD_FIELD } from '../../lib/content/guide-cache.ts';
import { openEmbedded } from '../../tooling/upstash/embedded/embedded-redis.ts';
import { answerUpstash } from '../../tooling/upstash/start-upstash.ts';

const DAY_MS = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
});

test('published at the start and again before a day is over, until the end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const redis = openEmbedded();
  const publishedAt = async (): Promise<number> => {
    const asked = JSON.stringify(['HGET', GUIDES_KEY, HEAD_FIELD]);
    const { body } = await answerUpstash(redis, '/', asked, undefined);
    const { result } = v.parse(v.object({ result: v.string() }), JSON.parse(body));
    return Date.parse(v.parse(GuideHead, JSON.parse(result)).cachedAt);
  };
  const faults: unknown[] = [];
  const stop = await keepContentPublished(
    (_, path, body, encoding) => answerUpstash(redis, path, body, encoding),
    (fault) => faults.push(fault),
  );
  const start = await publishedAt();
  expect(start).toBe(Date.now());
  vi.advanceTimersByTime(DAY_MS - 1);
  await vi.waitFor(async () => expect(await publishedAt()).toBeGreaterThan(start));
  expect(Date.now() - (await publishedAt())).toBeLessThan(DAY_MS);

  await stop();
  const last = await publishedAt();
  vi.advanceTimersByTime(3 * DAY_MS);
  expect([await publishedAt(), faults]).toEqual([last, []]);
  await redis.close();
});
