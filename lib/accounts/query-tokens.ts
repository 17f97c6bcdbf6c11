/** Query tokens (for /mcp): their owner makes, lists and revokes them. */

import type { ProjectContext } from '../audit.ts';
import { insertProjectAudit } from '../audit.ts';
import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { requireToCome } from '../fields.ts';
import { createToken, hashToken } from '../tokens.ts';
import { inTurn, turnOfPerson } from '../turns.ts';
import { knownNames, type OpenedRow, openedProjects, storedIds, toOpened } from './opened.ts';
import type { CreatedQueryToken, CreateQueryToken, OneQueryToken, QueryToken } from './schemas.ts';
import { heldSession, notSignedIn } from './sessions.ts';

const MAX_TOKENS_A_PERSON = 100;

interface QueryTokenRow extends OpenedRow {
  id: string;
  name: string;
  scopes: QueryToken['scopes'];
  created_at: Date;
  last_used_at: Date | null;
}

const toQueryToken = (row: QueryTokenRow): QueryToken => ({
  id: row.id,
  name: row.name,
  scopes: row.scopes,
  ...toOpened(row),
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

/**
 * The caller's query tokens that aren't revoked, also expired ones, oldest first, without the tokens themselves. Uses `query_tokens_user`.
 */
export async function listQueryTokens(ctx: SessionContext): Promise<QueryToken[]> {
  const rows = await reach(ctx.sql`
    select id, name, scopes, project_ids, site_ids, expires_at, created_at, last_used_at from query_tokens
    where user_id = ${ctx.actor.userId} and revoked_at is null order by created_at, id`);
  return (rows as QueryTokenRow[]).map(toQueryToken);
}

/**
 * Makes a query token. Throws `VALIDATION_ERROR` for an end in the past, `NOT_FOUND` for a project or site that the caller can't see or a
 * site outside the named projects, `CONFLICT` at the maximum number, and `UNAUTHORIZED` if the caller's session has ended meanwhile. Uses
 * primary keys.
 */
export async function createQueryToken(
  ctx: ProjectContext,
  { name, scopes, projectIds = [], siteIds = [], expiresAt }: CreateQueryToken,
): Promise<CreatedQueryToken> {
  requireToCome(expiresAt, ctx.now());
  const { userId } = ctx.actor;
  const secret = createToken('vqry', (bytes) => crypto.getRandomValues(bytes));
  const rows = await inTurn(
    ctx.sql,
    [turnOfPerson(ctx.sql, userId)],
    ctx.sql`
    with session as (${heldSession(ctx)}), ${knownNames(ctx, { projectIds, siteIds })}, token as (
      insert into query_tokens (user_id, name, scopes, project_ids, site_ids, hash, expires_at)
      select session.user_id, ${name}, ${scopes}::text[],
        ${storedIds(ctx.sql, projectIds)}, ${storedIds(ctx.sql, siteIds)},
        decode(${await hashToken(secret)}, 'hex'), ${expiresAt ?? null}::timestamptz
      from known cross join session
      where all_known
        and (select count(*) from query_tokens where user_id = ${userId} and revoked_at is null) < ${MAX_TOKENS_A_PERSON}
      returning *
    ), done as (${openedProjects(ctx.sql, ctx.sql`token`)}), audited as (${insertProjectAudit(ctx, 'query-token.create')})
    select known.all_known, token.* from session cross join known left join token on true`,
  );
  const [row] = rows as ((QueryTokenRow | { id: null }) & { all_known: boolean })[];
  if (row === undefined) throw notSignedIn();
  if (!row.all_known) throw notFound('project or site');
  if (row.id === null)
    throw new DomainError(
      'CONFLICT',
      `A person has at most ${MAX_TOKENS_A_PERSON} query tokens. Revoke one.`,
    );
  return { ...toQueryToken(row), token: secret };
}

/** Revokes one of the caller's query tokens; every function refuses it within 60 s. Throws `NOT_FOUND`. Uses the primary key. */
export async function revokeQueryToken(ctx: ProjectContext, { queryTokenId }: OneQueryToken): Promise<void> {
  const rows = await reach(ctx.sql`
    with token as (
      update query_tokens set revoked_at = now()
      where id = ${queryTokenId} and user_id = ${ctx.actor.userId} and revoked_at is null
      returning id, name, user_id, project_ids, site_ids
    ), done as (${openedProjects(ctx.sql, ctx.sql`token`)}), audited as (${insertProjectAudit(ctx, 'query-token.revoke')})
    select id from token`);
  if (rows.length === 0) throw notFound('query token');
}
