import { memberSite, requireRole } from '../access.ts';
import { type AuditedContext, insertAudit } from '../audit.ts';
import { reach } from '../db.ts';
import type { OneVisitor } from './schemas.ts';

/**
 * Deletes all that is known of a tier 3 visitor and takes it out of the reports, as if the visitor had never come
 * (schema/functions/erasure.sql, `delete_visitor`, which tells the cost). Of a visitor that nobody knows there is nothing to do, and that is no
 * error: asking twice is safe. Throws `NOT_FOUND` for the site, `FORBIDDEN` for viewers. Audited, in the same statement.
 */
export async function deleteVisitor(ctx: AuditedContext, { siteId, visitorId }: OneVisitor): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), audited as (${insertAudit(ctx, 'visitor.delete', visitorId)})
    select target.role, case when target.role in ('owner', 'admin') then delete_visitor(target.id, ${visitorId}::uuid)::text end as deleted
    from target
  `);
  requireRole(rows, { what: 'site' });
}
