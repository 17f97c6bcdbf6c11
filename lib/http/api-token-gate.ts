import type { Context, MiddlewareHandler } from 'hono';
import type { Actor } from '../context.ts';
import { DomainError } from '../errors.ts';
import { hashToken, isToken } from '../tokens.ts';

export type ApiTokenActor = Extract<Actor, { kind: 'apiToken' }>;

export interface ApiTokenVariables {
  actor: ApiTokenActor;
}

/** How long an isolate trusts a looked-up token: half of the 60 s within which a revocation takes effect (docs/api.md#tokens). */
const FRESH_MS = 30_000;
const MAX_CACHED = 2000;

/** Returns a token's owner, or undefined. Made once per isolate, because it remembers answers. */
export type TokenLookup<Owner = ApiTokenActor> = (token: string) => Promise<Owner | undefined>;

export interface TokenLookupOptions<Owner> {
  /** Asks the database for the owner of a token's hash (hex SHA-256). */
  find: (hash: string) => Promise<Owner | undefined>;
  now?: () => number;
}

/**
 * Looks tokens up by hash and remembers each answer for 30 s. It remembers unknown tokens too, so that repeated guesses cost one query. It
 * never shares a query that is still running: workerd ties that query to its request.
 */
export function rememberTokens<Owner>({
  find,
  now = Date.now,
}: TokenLookupOptions<Owner>): TokenLookup<Owner> {
  const known = new Map<string, { owner: Owner | undefined; until: number }>();
  return async (token) => {
    const hash = await hashToken(token);
    const remembered = known.get(hash);
    if (remembered !== undefined && now() < remembered.until) return remembered.owner;
    const askedAt = now();
    const owner = await find(hash);
    known.delete(hash);
    known.set(hash, { owner, until: askedAt + FRESH_MS });
    if (known.size > MAX_CACHED) known.delete(known.keys().next().value ?? hash);
    return owner;
  };
}

/** Passes only requests with a valid API token and sets `actor`; see `requireApiToken`. */
export function apiTokenGate<Resources extends { tokens: TokenLookup }>(): MiddlewareHandler<{
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
export async function requireApiToken(c: Context, tokens: TokenLookup): Promise<ApiTokenActor> {
  const token = bearerOf(c);
  const actor = token !== undefined && isToken('vapi', token) ? await tokens(token) : undefined;
  if (actor !== undefined) return actor;
  throw new DomainError('UNAUTHORIZED', 'Send a valid API token: `Authorization: Bearer vapi_...`.');
}

/** The token of `Authorization: Bearer`, unchecked; undefined without one. */
export function bearerOf(c: Context): string | undefined {
  const [scheme, token, ...rest] = (c.req.raw.headers.get('authorization') ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && rest.length === 0 ? token : undefined;
}
