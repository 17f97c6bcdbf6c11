import type { MiddlewareHandler } from 'hono';
import type { ReportContext } from '../../lib/context.ts';
import { apiTokenGate, requireApiToken } from '../../lib/http/api-token-gate.ts';
import type { createApp } from '../../lib/http/app.ts';
import { enforceLimit } from '../../lib/http/rate-limit.ts';
import type { Env } from './env.ts';
import type { Resources } from './resources.ts';

type Reader = ReportContext['actor'];
type ShareActor = Extract<Reader, { kind: 'share' }>;
type ReaderMiddleware = MiddlewareHandler<{ Variables: { actor: Reader; resources: Resources } }>;

export type AnalyticsApp = ReturnType<typeof createApp<typeof Env, object, Resources>>;

export type Guards = ReturnType<typeof createGuards>;

/**
 * What stands before the routes, made once for an app: `gate` lets members pass, `reader` also requests that a share's route
 * has admitted, and `limit` counts members, since who reads a share has been counted there.
 */
export function createGuards() {
  // Known by the object itself: nothing that a request holds can make it one of these.
  const admitted = new WeakMap<Request, ShareActor>();

  const reader: ReaderMiddleware = async function reader(c, next) {
    c.set('actor', admitted.get(c.req.raw) ?? (await requireApiToken(c, c.var.resources.tokens)));
    await next();
  };

  const limit: ReaderMiddleware = async function limit(c, next) {
    const { actor, resources } = c.var;
    if (actor.kind === 'apiToken') await enforceLimit(c, resources.limiter, actor.tokenId, 'refuse');
    await next();
  };

  return {
    gate: apiTokenGate<Resources>(),
    reader,
    limit,
    /** Lets this very request pass `reader` as a share's. */
    admit: (request: Request, actor: ShareActor) => void admitted.set(request, actor),
  };
}
