import { memberSite, requireRole } from '../access.ts';
import { type AuditedContext, insertAudit } from '../audit.ts';
import { reach } from '../db.ts';
import type { OneVisitor } from './schemas.ts';

/**
 * Deletes all data of a tier 3 visitor and corrects the reports, as if the visitor had never come (`delete_visitor` in
 * schema/functions/erasure.sql, which tells the cost). An unknown visitor is no error, so it is safe to repeat. Throws `NOT_FOUND` for the
 * site, `FORBIDDEN` for viewers. Writes the audit log in the same statement.
 */
export async function deleteVisitor(ctx: AuditedContext, { siteId, visitorId }: OneVisitor): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), audited as (${insertAudit(ctx, 'visitor.delete', visitorId)})
    select target.role, case when target.role in ('owner', 'admin') then delete_visitor(target.id, ${visitorId}::uuid)::text end as deleted
    from target
  `);
  requireRole(rows, { what: 'site' });
}
