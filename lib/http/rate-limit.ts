import type { Context, MiddlewareHandler } from 'hono';
import { DomainError, unavailable } from '../errors.ts';
import { afterwards } from './afterwards.ts';
import type { Limiter, LimitPolicy, Taking, Verdict, WithoutAnswer } from './limiter.ts';

export interface RateLimitOptions<C extends Context> {
  limiter: (c: C) => Limiter;
  /** Requests with the same key are counted together: a token's id, or `addressKey(...)`. Never an address itself. */
  key: (c: C) => string | Promise<string>;
  without: WithoutAnswer;
}

/** A middleware that counts each request; see `enforceLimit`. */
export function rateLimit<E extends object>(options: RateLimitOptions<Context<E>>): MiddlewareHandler<E> {
  return async function rateLimit(c, next) {
    await enforceLimit(c, options.limiter(c), await options.key(c), options.without);
    await next();
  };
}

/**
 * Counts one request of `key` and sets `RateLimit` and `RateLimit-Policy` on the answer, errors too. Throws the errors of
 * `requireAllowed`.
 */
export async function enforceLimit(
  c: Context,
  limiter: Limiter,
  key: string,
  without: WithoutAnswer,
): Promise<void> {
  applyVerdict(c, limiter.policy, await limiter.take(key, without, laterOf(c)));
}

/** The rest of `take`'s work for a request: the booking of a slow Redis goes on after the answer. */
export const laterOf = (c: Context): Pick<Taking, 'later'> => ({
  later: (work) => afterwards(c, 'limits', work),
});

/** Sets a verdict's headers on the answer. Throws the errors of `requireAllowed`. */
export function applyVerdict(c: Context, policy: LimitPolicy, verdict: Verdict): void {
  for (const [name, value] of limitHeaders(policy, verdict)) c.header(name, value);
  requireAllowed(verdict);
}

/** Throws `RATE_LIMITED`, or `UNAVAILABLE` if the surface lets nobody pass while Redis is away. */
export function requireAllowed(verdict: Verdict): void {
  if (verdict.outcome === 'away') throw unavailable(verdict.cause);
  if (verdict.outcome === 'allowed') return;
  throw new DomainError('RATE_LIMITED', 'Too many requests.', {
    retryAfterSeconds: verdict.resetSeconds,
  });
}

/** Headers in the syntax of draft-ietf-httpapi-ratelimit-headers-10: quota and window, then remaining requests and seconds to the reset. */
export function limitHeaders(policy: LimitPolicy, verdict: Verdict): [string, string][] {
  const headers: [string, string][] = [
    ['RateLimit-Policy', `"${policy.name}";q=${policy.quota};w=${policy.windowSeconds}`],
  ];
  if (verdict.outcome !== 'away') {
    headers.push(['RateLimit', `"${policy.name}";r=${verdict.remaining};t=${verdict.resetSeconds}`]);
  }
  return headers;
}
