/** Alerts of a site or of an environment, by the same names. */
import {
  type AlertMetric,
  ENVIRONMENT_FIELDS,
  ENVIRONMENT_METRICS,
  SITE_FIELDS,
  SITE_METRICS,
  type SubjectField,
} from '../../../../lib/alerts/alert-fields.ts';
import * as api from '../../api/operations.generated.ts';
import type { EnvironmentIds } from '../../state/telemetry-query.ts';

/** An alert of either kind. The fields of its subject are those that its metric takes. */
export type Alert = Omit<api.SiteAlert, 'metric'> &
  Omit<api.EnvironmentAlert, 'metric'> & { metric: AlertMetric };

export type Subject = Pick<Alert, SubjectField>;
export type Rule = Pick<Alert, 'metric' | 'compare' | 'threshold' | 'forMinutes'> & Subject;
export type Saved = Rule & Pick<Alert, 'name' | 'channels'>;
/** A field of the subject that is null is taken away. */
export type Changes = Partial<
  Pick<Alert, 'name' | 'channels' | 'mutedUntil' | 'metric' | 'compare' | 'threshold' | 'forMinutes'>
> & { [Field in SubjectField]?: Subject[Field] | null };

interface History {
  data: api.AlertChange[];
  meta: { nextCursor: string | null };
}

export interface AlertSource {
  /** The site's or the environment's id: part of the keys of answers. */
  id: string;
  projectId: string;
  site?: api.Site;
  environment?: EnvironmentIds;
  /** Of times that are shown. */
  zone: string;
  metrics: readonly AlertMetric[];
  fields: readonly SubjectField[];
  list: (signal: AbortSignal) => Promise<Alert[]>;
  create: (alert: Saved) => Promise<Alert>;
  change: (alertId: string, changes: Changes) => Promise<Alert>;
  remove: (alertId: string) => Promise<void>;
  preview: (rule: Rule, signal: AbortSignal) => Promise<api.AlertPreview>;
  history: (alertId: string, part: { cursor?: string }, signal: AbortSignal) => Promise<History>;
}

const dataOf = <Data>({ data }: { data: Data }): Data => data;

export function sourceOfSite(site: api.Site): AlertSource {
  const siteId = site.id;
  return {
    ...{ id: siteId, projectId: site.projectId, site, zone: site.timezone },
    ...{ metrics: SITE_METRICS, fields: SITE_FIELDS },
    list: (signal) => api.listSiteAlerts({ siteId }, signal).then(dataOf),
    create: (alert) =>
      api.createSiteAlert({ siteId, ...alert } as Parameters<typeof api.createSiteAlert>[0]).then(dataOf),
    change: (alertId, changes) =>
      api
        .changeSiteAlert({ siteId, alertId, ...changes } as Parameters<typeof api.changeSiteAlert>[0])
        .then(dataOf),
    remove: (alertId) => api.deleteSiteAlert({ siteId, alertId }),
    preview: (rule, signal) =>
      api
        .previewSiteAlert({ siteId, ...rule } as Parameters<typeof api.previewSiteAlert>[0], signal)
        .then(dataOf),
    history: (alertId, part, signal) => api.listSiteAlertHistory({ siteId, alertId, ...part }, signal),
  };
}

export function sourceOfEnvironment(ids: EnvironmentIds): AlertSource {
  return {
    ...{ id: ids.environmentId, projectId: ids.projectId, environment: ids, zone: 'UTC' },
    ...{ metrics: ENVIRONMENT_METRICS, fields: ENVIRONMENT_FIELDS },
    list: (signal) => api.listEnvironmentAlerts(ids, signal).then(dataOf),
    create: (alert) =>
      api
        .createEnvironmentAlert({ ...ids, ...alert } as Parameters<typeof api.createEnvironmentAlert>[0])
        .then(dataOf),
    change: (alertId, changes) =>
      api
        .changeEnvironmentAlert({ ...ids, alertId, ...changes } as Parameters<
          typeof api.changeEnvironmentAlert
        >[0])
        .then(dataOf),
    remove: (alertId) => api.deleteEnvironmentAlert({ ...ids, alertId }),
    preview: (rule, signal) =>
      api
        .previewEnvironmentAlert(
          { ...ids, ...rule } as Parameters<typeof api.previewEnvironmentAlert>[0],
          signal,
        )
        .then(dataOf),
    history: (alertId, part, signal) => api.listEnvironmentAlertHistory({ ...ids, alertId, ...part }, signal),
  };
}

/** The beginning of the keys of all answers about the source's alerts. */
export const keyOf = ({ id }: AlertSource): readonly ['alerts', string] => ['alerts', id];
