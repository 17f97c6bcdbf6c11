import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSaltSource, forgetSalts } from '../../../lib/privacy/salt.ts';
import { hashVisitor } from '../../../lib/privacy/visitor.ts';
import { connectRedis, type Redis } from '../../../lib/redis.ts';
import { startUpstash } from '../../../tooling/upstash/start-upstash.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const realUrl = process.env.TEST_REDIS_URL;
if (realUrl === undefined && process.env.CI !== undefined) throw new Error('TEST_REDIS_URL is not set');

const variants: { name: string; redis: 'memory' | { url: string } }[] = [
  { name: 'embedded', redis: 'memory' },
];
if (realUrl !== undefined) variants.push({ name: 'real', redis: { url: realUrl } });

const visitor = { siteId: crypto.randomUUID(), address: '192.0.2.7', userAgent: 'Mozilla/5.0' };

describe.each(variants)('salts in an $name Redis', ({ redis: kind }) => {
  let upstash: Awaited<ReturnType<typeof startUpstash>>;
  let redis: Redis;
  beforeAll(async () => {
    upstash = await startUpstash({ redis: kind });
    redis = connectRedis(upstash);
  });
  afterAll(() => upstash.close());

  /** The start of a day centuries ahead, which no other test uses. */
  const someDay = () => Date.UTC(2300, 0, 1) + Math.floor(Math.random() * 200_000) * DAY_MS;
  const keyOf = (at: number) => `salt:${new Date(at).toISOString().slice(0, 10)}`;
  const source = () => {
    const daySalt = createSaltSource(redis);
    return async (at: number) => hashVisitor(await daySalt(at), visitor);
  };

  test('isolates that race for a day’s first salt all get the same', async () => {
    const at = someDay() + HOUR_MS;
    const hashes = await Promise.all(Array.from({ length: 20 }, () => source()(at)));
    expect(new Set(hashes).size).toBe(1);
    expect(await source()(at + HOUR_MS)).toBe(hashes[0]);
    // The last millisecond of the day has the same salt.
    expect(await source()(at + 23 * HOUR_MS - 1)).toBe(hashes[0]);
    await redis.del(keyOf(at));
  });

  test('a day has 32 random bytes of its own', async () => {
    const at = someDay();
    const hash = source();
    expect(await hash(at + DAY_MS - 1)).not.toBe(await hash(at + DAY_MS));
    const salts = await Promise.all([redis.get<string>(keyOf(at)), redis.get<string>(keyOf(at + DAY_MS))]);
    expect(new Set(salts).size).toBe(2);
    for (const salt of salts) expect(atob(salt ?? '')).toHaveLength(32);
    await redis.del(keyOf(at), keyOf(at + DAY_MS));
  });

  test('it lives to 48 h after the day’s beginning at most, and asking again doesn’t lengthen it', async () => {
    const day = someDay();
    await source()(day + 10 * HOUR_MS);
    const lifetime = await redis.pttl(keyOf(day));
    expect(lifetime).toBeLessThanOrEqual(38 * HOUR_MS);
    expect(lifetime).toBeGreaterThan(37 * HOUR_MS);
    await source()(day + HOUR_MS);
    expect(await redis.pttl(keyOf(day))).toBeLessThanOrEqual(lifetime);
    await redis.del(keyOf(day));
  });

  test('an isolate asks once a day', async () => {
    const at = someDay();
    const hash = source();
    const first = await hash(at);
    await redis.del(keyOf(at));
    expect(await hash(at + HOUR_MS)).toBe(first);
    expect(await redis.get(keyOf(at))).toBeNull();
  });

  test('the days before are forgotten for good, the present one is not', async () => {
    const at = someDay() + HOUR_MS;
    const days = [at - 2 * DAY_MS, at - DAY_MS, at];
    const before = await Promise.all(days.map((day) => source()(day)));
    await forgetSalts(redis, at);
    const kept = await Promise.all(days.map((day) => redis.get(keyOf(day))));
    expect(kept.map((salt) => salt !== null)).toEqual([false, false, true]);
    const after = await Promise.all(days.map((day) => source()(day)));
    expect(after.map((hash, index) => hash === before[index])).toEqual([false, false, true]);
    await redis.del(...days.map(keyOf));
  });
});

test('a salt that is gone right after it was set is none', async () => {
  /** A Redis that loses what it was given. */
  const forgetful = {
    get: async () => null,
    pipeline: () => ({ set() {}, get() {}, exec: async () => ['OK', null] }),
  } as unknown as Redis;
  await expect(createSaltSource(forgetful)(Date.UTC(2026, 10, 21))).rejects.toThrow('gone');
});

test('Redis out of reach: it says so, and rests for two seconds', async () => {
  const daySalt = createSaltSource(connectRedis({ url: 'http://127.0.0.1:9', token: 'none' }));
  const at = Date.UTC(2026, 10, 21);
  await expect(daySalt(at)).rejects.not.toThrow('a moment ago');
  await expect(daySalt(at + 1999)).rejects.toThrow('a moment ago');
  await expect(daySalt(at + 2000)).rejects.not.toThrow('a moment ago');
});
