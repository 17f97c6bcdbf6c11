/** The grid of charts: round numbers around every value. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundScale } from '../../web/app/charts/scale.ts';

test.each<[number, number, number, number[]]>([
  [0, 647, 1, [0, 200, 400, 600, 800]],
  [0, 1, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [0, 250, 60, [0, 60, 120, 180, 240, 300]],
  [-3, 9, 1, [-5, 0, 5, 10]],
])('from %j to %j by %j', (least, most, unit, scale) => {
  expect(roundScale(least, most, unit)).toEqual(scale);
});

test('no value is above the last line', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1e12, noNaN: true }), (most) => {
      const scale = roundScale(0, most);
      expect(scale[0]).toBe(0);
      expect(scale.at(-1)).toBeGreaterThanOrEqual(most);
      expect(scale.length).toBeLessThan(12);
    }),
  );
});
