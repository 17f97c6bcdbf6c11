import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberSite } from '../sites/member-site.ts';
import { requireWritten, type Written } from '../sites/written.ts';

/** Deletes one annotation. Throws `NOT_FOUND`, also for another site's, or `FORBIDDEN` for viewers. By primary keys. */
export async function deleteAnnotation(
  ctx: MemberContext,
  siteId: string,
  annotationId: string,
): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), deleted as (
      delete from site_annotations a
      using target
      where a.id = ${annotationId}::uuid and a.site_id = target.id and target.role in ('owner', 'admin')
      returning a.id
    )
    select target.role, deleted.id from target left join deleted on true
  `);
  requireWritten(rows as Written<{ id: string }>[], () => notFound('annotation'));
}
