import { type Range, selectRange } from '../analytics/range.ts';
import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { listed } from '../listed.ts';
import { type AnnotationRow, annotationColumns, toAnnotation } from './annotation.ts';
import type { Annotation } from './schemas.ts';

/**
 * What was noted of the days that the range touches, by date, then by age. Throws `NOT_FOUND`. Reads them by the index
 * `site_annotations_date`.
 */
export async function listAnnotations(
  ctx: MemberContext,
  siteId: string,
  range: Range,
): Promise<Annotation[]> {
  const { sql, actor } = ctx;
  const now = new Date(ctx.now()).toISOString();
  const rows = await reach(sql`
    with range as (${selectRange(sql, { actor, siteId }, range, now)})
    select ${annotationColumns(sql)}
    from range
    left join site_annotations a on a.site_id = ${siteId}::uuid
      and a.date >= (from_at at time zone timezone)::date
      and a.date <= ((to_at - interval '1 microsecond') at time zone timezone)::date
    order by a.date, a.created_at, a.id
  `);
  return listed<AnnotationRow>(rows, 'site').map(toAnnotation);
}
