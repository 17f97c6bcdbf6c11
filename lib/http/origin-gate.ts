import type { Context, MiddlewareHandler } from 'hono';
import { DomainError } from '../errors.ts';
import { setLateHeader } from './late-header.ts';

interface OriginOptions<C extends Context> {
  /** Origins whose pages may send requests, in the browser's form: `https://app.example.org`. */
  allowed: (c: C) => readonly string[];
}

export interface OriginReadableOptions<C extends Context> extends OriginOptions<C> {
  /** Response headers that scripts may read, beyond the safelisted ones. */
  exposed: readonly string[];
}

export interface OriginGateOptions<C extends Context> extends OriginOptions<C> {
  /** Request headers that scripts may send, beyond the safelisted ones. */
  headers: readonly string[];
}

const MAX_AGE_SECONDS = 86_400;

const originOf = (c: Context): string | null => c.req.raw.headers.get('origin');

/** Lets scripts of allowed origins read every answer, errors too: it must run before all middleware that may refuse. */
export function originReadable<E extends object>(
  options: OriginReadableOptions<Context<E>>,
): MiddlewareHandler<E> {
  return async function originReadable(c, next) {
    await next();
    const origin = originOf(c);
    if (origin === null || !options.allowed(c).includes(origin)) return;
    setLateHeader(c, 'Access-Control-Allow-Origin', origin);
    vary(c);
    setLateHeader(c, 'Access-Control-Expose-Headers', options.exposed.join(', '));
    setLateHeader(c, 'Cross-Origin-Resource-Policy', 'cross-origin');
  };
}

/**
 * Passes requests without `Origin` and requests of allowed origins, and answers their preflights. Others get `FORBIDDEN`
 * (docs/content.md#limits-and-origins). The list must hold the service's own origin, because a request's `Host` proves nothing.
 */
export function originGate<E extends object>(options: OriginGateOptions<Context<E>>): MiddlewareHandler<E> {
  return async function originGate(c, next) {
    const origin = originOf(c);
    if (origin === null) return next();
    if (!options.allowed(c).includes(origin)) {
      throw new DomainError(
        'FORBIDDEN',
        'Pages of this origin may not call the service. Requests without an `Origin` header may.',
      );
    }
    if (c.req.method !== 'OPTIONS' || !c.req.raw.headers.has('access-control-request-method')) return next();
    c.header('Access-Control-Allow-Methods', 'GET, POST');
    c.header('Access-Control-Allow-Headers', options.headers.join(', '));
    c.header('Access-Control-Max-Age', String(MAX_AGE_SECONDS));
    c.res = c.body(null, 204);
  };
}

/** Adds `Origin` to `Vary` and keeps what is there. */
function vary(c: Context): void {
  const named = c.res.headers.get('Vary')?.split(', ') ?? [];
  setLateHeader(c, 'Vary', [...new Set([...named, 'Origin'])].join(', '));
}
