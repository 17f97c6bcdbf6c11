/** Creates sessions, ingest keys and query tokens for tests. */
import { createHmac, randomBytes } from 'node:crypto';
import type { IngestKeyActor } from '../../lib/context.ts';
import type { Sql } from '../../lib/db.ts';
import { createToken, hashToken, type TokenPrefix } from '../../lib/tokens.ts';

/** The AUTH_KEY of every stack that a test starts. */
export const TEST_AUTH_KEY = 'a key that signs the cookies of tests only';

const COOKIE = 'vendor.session_token';

/** A session's cookie with the service's signature, and the stored hash. */
export async function createCookie(): Promise<{ cookie: string; hash: string }> {
  const token = randomBytes(16).toString('hex');
  const signature = createHmac('sha256', TEST_AUTH_KEY).update(token).digest('base64');
  const value = encodeURIComponent(`${token}.${signature}`);
  return { cookie: `${COOKIE}=${value}`, hash: await hashToken(token) };
}

/** What a link that confirms an address ends with, signed as the service signs it (RFC 7519, HS256). */
export function createConfirmation(email: string): string {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  const body = `${part({ alg: 'HS256' })}.${part({ email, exp: Math.floor(Date.now() / 1000) + 3600 })}`;
  return `${body}.${createHmac('sha256', TEST_AUTH_KEY).update(body).digest('base64url')}`;
}

const newSecret = (prefix: TokenPrefix): string =>
  createToken(prefix, (bytes) => crypto.getRandomValues(bytes));

/** Creates an ingest key of a project's first environment. Returns the key and its actor. */
export async function addIngestKey(
  sql: Sql,
  projectId: string,
  outcomes = true,
): Promise<{ ingestKeyId: string; environmentId: string; key: string; actor: IngestKeyActor }> {
  const key = newSecret('ving');
  const [row] = await sql`
    with environment as (
      insert into environments (project_id, name) values (${projectId}, 'production')
      on conflict (project_id, name) do update set name = excluded.name returning id, key
    ), made as (
      insert into ingest_keys (environment_id, name, outcomes, hash)
      select id, 'test', ${outcomes}::boolean, decode(${await hashToken(key)}, 'hex') from environment
      returning id
    )
    select made.id as "keyId", environment.id as "environmentId", environment.key as "environmentKey" from made, environment`;
  const actor = { kind: 'ingestKey', projectId, outcomes, ...row } as IngestKeyActor;
  return { ingestKeyId: actor.keyId, environmentId: actor.environmentId, key, actor };
}

const ALL_SCOPES = [
  'sites:read',
  'analytics:read',
  'telemetry:read',
  'outcomes:read',
  'control:write',
  'view:write',
];

/** What a query token opens at most. */
export interface TokenLimits {
  /** Default: all. */
  scopes?: readonly string[];
  projectIds?: readonly string[];
  siteIds?: readonly string[];
  /** Default: the token has no end. */
  expiresAt?: Date;
}

/** Creates a person's query token. Returns the token and its id. */
export async function addQueryToken(
  sql: Sql,
  userId: string,
  { scopes = ALL_SCOPES, projectIds, siteIds, expiresAt }: TokenLimits = {},
): Promise<{ queryTokenId: string; token: string }> {
  const token = newSecret('vqry');
  const [row] = await sql`
    insert into query_tokens (user_id, name, scopes, project_ids, site_ids, expires_at, hash)
    values (
      ${userId}, 'test', ${scopes}::text[], ${projectIds ?? null}::uuid[], ${siteIds ?? null}::uuid[],
      ${expiresAt?.toISOString() ?? null}::timestamptz, decode(${await hashToken(token)}, 'hex'))
    returning id`;
  return { queryTokenId: row?.id, token };
}
