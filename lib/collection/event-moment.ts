const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The minute of receipt: tier 1 stores nothing more exact. */
export const minuteOf = (receivedAt: number): number => receivedAt - (receivedAt % MINUTE_MS);

/**
 * The time of a request's n-th event, so that their order is kept. It stays within the UTC day of receipt, whose salt made the
 * visitor's id.
 */
export function momentOf(receivedAt: number, n: number): number {
  const lastOfDay = receivedAt - (receivedAt % DAY_MS) + DAY_MS - 1;
  return Math.min(receivedAt + n, lastOfDay);
}
