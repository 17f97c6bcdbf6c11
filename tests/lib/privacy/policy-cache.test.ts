import { expect, test } from 'vitest';
import { DomainError } from '../../../lib/errors.ts';
import type { SitePolicy } from '../../../lib/privacy/policy.ts';
import { createPolicyCache, type PolicyCachePorts } from '../../../lib/privacy/policy-cache.ts';

const SECOND_MS = 1000;
const siteId = crypto.randomUUID();
const policy = (preConsentTier: 'off' | 'counts'): SitePolicy => ({
  siteId,
  domain: 'example.com',
  domains: [],
  privacy: { consentMode: 'required', preConsentTier },
});

/** A cache whose look-ups of unknown sites nothing guards. */
function unguarded(ports: PolicyCachePorts) {
  const find = createPolicyCache(ports);
  return (id: string) => find(id, (load) => load());
}

/** The `sites` function as a table that can be switched off, and a clock. */
function makeWorld() {
  const world = {
    now: 1_800_000_000_000,
    away: false,
    asked: 0,
    table: new Map<string, SitePolicy>([[siteId, policy('off')]]),
    faults: [] as unknown[],
    /** The copies in Redis, and how often they were read. */
    copies: new Map<string, SitePolicy>(),
    copiesRead: 0,
  };
  const isolate = () =>
    unguarded({
      load: async (id) => {
        world.asked += 1;
        if (world.away) throw new Error('away');
        return world.table.get(id);
      },
      copy: async (id) => {
        world.copiesRead += 1;
        return world.copies.get(id);
      },
      now: () => world.now,
      report: (fault) => world.faults.push(fault),
    });
  return { world, isolate };
}

test('a saved policy takes effect within 5 minutes in every isolate, asked at any second', async () => {
  const { world, isolate } = makeWorld();
  const isolates = Array.from({ length: 20 }, isolate);
  // Isolates read the policy at different times before the change.
  for (const find of isolates) {
    expect(await find(siteId)).toEqual(policy('off'));
    world.now += 7 * SECOND_MS;
  }
  world.table.set(siteId, policy('counts'));
  const savedAt = world.now;
  const effective = new Map<number, number>();
  for (; world.now <= savedAt + 300 * SECOND_MS; world.now += SECOND_MS) {
    for (const [index, find] of isolates.entries()) {
      const found = await find(siteId);
      if (found?.privacy?.preConsentTier === 'counts') {
        if (!effective.has(index)) effective.set(index, world.now - savedAt);
      } else {
        expect(effective.has(index)).toBe(false);
      }
    }
  }
  expect(effective.size).toBe(isolates.length);
  expect(Math.max(...effective.values())).toBeLessThanOrEqual(30 * SECOND_MS);
});

test('an isolate that was idle asks anew', async () => {
  const { world, isolate } = makeWorld();
  const find = isolate();
  await find(siteId);
  world.table.set(siteId, policy('counts'));
  world.now += 24 * 3600 * SECOND_MS;
  expect(await find(siteId)).toEqual(policy('counts'));
});

test('out of reach: serves what it has for four and a half minutes in all, then says so, then recovers', async () => {
  const { world, isolate } = makeWorld();
  const find = isolate();
  await find(siteId);
  const knownAt = world.now;
  world.away = true;
  for (; world.now < knownAt + 270 * SECOND_MS; world.now += SECOND_MS) {
    expect(await find(siteId)).toEqual(policy('off'));
  }
  expect(world.faults.length).toBeGreaterThan(0);
  await expect(find(siteId)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
  world.away = false;
  world.table.set(siteId, policy('counts'));
  expect(await find(siteId)).toEqual(policy('counts'));
});

test('out of reach from the beginning: unavailable', async () => {
  const { world, isolate } = makeWorld();
  world.away = true;
  await expect(isolate()(siteId)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('out of reach: a copy serves cold isolates, and others once what they have is too old', async () => {
  const { world, isolate } = makeWorld();
  const warm = isolate();
  await warm(siteId);
  world.away = true;
  world.copies.set(siteId, policy('counts'));
  expect(await isolate()(siteId)).toEqual(policy('counts'));
  expect(await warm(siteId)).toEqual(policy('off'));
  world.now += 270 * SECOND_MS;
  expect(await warm(siteId)).toEqual(policy('counts'));
  // An outage goes on: a copy that was replaced is read again within five minutes.
  world.copies.set(siteId, policy('off'));
  for (let second = 0; second <= 270; second += 1) {
    await warm(siteId);
    world.now += SECOND_MS;
  }
  expect(await warm(siteId)).toEqual(policy('off'));
  expect(world.copiesRead).toBe(3);
});

test('out of reach: a copy is served for two seconds before the sites are asked again', async () => {
  const { world, isolate } = makeWorld();
  const find = isolate();
  world.away = true;
  world.copies.set(siteId, policy('counts'));
  await find(siteId);
  world.now += 1999;
  await find(siteId);
  expect([world.asked, world.copiesRead]).toEqual([1, 1]);
  world.now += 1;
  world.away = false;
  expect(await find(siteId)).toEqual(policy('off'));
  expect([world.asked, world.copiesRead]).toEqual([2, 1]);
});

test('a policy is fresh for 30 seconds, and after a failure for two more each time', async () => {
  const { world, isolate } = makeWorld();
  const find = isolate();
  const askedAt = async (ms: number) => {
    world.now += ms;
    await find(siteId);
    return world.asked;
  };
  expect([await askedAt(0), await askedAt(29_999), await askedAt(1)]).toEqual([1, 1, 2]);
  world.away = true;
  expect([await askedAt(30_000), await askedAt(1999), await askedAt(1)]).toEqual([3, 3, 4]);
  expect(world.faults).toHaveLength(2);
});

test('a copy that can’t be read is none', async () => {
  const find = unguarded({
    load: () => Promise.reject(new Error('away')),
    copy: () => Promise.reject(new Error('Redis is away too')),
    now: () => 0,
    report: () => {},
  });
  await expect(find(siteId)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a copy is asked for only if the sites are out of reach', async () => {
  const { world, isolate } = makeWorld();
  world.copies.set(siteId, policy('counts'));
  const find = isolate();
  expect(await find(siteId)).toEqual(policy('off'));
  expect(await find('nobody’s')).toBeUndefined();
  world.away = true;
  world.now += 31 * SECOND_MS;
  expect(await find(siteId)).toEqual(policy('off'));
  expect(world.copiesRead).toBe(0);
});

test('asks once in 30 seconds, and rests after a failure', async () => {
  const { world, isolate } = makeWorld();
  const find = isolate();
  for (let n = 0; n < 100; n += 1) await find(siteId);
  expect(world.asked).toBe(1);
  world.away = true;
  world.now += 31 * SECOND_MS;
  for (let n = 0; n < 100; n += 1) await find(siteId);
  expect(world.asked).toBe(2);
});

test('while one request asks again the others go on with what there is', async () => {
  let answer: (policy: SitePolicy) => void = () => {};
  let now = 0;
  let asked = 0;
  const find = unguarded({
    load: () => {
      asked += 1;
      return asked === 1 ? Promise.resolve(policy('off')) : new Promise((resolve) => (answer = resolve));
    },
    copy: async () => undefined,
    now: () => now,
    report: () => {},
  });
  await find(siteId);
  now = 31 * SECOND_MS;
  const asking = find(siteId);
  expect(await find(siteId)).toEqual(policy('off'));
  expect(asked).toBe(2);
  answer(policy('counts'));
  expect(await asking).toEqual(policy('counts'));
  expect(await find(siteId)).toEqual(policy('counts'));
});

test('remembers a bounded number of sites, and none that there isn’t', async () => {
  const { world, isolate } = makeWorld();
  const find = isolate();
  await find(siteId);
  for (let n = 0; n < 10_000; n += 1) expect(await find(`nobody’s ${n}`)).toBeUndefined();
  expect(world.asked).toBe(10_001);
  await find(siteId);
  expect(world.asked).toBe(10_001);
  for (let n = 0; n < 10_000; n += 1) world.table.set(`site ${n}`, policy('off'));
  for (let n = 0; n < 10_000; n += 1) await find(`site ${n}`);
  await find('site 9999');
  expect(world.asked).toBe(20_001);
  await find(siteId);
  expect(world.asked).toBe(20_002);
});

test('only the first look-up of a site is guarded, also of one that is gone', async () => {
  const { world } = makeWorld();
  let guarded = 0;
  const cache = createPolicyCache({
    load: async (id) => world.table.get(id),
    copy: async () => undefined,
    now: () => world.now,
    report: () => {},
  });
  const find = (id: string) =>
    cache(id, (load) => {
      guarded += 1;
      return load();
    });
  await find(siteId);
  world.now += 3600 * SECOND_MS;
  await find(siteId);
  expect(guarded).toBe(1);
  world.table.delete(siteId);
  world.now += 31 * SECOND_MS;
  expect(await find(siteId)).toBeUndefined();
  expect(guarded).toBe(1);
  expect(await find(siteId)).toBeUndefined();
  expect(guarded).toBe(2);
  const refusal = new DomainError('RATE_LIMITED', 'Too many.');
  await expect(cache('other', () => Promise.reject(refusal))).rejects.toBe(refusal);
});
