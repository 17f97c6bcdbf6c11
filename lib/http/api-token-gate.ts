import type { Context, MiddlewareHandler } from 'hono';
import type { FoundApiToken } from '../accounts/find-api-token.ts';
import type { ActorOf } from '../context.ts';
import { DomainError } from '../errors.ts';
import { isToken } from '../tokens.ts';
import type { OwnerLookUp } from './remember-owners.ts';

export interface ApiTokenVariables {
  actor: ActorOf<'apiToken'>;
}

/** Passes only requests with a valid API token and sets `actor`; see `requireApiToken`. */
export function apiTokenGate<Resources extends { tokens: OwnerLookUp<FoundApiToken> }>(): MiddlewareHandler<{
  Variables: ApiTokenVariables & { resources: Resources };
}> {
  return async function apiTokenGate(c, next) {
    c.set('actor', await requireApiToken(c, c.var.resources.tokens));
    await next();
  };
}

/**
 * Returns the owner of the request's API token. Throws `UNAUTHORIZED` with the same sentence for every fault. Checks shape and checksum
 * before the lookup.
 */
export async function requireApiToken(
  c: Context,
  tokens: OwnerLookUp<FoundApiToken>,
): Promise<ActorOf<'apiToken'>> {
  const token = bearerOf(c);
  const found = token !== undefined && isToken('vapi', token) ? await tokens(c, token) : undefined;
  // An isolate remembers tokens for a while; one that has ended since is refused at once.
  if (found !== undefined && (found.endsAt === null || Date.now() < found.endsAt)) return found.actor;
  throw new DomainError('UNAUTHORIZED', 'Send a valid API token: `Authorization: Bearer vapi_...`.');
}

/** The token of `Authorization: Bearer`, unchecked; undefined without one. */
export function bearerOf(c: Context): string | undefined {
  const [scheme, token, ...rest] = (c.req.raw.headers.get('authorization') ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined;
}
