import type { ActorOf, Ports } from '../context.ts';
import { reachToRead } from '../db.ts';

export interface FoundApiToken {
  actor: ActorOf<'apiToken'>;
  /** Epoch milliseconds. Null: the token is valid until it is revoked. */
  endsAt: number | null;
}

interface Row {
  id: string;
  user_id: string;
  access: 'read' | 'write';
  project_ids: string[] | null;
  site_ids: string[] | null;
  expires_at: Date | null;
}

/**
 * The owner of a token's hash (hex SHA-256), and what the token opens; undefined if the token is unknown, revoked or expired. Records the
 * use at most once a minute, in the same statement. Reads by the unique index on `hash`, writes by the primary key; constant cost.
 */
export async function findApiToken(
  ctx: Pick<Ports, 'sql'>,
  hash: string,
): Promise<FoundApiToken | undefined> {
  const rows = await reachToRead(ctx.sql`
    with found as (
      select id, user_id, access, project_ids, site_ids, expires_at, last_used_at
      from api_tokens
      where hash = decode(${hash}, 'hex') and revoked_at is null and (expires_at is null or expires_at > now())
    ), used as (
      update api_tokens
      set last_used_at = now()
      from found
      where api_tokens.id = found.id
        and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
    )
    select id, user_id, access, project_ids, site_ids, expires_at from found
  `);
  const [row] = rows as Row[];
  if (row === undefined) return undefined;
  const { id: tokenId, user_id: userId, access, project_ids: projectIds, site_ids: siteIds } = row;
  return {
    actor: { kind: 'apiToken', tokenId, userId, access, projectIds, siteIds },
    endsAt: row.expires_at?.getTime() ?? null,
  };
}
