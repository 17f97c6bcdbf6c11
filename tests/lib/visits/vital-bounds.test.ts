import { expect, test } from 'vitest';
import { ratingOf, type Vital } from '../../../lib/visits/vital-bounds.ts';

// The bounds of https://web.dev/articles/vitals, each with the next value above it.
test.each<[Vital, good: number, above: number, fair: number, poor: number]>([
  ['lcp', 2500, 2501, 4000, 4001],
  ['inp', 200, 201, 500, 501],
  ['cls', 0.1, 0.1001, 0.25, 0.2501],
  ['fcp', 1800, 1801, 3000, 3001],
  ['ttfb', 800, 801, 1800, 1801],
])('%s is good up to %f, and poor beyond %f', (vital, good, above, fair, poor) => {
  expect([0, good, above, fair, poor].map((value) => ratingOf(vital, value))).toEqual([
    ...['good', 'good', 'needsImprovement', 'needsImprovement', 'poor'],
  ]);
});
