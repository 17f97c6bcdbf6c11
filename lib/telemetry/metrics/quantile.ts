/** The bucket that a quantile lies in: so many are `before` it, `inside` it, and in `total`. */
export interface Ranked {
  before: number;
  inside: number;
  total: number;
}

/** (lower, upper]; null where it has no end. */
export interface ExplicitBucket extends Ranked {
  lower: number | null;
  upper: number | null;
}

/** `side` 0 negative, 1 zero, 2 positive: (base^index, base^(index + 1)] with base 2^(2^-scale), or the negatives of it. */
export interface ExponentialBucket extends Ranked {
  scale: number;
  side: number;
  index: number;
}

/**
 * A quantile by linear interpolation in its bucket. The first bucket begins at 0 unless it ends there or below; in what has no
 * end it is the bound that is there.
 */
export function explicitQuantile(
  quantile: number,
  { lower, upper, ...ranked }: ExplicitBucket,
): number | null {
  if (upper === null) return lower;
  const from = lower ?? (upper > 0 ? 0 : upper);
  return from + (upper - from) * shareOf(quantile, ranked);
}

/** The same between powers: as many values in each part of the bucket whose ends have the same ratio. Null beyond doubles. */
export function exponentialQuantile(
  quantile: number,
  { scale, side, index, ...ranked }: ExponentialBucket,
): number | null {
  if (side === 1) return 0;
  const share = shareOf(quantile, ranked);
  const magnitude = 2 ** ((index + (side === 2 ? share : 1 - share)) * 2 ** -scale);
  if (!Number.isFinite(magnitude)) return null;
  return side === 2 ? magnitude : -magnitude;
}

/** How much of the bucket lies below the quantile, 0 to 1. */
function shareOf(quantile: number, { before, inside, total }: Ranked): number {
  return Math.min(1, Math.max(0, (quantile * total - before) / inside));
}
