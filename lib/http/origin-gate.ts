import type { Context, MiddlewareHandler } from 'hono';
import { DomainError } from '../errors.ts';
import { setLateHeader } from './late-header.ts';

export interface OriginGateOptions<C extends Context> {
  /** Origins whose pages may ask, as a browser sends them: `https://app.example.org`. */
  allowed: (c: C) => readonly string[];
  /** Request headers beyond the safelisted ones that their scripts may send. */
  headers: readonly string[];
  /** Response headers beyond the safelisted ones that they may read. */
  exposed: readonly string[];
}

const MAX_AGE_SECONDS = 86_400;

/**
 * Lets requests without `Origin` pass, and those of allowed origins, whose scripts may read the answer and whose preflights
 * it answers. Others get `FORBIDDEN` (contract section 5). The service's own origin is one of the list: the `Host` of a
 * request proves nothing.
 */
export function originGate<E extends object>(options: OriginGateOptions<Context<E>>): MiddlewareHandler<E> {
  return async function originGate(c, next) {
    const origin = c.req.raw.headers.get('origin');
    if (origin === null) return next();
    if (!options.allowed(c).includes(origin)) {
      throw new DomainError('FORBIDDEN', 'Pages of this origin may not ask. Requests without `Origin` may.');
    }
    c.header('Access-Control-Allow-Origin', origin);
    c.header('Vary', 'Origin');
    if (c.req.method === 'OPTIONS' && c.req.raw.headers.has('access-control-request-method')) {
      c.header('Access-Control-Allow-Methods', 'GET, POST');
      c.header('Access-Control-Allow-Headers', options.headers.join(', '));
      c.header('Access-Control-Max-Age', String(MAX_AGE_SECONDS));
      c.res = c.body(null, 204);
      return;
    }
    await next();
    setLateHeader(c, 'Access-Control-Allow-Origin', origin);
    setLateHeader(c, 'Vary', 'Origin');
    setLateHeader(c, 'Access-Control-Expose-Headers', options.exposed.join(', '));
    setLateHeader(c, 'Cross-Origin-Resource-Policy', 'cross-origin');
  };
}
