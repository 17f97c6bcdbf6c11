import {
  changeAlert,
  createAlert,
  deleteAlert,
  getAlert,
  listAlertHistory,
  listAlerts,
} from '../../lib/alerts/alerts.ts';
import { listAllAlerts } from '../../lib/alerts/all-alerts.ts';
import { previewAlert } from '../../lib/alerts/preview-alert.ts';
import { listSitesWithSummaries } from '../../lib/analytics/series/site-summaries.ts';
import { takeServerEvents } from '../../lib/collection/take-server-events.ts';
import { unavailable } from '../../lib/errors.ts';
import { addRoutes, data } from '../../lib/http/add-routes.ts';
import { createApp } from '../../lib/http/app.ts';
import type { DeliveryBindings } from '../../lib/http/deliver.ts';
import { forward, type ServiceBinding } from '../../lib/http/forward.ts';
import { jsonLists } from '../../lib/http/json-lists.ts';
import { causesOf, type Log, logToConsole } from '../../lib/http/log.ts';
import {
  addImportPiece,
  beginImport,
  finishImport,
  getImport,
  listImports,
  undoImport,
} from '../../lib/imports/imports.ts';
import {
  changeMailReport,
  createMailReport,
  deleteMailReport,
  listMailReports,
} from '../../lib/messages/mail-reports.ts';
import { changeSegment, createSegment, deleteSegment, listSegments } from '../../lib/segments/segments.ts';
import { createShare, listShares, revokeShare } from '../../lib/shares/shares.ts';
import { listDeletions } from '../../lib/sites/site-deletions.ts';
import {
  changeSite,
  createSite,
  deleteSite,
  getSite,
  listSites,
  replacePrivacy,
} from '../../lib/sites/sites.ts';
import { deleteVisitor } from '../../lib/visitor-data/delete-visitor.ts';
import { exportVisitor } from '../../lib/visitor-data/export-visitor.ts';
import { routes } from './contract.ts';
import { Env } from './env.ts';
import { createResources, members } from './resources.ts';

interface Bindings extends DeliveryBindings {
  /** The reports' function, which owns every path below a site's `analytics/`. */
  ANALYTICS: ServiceBinding;
}

/** Manages sites and forwards requests for reports. */
export function createSitesApp({ log = logToConsole }: { log?: Log } = {}) {
  const app = createApp({
    name: 'sites',
    env: Env,
    log,
    resources: (env, bindings: Bindings) => createResources(env, bindings, log),
  });
  app.all('/api/v1/sites/:siteId/analytics/*', (c) => forward(c, c.env.ANALYTICS));
  // `track` of 0.1.0 asks here until it is replaced too. A 404 would tell it that there is no such site.
  app.get('/internal/sites/:siteId/policy', () => {
    throw unavailable(new Error('an earlier release of `track` asks for a policy'));
  });
  addRoutes(app, routes, members, {
    listSites: async (ctx, { period }, c) => ({
      data:
        period === undefined
          ? await listSites(ctx)
          : await listSitesWithSummaries({ ...ctx, sql: c.var.resources.reportSql }, { period }),
    }),
    createSite: data(createSite),
    listDeletions: data(listDeletions),
    getSite: data(getSite),
    changeSite: data(changeSite),
    replacePrivacy: data(replacePrivacy),
    deleteSite,
    listShares: data(listShares),
    createShare: data(createShare),
    revokeShare,
    listSegments: data(listSegments),
    createSegment: data(createSegment),
    changeSegment: data(changeSegment),
    deleteSegment,
    listAllAlerts,
    listSiteAlerts: data(listAlerts),
    createSiteAlert: data(createAlert),
    getSiteAlert: data(getAlert),
    changeSiteAlert: data(changeAlert),
    deleteSiteAlert: deleteAlert,
    listSiteAlertHistory: listAlertHistory,
    previewSiteAlert: async (ctx, input, c) => ({
      data: await previewAlert({ ...ctx, sql: c.var.resources.reportSql }, input),
    }),
    listMailReports: data(listMailReports),
    createMailReport: data(createMailReport),
    changeMailReport: data(changeMailReport),
    deleteMailReport,
    listImports: data(listImports),
    getImport: data(getImport),
    // What an import under way left takes longer to remove than other changes.
    beginImport: async (ctx, input, c) => ({
      data: await beginImport({ ...ctx, sql: c.var.resources.reportSql }, input),
    }),
    addImportPiece,
    finishImport: data(finishImport),
    undoImport: (ctx, input, c) => undoImport({ ...ctx, sql: c.var.resources.reportSql }, input),
    sendEvents: data(takeServerEvents),
    deleteVisitor: (ctx, input, c) => deleteVisitor({ ...ctx, sql: c.var.resources.reportSql }, input),
    exportVisitor: async (ctx, input, c) => {
      const reading = { ...ctx, sql: c.var.resources.reportSql };
      const { head, lists } = await exportVisitor(reading, input);
      const { requestId } = c.var;
      const body = jsonLists(head, lists, (fault) =>
        log({ level: 'error', function: 'sites', event: 'export', requestId, causes: causesOf(fault) }),
      );
      return c.body(body, 200, { 'Content-Type': 'application/json' });
    },
  });
  return app;
}
