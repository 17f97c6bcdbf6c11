import type { MiddlewareHandler } from 'hono';
import { setLateHeader } from './late-header.ts';

export interface PublicCorsOptions {
  methods: readonly string[];
  /** Request headers that scripts may send, beyond the safelisted ones. */
  headers?: readonly string[];
  maxAgeSeconds?: number;
}

const EXPOSED = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy';

/**
 * Lets scripts of any page read the answers, never with credentials (docs/api.md#pages-of-other-origins). Answers preflights. For the
 * tracker's endpoints and the receiver only.
 */
export function publicCors(options: PublicCorsOptions): MiddlewareHandler {
  const { methods, headers = ['Content-Type'], maxAgeSeconds = 86_400 } = options;
  return async function publicCors(c, next) {
    if (c.req.method === 'OPTIONS' && c.req.raw.headers.has('access-control-request-method')) {
      c.res = new Response(null, {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': methods.join(', '),
          'Access-Control-Allow-Headers': headers.join(', '),
          'Access-Control-Max-Age': String(maxAgeSeconds),
        },
      });
    } else {
      await next();
      setLateHeader(c, 'Access-Control-Expose-Headers', EXPOSED);
    }
    setLateHeader(c, 'Access-Control-Allow-Origin', '*');
    setLateHeader(c, 'Cross-Origin-Resource-Policy', 'cross-origin');
  };
}
