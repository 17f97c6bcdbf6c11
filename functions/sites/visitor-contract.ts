import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import {
  OneVisitor,
  UnstoredMessage,
  VisitorEvent,
  VisitorExport,
  VisitorVisit,
} from '../../lib/visitor-data/schemas.ts';
import { MANAGEMENT } from './limits.ts';

const shared = {
  tag: 'Visitors',
  auth: 'member',
  input: OneVisitor,
  limit: MANAGEMENT,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
} as const;
const path = '/api/v1/sites/:siteId/visitors/:visitorId';
const WHO =
  'The id is the first part of `localStorage.vendorVisitor` in the visitor’s browser; only visitors with consent (tier 3) have one. ';
const AUDIT = 'Owners and admins only. It is kept in the audit log, with a hash of the id.';

/** What the OpenAPI document says of single visitors. */
export const visitorRoutes = {
  deleteVisitor: {
    ...shared,
    audit: 'visitor.delete',
    method: 'DELETE',
    path,
    summary: 'Delete all that is known of a visitor, and take it out of the reports',
    description:
      `${WHO}Reports are then as if the visitor had never come. 204 also for a visitor that nobody knows, so that asking again is ` +
      `safe. A browser that still holds the id begins anew with its next page view, unless consent is withdrawn there. ${AUDIT}`,
    responses: { 204: { description: 'Nothing is known of the visitor any more.' } },
  },
  exportVisitor: {
    ...shared,
    audit: 'visitor.export',
    method: 'GET',
    path: `${path}/export`,
    summary: 'Everything known of a visitor',
    description: `${WHO}Empty lists: nothing is known. It is written while it is read; one that breaks off is no JSON. ${AUDIT}`,
    responses: { 200: { description: 'All of it.', schema: v.object({ data: VisitorExport }) } },
  },
} as const satisfies Contracts;

export const visitorComponents = { VisitorExport, VisitorVisit, VisitorEvent, UnstoredMessage };
