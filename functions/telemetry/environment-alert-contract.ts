import * as v from 'valibot';
import {
  AlertChange,
  AlertPreview,
  ChangeEnvironmentAlert,
  CreateEnvironmentAlert,
  EnvironmentAlert,
  EnvironmentAlertHistory,
  OneEnvironmentAlert,
  PreviewEnvironmentAlert,
} from '../../lib/alerts/alert-schemas.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { OneEnvironment } from '../../lib/projects/schemas.ts';
import { ENVIRONMENT } from './control-contract.ts';

const shared = { tag: 'Alerts', auth: 'session', limit: null } as const;
const path = `${ENVIRONMENT}/alerts`;

const AlertAnswer = v.object({ data: EnvironmentAlert });

/** Alerts of an environment, for the OpenAPI document. */
export const alertRoutes = {
  listEnvironmentAlerts: {
    ...shared,
    method: 'GET',
    path,
    input: OneEnvironment,
    summary: 'The alerts of an environment with their states, oldest first',
    responses: { 200: { description: 'The alerts.', schema: v.object({ data: v.array(EnvironmentAlert) }) } },
    errors: ['NOT_FOUND'],
  },
  createEnvironmentAlert: {
    ...shared,
    audit: 'alert.create',
    method: 'POST',
    path,
    input: CreateEnvironmentAlert,
    summary: 'Make an alert of an environment',
    description:
      'It is evaluated every minute. Its channels hear once when it begins to fire, and once when it is over. ' +
      'An environment has at most 50 alerts.',
    responses: { 201: { description: 'The new alert.', schema: AlertAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  previewEnvironmentAlert: {
    ...shared,
    method: 'POST',
    path: `${path}/preview`,
    input: PreviewEnvironmentAlert,
    summary: 'When an alert would have fired in the last 14 days',
    description:
      'By whole hours, counts scaled to `forMinutes`. Metrics of the catalogue and logs have none. Only owners and admins.',
    responses: {
      200: { description: 'Values by the hour, and the firings.', schema: v.object({ data: AlertPreview }) },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  getEnvironmentAlert: {
    ...shared,
    method: 'GET',
    path: `${path}/:alertId`,
    input: OneEnvironmentAlert,
    summary: 'An alert with its state',
    responses: { 200: { description: 'The alert.', schema: AlertAnswer } },
    errors: ['NOT_FOUND'],
  },
  changeEnvironmentAlert: {
    ...shared,
    audit: 'alert.change',
    method: 'PATCH',
    path: `${path}/:alertId`,
    input: ChangeEnvironmentAlert,
    summary: 'Change an alert, or mute it',
    description: 'The state follows in the next minute. While it is muted, channels hear nothing.',
    responses: { 200: { description: 'The changed alert.', schema: AlertAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  deleteEnvironmentAlert: {
    ...shared,
    audit: 'alert.delete',
    method: 'DELETE',
    path: `${path}/:alertId`,
    input: OneEnvironmentAlert,
    summary: 'Delete an alert and its history',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  listEnvironmentAlertHistory: {
    ...shared,
    method: 'GET',
    path: `${path}/:alertId/history`,
    input: EnvironmentAlertHistory,
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

export const alertComponents = { EnvironmentAlert };
