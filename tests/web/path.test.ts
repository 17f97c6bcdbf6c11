/** The paths of charts: gaps are never drawn, and each value stands where it is. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areaPath, linePath } from '../../web/app/charts/path.ts';

const DISK = 'm-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0';
const drawn = { x: (index: number) => 10 * index, y: (value: number) => 100 - value };

test.each<[(number | null)[], string, string]>([
  [[], '', ''],
  [[null], '', ''],
  [[1, 2], 'M0,99L10,98', 'M0,100L0,99L10,98L10,100Z'],
  [[null, 5, null], `M10,95${DISK}`, 'M10,100L10,95L10,100Z'],
  [[1, null, 3, 4.26], `M0,99${DISK}M20,97L30,95.7`, 'M0,100L0,99L0,100ZM20,100L20,97L30,95.7L30,100Z'],
])('%j', (values, line, area) => {
  expect(linePath(values, drawn)).toBe(line);
  expect(areaPath(values, drawn, 100)).toBe(area);
});

test('a line has each known value once, in order, and begins anew after each gap', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 100 }))), (values) => {
      const path = linePath(values, drawn);
      const known = values.flatMap((value, index) =>
        value === null ? [] : [`${10 * index},${100 - value}`],
      );
      expect(path.match(/[\d.]+,[\d.]+/g) ?? []).toEqual(known);
      const begun = values.filter((value, index) => value !== null && (values[index - 1] ?? null) === null);
      expect(path.split('M').length - 1).toBe(begun.length);
    }),
  );
});

/** The points of a path that it goes through, and those that pull at it. */
const bezierOf = (path: string): number[][] =>
  [...path.matchAll(/[\d.]+,(-?[\d.]+) [\d.]+,(-?[\d.]+) [\d.]+,(-?[\d.]+)/g)].map((found) =>
    found.slice(1).map(Number),
  );

test('a smooth line never leaves the values of its two ends', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2 }), (values) => {
      const curves = bezierOf(linePath(values, { ...drawn, isSmooth: true }));
      expect(curves.length).toBe(values.length - 1);
      for (const [index, [leave = 0, arrive = 0, end = 0]] of curves.entries()) {
        const ends = [100 - (values[index] ?? 0), end];
        for (const y of [leave, arrive]) {
          expect(y).toBeGreaterThanOrEqual(Math.min(...ends) - 0.1);
          expect(y).toBeLessThanOrEqual(Math.max(...ends) + 0.1);
        }
      }
    }),
  );
});

test('steps that are left out begin the line anew', () => {
  expect(linePath([1, 2, 3, 4], drawn, (from) => from !== 1)).toBe('M0,99L10,98M20,97L30,96');
  expect(linePath([1, 2, 3, 4], drawn, (from) => from === 1)).toBe('M10,98L20,97');
});
