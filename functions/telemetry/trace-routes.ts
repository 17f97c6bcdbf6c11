import { NoQuery, readQuery } from '../../lib/http/read.ts';
import { findTraces } from '../../lib/telemetry/find-traces.ts';
import { getJourney } from '../../lib/telemetry/get-journey.ts';
import { getTrace } from '../../lib/telemetry/get-trace.ts';
import { listServices } from '../../lib/telemetry/list-services.ts';
import { mapServices } from '../../lib/telemetry/map-services.ts';
import { summarizeService } from '../../lib/telemetry/summarize-service.ts';
import type { Guards, TelemetryApp } from './guards.ts';
import { ENVIRONMENT, placeOf } from './place.ts';
import { RangeOnly, rangeOf } from './query.ts';
import { contextOf } from './resources.ts';
import { filtersOf, readTraceId, readTracesQuery, ServicesQuery, SummaryQuery } from './trace-query.ts';

/** What spans tell: services, their summaries, traces and the map of who calls whom. */
export function addTraceRoutes(app: TelemetryApp, { gate, limit }: Guards) {
  return app
    .get(`${ENVIRONMENT}/services`, gate, limit, async (c) => {
      const place = placeOf(c);
      const query = readQuery(c, ServicesQuery);
      const page = { range: rangeOf(query), limit: Number(query.limit), cursor: query.cursor };
      const { items, meta, nextCursor } = await listServices(contextOf(c), place, page);
      return c.json({ data: items, meta: { ...meta, nextCursor } });
    })
    .get(`${ENVIRONMENT}/service-summary`, gate, limit, async (c) => {
      const place = placeOf(c);
      const query = readQuery(c, SummaryQuery);
      const { service, interval } = query;
      const input = { range: rangeOf(query), service, interval, limit: Number(query.limit) };
      const { summary, meta } = await summarizeService(contextOf(c), place, input);
      return c.json({ data: summary, meta });
    })
    .get(`${ENVIRONMENT}/traces`, gate, limit, async (c) => {
      const place = placeOf(c);
      const query = readTracesQuery(c);
      const input = {
        range: rangeOf(query),
        filters: filtersOf(query),
        limit: Number(query.limit),
        cursor: query.cursor,
      };
      const { items, meta, examined, nextCursor } = await findTraces(contextOf(c), place, input);
      return c.json({ data: items, meta: { ...meta, examined, nextCursor } });
    })
    .get(`${ENVIRONMENT}/traces/:traceId`, gate, limit, async (c) => {
      const place = placeOf(c);
      readQuery(c, NoQuery);
      const { trace, meta } = await getTrace(contextOf(c), place, readTraceId(c));
      return c.json({ data: trace, meta });
    })
    .get(`${ENVIRONMENT}/traces/:traceId/journey`, gate, limit, async (c) => {
      const place = placeOf(c);
      readQuery(c, NoQuery);
      const { journey, meta } = await getJourney(contextOf(c), place, readTraceId(c));
      return c.json({ data: journey, meta });
    })
    .get(`${ENVIRONMENT}/service-map`, gate, limit, async (c) => {
      const place = placeOf(c);
      const { map, meta } = await mapServices(contextOf(c), place, rangeOf(readQuery(c, RangeOnly)));
      return c.json({ data: map, meta });
    });
}
