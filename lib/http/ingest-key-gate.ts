import type { Context, MiddlewareHandler } from 'hono';
import type { IngestKeyActor } from '../context.ts';
import { DomainError } from '../errors.ts';
import { isToken } from '../tokens.ts';
import { bearerOf, type TokenLookup } from './api-token-gate.ts';

export interface IngestKeyVariables {
  actor: IngestKeyActor;
}

/**
 * Lets only bearers of a valid ingest key pass, as `actor`; others get `UNAUTHORIZED` with one same sentence. A site's id, an API
 * token or a query token opens nothing here (docs/telemetry.md#receiver).
 */
export function ingestKeyGate<Resources extends { keys: TokenLookup<IngestKeyActor> }>(): MiddlewareHandler<{
  Variables: IngestKeyVariables & { resources: Resources };
}> {
  return async function ingestKeyGate(c, next) {
    c.set('actor', await requireIngestKey(c, c.var.resources.keys));
    await next();
  };
}

async function requireIngestKey(c: Context, keys: TokenLookup<IngestKeyActor>): Promise<IngestKeyActor> {
  const key = bearerOf(c);
  const actor = key !== undefined && isToken('ving', key) ? await keys(key) : undefined;
  if (actor !== undefined) return actor;
  throw new DomainError('UNAUTHORIZED', 'Send a valid ingest key: `Authorization: Bearer ving_...`.');
}
