import type { Actor, Ports } from '../context.ts';
import { reachToRead } from '../db.ts';

/**
 * The environment of an ingest key's hash (hex SHA-256); undefined if the key is unknown or revoked. Records the use at most once a
 * minute, in the same statement. Reads by the unique index on `hash`, writes by the primary key; constant cost.
 */
export async function findIngestKey(
  ctx: Pick<Ports, 'sql'>,
  hash: string,
): Promise<Extract<Actor, { kind: 'ingestKey' }> | undefined> {
  const [row] = await reachToRead(ctx.sql`
    with found as (
      select key.id, key.environment_id, environments.key as environment_key, environments.project_id, key.outcomes, key.last_used_at
      from ingest_keys key join environments on environments.id = key.environment_id
      where key.hash = decode(${hash}, 'hex') and key.revoked_at is null
    ), used as (
      update ingest_keys set last_used_at = now() from found
      where ingest_keys.id = found.id
        and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
    )
    select id as "keyId", environment_id as "environmentId", environment_key as "environmentKey", project_id as "projectId", outcomes from found
  `);
  return row && ({ kind: 'ingestKey', ...row } as Extract<Actor, { kind: 'ingestKey' }>);
}
