import { type Limiter, type LimitPolicy, secondsUntil, type Verdict } from './limiter.ts';

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
  used: number;
  /** Requests that this isolate may pass before it must book again. */
  granted: number;
  /** Requests that the shared counter already knows. */
  booked: number;
  /** Requests that the shared counter still had after our bookings, at its last answer. */
  left: number;
  refused: boolean;
}

/** After a failed booking the isolate doesn't ask again for this long: a Redis in trouble slows one request, not each. */
const AWAY_PAUSE_MS = 5000;

/**
 * Counts in the isolate first, so that most keys need no Redis command: `free` requests per window, then bookings of `chunk`. One isolate
 * keeps the quota exactly. `n` isolates pass at most `quota + n * (free + chunk)`, and each may refuse up to `chunk` requests early. While
 * Redis is away, each isolate keeps the quota alone. State is dropped when a window ends; beyond `maxKeys` the oldest goes.
 */
export function isolateLimiter(options: IsolateLimiterOptions): Limiter {
  const { policy, shared, free = 50, chunk = 25, maxKeys = 10_000, now = Date.now } = options;
  const windowMs = policy.windowSeconds * 1000;
  let window = -1;
  let states = new Map<string, KeyState>();
  let pausedUntil = 0;

  function stateOf(key: string): KeyState {
    const current = Math.floor(now() / windowMs);
    if (current !== window) {
      window = current;
      states = new Map();
    }
    const found = states.get(key);
    if (found !== undefined) return found;
    if (states.size >= maxKeys) states.delete(states.keys().next().value ?? key);
    const { quota } = policy;
    const made = { used: 0, granted: Math.min(free, quota), booked: 0, left: quota, refused: false };
    states.set(key, made);
    return made;
  }

  function verdict(state: KeyState, outcome: 'allowed' | 'refused'): Verdict {
    const own = Math.min(policy.quota - state.used, state.left + Math.max(0, state.granted - state.used));
    const remaining = outcome === 'refused' ? 0 : Math.max(0, own);
    return { outcome, remaining, resetSeconds: secondsUntil((window + 1) * windowMs, now()) };
  }

  /** Books the next chunk and the requests not yet booked. The grant counts at once, so that concurrent requests don't book it again. */
  async function book(key: string, state: KeyState): Promise<void> {
    state.granted += Math.min(chunk, policy.quota - state.granted);
    const count = state.granted - state.booked;
    state.booked = state.granted;
    try {
      const answer = await shared(key, count);
      state.refused ||= !answer.success;
      state.left = answer.remaining;
    } catch {
      state.booked -= count;
      pausedUntil = now() + AWAY_PAUSE_MS;
    }
  }

  return {
    policy,
    async take(key) {
      const state = stateOf(key);
      if (state.refused || state.used >= policy.quota) return verdict(state, 'refused');
      state.used += 1;
      if (state.used > state.granted) {
        if (now() < pausedUntil) state.granted = Math.min(policy.quota, state.granted + chunk);
        else await book(key, state);
      }
      return verdict(state, state.refused ? 'refused' : 'allowed');
    },
  };
}
