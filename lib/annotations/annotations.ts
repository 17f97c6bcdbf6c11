/** Annotations: members' notes about days of a site. */

import { memberSite, requireWritten } from '../access.ts';
import { type Range, selectRange } from '../analytics/reading/report-range.ts';
import { type AuditedContext, insertSiteAudit } from '../audit.ts';
import type { ControlActor, ReportContext } from '../context.ts';
import { reach, type Sql } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import { listed } from '../listed.ts';
import { inTurn, turnOfSite } from '../turns.ts';
import type { Annotation, CreateAnnotation, OneAnnotation } from './schemas.ts';

const MAX_ANNOTATIONS_A_SITE = 100;

interface AnnotationRow {
  id: string;
  date: string;
  text: string;
  created_at: Date;
}

/** The columns of an `AnnotationRow`. The cast stops the driver from turning the date into an instant of its own zone. */
const annotationColumns = (sql: Sql) => sql`a.id, a.date::text as date, a.text, a.created_at`;

const toAnnotation = ({ id, date, text, created_at }: AnnotationRow): Annotation => ({
  id,
  date,
  text,
  createdAt: created_at.toISOString(),
});

/**
 * The annotations of all days in the range, sorted by date, then by creation. Throws `NOT_FOUND`. Uses the index `site_annotations_date`.
 */
export async function listAnnotations(
  ctx: ReportContext,
  { siteId, range }: { siteId: string; range: Range },
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

/**
 * Adds an annotation to a day of a site. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` at the site's maximum number. Counts by
 * the index `site_annotations_date`, at most `MAX_ANNOTATIONS_A_SITE` rows.
 */
export async function createAnnotation(
  ctx: AuditedContext<ControlActor>,
  { siteId, date, text }: CreateAnnotation,
): Promise<Annotation> {
  const rows = await inTurn(
    ctx.sql,
    [turnOfSite(ctx.sql, siteId)],
    ctx.sql`
    with target as (${memberSite(ctx, siteId)}), a as (
      insert into site_annotations (site_id, date, text)
      select target.id, ${date}::date, ${text}
      from target
      where target.role in ('owner', 'admin')
        and (select count(*) from site_annotations where site_id = target.id) < ${MAX_ANNOTATIONS_A_SITE}
      returning *, text as name
    ), audited as (${insertSiteAudit(ctx, 'annotation.create', ctx.sql`a`)})
    select target.role, ${annotationColumns(ctx.sql)} from target left join a on true
  `,
  );
  return toAnnotation(requireWritten<AnnotationRow>(rows, { what: 'site', refused: siteFull }));
}

/** Deletes one annotation. Throws `NOT_FOUND`, also for another site's annotation, or `FORBIDDEN` for viewers. Uses primary keys. */
export async function deleteAnnotation(
  ctx: AuditedContext<ControlActor>,
  { siteId, annotationId }: OneAnnotation,
): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), deleted as (
      delete from site_annotations a
      using target
      where a.id = ${annotationId}::uuid and a.site_id = target.id and target.role in ('owner', 'admin')
      returning a.id, a.text as name
    ), audited as (${insertSiteAudit(ctx, 'annotation.delete', ctx.sql`deleted`)})
    select target.role, deleted.id from target left join deleted on true
  `);
  requireWritten(rows, { what: 'site', refused: () => notFound('annotation') });
}

const siteFull = (): DomainError =>
  new DomainError('CONFLICT', `A site holds at most ${MAX_ANNOTATIONS_A_SITE} annotations. Delete one.`);
