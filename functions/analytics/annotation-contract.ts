import * as v from 'valibot';
import { Annotation, NewAnnotation } from '../../lib/annotations/schemas.ts';
import { NOBODYS, type RouteContract, SAMPLE, unknownSite } from '../../lib/http/contract.ts';
import { AnnotationsQuery } from './query.ts';

const shared = { tag: 'Annotations', auth: 'apiToken', limited: true } as const;
const path = '/api/v1/sites/:siteId/analytics/annotations';

const note = { date: '2026-11-21', text: 'New prices' };
const annotation = { id: SAMPLE.annotationId, ...note, createdAt: '2026-11-21T09:00:00.000Z' };

/** What the OpenAPI document says of annotations. */
export const annotationRoutes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path,
    operationId: 'listAnnotations',
    summary: 'What was noted of the days of a range, by date',
    description: 'With `24h`, of the two days that the 24 hours lie in.',
    query: AnnotationsQuery,
    responses: { 200: { description: 'The notes.', schema: v.object({ data: v.array(Annotation) }) } },
    errors: ['NOT_FOUND'],
    examples: [
      { summary: 'Of 30 days', status: 200, response: { data: [annotation] } },
      { summary: 'Of a month', status: 200, query: { from: '2026-11-01', to: '2026-11-30' } },
      { summary: 'Half a range', status: 400, query: { from: '2026-11-01' } },
      { summary: 'A filter, which only reports have', status: 400, query: { filter_country: 'PT' } },
      unknownSite,
    ],
  },
  {
    ...shared,
    method: 'POST',
    path,
    operationId: 'createAnnotation',
    summary: 'Note something of a day',
    description: 'A site holds at most 100.',
    body: { schema: NewAnnotation },
    responses: { 201: { description: 'The new note.', schema: v.object({ data: Annotation }) } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
    examples: [
      { summary: 'A note', status: 201, body: note, response: { data: annotation } },
      { summary: 'A day that no calendar has', status: 400, body: { ...note, date: '2026-02-29' } },
      { summary: 'Nothing noted', status: 400, body: { ...note, text: ' ' } },
      { ...unknownSite, body: note },
    ],
  },
  {
    ...shared,
    method: 'DELETE',
    path: `${path}/:annotationId`,
    operationId: 'deleteAnnotation',
    summary: 'Delete a note',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    examples: [
      { summary: 'A note', status: 204 },
      { summary: 'Nobody’s note', status: 404, params: { annotationId: NOBODYS } },
      unknownSite,
    ],
  },
];

export const annotationComponents = { Annotation, NewAnnotation };
