import { type ApiTokenVariables, apiTokenGate } from '../../lib/http/api-token-gate.ts';
import type { createApp } from '../../lib/http/app.ts';
import type { DeliveryBindings } from '../../lib/http/deliver.ts';
import type { ServiceBinding } from '../../lib/http/forward.ts';
import { rateLimit } from '../../lib/http/rate-limit.ts';
import type { Env } from './env.ts';
import type { Resources } from './resources.ts';

export interface Bindings extends DeliveryBindings {
  /** The reports, which own everything below a site's `analytics/`. */
  ANALYTICS: ServiceBinding;
}

export type SitesApp = ReturnType<typeof createApp<typeof Env, Bindings, Resources>>;

export type Guards = ReturnType<typeof createGuards>;

/** What stands before every route of members: the token, then its limit. Made once, and handed to whoever adds routes. */
export function createGuards() {
  return {
    gate: apiTokenGate<Resources>(),
    limit: rateLimit<{ Variables: ApiTokenVariables & { resources: Resources } }>({
      limiter: (c) => c.var.resources.limiter,
      key: (c) => c.var.actor.tokenId,
      whenAway: 'refuse',
    }),
  };
}
