import type { Actor, Ports } from '../context.ts';
import { reachToRead } from '../db.ts';

/**
 * The owner and the scopes of a query token's hash (hex SHA-256); undefined if the token is unknown, revoked or expired. Verbs must also
 * check the owner's membership. Records the use at most once a minute, in the same statement. Uses the unique index on `hash`.
 */
export async function findQueryToken(
  ctx: Pick<Ports, 'sql'>,
  hash: string,
): Promise<Extract<Actor, { kind: 'queryToken' }> | undefined> {
  const [row] = await reachToRead(ctx.sql`
    with found as (
      select id, user_id, scopes, project_ids, site_ids, last_used_at from query_tokens
      where hash = decode(${hash}, 'hex') and revoked_at is null and (expires_at is null or expires_at > now())
    ), used as (
      update query_tokens set last_used_at = now() from found
      where query_tokens.id = found.id
        and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
    )
    select id as "tokenId", user_id as "userId", scopes, project_ids as "projectIds", site_ids as "siteIds" from found
  `);
  return row && ({ kind: 'queryToken', ...row } as Extract<Actor, { kind: 'queryToken' }>);
}
