import type { Context } from 'hono';
import { NoQuery, readId, readJson, readQuery } from '../../lib/http/read.ts';
import { createEnvironment } from '../../lib/projects/create-environment.ts';
import { createIngestKey } from '../../lib/projects/create-ingest-key.ts';
import { deleteEnvironment } from '../../lib/projects/delete-environment.ts';
import { listEnvironments } from '../../lib/projects/list-environments.ts';
import { listIngestKeys } from '../../lib/projects/list-ingest-keys.ts';
import { renameEnvironment } from '../../lib/projects/rename-environment.ts';
import { revokeIngestKey } from '../../lib/projects/revoke-ingest-key.ts';
import { NewEnvironment, NewIngestKey } from '../../lib/projects/schemas.ts';
import type { AccountApp, Guards } from './guards.ts';
import { projectIdOf } from './project-routes.ts';
import { contextOf } from './resources.ts';

const environmentIdOf = (c: Context): string => readId(c, 'environmentId', 'environment');
const placeOf = (c: Context) => ({ projectId: projectIdOf(c), environmentId: environmentIdOf(c) });

const KEYS = '/api/v1/telemetry/projects/:projectId/environments/:environmentId/ingest-keys';

/** Environments, and the keys that backends send to them with. */
export function addEnvironmentRoutes(app: AccountApp, { gate, limit }: Guards) {
  return app
    .get('/api/v1/projects/:projectId/environments', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listEnvironments(contextOf(c), projectIdOf(c)) });
    })
    .post('/api/v1/projects/:projectId/environments', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const projectId = projectIdOf(c);
      const made = await createEnvironment(contextOf(c), projectId, await readJson(c, NewEnvironment));
      return c.json({ data: made }, 201);
    })
    .patch('/api/v1/projects/:projectId/environments/:environmentId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const { projectId, environmentId } = placeOf(c);
      const change = await readJson(c, NewEnvironment);
      return c.json({ data: await renameEnvironment(contextOf(c), projectId, environmentId, change) });
    })
    .delete('/api/v1/projects/:projectId/environments/:environmentId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await deleteEnvironment(contextOf(c), projectIdOf(c), environmentIdOf(c));
      return c.body(null, 204);
    })
    .get(KEYS, gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listIngestKeys(contextOf(c), projectIdOf(c), environmentIdOf(c)) });
    })
    .post(KEYS, gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const place = placeOf(c);
      return c.json(
        { data: await createIngestKey(contextOf(c), place, await readJson(c, NewIngestKey)) },
        201,
      );
    })
    .delete(`${KEYS}/:ingestKeyId`, gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await revokeIngestKey(contextOf(c), placeOf(c), readId(c, 'ingestKeyId', 'ingest key'));
      return c.body(null, 204);
    });
}
