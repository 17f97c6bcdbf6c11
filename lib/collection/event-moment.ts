const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The minute of receipt: all that tier 1 may know of the time. */
export const minuteOf = (receivedAt: number): number => receivedAt - (receivedAt % MINUTE_MS);

/**
 * The moment of a request's n-th event, so that their order survives. Never past the UTC day of receipt, whose salt made
 * the visitor's id.
 */
export function momentOf(receivedAt: number, n: number): number {
  const lastOfDay = receivedAt - (receivedAt % DAY_MS) + DAY_MS - 1;
  return Math.min(receivedAt + n, lastOfDay);
}
