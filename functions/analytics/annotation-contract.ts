import * as v from 'valibot';
import { RangeOnly } from '../../lib/analytics/reading/report-inputs.ts';
import { Annotation, CreateAnnotation, OneAnnotation } from '../../lib/annotations/schemas.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { QUERIES } from './limits.ts';

const shared = { tag: 'Annotations', auth: 'member', limit: QUERIES } as const;
const path = '/api/v1/sites/:siteId/analytics/annotations';

export const annotationRoutes = {
  listAnnotations: {
    ...shared,
    method: 'GET',
    path,
    summary: 'A site’s annotations in a range, by date',
    description: 'With `24h`, the annotations of both days that the 24 hours touch.',
    input: RangeOnly,
    responses: { 200: { description: 'The annotations.', schema: v.object({ data: v.array(Annotation) }) } },
    errors: ['NOT_FOUND'],
  },
  createAnnotation: {
    ...shared,
    audit: 'annotation.create',
    method: 'POST',
    path,
    summary: 'Add an annotation to a day',
    description: 'A site holds at most 100.',
    input: CreateAnnotation,
    responses: { 201: { description: 'The new annotation.', schema: v.object({ data: Annotation }) } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  deleteAnnotation: {
    ...shared,
    audit: 'annotation.delete',
    method: 'DELETE',
    path: `${path}/:annotationId`,
    summary: 'Delete an annotation',
    input: OneAnnotation,
    responses: { 204: { description: 'Deleted.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Contracts;

export const annotationComponents = { Annotation };
