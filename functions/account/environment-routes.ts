import type { Context } from 'hono';
import { NoQuery, readId, readJson, readQuery } from '../../lib/http/read.ts';
import { createEnvironment } from '../../lib/projects/create-environment.ts';
import { deleteEnvironment } from '../../lib/projects/delete-environment.ts';
import { listEnvironments } from '../../lib/projects/list-environments.ts';
import { renameEnvironment } from '../../lib/projects/rename-environment.ts';
import { NewEnvironment } from '../../lib/projects/schemas.ts';
import type { AccountApp, Guards } from './guards.ts';
import { projectIdOf } from './project-routes.ts';
import { contextOf } from './resources.ts';

const environmentIdOf = (c: Context): string => readId(c, 'environmentId', 'environment');
const placeOf = (c: Context) => ({ projectId: projectIdOf(c), environmentId: environmentIdOf(c) });

/** Environments of a project. */
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
    });
}
