/** The web vitals of a page load, in the order in which `visits.vitals` has them. */
export const VITALS = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const;
export type Vital = (typeof VITALS)[number];

/** Good up to the first bound, poor beyond the second (https://web.dev/articles/vitals). Milliseconds; `cls` has no unit. */
export const VITAL_BOUNDS: Readonly<Record<Vital, readonly [good: number, poor: number]>> = {
  lcp: [2500, 4000],
  inp: [200, 500],
  cls: [0.1, 0.25],
  fcp: [1800, 3000],
  ttfb: [800, 1800],
};

/** How many of a vital's unit are 1 in `visits.vitals`. */
export const VITAL_SCALES: Readonly<Record<Vital, number>> = {
  lcp: 10,
  inp: 10,
  cls: 10_000,
  fcp: 10,
  ttfb: 10,
};

export type Rating = 'good' | 'needsImprovement' | 'poor';

export function ratingOf(vital: Vital, value: number): Rating {
  const [good, poor] = VITAL_BOUNDS[vital];
  return value <= good ? 'good' : value <= poor ? 'needsImprovement' : 'poor';
}
