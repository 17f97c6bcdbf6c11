import type { Context, MiddlewareHandler } from 'hono';
import type { FoundQueryToken } from '../accounts/find-query-token.ts';
import type { ActorOf } from '../context.ts';
import { DomainError } from '../errors.ts';
import { isToken } from '../tokens.ts';
import { bearerOf } from './api-token-gate.ts';
import type { OwnerLookUp } from './remember-owners.ts';

export interface QueryTokenVariables {
  actor: ActorOf<'queryToken'>;
}

/**
 * Passes only requests with a valid query token and sets `actor`; throws `UNAUTHORIZED` with the same sentence for all others. API keys,
 * ingest keys and sessions are refused too (docs/mcp.md#tokens-and-scopes).
 */
export function queryTokenGate<
  Resources extends { queryTokens: OwnerLookUp<FoundQueryToken> },
>(): MiddlewareHandler<{
  Variables: QueryTokenVariables & { resources: Resources };
}> {
  return async function queryTokenGate(c, next) {
    c.set('actor', await requireQueryToken(c, c.var.resources.queryTokens));
    await next();
  };
}

async function requireQueryToken(
  c: Context,
  tokens: OwnerLookUp<FoundQueryToken>,
): Promise<ActorOf<'queryToken'>> {
  const token = bearerOf(c);
  const found = token !== undefined && isToken('vqry', token) ? await tokens(c, token) : undefined;
  // An isolate remembers tokens for a while; one that has ended since is refused at once.
  if (found !== undefined && (found.endsAt === null || Date.now() < found.endsAt)) return found.actor;
  throw new DomainError('UNAUTHORIZED', 'Send a valid query token: `Authorization: Bearer vqry_...`.');
}
