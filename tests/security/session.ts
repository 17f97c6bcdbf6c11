/** Sessions and keys of other surfaces, for a test. */
import { createHmac, randomBytes } from 'node:crypto';
import type { IngestKeyActor } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import { createToken, hashToken, type TokenPrefix } from '../../lib/tokens.ts';

/** The AUTH_KEY of every stack that a test starts. */
export const TEST_AUTH_KEY = 'a key that signs the cookies of tests only';

const COOKIE = 'vendor.session_token';

/** A session's cookie, signed as the service signs it, and the hash that it is stored by. */
export async function createCookie(): Promise<{ cookie: string; hash: string }> {
  const token = randomBytes(16).toString('hex');
  const signature = createHmac('sha256', TEST_AUTH_KEY).update(token).digest('base64');
  const value = encodeURIComponent(`${token}.${signature}`);
  return { cookie: `${COOKIE}=${value}`, hash: await hashToken(token) };
}

const newSecret = (prefix: TokenPrefix): string =>
  createToken(prefix, (bytes) => crypto.getRandomValues(bytes));

/** An ingest key of a project's first environment that works, and whom it makes of its bearer. */
export async function addIngestKey(
  sql: Sql,
  projectId: string,
  outcomes = true,
): Promise<{ ingestKeyId: string; environmentId: string; key: string; actor: IngestKeyActor }> {
  const key = newSecret('ving');
  const [row] = await sql`
    with place as (
      insert into environments (project_id, name) values (${projectId}, 'production')
      on conflict (project_id, name) do update set name = excluded.name returning id, key
    ), made as (
      insert into ingest_keys (environment_id, name, outcomes, hash)
      select id, 'test', ${outcomes}::boolean, decode(${await hashToken(key)}, 'hex') from place
      returning id
    )
    select made.id as "keyId", place.id as "environmentId", place.key as "environmentKey" from made, place`;
  const actor = { kind: 'ingestKey', projectId, outcomes, ...row } as IngestKeyActor;
  return { ingestKeyId: actor.keyId, environmentId: actor.environmentId, key, actor };
}

/** A query token of somebody's with every scope, and its id. */
export async function addQueryToken(
  sql: Sql,
  userId: string,
): Promise<{ queryTokenId: string; token: string }> {
  const token = newSecret('vqry');
  const [row] = await sql`
    insert into query_tokens (user_id, name, scopes, hash)
    values (${userId}, 'test', array['sites:read', 'analytics:read', 'control:write'], decode(${await hashToken(token)}, 'hex'))
    returning id`;
  return { queryTokenId: row?.id, token };
}
