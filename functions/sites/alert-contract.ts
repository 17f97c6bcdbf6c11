import * as v from 'valibot';
import {
  AlertChange,
  AlertPreview,
  ChangeSiteAlert,
  CreateSiteAlert,
  ListAllAlerts,
  OneSiteAlert,
  OwnedAlert,
  PreviewSiteAlert,
  SiteAlert,
  SiteAlertHistory,
} from '../../lib/alerts/alert-schemas.ts';
import { Count } from '../../lib/fields.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { OneSite } from '../../lib/sites/schemas.ts';
import { MANAGEMENT } from './limits.ts';

const shared = { tag: 'Alerts', auth: 'member', limit: MANAGEMENT } as const;
const path = '/api/v1/sites/:siteId/alerts';

const AlertAnswer = v.object({ data: SiteAlert });

/** Alerts of a site, and those of everything that a person sees. */
export const alertRoutes = {
  listAllAlerts: {
    ...shared,
    method: 'GET',
    path: '/api/v1/alerts',
    input: ListAllAlerts,
    summary: 'The alerts of all your sites and environments, those that changed last first',
    description: 'With `state=firing` those that fire now. An API key lists the alerts of what it opens.',
    responses: {
      200: {
        description: 'The alerts, each with what it is of. `total` counts those beyond `limit` too.',
        schema: v.object({ data: v.array(OwnedAlert), meta: v.object({ total: Count }) }),
      },
    },
  },
  listSiteAlerts: {
    ...shared,
    method: 'GET',
    path,
    input: OneSite,
    summary: 'The alerts of a site with their states, oldest first',
    responses: { 200: { description: 'The alerts.', schema: v.object({ data: v.array(SiteAlert) }) } },
    errors: ['NOT_FOUND'],
  },
  createSiteAlert: {
    ...shared,
    audit: 'alert.create',
    method: 'POST',
    path,
    input: CreateSiteAlert,
    summary: 'Make an alert of a site',
    description:
      'It is evaluated every minute. Its channels hear once when it begins to fire, and once when it is over. ' +
      'A site’s minutes are counted from then on, and back for 36 days. A rule has filters that are counted by the minute: others are refused. A site has at most 50 alerts.',
    responses: { 201: { description: 'The new alert.', schema: AlertAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  previewSiteAlert: {
    ...shared,
    method: 'POST',
    path: `${path}/preview`,
    input: PreviewSiteAlert,
    summary: 'When an alert would have fired in the last 14 days',
    description:
      'By the minute. Ask again while `countedFrom` moves back: a site’s minutes are counted when its first alert is tried. Only owners and admins.',
    responses: {
      200: { description: 'Values by the hour, and the firings.', schema: v.object({ data: AlertPreview }) },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  getSiteAlert: {
    ...shared,
    method: 'GET',
    path: `${path}/:alertId`,
    input: OneSiteAlert,
    summary: 'An alert with its state',
    responses: { 200: { description: 'The alert.', schema: AlertAnswer } },
    errors: ['NOT_FOUND'],
  },
  changeSiteAlert: {
    ...shared,
    audit: 'alert.change',
    method: 'PATCH',
    path: `${path}/:alertId`,
    input: ChangeSiteAlert,
    summary: 'Change an alert, or mute it',
    description: 'The state follows in the next minute. While it is muted, channels hear nothing.',
    responses: { 200: { description: 'The changed alert.', schema: AlertAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  deleteSiteAlert: {
    ...shared,
    audit: 'alert.delete',
    method: 'DELETE',
    path: `${path}/:alertId`,
    input: OneSiteAlert,
    summary: 'Delete an alert and its history',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  listSiteAlertHistory: {
    ...shared,
    method: 'GET',
    path: `${path}/:alertId/history`,
    input: SiteAlertHistory,
    summary: 'The changes of an alert’s state in the last 90 days, newest first',
    responses: {
      200: {
        description: 'The changes.',
        schema: v.object({
          data: v.array(AlertChange),
          meta: v.object({ nextCursor: v.nullable(v.string()) }),
        }),
      },
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
} as const satisfies Contracts;

export const alertComponents = { SiteAlert, OwnedAlert, AlertChange, AlertPreview };
