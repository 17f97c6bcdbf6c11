/** Annotations at the boundary (docs/reports.md#goals-funnels-and-annotations). */
import * as v from 'valibot';
import { isDate } from '../analytics/dates.ts';
import { Id, Instant } from '../fields.ts';

const DATE = 'A day of the site’s zone, like 2026-11-21.';

export const NewAnnotation = v.strictObject({
  date: v.pipe(
    v.string(),
    v.check(isDate, 'must be a date like 2026-11-21'),
    v.metadata({ jsonSchema: { type: 'string', format: 'date', description: DATE } }),
  ),
  text: v.pipe(
    v.string(),
    v.description('White space around it is cut.'),
    v.trim(),
    v.minLength(1),
    v.maxLength(500),
  ),
});
export type NewAnnotation = v.InferOutput<typeof NewAnnotation>;

export const Annotation = v.object({
  id: Id,
  date: v.pipe(v.string(), v.isoDate(), v.description(DATE)),
  text: v.string(),
  createdAt: Instant,
});
export type Annotation = v.InferOutput<typeof Annotation>;
