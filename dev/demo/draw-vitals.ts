import type { StoredEvent } from '../../lib/collection/track-message.ts';
import type { Random } from './seeded-random.ts';
import type { Machine } from './visitor-machines.ts';

type Values = Pick<Extract<StoredEvent, { type: 'vitals' }>, 'lcp' | 'inp' | 'cls' | 'fcp' | 'ttfb'>;

/** Phones are slower. Pages with long paths are articles with pictures, and are slower too. */
export function drawVitals(device: Machine['device'], path: string, random: Random): Values {
  const slowness = (device === 'mobile' ? 1.6 : 1) * (0.7 + path.length / 60);
  // Skewed like real values: the slowest in a hundred takes eight times as long as the median.
  const milliseconds = (middle: number) =>
    Math.round(middle * slowness * Math.exp(0.9 * (random.next() + random.next() + random.next() - 1.5)));
  const ttfb = milliseconds(180);
  const fcp = ttfb + milliseconds(420);
  const isStill = random.chance(0.6);
  return {
    lcp: fcp + milliseconds(500),
    ...(random.chance(0.7) && { inp: milliseconds(70) }),
    cls: isStill ? 0 : Math.round(1e4 * 0.25 * random.next() ** 3) / 1e4,
    fcp,
    ttfb,
  };
}
