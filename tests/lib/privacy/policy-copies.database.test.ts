/** Copies of policies in Redis, embedded and real: none outlives the policy that a save replaced. */
import type { Redis } from '@upstash/redis';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPolicyCopies, type PolicyVersion, readCopy } from '../../../lib/privacy/policy-copies.ts';
import { connectRedis } from '../../../lib/redis.ts';
import type { Upstash } from '../../../tooling/upstash/start-upstash.ts';
import { connect, variants } from '../../tooling/upstash-variants.ts';

const HOUR_MS = 3_600_000;
/** The times of the versions, as long as real ones. */
const FIRST_AT = 1_789_999_999_999;

const versionOf = (siteId: string, version: number, aliases: string[] = []): PolicyVersion => ({
  policy: { siteId, domain: `v${version}.example`, domains: [], privacy: null },
  aliases,
  version: FIRST_AT + version,
});

describe.each(variants)('over the $name Redis', (variant) => {
  let upstash: Upstash;
  let redis: Redis;
  beforeAll(async () => {
    upstash = await variant.start();
    redis = connect(upstash);
  });
  afterAll(() => upstash.close());
  const read = async (name: string) => (await readCopy(redis, name))?.domain;

  test('a copy ends after a week without a question', async () => {
    const siteId = crypto.randomUUID();
    await createPolicyCopies(redis).renew(siteId, versionOf(siteId, 1));
    expect(await read(siteId)).toBe('v1.example');
    const seconds = await redis.ttl(`policy:${siteId}`);
    expect(seconds).toBeGreaterThan(6 * 24 * 3600);
    expect(seconds).toBeLessThanOrEqual(7 * 24 * 3600);
    await redis.del(`policy:${siteId}`);
  });

  test('while a policy is saved there is none, and nobody who read the old one brings it back', async () => {
    const siteId = crypto.randomUUID();
    const [saving, reading] = [createPolicyCopies(redis), createPolicyCopies(redis)];
    await reading.renew(siteId, versionOf(siteId, 1));
    await saving.withhold(siteId);
    await createPolicyCopies(redis).renew(siteId, versionOf(siteId, 1));
    expect(await read(siteId)).toBeUndefined();
    expect(await redis.ttl(`policy:${siteId}`)).toBeLessThanOrEqual(60);
    await saving.replace(versionOf(siteId, 2));
    await createPolicyCopies(redis).renew(siteId, versionOf(siteId, 1));
    expect(await read(siteId)).toBe('v2.example');
    await redis.del(`policy:${siteId}`);
  });

  test('however saves and readers take turns, the copy is none or the newest policy that was saved', async () => {
    const steps = fc.array(fc.constantFrom('save', 'read', 'renew'), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(steps, async (order) => {
        const siteId = crypto.randomUUID();
        const copies = createPolicyCopies(redis);
        let stored = 1;
        const underWay: PolicyVersion[] = [];
        for (const step of order) {
          if (step === 'read') underWay.push(versionOf(siteId, stored));
          if (step === 'renew' && underWay.length > 0)
            await createPolicyCopies(redis).renew(siteId, underWay.shift() as PolicyVersion);
          if (step === 'save') {
            await copies.withhold(siteId);
            stored += 1;
            await copies.replace(versionOf(siteId, stored));
          }
          const copy = await read(siteId);
          // Before the first save each reader has the same policy.
          expect([undefined, `v${stored}.example`]).toContain(copy);
        }
        await redis.del(`policy:${siteId}`);
      }),
      { numRuns: 30 },
    );
  });

  test('an alias leads to a site’s copy as long as the copy lists it', async () => {
    const siteId = crypto.randomUUID();
    const alias = `shop-${siteId}`;
    const copies = createPolicyCopies(redis);
    await copies.renew(alias, versionOf(siteId, 1, [alias]));
    expect([await read(alias), await read(siteId)]).toEqual(['v1.example', 'v1.example']);
    await copies.withhold(siteId);
    await copies.replace(versionOf(siteId, 2));
    expect([await read(alias), await read(siteId)]).toEqual([undefined, 'v2.example']);
    await redis.del(`policy:${siteId}`, `policy:alias:${alias}`);
  });

  test('an isolate writes what it wrote already once an hour, and what is new at once', async () => {
    const siteId = crypto.randomUUID();
    let now = 0;
    const copies = createPolicyCopies(redis, () => now);
    const isWritten = async (version: number) => {
      await redis.del(`policy:${siteId}`);
      await copies.renew(siteId, versionOf(siteId, version));
      return (await read(siteId)) !== undefined;
    };
    expect([await isWritten(1), await isWritten(1), await isWritten(2)]).toEqual([true, false, true]);
    now += HOUR_MS - 1;
    expect(await isWritten(2)).toBe(false);
    now += 1;
    expect(await isWritten(2)).toBe(true);
    await redis.del(`policy:${siteId}`);
  });
});

test('a copy that could not be written is tried again after five minutes', async () => {
  let now = 0;
  const siteId = crypto.randomUUID();
  const away = createPolicyCopies(connectRedis({ url: 'http://127.0.0.1:1', token: 'none' }), () => now);
  const renew = () => away.renew(siteId, versionOf(siteId, 1));
  await expect(renew()).rejects.toThrow();
  now = 5 * 60_000 - 1;
  await expect(renew()).resolves.toBeUndefined();
  now += 1;
  await expect(renew()).rejects.toThrow();
});

test('a policy whose new copy can’t be written is saved', async () => {
  const away = createPolicyCopies(connectRedis({ url: 'http://127.0.0.1:1', token: 'none' }));
  const siteId = crypto.randomUUID();
  await expect(away.replace(versionOf(siteId, 1))).resolves.toBeUndefined();
});

test('a token that may not write copies need not take one away', async () => {
  const refusing = (error: string) =>
    createPolicyCopies({
      set: () => Promise.reject(new Error(error)),
      createScript: () => ({}),
    } as unknown as Redis);
  const siteId = crypto.randomUUID();
  await expect(refusing('NOPERM this user has no permissions').withhold(siteId)).resolves.toBeUndefined();
  await expect(refusing('READONLY').withhold(siteId)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a policy can’t be saved while its copy can’t be taken away', async () => {
  const away = createPolicyCopies(connectRedis({ url: 'http://127.0.0.1:1', token: 'none' }));
  await expect(away.withhold(crypto.randomUUID())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
