import type { MiddlewareHandler } from 'hono';
import { DomainError } from '../../lib/errors.ts';
import type { createApp } from '../../lib/http/app.ts';
import { type IngestKeyVariables, ingestKeyGate } from '../../lib/http/ingest-key-gate.ts';
import { rateLimit } from '../../lib/http/rate-limit.ts';
import type { Env } from './env.ts';
import type { Resources } from './resources.ts';

export type ReceiverApp = ReturnType<typeof createApp<typeof Env, object, Resources>>;

export type Guards = ReturnType<typeof createGuards>;

/** What stands before every route: the key, then its limit. Telemetry goes on while Redis is away. */
export function createGuards() {
  return {
    gate: ingestKeyGate<Resources>(),
    limit: rateLimit<{ Variables: IngestKeyVariables & { resources: Resources } }>({
      limiter: (c) => c.var.resources.limiter,
      key: (c) => c.var.actor.keyId,
      whenAway: 'pass',
    }),
    outcomesOnly,
  };
}

const outcomesOnly: MiddlewareHandler<{ Variables: IngestKeyVariables }> = async function outcomesOnly(
  c,
  next,
) {
  if (!c.var.actor.outcomes)
    throw new DomainError('FORBIDDEN', 'This ingest key may not record outcomes. Make one with `outcomes`.');
  await next();
};
