import {
  changeAlert,
  createAlert,
  deleteAlert,
  getAlert,
  listAlertHistory,
  listAlerts,
} from '../../lib/alerts/alerts.ts';
import { previewAlert } from '../../lib/alerts/preview-alert.ts';
import { addRoutes, data } from '../../lib/http/add-routes.ts';
import { createApp } from '../../lib/http/app.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { ownOrigin } from '../../lib/http/session-api.ts';
import { listOutcomes } from '../../lib/outcomes/list-outcomes.ts';
import { createIngestKey, listIngestKeys, revokeIngestKey } from '../../lib/projects/ingest-keys.ts';
import { countLogs } from '../../lib/telemetry/count-logs.ts';
import { changeError } from '../../lib/telemetry/errors/change-error.ts';
import { getError } from '../../lib/telemetry/errors/get-error.ts';
import { listErrors } from '../../lib/telemetry/errors/list-errors.ts';
import { findLogs } from '../../lib/telemetry/find-logs.ts';
import { findTraces } from '../../lib/telemetry/find-traces.ts';
import { getConnectionStatus } from '../../lib/telemetry/get-connection-status.ts';
import { getJourney } from '../../lib/telemetry/get-journey.ts';
import { getTrace } from '../../lib/telemetry/get-trace.ts';
import { listServices } from '../../lib/telemetry/list-services.ts';
import { mapServices } from '../../lib/telemetry/map-services.ts';
import { listExemplars } from '../../lib/telemetry/metrics/list-exemplars.ts';
import { listMetrics } from '../../lib/telemetry/metrics/list-metrics.ts';
import { readMetric } from '../../lib/telemetry/metrics/read-metric.ts';
import { getOrigins, replaceOrigins } from '../../lib/telemetry/origins.ts';
import { readLatencies } from '../../lib/telemetry/read-latencies.ts';
import { summarizeService } from '../../lib/telemetry/summarize-service.ts';
import { getRetention, replaceRetention } from '../../lib/telemetry/telemetry-retention.ts';
import { chartRoutes } from './chart-contract.ts';
import { sessionRoutes } from './contract.ts';
import { Env } from './env.ts';
import { errorRoutes } from './error-contract.ts';
import { createResources, members, people, type Resources } from './resources.ts';

/** Queries backend telemetry and changes its settings. */
export function createTelemetryApp({ log = logToConsole }: { log?: Log } = {}) {
  const app = createApp({ name: 'telemetry', env: Env, log, resources: (env) => createResources(env) });
  app.use('*', ownOrigin<Resources>());
  addRoutes(app, { ...chartRoutes, ...errorRoutes }, members, {
    readLatencies,
    countLogs,
    listExemplars,
    listErrors,
    getError,
  });
  addRoutes(app, sessionRoutes, people, {
    listIngestKeys: data(listIngestKeys),
    createIngestKey: data(createIngestKey),
    revokeIngestKey,
    getConnectionStatus,
    getOrigins: data(getOrigins),
    replaceOrigins: data(replaceOrigins),
    getTelemetryRetention: data(getRetention),
    replaceTelemetryRetention: data(replaceRetention),
    changeError: data(changeError),
    listEnvironmentAlerts: data(listAlerts),
    createEnvironmentAlert: data(createAlert),
    getEnvironmentAlert: data(getAlert),
    changeEnvironmentAlert: data(changeAlert),
    deleteEnvironmentAlert: deleteAlert,
    listEnvironmentAlertHistory: listAlertHistory,
    previewEnvironmentAlert: async (ctx, input, c) => ({
      data: await previewAlert({ ...ctx, sql: c.var.resources.reportSql }, input),
    }),
    listServices,
    summarizeService,
    mapServices,
    listTraces: findTraces,
    getTrace,
    getTraceJourney: getJourney,
    listOutcomes,
    listLogs: findLogs,
    listMetrics,
    readMetric,
  });
  return app;
}
