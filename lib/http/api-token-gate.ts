import type { Context, MiddlewareHandler } from 'hono';
import type { Actor } from '../context.ts';
import { DomainError } from '../errors.ts';
import { hashToken, isToken, type TokenPrefix } from '../tokens.ts';

export type ApiTokenActor = Extract<Actor, { kind: 'apiToken' }>;

export interface ApiTokenVariables {
  actor: ApiTokenActor;
}

/** How long an isolate believes a looked-up token: half of the 60 s within which revoking takes effect (contract section 1). */
const FRESH_MS = 30_000;
const MAX_CACHED = 2000;

/** Turns a token into its owner, or undefined. Made once an isolate, because it remembers. */
export type TokenLookup = (token: string) => Promise<ApiTokenActor | undefined>;

export interface TokenLookupOptions {
  /** Asks the database for a token's hash (hex SHA-256). */
  find: (hash: string) => Promise<ApiTokenActor | undefined>;
  now?: () => number;
}

/**
 * Looks tokens up by hash and remembers the answer for 30 s, also that there is none, so that a token hammered in vain
 * costs one query. Only answers are remembered, never a query under way: workerd ties that to its request.
 */
export function rememberTokens({ find, now = Date.now }: TokenLookupOptions): TokenLookup {
  const known = new Map<string, { actor: ApiTokenActor | undefined; until: number }>();
  return async (token) => {
    const hash = await hashToken(token);
    const remembered = known.get(hash);
    if (remembered !== undefined && now() < remembered.until) return remembered.actor;
    const askedAt = now();
    const actor = await find(hash);
    known.delete(hash);
    known.set(hash, { actor, until: askedAt + FRESH_MS });
    if (known.size > MAX_CACHED) known.delete(known.keys().next().value ?? hash);
    return actor;
  };
}

/**
 * Lets only bearers of a valid API token pass, as `actor`; others get `UNAUTHORIZED` and one same sentence, whatever
 * was wrong. Shape and checksum are checked before the lookup.
 */
export function apiTokenGate<Resources extends { tokens: TokenLookup }>(): MiddlewareHandler<{
  Variables: ApiTokenVariables & { resources: Resources };
}> {
  return async function apiTokenGate(c, next) {
    const token = bearerOf(c, 'vapi');
    const actor = token === undefined ? undefined : await c.var.resources.tokens(token);
    if (actor === undefined) {
      throw new DomainError('UNAUTHORIZED', 'Send a valid API token: `Authorization: Bearer vapi_...`.');
    }
    c.set('actor', actor);
    await next();
  };
}

function bearerOf(c: Context, prefix: TokenPrefix): string | undefined {
  const [scheme, token, ...rest] = (c.req.raw.headers.get('authorization') ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0) return undefined;
  return isToken(prefix, token) ? token : undefined;
}
