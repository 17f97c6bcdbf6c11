import { NoQuery, readId, readJson, readQuery } from '../../lib/http/read.ts';
import { createIngestKey } from '../../lib/projects/create-ingest-key.ts';
import { listIngestKeys } from '../../lib/projects/list-ingest-keys.ts';
import { revokeIngestKey } from '../../lib/projects/revoke-ingest-key.ts';
import { NewIngestKey } from '../../lib/projects/schemas.ts';
import type { Guards, TelemetryApp } from './guards.ts';
import { ENVIRONMENT, placeOf } from './place.ts';
import { contextOf } from './resources.ts';

const KEYS = `${ENVIRONMENT}/ingest-keys` as const;

/** The keys that backends send to an environment with. */
export function addKeyRoutes(app: TelemetryApp, { gate, limit }: Guards) {
  return app
    .get(KEYS, gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const { projectId, environmentId } = placeOf(c);
      return c.json({ data: await listIngestKeys(contextOf(c), projectId, environmentId) });
    })
    .post(KEYS, gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const place = placeOf(c);
      const made = await createIngestKey(contextOf(c), place, await readJson(c, NewIngestKey));
      return c.json({ data: made }, 201);
    })
    .delete(`${KEYS}/:ingestKeyId`, gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await revokeIngestKey(contextOf(c), placeOf(c), readId(c, 'ingestKeyId', 'ingest key'));
      return c.body(null, 204);
    });
}
