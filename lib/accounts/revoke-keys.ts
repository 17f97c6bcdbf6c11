import { type AuditedContext, insertProjectAudit } from '../audit.ts';
import type { Actor } from '../context.ts';
import { reach, type Sql } from '../db.ts';
import type { ProjectContext } from '../projects/project.ts';

type Fragment = ReturnType<Sql>;

/**
 * Part of other statements, in the list after `with`: revokes all API keys and query tokens of a relation's `id`, with a line for each in
 * the audit log of each project that it opened. Uses the indexes `api_tokens_user` and `query_tokens_user`.
 */
export const insertRevokedKeys = (ctx: AuditedContext<Actor>, people: Fragment): Fragment => ctx.sql`
  revoked as materialized (
    select revoked.kind, revoked.id, revoked.project_id from ${people} person cross join lateral revoke_keys(person.id) revoked
  ), audited_keys as (
    ${insertProjectAudit(ctx, 'api-key.revoke', ctx.sql`(select project_id, id, (select name from api_tokens where api_tokens.id = revoked.id) as name from revoked where kind = 'api-key')`)}
  ), audited_tokens as (
    ${insertProjectAudit(ctx, 'query-token.revoke', ctx.sql`(select project_id, id, (select name from query_tokens where query_tokens.id = revoked.id) as name from revoked where kind = 'query-token')`)}
  )`;

/** Revokes all of the caller's API keys and query tokens; every function refuses them within 60 s. */
export async function revokeAllKeys(ctx: ProjectContext): Promise<void> {
  const caller = ctx.sql`(select ${ctx.actor.userId}::uuid as id)`;
  await reach(ctx.sql`with ${insertRevokedKeys(ctx, caller)} select count(*) from revoked`);
}
