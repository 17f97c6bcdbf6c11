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
  'The id is the first part of `localStorage["vendorVisitor-SITE_ID"]` in the visitor’s browser; only visitors with consent (tier 3) have one. ';
const AUDIT = 'Owners and admins only. The audit log records it, with a hash of the id.';

/** Routes for the data of one visitor, for the OpenAPI document. */
export const visitorRoutes = {
  deleteVisitor: {
    ...shared,
    audit: 'visitor.delete',
    method: 'DELETE',
    path,
    summary: 'Delete all data of a visitor, and remove it from the reports',
    description:
      `${WHO}Afterwards reports look as if the visitor had never come. An unknown visitor is 204 too, so it is safe to repeat. ` +
      `A browser that still has the id starts again with its next page view, unless consent is withdrawn there. ${AUDIT}`,
    responses: { 204: { description: 'All data of the visitor is deleted.' } },
  },
  exportVisitor: {
    ...shared,
    audit: 'visitor.export',
    method: 'GET',
    path: `${path}/export`,
    summary: 'All data of a visitor',
    description: `${WHO}Empty lists: there is no data. The answer is streamed; if it breaks off, it isn’t valid JSON. ${AUDIT}`,
    responses: { 200: { description: 'The visitor’s data.', schema: v.object({ data: VisitorExport }) } },
  },
} as const satisfies Contracts;

export const visitorComponents = { VisitorExport, VisitorVisit, VisitorEvent, UnstoredMessage };
