import { Ratelimit } from '@upstash/ratelimit';
import type { Redis } from '@upstash/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Upstash } from '../../tooling/upstash/start-upstash.ts';
import { connect, uniquePrefix, variants } from './upstash-variants.ts';

describe.each(variants)('rate limits over the $name Redis', (variant) => {
  let upstash: Upstash;
  let redis: Redis;
  beforeAll(async () => {
    upstash = await variant.start();
    redis = connect(upstash);
  });
  const prefix = uniquePrefix();
  afterAll(async () => {
    const [, keys] = await redis.scan('0', { match: `${prefix}*`, count: 1_000_000 });
    if (keys.length > 0) await redis.del(...keys);
    await upstash.close();
  });

  /** A limiter like the service's. With a window of a day, the window doesn't end during a test. */
  const limit = (tokens: number, window: '1 d' | '300 ms'): Ratelimit =>
    new Ratelimit({
      redis,
      limiter: Ratelimit.fixedWindow(tokens, window),
      prefix: prefix + uniquePrefix(),
      ephemeralCache: false,
      timeout: 0,
    });

  it('lets exactly its limit of 50 at once through', async () => {
    const ratelimit = limit(20, '1 d');
    const results = await Promise.all(Array.from({ length: 50 }, () => ratelimit.limit('someone')));
    expect(results.filter(({ success }) => success)).toHaveLength(20);
    expect(results.every((result) => result.limit === 20 && result.reset > Date.now())).toBe(true);
    expect(Math.min(...results.map(({ remaining }) => remaining))).toBe(0);
    expect((await ratelimit.limit('someone else')).success).toBe(true);
  });

  it('takes several at once, and tells what remains', async () => {
    const ratelimit = limit(20, '1 d');
    expect(await ratelimit.limit('x', { rate: 15 })).toMatchObject({ success: true, remaining: 5 });
    expect(await ratelimit.getRemaining('x')).toMatchObject({ remaining: 5, limit: 20 });
    expect(await ratelimit.limit('x', { rate: 5 })).toMatchObject({ success: true, remaining: 0 });
    expect(await ratelimit.limit('x')).toMatchObject({ success: false });
  });

  it('lets through again when its window is over', async () => {
    const ratelimit = limit(2, '300 ms');
    await expect.poll(async () => (await ratelimit.limit('x')).success).toBe(false);
    await expect.poll(async () => (await ratelimit.limit('x')).success).toBe(true);
  });
});
