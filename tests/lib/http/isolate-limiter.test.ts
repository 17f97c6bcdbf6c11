import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isolateLimiter, type SharedCount } from '../../../lib/http/isolate-limiter.ts';
import type { WithoutAnswer } from '../../../lib/http/limiter.ts';
import { SlidingCount } from '../../../lib/http/sliding-count.ts';

const WINDOW_MS = 60_000;
const START = 1_800_000_000_000;

/** The shared counter like in Redis: it counts a booking whole, or refuses it. */
function sharedCounter(quota: number, clock: { now: number }) {
  const counts = new Map<string, SlidingCount>();
  const counter = {
    commands: 0,
    away: false,
    async add(key: string, count: number) {
      counter.commands += 1;
      if (counter.away) throw new Error('away');
      const counted = counts.get(key) ?? new SlidingCount(WINDOW_MS);
      counts.set(key, counted);
      const success = counted.at(clock.now) + count <= quota;
      if (success) counted.add(clock.now, count);
      return { success, remaining: quota - counted.at(clock.now), reset: counted.freeAt(clock.now) };
    },
  };
  return counter;
}

const isAllowed = ({ outcome }: { outcome: string }) => outcome === 'allowed';

function setUp({ quota = 1000, isolates = 1, free = 50, chunk = 25, maxKeys = 100 } = {}) {
  const clock = { now: START };
  const shared = sharedCounter(quota, clock);
  const policy = { name: 'tracking', quota, windowSeconds: 60 };
  const limiters = Array.from({ length: isolates }, () =>
    isolateLimiter({ policy, shared: shared.add, free, chunk, maxKeys, now: () => clock.now }),
  );
  const take = async (key: string, isolate = 0) =>
    (await limiters[isolate]?.take(key, 'count-here')) ?? { outcome: 'none' };
  const takeMany = async (key: string, count: number, isolate = 0) => {
    let allowed = 0;
    for (let n = 0; n < count; n++) if (isAllowed(await take(key, isolate))) allowed += 1;
    return allowed;
  };
  return { clock, shared, take, takeMany };
}

test('one isolate is exact, and costs no command before the free part is used up', async () => {
  const { shared, takeMany } = setUp();
  expect(await takeMany('a', 50)).toBe(50);
  expect(shared.commands).toBe(0);
  expect(await takeMany('a', 2000)).toBe(950);
  expect(shared.commands).toBe(38);
});

test('one isolate is exact whatever quota, free part and chunk are, also for requests at once', async () => {
  const number = fc.integer({ min: 1, max: 80 });
  await fc.assert(
    fc.asyncProperty(number, number, number, fc.boolean(), async (quota, free, chunk, atOnce) => {
      const { take, takeMany } = setUp({ quota, free, chunk });
      const requests = quota + 20;
      const allowed = atOnce
        ? (await Promise.all(Array.from({ length: requests }, () => take('a')))).filter(isAllowed).length
        : await takeMany('a', requests);
      expect(allowed).toBe(quota);
    }),
  );
});

test('over several isolates the excess and the loss stay within the documented bounds', async () => {
  const turns = fc.array(fc.nat({ max: 3 }), { minLength: 500, maxLength: 900 });
  await fc.assert(
    fc.asyncProperty(turns, fc.integer({ min: 20, max: 200 }), async (order, quota) => {
      const { takeMany } = setUp({ quota, isolates: 4, free: 10, chunk: 5 });
      let allowed = 0;
      for (const isolate of order) allowed += await takeMany('a', 1, isolate);
      expect(allowed).toBeLessThanOrEqual(quota + 4 * 15);
      expect(allowed).toBeGreaterThanOrEqual(Math.min(order.length, quota) - 4 * 5);
    }),
    { numRuns: 50 },
  );
});

test('one isolate passes no more than the quota in any window, however requests come', async () => {
  const gaps = fc.array(fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 4000 }), fc.nat({ max: 70_000 })), {
    minLength: 100,
    maxLength: 400,
  });
  await fc.assert(
    fc.asyncProperty(gaps, fc.integer({ min: 5, max: 60 }), async (all, quota) => {
      const { clock, take } = setUp({ quota, free: 20, chunk: 10 });
      const passed: number[] = [];
      for (const gap of all) {
        clock.now += gap;
        if (isAllowed(await take('a'))) passed.push(clock.now);
      }
      for (const [n, at] of passed.entries())
        expect(passed.slice(n).filter((later) => later < at + WINDOW_MS).length).toBeLessThanOrEqual(quota);
    }),
    { numRuns: 50 },
  );
});

test('keys are counted apart, and a window later all may pass again', async () => {
  const { clock, takeMany } = setUp({ quota: 60 });
  expect(await takeMany('a', 100)).toBe(60);
  expect(await takeMany('b', 100)).toBe(60);
  clock.now += WINDOW_MS;
  expect(await takeMany('a', 100)).toBe(60);
});

test('a refused key costs no further command in its window', async () => {
  const { shared, takeMany } = setUp({ quota: 60, isolates: 2 });
  await takeMany('a', 100);
  await takeMany('a', 100, 1);
  const { commands } = shared;
  expect(await takeMany('a', 1000)).toBe(0);
  expect(await takeMany('a', 1000, 1)).toBe(0);
  expect(shared.commands).toBe(commands);
});

test('while the shared counter is away requests pass, the quota holds in the isolate, and few ask', async () => {
  const { clock, shared, takeMany } = setUp();
  shared.away = true;
  expect(await takeMany('a', 2000)).toBe(1000);
  expect(shared.commands).toBe(1);
  clock.now += 5000;
  await takeMany('b', 2000);
  expect(shared.commands).toBe(2);
});

test('what was let through while the counter was away is booked when it is back', async () => {
  const { clock, shared, takeMany } = setUp({ isolates: 2 });
  shared.away = true;
  await takeMany('a', 500);
  shared.away = false;
  clock.now += 6000;
  await takeMany('a', 300);
  expect(await takeMany('a', 1000, 1)).toBeLessThanOrEqual(1000 - 800 + 75);
});

describe('a verdict', () => {
  test('counts down and tells the seconds until the first request leaves the window', async () => {
    const { clock, take, takeMany } = setUp({ quota: 60 });
    expect(await take('a')).toEqual({ outcome: 'allowed', remaining: 59, resetSeconds: 60 });
    clock.now += 18_500;
    await takeMany('a', 58);
    expect(await take('a')).toEqual({ outcome: 'allowed', remaining: 0, resetSeconds: 42 });
    expect(await take('a')).toEqual({ outcome: 'refused', remaining: 0, resetSeconds: 42 });
    clock.now += 41_499;
    expect(await take('a')).toMatchObject({ resetSeconds: 1 });
  });

  test('tells what other isolates took, as far as it is known', async () => {
    const { take, takeMany } = setUp({ quota: 300, isolates: 2 });
    await takeMany('a', 200);
    await takeMany('a', 51, 1);
    expect(await take('a', 1)).toMatchObject({ outcome: 'allowed', remaining: 48 });
  });
});

test('memory is bounded: the oldest key is forgotten', async () => {
  const { takeMany } = setUp({ quota: 10, free: 10, maxKeys: 3 });
  expect(await takeMany('a', 20)).toBe(10);
  for (const key of ['b', 'c']) await takeMany(key, 1);
  expect(await takeMany('a', 1)).toBe(0);
  await takeMany('d', 1);
  expect(await takeMany('a', 20)).toBe(10);
});

describe('a shared counter that is slow', () => {
  /** Bookings that are under way, each with its count and its answer. */
  function slowCounter(quota: number) {
    const bookings: { count: number; answer: (success: boolean) => void; fail: () => void }[] = [];
    const shared: SharedCount = (_, count) =>
      new Promise((resolve, reject) => {
        const answer = (success: boolean) =>
          resolve({ success, remaining: success ? quota - count : 0, reset: START + WINDOW_MS });
        bookings.push({ count, answer, fail: () => reject(new Error('away')) });
      });
    const policy = { name: 'calls', quota, windowSeconds: 60 };
    const clock = { now: START };
    const limiter = isolateLimiter({ policy, shared, free: 0, chunk: 1, now: () => clock.now });
    const later: Promise<void>[] = [];
    const take = (without: WithoutAnswer) =>
      limiter.take('a', without, { later: (work) => later.push(work) });
    return { bookings, later, take, clock };
  }
  const sumOf = (bookings: readonly { count: number }[]) =>
    bookings.reduce((sum, { count }) => sum + count, 0);

  test.each<WithoutAnswer>(['count-here', 'count-here-if-slow'])(
    '%s: the isolate’s own count decides, and the booking goes on after the answer',
    async (without) => {
      const { bookings, later, take } = slowCounter(20);
      const verdicts = await Promise.all(Array.from({ length: 30 }, () => take(without)));
      expect(verdicts.filter(isAllowed)).toHaveLength(20);
      expect(sumOf(bookings)).toBe(20);
      expect(later).toHaveLength(20);
      for (const { answer } of bookings) answer(true);
      await Promise.all(later);
    },
  );

  test('what it refuses late holds from then on', async () => {
    const { bookings, later, take } = slowCounter(20);
    expect(await take('count-here-if-slow')).toMatchObject({ outcome: 'allowed' });
    bookings[0]?.answer(false);
    await Promise.all(later);
    expect(await take('count-here-if-slow')).toMatchObject({ outcome: 'refused' });
    expect(bookings).toHaveLength(1);
  });

  test('a booking that fails late is made again with the next one', async () => {
    const { bookings, later, take } = slowCounter(20);
    await Promise.all([take('count-here-if-slow'), take('count-here-if-slow')]);
    for (const { fail } of bookings) fail();
    await Promise.all(later);
    const next = take('count-here-if-slow');
    expect(bookings.map(({ count }) => count)).toEqual([1, 1, 3]);
    bookings[2]?.answer(true);
    expect(await next).toMatchObject({ outcome: 'allowed' });
  });

  test('surfaces that count by themselves ask it once in five seconds', async () => {
    const { bookings, take, clock } = slowCounter(20);
    await take('count-here');
    await take('count-here');
    expect(bookings.map(({ count }) => count)).toEqual([1]);
    clock.now += 5000;
    await take('count-here');
    expect(bookings.map(({ count }) => count)).toEqual([1, 2]);
  });

  test('guesses wait for it', async () => {
    const { bookings, later, take } = slowCounter(20);
    const guess = take('wait');
    const other = take('count-here-if-slow');
    expect(await other).toMatchObject({ outcome: 'allowed' });
    bookings[0]?.answer(false);
    expect(await guess).toMatchObject({ outcome: 'refused' });
    expect(later).toHaveLength(1);
  });
});
