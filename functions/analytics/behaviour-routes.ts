import * as v from 'valibot';
import { reportCustomEvents } from '../../lib/analytics/custom-events.ts';
import { reportEventProps } from '../../lib/analytics/event-props.ts';
import { reportJourneys } from '../../lib/analytics/journeys.ts';
import { reportRetention } from '../../lib/analytics/retention.ts';
import { check } from '../../lib/http/issues.ts';
import { readQuery } from '../../lib/http/read.ts';
import { EventName, EventPropsQuery, JourneysQuery, RetentionQuery } from './behaviour-query.ts';
import type { AnalyticsApp, Guards } from './guards.ts';
import { inputOf } from './input.ts';
import { pageList } from './page-list.ts';
import { ValuesQuery } from './query.ts';
import { contextOf } from './resources.ts';

const EventPath = v.object({ name: EventName });

/** What visitors did (docs/reports.md#the-reports). Properties are whatever pages send, and so for members alone. */
export function addBehaviourRoutes(app: AnalyticsApp, { gate, reader, limit }: Guards) {
  return app
    .get('/api/v1/sites/:siteId/analytics/events', reader, limit, async (c) => {
      const query = readQuery(c, ValuesQuery);
      return c.json(
        await pageList(c.var.resources.cursors, 'events', query, inputOf(c, query), (asked) =>
          reportCustomEvents(contextOf(c), asked),
        ),
      );
    })
    .get('/api/v1/sites/:siteId/analytics/events/:name/props', gate, limit, async (c) => {
      const query = readQuery(c, EventPropsQuery);
      const { name } = check(EventPath, { name: c.req.param('name') });
      const { key } = query;
      return c.json(
        await pageList(c.var.resources.cursors, `events/${name}/props`, query, inputOf(c, query), (asked) =>
          reportEventProps(contextOf(c), { ...asked, name, key }),
        ),
      );
    })
    .get('/api/v1/sites/:siteId/analytics/journeys', reader, limit, async (c) => {
      const query = readQuery(c, JourneysQuery);
      const { start, end } = query;
      return c.json(
        await pageList(c.var.resources.cursors, 'journeys', query, inputOf(c, query), (asked) =>
          reportJourneys(contextOf(c), { ...asked, start, end }),
        ),
      );
    })
    .get('/api/v1/sites/:siteId/analytics/retention', reader, limit, async (c) => {
      const query = readQuery(c, RetentionQuery);
      return c.json(
        await pageList(c.var.resources.cursors, 'retention', query, inputOf(c, query), (asked) =>
          reportRetention(contextOf(c), asked),
        ),
      );
    });
}
