/** The limit in Redis, embedded and real: never more than the quota in any window, in one command. */
import { Ratelimit } from '@upstash/ratelimit';
import type { Redis } from '@upstash/redis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { redisLimiter, sharedCount } from '../../../lib/http/redis-limiter.ts';
import type { Upstash } from '../../../tooling/upstash/start-upstash.ts';
import { connect, variants } from '../../tooling/upstash-variants.ts';

const policy = { name: `sliding-${crypto.randomUUID()}`, quota: 60, windowSeconds: 60 };
const MINUTE = 60_000;

describe.each(variants)('over the $name Redis', (variant) => {
  let upstash: Upstash;
  let redis: Redis;
  const clock = { now: 0 };
  beforeAll(async () => {
    upstash = await variant.start();
    redis = connect(upstash);
  });
  afterAll(async () => {
    const [, keys] = await redis.scan('0', { match: `limit:${policy.name}*`, count: 1_000_000 });
    if (keys.length > 0) await redis.del(...keys);
    await upstash.close();
  });
  const minute = Math.floor(Date.now() / MINUTE) * MINUTE;
  const startAt = (ms: number) => {
    clock.now = minute + ms;
  };
  const limiter = () => redisLimiter(redis, policy, () => clock.now);

  test('60 at a minute’s end leave none for the next minute, until they are 60 seconds old', async () => {
    const key = crypto.randomUUID();
    const { take } = limiter();
    startAt(59_000);
    for (let n = 0; n < 60; n++)
      expect(await take(key, 'wait')).toMatchObject({ outcome: 'allowed', remaining: 59 - n });
    for (const later of [1000, 20_000, 38_999]) {
      startAt(MINUTE + later);
      const fresh = limiter();
      expect(await fresh.take(key, 'wait')).toEqual({
        outcome: 'refused',
        remaining: 0,
        resetSeconds: Math.ceil((59_000 - later) / 1000),
      });
    }
    startAt(MINUTE + 59_000);
    expect(await limiter().take(key, 'wait')).toMatchObject({ outcome: 'allowed' });
  });

  test('at once, over isolates, with clocks that differ', async () => {
    const key = crypto.randomUUID();
    startAt(30_000);
    const { now } = clock;
    const isolates = [0, -400, 700].map((skew) => redisLimiter(redis, policy, () => now + skew));
    const all = await Promise.all(
      isolates.flatMap(({ take }) => Array.from({ length: 40 }, () => take(key, 'wait'))),
    );
    expect(all.filter(({ outcome }) => outcome === 'allowed')).toHaveLength(60);
  });

  test('a booking of several counts whole or not at all, and one is taken back', async () => {
    const key = crypto.randomUUID();
    startAt(10_000);
    const book = sharedCount(redis, policy, () => clock.now);
    expect(await book(key, 50)).toMatchObject({ success: true, remaining: 10 });
    expect(await book(key, 11)).toMatchObject({ success: false, remaining: 10, reset: clock.now + MINUTE });
    expect(await book(key, 10)).toMatchObject({ success: true, remaining: 0 });
    await limiter().undo(key);
    expect(await limiter().take(key, 'wait')).toMatchObject({ outcome: 'allowed', remaining: 0 });
  });

  test('keeps one small key that ends with its window', async () => {
    const key = crypto.randomUUID();
    const { take } = redisLimiter(redis, { ...policy, quota: 1000 }, () => clock.now);
    startAt(0);
    for (let n = 0; n < 200; n++) {
      clock.now += 900;
      await take(key, 'wait');
    }
    const stored = String(await redis.get(`limit:${policy.name}:${key}`));
    expect(stored.split(' ').length).toBeLessThanOrEqual(61);
    expect(await redis.pttl(`limit:${policy.name}:${key}`)).toBeLessThanOrEqual(MINUTE);
  });

  test('the library’s own sliding window lets more through, which is why it isn’t used', async () => {
    const ratelimit = new Ratelimit({
      redis,
      limiter: Ratelimit.slidingWindow(5, '2 s'),
      prefix: `limit:${policy.name}:library`,
      timeout: 0,
      ephemeralCache: false,
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const start = Math.ceil(Date.now() / 2000) * 2000;
      let passed = 0;
      for (const at of [1990, 2500]) {
        vi.setSystemTime(start + at);
        for (let n = 0; n < 10; n++) if ((await ratelimit.limit('x')).success) passed += 1;
      }
      // Within half a second of the two.
      expect(passed).toBe(7);
    } finally {
      vi.useRealTimers();
    }
  });
});
