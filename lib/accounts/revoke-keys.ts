import type { ProjectContext } from '../audit.ts';
import { type AuditedContext, insertProjectAudit } from '../audit.ts';
import type { Actor } from '../context.ts';
import type { Fragment } from '../db.ts';
import { inTurn, turnOfPerson } from '../turns.ts';

/**
 * Part of other statements, in the list after `with`: revokes all API keys, query tokens and open invitations of a relation's `id`, with a
 * line for each in the audit log of each project that it opened. Uses the indexes `api_tokens_user`, `query_tokens_user` and
 * `project_invitations_project`.
 */
export const insertRevokedKeys = (ctx: AuditedContext<Actor>, people: Fragment): Fragment => ctx.sql`
  revoked as materialized (
    select revoked.kind, revoked.id, revoked.project_id from ${people} person cross join lateral revoke_keys(person.id) revoked
  ), audited_keys as (
    ${insertProjectAudit(ctx, 'api-key.revoke', ctx.sql`(select project_id, id, (select name from api_tokens where api_tokens.id = revoked.id) as name from revoked where kind = 'api-key')`)}
  ), audited_tokens as (
    ${insertProjectAudit(ctx, 'query-token.revoke', ctx.sql`(select project_id, id, (select name from query_tokens where query_tokens.id = revoked.id) as name from revoked where kind = 'query-token')`)}
  ), audited_invitations as (
    ${insertProjectAudit(ctx, 'member.uninvite', ctx.sql`(select project_id, id from revoked where kind = 'invitation')`)}
  )`;

/** Revokes all of the caller's API keys, query tokens and open invitations; every function refuses the keys within 60 s. */
export async function revokeAllKeys(ctx: ProjectContext): Promise<void> {
  const caller = ctx.sql`(select ${ctx.actor.userId}::uuid as id)`;
  const statement = ctx.sql`with ${insertRevokedKeys(ctx, caller)} select count(*) from revoked`;
  await inTurn(ctx.sql, [turnOfPerson(ctx.sql, ctx.actor.userId)], statement);
}
