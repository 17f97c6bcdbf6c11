import { reportEngagement } from '../../lib/analytics/engagement.ts';
import { reportVitals } from '../../lib/analytics/vitals.ts';
import { readQuery } from '../../lib/http/read.ts';
import type { AnalyticsApp, Guards } from './guards.ts';
import { inputOf } from './input.ts';
import { pageList } from './page-list.ts';
import { MeasuresQuery } from './query.ts';
import { contextOf } from './resources.ts';

/** How pages were read and how fast they were (docs/reports.md#the-reports). */
export function addMeasureRoutes(app: AnalyticsApp, { reader, limit }: Guards) {
  return app
    .get('/api/v1/sites/:siteId/analytics/engagement', reader, limit, async (c) => {
      const query = readQuery(c, MeasuresQuery);
      return c.json(
        await pageList(c.var.resources.cursors, 'engagement', query, inputOf(c, query), (asked) =>
          reportEngagement(contextOf(c), asked),
        ),
      );
    })
    .get('/api/v1/sites/:siteId/analytics/vitals', reader, limit, async (c) => {
      const query = readQuery(c, MeasuresQuery);
      return c.json(
        await pageList(c.var.resources.cursors, 'vitals', query, inputOf(c, query), (asked) =>
          reportVitals(contextOf(c), asked),
        ),
      );
    });
}
