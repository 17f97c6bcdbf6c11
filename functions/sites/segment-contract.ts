import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import { ChangeSegment, CreateSegment, OneSegment, Segment } from '../../lib/segments/schemas.ts';
import { OneSite } from '../../lib/sites/schemas.ts';
import { MANAGEMENT } from './limits.ts';

const shared = { tag: 'Segments', auth: 'member', limit: MANAGEMENT } as const;
const path = '/api/v1/sites/:siteId/segments';
const SegmentAnswer = v.object({ data: Segment });

/** Routes that keep filters under a name, for the OpenAPI document. */
export const segmentRoutes = {
  listSegments: {
    ...shared,
    method: 'GET',
    path,
    input: OneSite,
    summary: 'A site’s shared segments and the caller’s own, oldest first',
    responses: { 200: { description: 'The segments.', schema: v.object({ data: v.array(Segment) }) } },
    errors: ['NOT_FOUND'],
  },
  createSegment: {
    ...shared,
    audit: 'segment.create',
    method: 'POST',
    path,
    input: CreateSegment,
    summary: 'Keep filters under a name',
    description:
      'Reports take its id as `segment`. Viewers may have segments of their own; owners and admins also share them with the project. ' +
      'At most 50 shared ones a site, and 50 of each person at a site.',
    responses: { 201: { description: 'The new segment.', schema: SegmentAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  changeSegment: {
    ...shared,
    audit: 'segment.change',
    method: 'PATCH',
    path: `${path}/:segmentId`,
    input: ChangeSegment,
    summary: 'Change a segment',
    description: 'A shared segment that is no longer shared becomes the caller’s own.',
    responses: { 200: { description: 'The changed segment.', schema: SegmentAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  deleteSegment: {
    ...shared,
    audit: 'segment.delete',
    method: 'DELETE',
    path: `${path}/:segmentId`,
    input: OneSegment,
    summary: 'Delete a segment',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Contracts;

export const segmentComponents = { Segment };
