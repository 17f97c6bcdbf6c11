import type { createApp } from '../../lib/http/app.ts';
import { clientAddress } from '../../lib/http/client-address.ts';
import { rateLimit } from '../../lib/http/rate-limit.ts';
import { sessionGuards } from '../../lib/http/session-api.ts';
import type { Env } from './env.ts';
import type { Resources } from './resources.ts';

export type AccountApp = ReturnType<typeof createApp<typeof Env, object, Resources>>;

export type Guards = ReturnType<typeof createGuards>;

/** What stands before the routes. Nobody signs in while Redis is away: who can't be counted can't be kept from guessing. */
export function createGuards() {
  return {
    ...sessionGuards<Resources>(),
    /** For those who aren't signed in: by address. */
    limitAddress: rateLimit<{ Variables: { resources: Resources } }>({
      limiter: (c) => c.var.resources.signInLimiter,
      key: (c) => c.var.resources.addressKey(clientAddress(c.req.raw.headers), 'sign-in'),
      whenAway: 'refuse',
    }),
  };
}
