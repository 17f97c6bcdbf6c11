import { RecentMap } from '../recent-map.ts';
import {
  type Limiter,
  type LimitPolicy,
  secondsUntil,
  type Taking,
  type Verdict,
  type WithoutAnswer,
} from './limiter.ts';
import { SlidingCount } from './sliding-count.ts';

/** Adds `count` to the shared count of a key; a negative one takes back. Rejects when the shared counter is away. */
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
  /** Requests that were added to the shared counter in the window, some of them in advance. */
  booked: SlidingCount;
  /** Requests that the shared counter still had after our bookings, at its last answer. */
  left: number;
  /** The shared counter refused until then, epoch milliseconds. */
  refusedUntil: number;
}

/** Longest wait for the shared counter, except of surfaces that `wait`. A Redis that wasn't used for a while takes up to a second. */
export const PATIENCE_MS = 100;

/** After a failed or slow booking, surfaces that count by themselves don't ask for this long: a Redis in trouble slows one request, not each. */
const PAUSE_MS = 5000;

/** How a booking went within the patience. `slow`: it is under way. `cause`: Redis is away. */
type Booking = 'allowed' | 'refused' | 'slow' | { cause: unknown };

/**
 * Counts in the isolate first, so that most keys need no Redis command: `free` requests per window, then bookings of `chunk`. One isolate
 * keeps the quota in every window. `n` isolates pass at most `quota + n * (free + chunk)`, and each may refuse up to `chunk` requests early.
 * With `free` 0 and `chunk` 1 all isolates together are exact. While Redis is slow or away an isolate keeps the quota alone, if the surface
 * lets it; what it let through is booked when Redis answers. Old keys without a request in the window are forgotten; beyond `maxKeys` the
 * oldest goes.
 */
export function isolateLimiter(options: IsolateLimiterOptions): Limiter {
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
  async function book(key: string, state: KeyState, taken: number): Promise<'allowed' | 'refused'> {
    const { used, booked } = state;
    const passed = used.at(now()) - taken;
    const wanted = Math.min(Math.max(chunk, taken), policy.quota - passed);
    const count = passed + wanted - booked.at(now());
    booked.add(now(), count);
    try {
      const { success, remaining, reset } = await shared(key, count);
      pausedUntil = 0;
      state.left = remaining;
      if (success) return 'allowed';
      booked.undo(count);
      state.refusedUntil = reset;
      return 'refused';
    } catch (cause) {
      booked.undo(count);
      pausedUntil = now() + PAUSE_MS;
      throw cause;
    }
  }

  /** Books, but waits no longer than the surface does. */
  async function tryToBook(
    key: string,
    state: KeyState,
    { count, without, later }: Required<Pick<Taking, 'count'>> & Taking & { without: WithoutAnswer },
  ): Promise<Booking> {
    const booking = book(key, state, count).catch((cause: unknown) => ({ cause }));
    if (without === 'wait') return booking;
    const went = await patiently(booking);
    if (went === 'slow') {
      pausedUntil = now() + PAUSE_MS;
      later?.(booking.then(() => {}));
    }
    return went;
  }

  return {
    policy,
    async take(key, without, { count = 1, later } = {}) {
      const state = stateOf(key);
      if (now() < state.refusedUntil || state.used.at(now()) + count > policy.quota)
        return verdict(state, 'refused');
      state.used.add(now(), count);
      const isPaused = without === 'count-here' && now() < pausedUntil;
      if (state.used.at(now()) <= allowanceOf(state) || isPaused) return verdict(state, 'allowed');
      const went = await tryToBook(key, state, { count, without, ...(later && { later }) });
      const isAway = typeof went === 'object' && without !== 'count-here';
      if (went === 'refused' || isAway) state.used.undo(count);
      if (isAway) return { outcome: 'away', cause: went.cause };
      return verdict(state, went === 'refused' ? 'refused' : 'allowed');
    },
    async undo(key) {
      const { used, booked } = stateOf(key);
      used.undo();
      booked.undo();
      await shared(key, -1).catch(() => {});
    },
  };
}

async function patiently<Answer>(answer: Promise<Answer>): Promise<Answer | 'slow'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<'slow'>((resolve) => {
    timer = setTimeout(() => resolve('slow'), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, patience]);
  } finally {
    clearTimeout(timer);
  }
}
