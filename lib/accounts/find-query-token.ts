import type { ActorOf, Ports } from '../context.ts';
import { reachToRead } from '../db.ts';

export interface FoundQueryToken {
  actor: ActorOf<'queryToken'>;
  /** Epoch milliseconds. Null: the token is valid until it is revoked. */
  endsAt: number | null;
}

interface Row {
  id: string;
  user_id: string;
  scopes: string[];
  project_ids: string[] | null;
  site_ids: string[] | null;
  expires_at: Date | null;
}

/**
 * The owner and the scopes of a query token's hash (hex SHA-256); undefined if the token is unknown, revoked or expired. Verbs must also
 * check the owner's membership. Records the use at most once a minute, in the same statement. Uses the unique index on `hash`.
 */
export async function findQueryToken(
  ctx: Pick<Ports, 'sql'>,
  hash: string,
): Promise<FoundQueryToken | undefined> {
  const rows = await reachToRead(ctx.sql`
    with found as (
      select id, user_id, scopes, project_ids, site_ids, expires_at, last_used_at from query_tokens
      where hash = decode(${hash}, 'hex') and revoked_at is null and (expires_at is null or expires_at > now())
    ), used as (
      update query_tokens set last_used_at = now() from found
      where query_tokens.id = found.id
        and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
    )
    select id, user_id, scopes, project_ids, site_ids, expires_at from found
  `);
  const [row] = rows as Row[];
  if (row === undefined) return undefined;
  const { id: tokenId, user_id: userId, scopes, project_ids: projectIds, site_ids: siteIds } = row;
  return {
    actor: { kind: 'queryToken', tokenId, userId, scopes, projectIds, siteIds },
    endsAt: row.expires_at?.getTime() ?? null,
  };
}
