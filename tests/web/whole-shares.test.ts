import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wholeShares } from '../../web/app/views/site/whole-shares.ts';

test.each([
  [
    [6058, 3777, 5417],
    [40, 25, 35],
  ],
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [0, 5, 0],
    [0, 100, 0],
  ],
  [
    [0, 0, 0],
    [0, 0, 0],
  ],
  [[], []],
])('shares of %j are %j', (counts, shares) => {
  expect(wholeShares(counts)).toEqual(shares);
});

test('they add up to 100, and each is less than one off', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1e6), { minLength: 1, maxLength: 6 }), (counts) => {
      const sum = counts.reduce((total, count) => total + count, 0);
      fc.pre(sum > 0);
      const shares = wholeShares(counts);
      expect(shares.reduce((total, share) => total + share, 0)).toBe(100);
      shares.forEach((share, index) => {
        expect(Math.abs(share - (100 * (counts[index] ?? 0)) / sum)).toBeLessThan(1);
      });
    }),
  );
});
