import { expect, test } from 'vitest';
import { atMostEvery } from '../../../lib/http/at-most-every.ts';

test('one in so many milliseconds by key, counted from the one that was done', () => {
  let now = 1_000_000;
  const may = atMostEvery(5000, () => now);
  const at = (ms: number, key: string) => {
    now = 1_000_000 + ms;
    return may(key);
  };
  expect([at(0, 'a'), at(1, 'a'), at(2, 'b'), at(4999, 'a'), at(5000, 'a')]).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
  expect([at(5001, 'b'), at(5002, 'b'), at(9999, 'a'), at(10_000, 'a')]).toEqual([false, true, false, true]);
});

test('keys beyond 10,000 are forgotten, the oldest first', () => {
  const may = atMostEvery(5000, () => 0);
  for (let n = 0; n <= 10_000; n++) expect(may(`${n}`)).toBe(true);
  expect([may('10000'), may('1'), may('0')]).toEqual([false, false, true]);
});
