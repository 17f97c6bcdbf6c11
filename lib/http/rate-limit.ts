import type { Context, MiddlewareHandler } from 'hono';
import { DomainError, unavailable } from '../errors.ts';
import type { Limiter, LimitPolicy, Verdict } from './limiter.ts';

export interface RateLimitOptions<C extends Context> {
  limiter: (c: C) => Limiter;
  /** Whose requests are counted together: a token's id, or `addressKey(...)`. Never an address itself. */
  key: (c: C) => string | Promise<string>;
  /** What happens while Redis is away: a decision of the surface, never the library's. */
  whenAway: 'pass' | 'refuse';
}

/** A middleware that counts the request; see `enforceLimit`. */
export function rateLimit<E extends object>(options: RateLimitOptions<Context<E>>): MiddlewareHandler<E> {
  return async function rateLimit(c, next) {
    await enforceLimit(c, options.limiter(c), await options.key(c), options.whenAway);
    await next();
  };
}

/**
 * Counts one request of `key`, sets `RateLimit` and `RateLimit-Policy` on the answer, whatever it will be, and throws what
 * `requireAllowed` throws.
 */
export async function enforceLimit(
  c: Context,
  limiter: Limiter,
  key: string,
  whenAway: 'pass' | 'refuse',
): Promise<void> {
  const verdict = await limiter.take(key);
  for (const [name, value] of limitHeaders(limiter.policy, verdict)) c.header(name, value);
  requireAllowed(verdict, whenAway);
}

/** Throws `RATE_LIMITED`, or `UNAVAILABLE` when nobody could count and the surface refuses then. */
export function requireAllowed(verdict: Verdict, whenAway: 'pass' | 'refuse'): void {
  if (verdict.outcome === 'away' && whenAway === 'refuse') throw unavailable(verdict.cause);
  if (verdict.outcome !== 'refused') return;
  throw new DomainError('RATE_LIMITED', 'Too many requests. Wait as long as `Retry-After` says.', {
    retryAfterSeconds: verdict.resetSeconds,
  });
}

/** Syntax of draft-ietf-httpapi-ratelimit-headers-10: quota and window, then remaining and seconds to the reset. */
export function limitHeaders(policy: LimitPolicy, verdict: Verdict): [string, string][] {
  const headers: [string, string][] = [
    ['RateLimit-Policy', `"${policy.name}";q=${policy.quota};w=${policy.windowSeconds}`],
  ];
  if (verdict.outcome !== 'away') {
    headers.push(['RateLimit', `"${policy.name}";r=${verdict.remaining};t=${verdict.resetSeconds}`]);
  }
  return headers;
}
