/**
 * Look-ups of what callers name before anybody knows them: site ids, tokens, keys, cookies, links of shares. Made-up ones must neither cost a
 * query each nor push good ones out of memory.
 */
import type { Context } from 'hono';
import { RecentMap } from '../recent-map.ts';
import { clientAddress, subscriberOf } from './client-address.ts';
import { type LimitPolicy, secondsUntil } from './limiter.ts';
import { applyVerdict } from './rate-limit.ts';
import { SlidingCount } from './sliding-count.ts';

/** Look-ups that find nothing, per client address and isolate (docs/limits.md#requests). */
export const MISSES: LimitPolicy = { name: 'look-ups', quota: 60, windowSeconds: 60 };

const WINDOW_MS = MISSES.windowSeconds * 1000;
const MAX_ADDRESSES = 10_000;
/** What nobody knows isn't asked for again for this long. */
const UNKNOWN_MS = 10_000;
const MAX_UNKNOWN = 2000;

/**
 * Looks up what this isolate doesn't know. Returns undefined for what nobody knows, without a look-up if that was so some seconds ago. Throws
 * `RATE_LIMITED` before the look-up if the request's address asked for too much that nobody knows. One that is still running counts.
 */
export type GuardedLookUp = <Found>(
  c: Context,
  id: string,
  lookUp: () => Promise<Found | undefined>,
) => Promise<Found | undefined>;

/** Made once per isolate. Addresses are only in memory, until a minute after their last miss. */
export function guardLookUps(now: () => number = Date.now): GuardedLookUp {
  const misses = new RecentMap<string, SlidingCount>(MAX_ADDRESSES);
  const unknown = new RecentMap<string, number>(MAX_UNKNOWN);

  function forgetOld(): void {
    for (const [address, count] of misses) {
      if (count.at(now()) > 0) return;
      misses.delete(address);
    }
  }

  /** Counts a miss, until it turns out to be none. */
  function takeMiss(c: Context): SlidingCount {
    forgetOld();
    const address = subscriberOf(clientAddress(c.req.raw.headers) ?? 'unknown');
    const count = misses.get(address) ?? new SlidingCount(WINDOW_MS);
    if (count.at(now()) >= MISSES.quota) {
      const resetSeconds = secondsUntil(count.freeAt(now()), now());
      applyVerdict(c, MISSES, { outcome: 'refused', remaining: 0, resetSeconds });
    }
    count.add(now());
    misses.set(address, count);
    return count;
  }

  return async (c, id, lookUp) => {
    if (now() < (unknown.get(id) ?? 0)) return undefined;
    const count = takeMiss(c);
    const found = await lookUp().catch((error) => {
      count.undo();
      throw error;
    });
    if (found === undefined) unknown.set(id, now() + UNKNOWN_MS);
    else count.undo();
    return found;
  };
}
