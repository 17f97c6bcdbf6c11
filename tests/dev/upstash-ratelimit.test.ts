import { type Algorithm, Ratelimit } from '@upstash/ratelimit';
import type { Redis } from '@upstash/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Upstash } from '../../tooling/upstash/start-upstash.ts';
import { connect, uniquePrefix, variants } from './upstash-variants.ts';

type Limiter = Algorithm<
  ConstructorParameters<typeof Ratelimit>[0] extends { limiter: Algorithm<infer C> } ? C : never
>;

/** Windows of a day, so that no test runs over the end of one. */
const ALGORITHMS: [name: string, limiter: (tokens: number) => Limiter][] = [
  ['fixedWindow', (tokens) => Ratelimit.fixedWindow(tokens, '1 d')],
  ['slidingWindow', (tokens) => Ratelimit.slidingWindow(tokens, '1 d')],
  ['tokenBucket', (tokens) => Ratelimit.tokenBucket(tokens, '1 d', tokens)],
];

describe.each(variants)('rate limits over the $name Redis', (variant) => {
  let upstash: Upstash;
  let redis: Redis;
  beforeAll(async () => {
    upstash = await variant.start();
    redis = connect(upstash);
  });
  afterAll(async () => {
    for (const ratelimit of used) await ratelimit.resetUsedTokens('*');
    await upstash.close();
  });

  const used: Ratelimit[] = [];
  function limit(limiter: Limiter): Ratelimit {
    const ratelimit = new Ratelimit({
      redis,
      limiter,
      prefix: uniquePrefix(),
      ephemeralCache: false,
      timeout: 0,
    });
    used.push(ratelimit);
    return ratelimit;
  }

  it.each(ALGORITHMS)('%s lets exactly its limit of 50 at once through', async (_name, limiter) => {
    const ratelimit = limit(limiter(20));
    const results = await Promise.all(Array.from({ length: 50 }, () => ratelimit.limit('someone')));
    expect(results.filter(({ success }) => success)).toHaveLength(20);
    expect(results.every((result) => result.limit === 20 && result.reset > Date.now())).toBe(true);
    expect(Math.min(...results.map(({ remaining }) => remaining))).toBe(0);
    expect((await ratelimit.limit('someone else')).success).toBe(true);
  });

  it.each(ALGORITHMS)('%s takes several at once, and tells what remains', async (_name, limiter) => {
    const ratelimit = limit(limiter(20));
    expect(await ratelimit.limit('x', { rate: 15 })).toMatchObject({ success: true, remaining: 5 });
    expect(await ratelimit.getRemaining('x')).toMatchObject({ remaining: 5, limit: 20 });
    expect(await ratelimit.limit('x', { rate: 5 })).toMatchObject({ success: true, remaining: 0 });
    expect(await ratelimit.limit('x')).toMatchObject({ success: false });
    await ratelimit.resetUsedTokens('x');
    expect(await ratelimit.getRemaining('x')).toMatchObject({ remaining: 20 });
  });

  it.each([
    ['fixedWindow', Ratelimit.fixedWindow(2, '300 ms')],
    ['slidingWindow', Ratelimit.slidingWindow(2, '300 ms')],
    ['tokenBucket', Ratelimit.tokenBucket(2, '300 ms', 2)],
  ] as [string, Limiter][])('%s lets through again when its window is over', async (_name, limiter) => {
    const ratelimit = limit(limiter);
    await expect.poll(async () => (await ratelimit.limit('x')).success).toBe(false);
    await expect.poll(async () => (await ratelimit.limit('x')).success).toBe(true);
  });
});
