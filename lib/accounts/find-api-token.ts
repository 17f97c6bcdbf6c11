import type { Actor, Ports } from '../context.ts';
import { reachToRead } from '../db.ts';

/**
 * The owner of a token's hash (hex SHA-256); undefined if the token is unknown or revoked. Records the use at most once a minute, in the
 * same statement. Reads by the unique index on `hash`, writes by the primary key; constant cost.
 */
export async function findApiToken(
  ctx: Pick<Ports, 'sql'>,
  hash: string,
): Promise<Extract<Actor, { kind: 'apiToken' }> | undefined> {
  const rows = await reachToRead(ctx.sql`
    with found as (
      select id, user_id, last_used_at
      from api_tokens
      where hash = decode(${hash}, 'hex') and revoked_at is null
    ), used as (
      update api_tokens
      set last_used_at = now()
      from found
      where api_tokens.id = found.id
        and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
    )
    select id, user_id from found
  `);
  const [row] = rows as { id: string; user_id: string }[];
  return row && { kind: 'apiToken', tokenId: row.id, userId: row.user_id };
}
