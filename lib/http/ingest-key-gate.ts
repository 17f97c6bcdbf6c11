import type { Context, MiddlewareHandler } from 'hono';
import type { IngestKeyActor } from '../context.ts';
import { DomainError } from '../errors.ts';
import { isToken } from '../tokens.ts';
import { bearerOf } from './api-token-gate.ts';
import type { OwnerLookUp } from './remember-owners.ts';

export interface IngestKeyVariables {
  actor: IngestKeyActor;
}

/**
 * Passes only requests with a valid ingest key and sets `actor`; throws `UNAUTHORIZED` with the same sentence for all others. Site ids,
 * API tokens and query tokens are refused too (docs/telemetry.md#receiver).
 */
export function ingestKeyGate<Resources extends { keys: OwnerLookUp<IngestKeyActor> }>(): MiddlewareHandler<{
  Variables: IngestKeyVariables & { resources: Resources };
}> {
  return async function ingestKeyGate(c, next) {
    c.set('actor', await requireIngestKey(c, c.var.resources.keys));
    await next();
  };
}

async function requireIngestKey(c: Context, keys: OwnerLookUp<IngestKeyActor>): Promise<IngestKeyActor> {
  const key = bearerOf(c);
  const actor = key !== undefined && isToken('ving', key) ? await keys(c, key) : undefined;
  if (actor !== undefined) return actor;
  throw new DomainError('UNAUTHORIZED', 'Send a valid ingest key: `Authorization: Bearer ving_...`.');
}
