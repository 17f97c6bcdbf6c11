/** Schemas of annotations (docs/reports.md#goals-funnels-and-annotations). */
import * as v from 'valibot';
import { CalendarDate } from '../analytics/reading/report-inputs.ts';
import { Id, Instant } from '../fields.ts';

const DATE = 'A day of the site’s zone, like 2026-11-21.';

export const CreateAnnotation = v.strictObject({
  siteId: Id,
  date: CalendarDate(DATE),
  text: v.pipe(
    v.string(),
    v.description('White space around it is removed.'),
    v.trim(),
    v.minLength(1),
    v.maxLength(500),
  ),
});
export type CreateAnnotation = v.InferOutput<typeof CreateAnnotation>;

export const OneAnnotation = v.strictObject({ siteId: Id, annotationId: Id });
export type OneAnnotation = v.InferOutput<typeof OneAnnotation>;

export const Annotation = v.object({
  id: Id,
  date: v.pipe(v.string(), v.isoDate(), v.description(DATE)),
  text: v.string(),
  createdAt: Instant,
});
export type Annotation = v.InferOutput<typeof Annotation>;
