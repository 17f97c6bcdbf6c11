/** The bucket that contains a quantile, with counts: `before` and `inside` this bucket, and `total`. */
export interface Ranked {
  before: number;
  inside: number;
  total: number;
}

/** (lower, upper]; null for a missing end. */
export interface ExplicitBucket extends Ranked {
  lower: number | null;
  upper: number | null;
}

/** `side` 0 negative, 1 zero, 2 positive: (base^index, base^(index + 1)] with base 2^(2^-scale), or its negative. */
export interface ExponentialBucket extends Ranked {
  scale: number;
  side: number;
  index: number;
}

/**
 * A quantile by linear interpolation in its bucket. The first bucket begins at 0 unless its upper bound is 0 or below. A bucket with
 * one end missing returns its other end.
 */
export function explicitQuantile(
  quantile: number,
  { lower, upper, ...ranked }: ExplicitBucket,
): number | null {
  if (upper === null) return lower;
  const from = lower ?? (upper > 0 ? 0 : upper);
  return from + (upper - from) * shareOf(quantile, ranked);
}

/** The quantile by logarithmic interpolation: values spread evenly over ratios within the bucket. Null if the result exceeds a double. */
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

/** The share of the bucket below the quantile, 0 to 1. */
function shareOf(quantile: number, { before, inside, total }: Ranked): number {
  return Math.min(1, Math.max(0, (quantile * total - before) / inside));
}
