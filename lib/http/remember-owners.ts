import type { Context } from 'hono';
import { RecentMap } from '../recent-map.ts';
import { hashToken } from '../tokens.ts';
import type { GuardedLookUp } from './look-ups.ts';

const MAX_KNOWN = 2000;

/** Finds the owner of a secret that a request brought; undefined if nobody has it. */
export type OwnerLookUp<Owner> = (c: Context, secret: string) => Promise<Owner | undefined>;

export interface OwnerLookUpOptions<Owner> {
  guard: GuardedLookUp;
  /** Asks the database for the owner, by the secret's hash (hex SHA-256) or by the secret. */
  find: (hash: string, secret: string) => Promise<Owner | undefined>;
  /** How long an owner is trusted. Default: 0, so that every request asks. Those known before aren't counted as misses either way. */
  freshMs?: number;
  now?: () => number;
}

/** How long an isolate trusts a looked-up token: half of the 60 s within which a revocation takes effect (docs/api.md#tokens). */
export const TOKEN_FRESH_MS = 30_000;

/**
 * Remembers owners by the hashes of their secrets. Only secrets that were found take memory. It never shares a query that is
 * still running: workerd ties that query to its request. Made once per isolate.
 */
export function rememberOwners<Owner>({
  guard,
  find,
  freshMs = 0,
  now = Date.now,
}: OwnerLookUpOptions<Owner>): OwnerLookUp<Owner> {
  const known = new RecentMap<string, { owner: Owner; until: number }>(MAX_KNOWN);
  return async (c, secret) => {
    const hash = await hashToken(secret);
    const remembered = known.get(hash);
    if (remembered !== undefined && now() < remembered.until) return remembered.owner;
    const askedAt = now();
    const owner = await (remembered === undefined
      ? guard(c, hash, () => find(hash, secret))
      : find(hash, secret));
    if (owner === undefined) known.delete(hash);
    else known.set(hash, { owner, until: askedAt + freshMs });
    return owner;
  };
}
