import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SlidingCount } from '../../../lib/http/sliding-count.ts';

const WINDOW_MS = 60_000;
const START = 1_800_000_000_000;

/** Gaps between requests: bursts, pauses, and whole windows. */
const gaps = fc.array(fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 3000 }), fc.nat({ max: 70_000 })), {
  minLength: 1,
  maxLength: 300,
});

test('is never lower than what came in the last window, and higher by less than one part of it', () => {
  fc.assert(
    fc.property(gaps, (all) => {
      const count = new SlidingCount(WINDOW_MS);
      const times: number[] = [];
      let now = START;
      for (const gap of all) {
        now += gap;
        const counted = count.at(now);
        const within = (ms: number) => times.filter((at) => at > now - ms).length;
        expect(counted).toBeGreaterThanOrEqual(within(WINDOW_MS));
        expect(counted).toBeLessThanOrEqual(within(WINDOW_MS + 1000));
        count.add(now);
        times.push(now);
      }
    }),
  );
});

test('a limit that goes by it never passes more than its quota in any window, and always says when to come again', () => {
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 60 }), (all, quota) => {
      const count = new SlidingCount(WINDOW_MS);
      const passed: number[] = [];
      let now = START;
      for (const gap of all) {
        now += gap;
        if (count.at(now) < quota) {
          count.add(now);
          passed.push(now);
          continue;
        }
        const free = count.freeAt(now);
        expect(free).toBeGreaterThan(now);
        expect(free).toBeLessThanOrEqual(now + WINDOW_MS);
        expect(count.at(free)).toBeLessThan(quota);
        now = free;
      }
      for (const [n, at] of passed.entries())
        expect(passed.slice(n).filter((later) => later < at + WINDOW_MS).length).toBeLessThanOrEqual(quota);
    }),
  );
});

test('keeps few numbers however many requests come, and takes one back', () => {
  const count = new SlidingCount(WINDOW_MS);
  for (let n = 0; n < 100_000; n++) count.add(START + n);
  const before = count.at(START + 100_000);
  expect(before).toBeLessThanOrEqual(61_000);
  count.undo();
  expect(count.at(START + 100_000)).toBe(before - 1);
  expect(count.at(START + 200_000)).toBe(0);
  count.undo();
  expect(count.at(START + 200_000)).toBe(0);
});
