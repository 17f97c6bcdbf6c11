import { reportDropped } from '../../lib/analytics/dropped.ts';
import { reportEdgePages } from '../../lib/analytics/edge-pages.ts';
import { reportLive } from '../../lib/analytics/live.ts';
import { reportOverview } from '../../lib/analytics/overview.ts';
import { reportPages } from '../../lib/analytics/pages.ts';
import { reportTimeseries } from '../../lib/analytics/timeseries.ts';
import { reportVisitValues } from '../../lib/analytics/visit-values.ts';
import { createApp } from '../../lib/http/app.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { readQuery, siteIdOf } from '../../lib/http/read.ts';
import { addAnnotationRoutes } from './annotation-routes.ts';
import { addBehaviourRoutes } from './behaviour-routes.ts';
import { Env } from './env.ts';
import { addExportRoutes } from './export-routes.ts';
import { addGoalRoutes } from './goal-routes.ts';
import { createGuards } from './guards.ts';
import { inputOf } from './input.ts';
import { VALUE_LISTS } from './lists.ts';
import { addMeasureRoutes } from './measure-routes.ts';
import { pageList } from './page-list.ts';
import { addPrivacyRoutes } from './privacy-routes.ts';
import {
  DroppedQuery,
  intervalOf,
  LiveQuery,
  OverviewQuery,
  PagesQuery,
  rangeOf,
  TimeseriesQuery,
  tierOf,
  UtmQuery,
  ValuesQuery,
} from './query.ts';
import { contextOf, createResources } from './resources.ts';
import { addShareRoutes } from './share-routes.ts';

/** A site's reports (docs/reports.md). Reached through `sites`, which owns the paths around it. */
export function createAnalyticsApp({ log = logToConsole }: { log?: Log } = {}) {
  const guards = createGuards();
  const { reader: gate, limit } = guards;
  const app = createApp({ name: 'analytics', env: Env, log, resources: createResources });
  addAnnotationRoutes(app, guards);
  addBehaviourRoutes(app, guards);
  addGoalRoutes(app, guards);
  addMeasureRoutes(app, guards);
  addShareRoutes(app, guards);
  addExportRoutes(app, guards, log);
  addPrivacyRoutes(app, guards);

  for (const { path, dimension } of VALUE_LISTS) {
    app.get(`/api/v1/sites/:siteId/analytics/${path}`, gate, limit, async (c) => {
      const query = readQuery(c, ValuesQuery);
      return c.json(
        await pageList(c.var.resources.cursors, path, query, inputOf(c, query), (asked) =>
          reportVisitValues(contextOf(c), asked, dimension),
        ),
      );
    });
  }
  for (const edge of ['entry', 'exit'] as const) {
    app.get(`/api/v1/sites/:siteId/analytics/${edge}-pages`, gate, limit, async (c) => {
      const query = readQuery(c, ValuesQuery);
      return c.json(
        await pageList(c.var.resources.cursors, `${edge}-pages`, query, inputOf(c, query), (asked) =>
          reportEdgePages(contextOf(c), asked, edge),
        ),
      );
    });
  }

  return app
    .get('/api/v1/sites/:siteId/analytics/overview', gate, limit, async (c) => {
      const query = readQuery(c, OverviewQuery);
      return c.json(await reportOverview(contextOf(c), inputOf(c, query)));
    })
    .get('/api/v1/sites/:siteId/analytics/timeseries', gate, limit, async (c) => {
      const query = readQuery(c, TimeseriesQuery);
      const input = { ...inputOf(c, query), interval: intervalOf(query) };
      return c.json(await reportTimeseries(contextOf(c), input));
    })
    .get('/api/v1/sites/:siteId/analytics/pages', gate, limit, async (c) => {
      const query = readQuery(c, PagesQuery);
      return c.json(
        await pageList(c.var.resources.cursors, 'pages', query, inputOf(c, query), (asked) =>
          reportPages(contextOf(c), { ...asked, sort: query.sort }),
        ),
      );
    })
    .get('/api/v1/sites/:siteId/analytics/utm', gate, limit, async (c) => {
      const query = readQuery(c, UtmQuery);
      return c.json(
        await pageList(c.var.resources.cursors, 'utm', query, inputOf(c, query), (asked) =>
          reportVisitValues(contextOf(c), asked, `utm_${query.by}`),
        ),
      );
    })
    .get('/api/v1/sites/:siteId/analytics/dropped', gate, limit, async (c) => {
      const query = readQuery(c, DroppedQuery);
      const input = { siteId: siteIdOf(c), range: rangeOf(query) };
      return c.json(await reportDropped(contextOf(c), input));
    })
    .get('/api/v1/sites/:siteId/analytics/live', gate, limit, async (c) => {
      const query = readQuery(c, LiveQuery);
      return c.json(await reportLive(contextOf(c), { siteId: siteIdOf(c), tier: tierOf(query) }));
    });
}

export type AppType = ReturnType<typeof createAnalyticsApp>;
