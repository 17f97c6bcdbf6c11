import { RecentMap } from '../recent-map.ts';
import { type LimitPolicy, secondsUntil, type Verdict, type WeighingLimiter } from './limiter.ts';
import { SlidingCount } from './sliding-count.ts';

/** Adds `count` to the shared count of a key. Throws when the shared counter is away. */
export type SharedCount = (
  key: string,
  count: number,
) => Promise<{ success: boolean; remaining: number; reset: number }>;

export interface IsolateLimiterOptions {
  policy: LimitPolicy;
  shared: SharedCount;
  /** Requests per key and window that an isolate passes before it uses the shared counter. */
  free?: number;
  /** Requests that an isolate books at the shared counter in one call after that. */
  chunk?: number;
  maxKeys?: number;
  now?: () => number;
}

interface KeyState {
  /** Requests that this isolate let through in the window. */
  used: SlidingCount;
  /** Requests that the shared counter was told of in the window, some of them ahead. */
  booked: SlidingCount;
  /** Requests that the shared counter still had after our bookings, at its last answer. */
  left: number;
  /** The shared counter refused until then, epoch milliseconds. */
  refusedUntil: number;
}

/** After a failed booking the isolate doesn't ask again for this long: a Redis in trouble slows one request, not each. */
const AWAY_PAUSE_MS = 5000;

/**
 * Counts in the isolate first, so that most keys need no Redis command: `free` requests per window, then bookings of `chunk`. One isolate
 * keeps the quota in every window. `n` isolates pass at most `quota + n * (free + chunk)`, and each may refuse up to `chunk` requests early.
 * While Redis is away, each isolate keeps the quota alone. Old keys without a request in the window are forgotten; beyond `maxKeys` the
 * oldest goes.
 */
export function isolateLimiter(options: IsolateLimiterOptions): WeighingLimiter {
  const { policy, shared, free = 50, chunk = 25, maxKeys = 10_000, now = Date.now } = options;
  const windowMs = policy.windowSeconds * 1000;
  const states = new RecentMap<string, KeyState>(maxKeys);
  let pausedUntil = 0;

  function stateOf(key: string): KeyState {
    const found = states.get(key);
    if (found !== undefined) return found;
    forgetOld();
    const made = {
      used: new SlidingCount(windowMs),
      booked: new SlidingCount(windowMs),
      left: policy.quota,
      refusedUntil: 0,
    };
    states.set(key, made);
    return made;
  }

  /** Only when a key is new: to look for the oldest costs more than to count. */
  function forgetOld(): void {
    for (const [key, { used }] of states) {
      if (used.at(now()) > 0) return;
      states.delete(key);
    }
  }

  function verdict(state: KeyState, outcome: 'allowed' | 'refused'): Verdict {
    const at = now();
    const used = state.used.at(at);
    const own = Math.min(policy.quota - used, state.left + Math.max(0, allowanceOf(state) - used));
    const reset = at < state.refusedUntil ? state.refusedUntil : state.used.freeAt(at);
    return {
      outcome,
      remaining: outcome === 'refused' ? 0 : Math.max(0, own),
      resetSeconds: secondsUntil(reset, at),
    };
  }

  /** Requests that this isolate may pass in the window before it must book again. */
  const allowanceOf = ({ booked }: KeyState): number =>
    Math.max(Math.min(free, policy.quota), booked.at(now()));

  /** Books the last `taken` requests and the next chunk. It counts at once, so that concurrent requests don't book it again. */
  async function book(key: string, state: KeyState, taken: number): Promise<void> {
    const { used, booked } = state;
    const passed = used.at(now()) - taken;
    const wanted = Math.min(Math.max(chunk, taken), policy.quota - passed);
    const count = passed + wanted - booked.at(now());
    booked.add(now(), count);
    try {
      const { success, remaining, reset } = await shared(key, count);
      if (!success) {
        booked.undo(count);
        state.refusedUntil = reset;
      }
      state.left = remaining;
    } catch {
      booked.undo(count);
      pausedUntil = now() + AWAY_PAUSE_MS;
    }
  }

  return {
    policy,
    async take(key, count = 1) {
      const state = stateOf(key);
      if (now() < state.refusedUntil || state.used.at(now()) + count > policy.quota)
        return verdict(state, 'refused');
      state.used.add(now(), count);
      if (state.used.at(now()) > allowanceOf(state) && now() >= pausedUntil) await book(key, state, count);
      return verdict(state, now() < state.refusedUntil ? 'refused' : 'allowed');
    },
  };
}
