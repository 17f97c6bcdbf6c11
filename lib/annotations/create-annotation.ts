import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { DomainError } from '../errors.ts';
import { memberSite } from '../sites/member-site.ts';
import { requireWritten, type Written } from '../sites/written.ts';
import { type AnnotationRow, annotationColumns, toAnnotation } from './annotation.ts';
import type { Annotation, NewAnnotation } from './schemas.ts';

const MAX_ANNOTATIONS_A_SITE = 100;

/**
 * Notes something of a day of a site. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` when the site has as many as
 * it may. Counts those by the index `site_annotations_date`, at most `MAX_ANNOTATIONS_A_SITE` rows.
 */
export async function createAnnotation(
  ctx: MemberContext,
  siteId: string,
  { date, text }: NewAnnotation,
): Promise<Annotation> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), a as (
      insert into site_annotations (site_id, date, text)
      select target.id, ${date}::date, ${text}
      from target
      where target.role in ('owner', 'admin')
        and (select count(*) from site_annotations where site_id = target.id) < ${MAX_ANNOTATIONS_A_SITE}
      returning *
    )
    select target.role, ${annotationColumns(ctx.sql)} from target left join a on true
  `);
  return toAnnotation(requireWritten(rows as Written<AnnotationRow>[], siteFull));
}

const siteFull = (): DomainError =>
  new DomainError('CONFLICT', `A site holds at most ${MAX_ANNOTATIONS_A_SITE} annotations. Delete one.`);
