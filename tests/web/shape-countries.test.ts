/** The map of the world: what it draws is where the countries are. */
import { describe, expect, test } from 'vitest';
import { COUNTRIES } from '../../lib/privacy/countries.ts';
import { HEIGHT, PATHS, POINTS, WIDTH } from '../../web/app/world/country-shapes.generated.ts';
import { project } from '../../web/app/world/shape-countries.ts';

const paths = PATHS as Readonly<Record<string, string>>;
const points = POINTS as unknown as Readonly<Record<string, readonly [number, number]>>;

/** The corners of each ring of a path. */
function ringsOf(path: string): number[][][] {
  let [x, y] = [0, 0];
  return path
    .split('z')
    .filter((ring) => ring !== '')
    .map((ring) => {
      const numbers = ring.match(/-?\d+/g)?.map(Number) ?? [];
      const corners: number[][] = [];
      for (let index = 0; index < numbers.length; index += 2) {
        x += numbers[index] ?? 0;
        y += numbers[index + 1] ?? 0;
        corners.push([x, y]);
      }
      [x = 0, y = 0] = corners[0] ?? [];
      return corners;
    });
}

/** Whether a line from the point crosses the rings an odd number of times. */
function isInside(path: string, [x, y]: readonly [number, number]): boolean {
  let inside = false;
  for (const ring of ringsOf(path))
    ring.forEach(([x1 = 0, y1 = 0], index) => {
      const [x2 = 0, y2 = 0] = ring.at(index - 1) ?? [];
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    });
  return inside;
}

/** Points well within their countries, by degrees east and north. */
const INLAND = [
  ['PT', [-7.9, 39.8]],
  ['ES', [-3.7, 40.4]],
  ['DE', [10.5, 51]],
  ['CH', [8.2, 46.8]],
  ['US', [-98, 39]],
  ['US', [-152, 65]],
  ['RU', [95, 62]],
  // East of 180°, which the map doesn't cut.
  ['RU', [186, 66.3]],
  ['NZ', [175.5, -39]],
  ['BR', [-52, -10]],
  ['CD', [23, -3]],
  ['IN', [79, 22]],
  ['JP', [138.5, 36.3]],
  ['AU', [134, -25]],
  ['GL', [-40, 72]],
  ['FR', [2.5, 46.8]],
  // The atlas draws it as a part of France.
  ['GF', [-53, 4]],
] as const;

test.each(INLAND)('%s has the point at %j, and no other country has it', (code, coordinates) => {
  const point = project(coordinates);
  expect(Object.keys(paths).filter((one) => isInside(paths[one] ?? '', point))).toEqual([code]);
});

describe('every country', () => {
  test('is a path or a point, but for Antarctica and countries that the atlas lacks', () => {
    const drawn = new Set([...Object.keys(paths), ...Object.keys(points)]);
    expect(COUNTRIES.filter((code) => !drawn.has(code))).toEqual([
      ...['AQ', 'BQ', 'BV', 'CC', 'CX', 'GI', 'SJ', 'TK', 'TV', 'UM'],
    ]);
    expect([...drawn].filter((code) => !COUNTRIES.includes(code))).toEqual([]);
    expect(Object.keys(points).filter((code) => code in paths)).toEqual([]);
  });

  test('lies within the map', () => {
    const corners = [
      ...Object.values(paths).flatMap((path) => ringsOf(path).flat()),
      ...Object.values(points),
    ];
    const out = corners.filter(([x = -1, y = -1]) => x < 0 || x > WIDTH || y < 0 || y > HEIGHT);
    expect(out).toEqual([]);
  });
});
