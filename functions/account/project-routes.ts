import type { Context } from 'hono';
import { NoQuery, readId, readJson, readQuery } from '../../lib/http/read.ts';
import { createProject } from '../../lib/projects/create-project.ts';
import { deleteProject } from '../../lib/projects/delete-project.ts';
import { getProject } from '../../lib/projects/get-project.ts';
import { listAudit } from '../../lib/projects/list-audit.ts';
import { listProjects } from '../../lib/projects/list-projects.ts';
import { renameProject } from '../../lib/projects/rename-project.ts';
import { NewProject } from '../../lib/projects/schemas.ts';
import type { AccountApp, Guards } from './guards.ts';
import { AuditQuery } from './query.ts';
import { contextOf } from './resources.ts';

export const projectIdOf = (c: Context): string => readId(c, 'projectId', 'project');

export function addProjectRoutes(app: AccountApp, { gate, limit }: Guards) {
  return app
    .get('/api/v1/projects', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listProjects(contextOf(c)) });
    })
    .post('/api/v1/projects', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await createProject(contextOf(c), await readJson(c, NewProject)) }, 201);
    })
    .get('/api/v1/projects/:projectId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await getProject(contextOf(c), projectIdOf(c)) });
    })
    .patch('/api/v1/projects/:projectId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const projectId = projectIdOf(c);
      return c.json({ data: await renameProject(contextOf(c), projectId, await readJson(c, NewProject)) });
    })
    .delete('/api/v1/projects/:projectId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await deleteProject(contextOf(c), projectIdOf(c));
      return c.body(null, 204);
    })
    .get('/api/v1/projects/:projectId/audit-log', gate, limit, async (c) => {
      const { limit: lines, cursor } = readQuery(c, AuditQuery);
      const { entries, nextCursor } = await listAudit(contextOf(c), projectIdOf(c), {
        limit: Number(lines),
        cursor,
      });
      return c.json({ data: entries, meta: { nextCursor } });
    });
}
