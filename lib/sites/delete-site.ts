import { type AuditedContext, insertAudit } from '../audit.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import type { Role } from '../projects/schemas.ts';
import { memberSite } from './member-site.ts';
import { viewersOnlyRead } from './site.ts';

/** Rows of a site that are deleted before the answer: less than half a second of work. */
const ROWS_AT_ONCE = 10_000;

/**
 * Deletes a site: nobody finds it any more. Everything known of it is deleted with it, of a large site the rest by
 * `continueDeletions` (schema/functions/deletion.sql). Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. Audited, in the same
 * statement. The cost grows with the rows that the site has, up to that limit.
 */
export async function deleteSite(ctx: AuditedContext, siteId: string): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), audited as (${insertAudit(ctx, 'site.delete', null)})
    select target.role, case when target.role in ('owner', 'admin')
      then delete_site(target.id, ${new Date(ctx.now()).toISOString()}::timestamptz, ${ROWS_AT_ONCE}::integer)::text end as deleted
    from target
  `);
  const [row] = rows as { role: Role }[];
  if (row === undefined) throw notFound('site');
  if (row.role === 'viewer') throw viewersOnlyRead();
}
