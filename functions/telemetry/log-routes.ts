import { findLogs } from '../../lib/telemetry/find-logs.ts';
import type { Guards, TelemetryApp } from './guards.ts';
import { logFiltersOf, readLogsQuery } from './log-query.ts';
import { ENVIRONMENT, placeOf } from './place.ts';
import { rangeOf } from './query.ts';
import { contextOf } from './resources.ts';

/** Log records, newest first. */
export function addLogRoutes(app: TelemetryApp, { gate, limit }: Guards) {
  return app.get(`${ENVIRONMENT}/logs`, gate, limit, async (c) => {
    const place = placeOf(c);
    const query = readLogsQuery(c);
    const { items, meta, examined, searchedFrom, nextCursor } = await findLogs(contextOf(c), place, {
      range: rangeOf(query),
      filters: logFiltersOf(query),
      limit: Number(query.limit),
      cursor: query.cursor,
    });
    return c.json({ data: items, meta: { ...meta, examined, searchedFrom, nextCursor } });
  });
}
