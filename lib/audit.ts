import type { MemberContext } from './context.ts';

/** What `audit_log` tells of, beside `import.add` and `import.undo` (schema/functions/imports.sql). */
export type AuditedAction = 'site.delete' | 'visitor.delete' | 'visitor.export';

/** Of verbs that leave a line in the audit log. */
export interface AuditedContext extends MemberContext {
  /** As in the log and in the answer's `X-Request-Id`. */
  requestId: string;
}

/**
 * Part of other statements: writes one line into `audit_log` if `target` (`memberSite`) is there and its role may change
 * things. Of `subject`, an id, a hash is kept: who knows the id can look for what was done to it, and nobody else. Null: it
 * was done to the site.
 */
export const insertAudit = (ctx: AuditedContext, action: AuditedAction, subject: string | null) => ctx.sql`
  insert into audit_log (project_id, at, actor, action, site, subject, request_id)
  select sites.project_id, ${new Date(ctx.now()).toISOString()}::timestamptz, ${JSON.stringify(ctx.actor)}::jsonb, ${action},
    sites.id, sha256(convert_to(sites.id::text || ' ' || ${subject}::text, 'UTF8')), ${ctx.requestId}
  from target join sites on sites.id = target.id
  where target.role in ('owner', 'admin')
`;
