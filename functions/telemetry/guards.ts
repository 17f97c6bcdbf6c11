import type { createApp } from '../../lib/http/app.ts';
import { rateLimit } from '../../lib/http/rate-limit.ts';
import { type SessionVariables, sessionGate } from '../../lib/http/session-gate.ts';
import type { Env } from './env.ts';
import type { Resources } from './resources.ts';

export type TelemetryApp = ReturnType<typeof createApp<typeof Env, object, Resources>>;

export type Guards = ReturnType<typeof createGuards>;

/** What stands before every route: who is signed in, then their limit. */
export function createGuards() {
  return {
    gate: sessionGate<Resources>(),
    limit: rateLimit<{ Variables: SessionVariables & { resources: Resources } }>({
      limiter: (c) => c.var.resources.limiter,
      key: (c) => c.var.actor.userId,
      whenAway: 'refuse',
    }),
  };
}
