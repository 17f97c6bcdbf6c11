/** API keys (called API tokens where they are used): their owner makes, lists and revokes them, and so does the operator. */

import type { ProjectContext } from '../audit.ts';
import { type AuditedContext, insertProjectAudit } from '../audit.ts';
import type { ActorOf, SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { requireToCome } from '../fields.ts';
import { createToken, hashToken } from '../tokens.ts';
import { inTurn, turnOfPerson } from '../turns.ts';
import { knownNames, type OpenedRow, openedProjects, storedIds, toOpened } from './opened.ts';
import type {
  ApiKey,
  CreateApiKey,
  CreateApiToken,
  CreatedApiKey,
  ListApiTokens,
  OneApiKey,
  RevokeApiToken,
} from './schemas.ts';
import { heldSession, notSignedIn } from './sessions.ts';

const MAX_KEYS_A_PERSON = 100;

interface ApiKeyRow extends OpenedRow {
  id: string;
  name: string;
  access: ApiKey['access'];
  created_at: Date;
  last_used_at: Date | null;
}

const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  access: row.access,
  ...toOpened(row),
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

const newToken = () => createToken('vapi', (bytes) => crypto.getRandomValues(bytes));

/** The caller's API keys that aren't revoked, also expired ones, oldest first, without the keys themselves. Uses `api_tokens_user`. */
export async function listApiKeys(ctx: SessionContext): Promise<ApiKey[]> {
  const rows = await reach(ctx.sql`
    select id, name, access, project_ids, site_ids, expires_at, created_at, last_used_at from api_tokens
    where user_id = ${ctx.actor.userId} and revoked_at is null order by created_at, id`);
  return (rows as ApiKeyRow[]).map(toApiKey);
}

/**
 * Makes an API key. Throws `VALIDATION_ERROR` for an end in the past, `NOT_FOUND` for a project or site that the caller can't see or a site
 * outside the named projects, `CONFLICT` at the maximum number, and `UNAUTHORIZED` if the caller's session has ended meanwhile. Uses
 * primary keys.
 */
export async function createApiKey(
  ctx: ProjectContext,
  { name, access, projectIds = [], siteIds = [], expiresAt }: CreateApiKey,
): Promise<CreatedApiKey> {
  requireToCome(expiresAt, ctx.now());
  const { userId } = ctx.actor;
  const token = newToken();
  const rows = await inTurn(
    ctx.sql,
    [turnOfPerson(ctx.sql, userId)],
    ctx.sql`
    with session as (${heldSession(ctx)}), ${knownNames(ctx, { projectIds, siteIds })}, key as (
      insert into api_tokens (user_id, name, access, project_ids, site_ids, hash, expires_at)
      select session.user_id, ${name}, ${access}, ${storedIds(ctx.sql, projectIds)}, ${storedIds(ctx.sql, siteIds)},
        decode(${await hashToken(token)}, 'hex'), ${expiresAt ?? null}::timestamptz
      from known cross join session
      where all_known
        and (select count(*) from api_tokens where user_id = ${userId} and revoked_at is null) < ${MAX_KEYS_A_PERSON}
      returning *
    ), done as (${openedProjects(ctx.sql, ctx.sql`key`)}), audited as (${insertProjectAudit(ctx, 'api-key.create')})
    select known.all_known, key.* from session cross join known left join key on true`,
  );
  const [row] = rows as ((ApiKeyRow | { id: null }) & { all_known: boolean })[];
  if (row === undefined) throw notSignedIn();
  if (!row.all_known) throw notFound('project or site');
  if (row.id === null)
    throw new DomainError('CONFLICT', `A person has at most ${MAX_KEYS_A_PERSON} API keys. Revoke one.`);
  return { ...toApiKey(row), token };
}

/** Revokes one of the caller's API keys; every function refuses it within 60 s. Throws `NOT_FOUND`. Uses the primary key. */
export async function revokeApiKey(ctx: ProjectContext, { apiKeyId }: OneApiKey): Promise<void> {
  const rows = await reach(ctx.sql`
    with key as (
      update api_tokens set revoked_at = now()
      where id = ${apiKeyId} and user_id = ${ctx.actor.userId} and revoked_at is null returning *
    ), done as (${openedProjects(ctx.sql, ctx.sql`key`)}), audited as (${insertProjectAudit(ctx, 'api-key.revoke')})
    select id from key`);
  if (rows.length === 0) throw notFound('API key');
}

/** The context of verbs for `npm run account`, which identifies a person by e-mail address. */
export type OperatorContext = AuditedContext<ActorOf<'operator'>>;

export interface NewApiToken {
  id: string;
  /** Shown only here; the database stores a hash. */
  token: string;
}

export interface ApiTokenSummary {
  id: string;
  name: string;
  createdAt: Date;
  /** Exact to a minute; null: never used. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** All API keys of the person with this address, also revoked ones, newest first, without the keys themselves. */
export async function listApiTokens(
  ctx: OperatorContext,
  { email }: ListApiTokens,
): Promise<ApiTokenSummary[]> {
  const rows = await reach(ctx.sql`
    select t.id, t.name, t.created_at as "createdAt", t.last_used_at as "lastUsedAt", t.revoked_at as "revokedAt"
    from api_tokens t join users u on u.id = t.user_id
    where lower(u.email) = lower(${email}) order by t.created_at desc`);
  return rows as ApiTokenSummary[];
}

/** Makes an API key for the person with this address. Throws `NOT_FOUND` if no person has it. */
export async function createApiToken(
  ctx: OperatorContext,
  { email, name }: CreateApiToken,
): Promise<NewApiToken> {
  const token = newToken();
  const [made] = await reach(ctx.sql`
    with key as (
      insert into api_tokens (user_id, name, hash)
      select id, ${name}, decode(${await hashToken(token)}, 'hex') from users where lower(email) = lower(${email})
      returning *
    ), done as (${openedProjects(ctx.sql, ctx.sql`key`)}), audited as (${insertProjectAudit(ctx, 'api-key.create')})
    select id from key`);
  if (made === undefined) throw notFound('account');
  return { id: made.id, token };
}

/** Revokes an API key; every function refuses it within 60 s. Throws `NOT_FOUND` for an unknown or already revoked key. */
export async function revokeApiToken(ctx: OperatorContext, { id }: RevokeApiToken): Promise<void> {
  const revoked = await reach(ctx.sql`
    with key as (
      update api_tokens set revoked_at = now() where id::text = ${id} and revoked_at is null returning *
    ), done as (${openedProjects(ctx.sql, ctx.sql`key`)}), audited as (${insertProjectAudit(ctx, 'api-key.revoke')})
    select id from key`);
  if (revoked.length === 0) throw notFound('API token');
}
