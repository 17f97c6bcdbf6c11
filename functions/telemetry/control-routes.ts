import { NoQuery, readJson, readQuery } from '../../lib/http/read.ts';
import { connectionStatus } from '../../lib/telemetry/connection-status.ts';
import { Origins, Retention } from '../../lib/telemetry/control-schemas.ts';
import { getOrigins } from '../../lib/telemetry/get-origins.ts';
import { getRetention } from '../../lib/telemetry/get-retention.ts';
import { replaceOrigins } from '../../lib/telemetry/replace-origins.ts';
import { replaceRetention } from '../../lib/telemetry/replace-retention.ts';
import type { Guards, TelemetryApp } from './guards.ts';
import { ENVIRONMENT, placeOf } from './place.ts';
import { contextOf } from './resources.ts';

/** What members set for an environment's telemetry, and whether it comes in. */
export function addControlRoutes(app: TelemetryApp, { gate, limit }: Guards) {
  return app
    .get(`${ENVIRONMENT}/connection-status`, gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const { items, meta } = await connectionStatus(contextOf(c), placeOf(c));
      return c.json({ data: items, meta });
    })
    .get(`${ENVIRONMENT}/origins`, gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await getOrigins(contextOf(c), placeOf(c)) });
    })
    .put(`${ENVIRONMENT}/origins`, gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const place = placeOf(c);
      return c.json({ data: await replaceOrigins(contextOf(c), place, await readJson(c, Origins)) });
    })
    .get(`${ENVIRONMENT}/retention`, gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await getRetention(contextOf(c), placeOf(c)) });
    })
    .put(`${ENVIRONMENT}/retention`, gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const place = placeOf(c);
      return c.json({ data: await replaceRetention(contextOf(c), place, await readJson(c, Retention)) });
    });
}
