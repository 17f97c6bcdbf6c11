/** That a query token may change what one tab of a person shows (docs/mcp.md#views): its person allows it, sees it and ends it. */

import type { ProjectContext } from '../audit.ts';
import { type AuditedContext, insertProjectAudit } from '../audit.ts';
import type { ActorOf, SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { openedProjects } from './opened.ts';
import type { AllowView, OfTab, OneViewGrant, ViewGrant } from './schemas.ts';
import { heldSession, notSignedIn } from './sessions.ts';

/** A tab that hasn't asked for this time is closed. */
export const TAB_OPEN_MS = 10_000;

interface GrantRow {
  id: string;
  query_token_id: string;
  name: string;
  expires_at: Date;
  path: string | null;
  sent_at: Date | null;
  shown_at: Date | null;
}

const toGrant = (row: GrantRow): ViewGrant => ({
  id: row.id,
  queryTokenId: row.query_token_id,
  name: row.name,
  expiresAt: row.expires_at.toISOString(),
  view:
    row.path === null || row.sent_at === null
      ? null
      : { path: row.path, sentAt: row.sent_at.toISOString(), isShown: row.shown_at !== null },
});

/**
 * Allows a token of the caller to change what a tab shows, instead of another tab. Throws `NOT_FOUND` for a token that isn't the caller's or has
 * ended, `CONFLICT` for one without the scope `view:write`, and `UNAUTHORIZED` if the session has ended meanwhile. Uses primary keys and
 * `view_grants_query_token_id_key`.
 */
export async function allowView(
  ctx: ProjectContext,
  { queryTokenId, tab, minutes }: AllowView,
): Promise<ViewGrant> {
  const rows = await reach(ctx.sql`
    with session as (${heldSession(ctx)}), token as (
      select query_tokens.* from query_tokens join session using (user_id)
      where id = ${queryTokenId} and revoked_at is null and (expires_at is null or expires_at > now())
    ), granted as (
      insert into view_grants (session_id, query_token_id, tab, expires_at, seen_at)
      select ${ctx.actor.sessionId}::uuid, id, ${tab}::uuid, now() + make_interval(mins => ${minutes}::integer), now()
      from token where 'view:write' = any(scopes)
      on conflict (query_token_id) do update
      set id = gen_random_uuid(), session_id = excluded.session_id, tab = excluded.tab, expires_at = excluded.expires_at,
        seen_at = excluded.seen_at, path = null, sent_at = null, shown_at = null
      returning *
    ), done as (${openedProjects(ctx.sql, ctx.sql`(select token.* from token join granted on query_token_id = token.id)`)}),
    audited as (${insertProjectAudit(ctx, 'view-grant.create')})
    select exists (select from session) as signed_in, exists (select from token) as known, token.name, granted.*
    from (select) always left join token on true left join granted on true`);
  const [row] = rows as ((GrantRow | { id: null }) & { signed_in: boolean; known: boolean })[];
  if (row?.signed_in !== true) throw notSignedIn();
  if (!row.known) throw notFound('query token');
  if (row.id === null)
    throw new DomainError('CONFLICT', 'This token has no scope `view:write`. Make one that has it.');
  return toGrant(row);
}

/**
 * The grants of a tab of the caller's session that haven't ended. The tab is open, and shows what it says that it shows. Uses
 * `view_grants_session` and primary keys.
 */
export async function listViewGrants(ctx: SessionContext, { tab, shown }: OfTab): Promise<ViewGrant[]> {
  const rows = await reach(ctx.sql`
    update view_grants granted
    set seen_at = now(),
      shown_at = case
        when date_trunc('milliseconds', sent_at) = ${shown ?? null}::timestamptz then coalesce(shown_at, now())
        else shown_at end
    from query_tokens token
    where session_id = ${ctx.actor.sessionId}::uuid and tab = ${tab}::uuid and granted.expires_at > now()
      and token.id = query_token_id and revoked_at is null and (token.expires_at is null or token.expires_at > now())
    returning granted.*, token.name`);
  return (rows as GrantRow[]).map(toGrant);
}

/** Ends a grant of the caller, of any tab and session. Throws `NOT_FOUND`. Uses primary keys. */
export async function endView(ctx: ProjectContext, { viewGrantId }: OneViewGrant): Promise<void> {
  const rows = await reach(ctx.sql`
    with token as (
      select token.* from view_grants granted join query_tokens token on token.id = query_token_id
      where granted.id = ${viewGrantId} and token.user_id = ${ctx.actor.userId}
    ), ended as (
      delete from view_grants using token where query_token_id = token.id returning view_grants.id
    ), done as (${openedProjects(ctx.sql, ctx.sql`token`)}), audited as (${insertProjectAudit(ctx, 'view-grant.end')})
    select id from ended`);
  if (rows.length === 0) throw notFound('view grant');
}

/** The context of a token that shows views. */
type ShowContext = AuditedContext<ActorOf<'queryToken'>>;

/** A view that was sent to a tab. */
export interface SentView {
  grantId: string;
  sentAt: Date;
  /** End of the time in which the token may change the tab. */
  expiresAt: Date;
}

/**
 * Sends a view to the tab that the caller may change. Undefined: there is none, because nobody allowed it, or it was ended, the person signed
 * out, or the tab is closed. Uses `view_grants_query_token_id_key` and primary keys.
 */
export async function sendView(
  ctx: ShowContext,
  { path, projectId }: { path: string; projectId: string },
): Promise<SentView | undefined> {
  const { tokenId, userId } = ctx.actor;
  const rows = await reach(ctx.sql`
    with sent as (
      update view_grants granted set path = ${path}, sent_at = date_trunc('milliseconds', clock_timestamp()), shown_at = null
      from user_sessions session, query_tokens token
      where query_token_id = ${tokenId}::uuid and token.id = query_token_id and revoked_at is null
        and granted.expires_at > now()
        and seen_at > now() - make_interval(secs => ${TAB_OPEN_MS / 1000})
        and session.id = session_id and session.user_id = ${userId}::uuid and session.expires_at > now()
      returning granted.id, sent_at, granted.expires_at
    ), done as (select id, ${projectId}::uuid as project_id from sent), audited as (${insertProjectAudit(ctx, 'view.show')})
    select * from sent`);
  const [row] = rows as { id: string; sent_at: Date; expires_at: Date }[];
  return row && { grantId: row.id, sentAt: row.sent_at, expiresAt: row.expires_at };
}

/** Whether the tab shows the view that was sent. Uses the primary key. */
export async function isShown(
  { sql }: Pick<ShowContext, 'sql'>,
  { grantId, sentAt }: SentView,
): Promise<boolean> {
  const rows = await reach(sql`
    select from view_grants where id = ${grantId} and sent_at = ${sentAt.toISOString()}::timestamptz and shown_at is not null`);
  return rows.length > 0;
}
