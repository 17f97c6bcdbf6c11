import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import {
  ChangeMailReport,
  CreateMailReport,
  MailReport,
  OneMailReport,
} from '../../lib/messages/mail-report-schemas.ts';
import { OneSite } from '../../lib/sites/schemas.ts';
import { MANAGEMENT } from './limits.ts';

const shared = { tag: 'Messages', auth: 'member', limit: MANAGEMENT } as const;
const path = '/api/v1/sites/:siteId/mail-reports';
const MailReportAnswer = v.object({ data: MailReport });

/** Reports of a site by mail. */
export const mailReportRoutes = {
  listMailReports: {
    ...shared,
    method: 'GET',
    path,
    input: OneSite,
    summary: 'A site’s reports by mail, oldest first',
    responses: { 200: { description: 'The reports.', schema: v.object({ data: v.array(MailReport) }) } },
    errors: ['NOT_FOUND'],
  },
  createMailReport: {
    ...shared,
    audit: 'mail-report.create',
    method: 'POST',
    path,
    input: CreateMailReport,
    summary: 'Send a report by mail each day, week or month',
    description:
      'At 8:00 in the site’s zone: of the day before, of the seven days before, or on the first of a month of the month before. New ' +
      'recipients are asked first. At most 20 a site.',
    responses: { 201: { description: 'The new report.', schema: MailReportAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  changeMailReport: {
    ...shared,
    audit: 'mail-report.change',
    method: 'PATCH',
    path: `${path}/:mailReportId`,
    input: ChangeMailReport,
    summary: 'Change a report by mail',
    responses: { 200: { description: 'The changed report.', schema: MailReportAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  deleteMailReport: {
    ...shared,
    audit: 'mail-report.delete',
    method: 'DELETE',
    path: `${path}/:mailReportId`,
    input: OneMailReport,
    summary: 'Delete a report by mail',
    description: 'The channels of its recipients stay.',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Contracts;

export const mailReportComponents = { MailReport };
