import type { Context, MiddlewareHandler } from 'hono';
import type { Actor } from '../context.ts';
import { DomainError } from '../errors.ts';
import { isToken } from '../tokens.ts';
import type { OwnerLookUp } from './remember-owners.ts';

export type ApiTokenActor = Extract<Actor, { kind: 'apiToken' }>;

export interface ApiTokenVariables {
  actor: ApiTokenActor;
}

/** Passes only requests with a valid API token and sets `actor`; see `requireApiToken`. */
export function apiTokenGate<Resources extends { tokens: OwnerLookUp<ApiTokenActor> }>(): MiddlewareHandler<{
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
  tokens: OwnerLookUp<ApiTokenActor>,
): Promise<ApiTokenActor> {
  const token = bearerOf(c);
  const actor = token !== undefined && isToken('vapi', token) ? await tokens(c, token) : undefined;
  if (actor !== undefined) return actor;
  throw new DomainError('UNAUTHORIZED', 'Send a valid API token: `Authorization: Bearer vapi_...`.');
}

/** The token of `Authorization: Bearer`, unchecked; undefined without one. */
export function bearerOf(c: Context): string | undefined {
  const [scheme, token, ...rest] = (c.req.raw.headers.get('authorization') ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined;
}
