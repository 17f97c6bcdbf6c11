import { readQuery } from '../../lib/http/read.ts';
import { listOutcomes } from '../../lib/outcomes/list-outcomes.ts';
import type { Guards, TelemetryApp } from './guards.ts';
import { OutcomeQuery } from './outcome-query.ts';
import { ENVIRONMENT, placeOf } from './place.ts';
import { rangeOf } from './query.ts';
import { contextOf } from './resources.ts';

/** Confirmed outcomes as members read them. */
export function addOutcomeRoutes(app: TelemetryApp, { gate, limit }: Guards) {
  return app.get(`${ENVIRONMENT}/outcomes`, gate, limit, async (c) => {
    const place = placeOf(c);
    const query = readQuery(c, OutcomeQuery);
    const { outcomes, nextCursor, meta } = await listOutcomes(contextOf(c), place, {
      range: rangeOf(query),
      type: query.type,
      limit: Number(query.limit),
      cursor: query.cursor,
    });
    return c.json({ data: outcomes, meta: { ...meta, nextCursor } });
  });
}
