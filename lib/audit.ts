import type { Actor, Context, MemberActor } from './context.ts';

/** What was done to a site, beside `import.add` and `import.undo` (schema/functions/imports.sql). */
export type SiteAction = 'site.delete' | 'visitor.delete' | 'visitor.export';

/** What was done to a project, and to what belongs to it or opens it. */
export type ProjectAction =
  | 'project.create'
  | 'project.rename'
  | 'member.invite'
  | 'member.uninvite'
  | 'member.join'
  | 'member.change'
  | 'member.remove'
  | 'environment.create'
  | 'environment.rename'
  | 'environment.delete'
  | 'ingest-key.create'
  | 'ingest-key.revoke'
  | 'api-key.create'
  | 'api-key.revoke'
  | 'query-token.create'
  | 'query-token.revoke'
  | 'origins.replace'
  | 'retention.replace';

/** Of verbs that leave a line in the audit log. */
export interface AuditedContext<A extends Actor = MemberActor> extends Context<A> {
  /** As in the log and in the answer's `X-Request-Id`. */
  requestId: string;
}

/**
 * Part of other statements: writes one line into `audit_log` if `target` (`memberSite`) is there and its role may change
 * things. Of `subject`, an id, a hash is kept: who knows the id can look for what was done to it, and nobody else. Null: it
 * was done to the site.
 */
export const insertAudit = (ctx: AuditedContext, action: SiteAction, subject: string | null) => ctx.sql`
  insert into audit_log (project_id, at, actor, action, site, subject, request_id)
  select sites.project_id, ${new Date(ctx.now()).toISOString()}::timestamptz, ${JSON.stringify(ctx.actor)}::jsonb, ${action},
    sites.id, sha256(convert_to(sites.id::text || ' ' || ${subject}::text, 'UTF8')), ${ctx.requestId}
  from target join sites on sites.id = target.id
  where target.role in ('owner', 'admin')
`;

/**
 * Part of other statements: one line in a project's audit log for each row of `done`, whose `id` is what it was done to and `project_id`
 * where. Of the id a hash is kept.
 */
export const insertProjectAudit = (ctx: AuditedContext<Actor>, action: ProjectAction) => ctx.sql`
  insert into audit_log (project_id, at, actor, action, subject, request_id)
  select done.project_id, ${new Date(ctx.now()).toISOString()}::timestamptz, ${JSON.stringify(ctx.actor)}::jsonb,
    ${action}, sha256(convert_to(done.project_id::text || ' ' || done.id::text, 'UTF8')), ${ctx.requestId}
  from done
`;
