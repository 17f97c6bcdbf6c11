import * as v from 'valibot';
import { NOBODYS, type RouteContract, type RouteExample, SAMPLE } from '../../lib/http/contract.ts';
import { AuditEntry, NewProject, Project } from '../../lib/projects/schemas.ts';
import { AuditQuery } from './query.ts';

const shared = { tag: 'Projects', auth: 'session', limited: true } as const;
const path = '/api/v1/projects/:projectId';

export const unknownProject: RouteExample = {
  summary: 'Nobody’s project',
  status: 404,
  params: { projectId: NOBODYS },
};

const OneProject = v.object({ data: Project });
const project = {
  id: SAMPLE.projectId,
  name: 'Six Strings',
  role: 'owner',
  createdAt: '2026-11-21T09:00:00.000Z',
};

/** What the OpenAPI document says of projects. */
export const projectRoutes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path: '/api/v1/projects',
    operationId: 'listProjects',
    summary: 'The projects that the person is a member of, oldest first',
    responses: { 200: { description: 'The projects.', schema: v.object({ data: v.array(Project) }) } },
    errors: [],
    examples: [{ summary: 'All projects', status: 200, response: { data: [project] } }],
  },
  {
    ...shared,
    method: 'POST',
    path: '/api/v1/projects',
    operationId: 'createProject',
    summary: 'Make a project',
    description: 'The person owns it. It has the environment `production`, and sites if wanted.',
    body: { schema: NewProject },
    responses: { 201: { description: 'The new project.', schema: OneProject } },
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: [
      { summary: 'A project', status: 201, body: { name: 'Six Strings' }, response: { data: project } },
      { summary: 'Without a name', status: 400, body: { name: '' } },
    ],
  },
  {
    ...shared,
    method: 'GET',
    path,
    operationId: 'getProject',
    summary: 'One project',
    responses: { 200: { description: 'The project.', schema: OneProject } },
    errors: ['NOT_FOUND'],
    examples: [{ summary: 'A project', status: 200, response: { data: project } }, unknownProject],
  },
  {
    ...shared,
    method: 'PATCH',
    path,
    operationId: 'renameProject',
    summary: 'Change the name of a project',
    body: { schema: NewProject },
    responses: { 200: { description: 'The project as it is now.', schema: OneProject } },
    errors: ['NOT_FOUND'],
    examples: [
      { summary: 'A new name', status: 200, body: { name: 'Six Strings' }, response: { data: project } },
      { ...unknownProject, body: { name: 'Six Strings' } },
    ],
  },
  {
    ...shared,
    method: 'DELETE',
    path,
    operationId: 'deleteProject',
    summary: 'Delete a project with everything in it',
    description: 'Its sites and their data, its environments and their keys. Owners only.',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['NOT_FOUND'],
    examples: [{ summary: 'A project', status: 204 }, unknownProject],
  },
  {
    ...shared,
    method: 'GET',
    path: `${path}/audit-log`,
    operationId: 'listAuditLog',
    summary: 'Who changed what in a project, newest first',
    description: 'Owners and admins only.',
    query: AuditQuery,
    responses: {
      200: {
        description: 'The lines of the log.',
        schema: v.object({
          data: v.array(AuditEntry),
          meta: v.object({ nextCursor: v.nullable(v.string()) }),
        }),
      },
    },
    errors: ['NOT_FOUND'],
    examples: [
      {
        summary: 'The last lines',
        status: 200,
        query: { limit: '10' },
        response: {
          data: [
            {
              at: '2026-11-21T09:00:00.000Z',
              action: 'ingest-key.create',
              actor: { kind: 'session', userId: SAMPLE.userId, tokenId: null },
              site: null,
              requestId: '5d0c7c1f-8a43-4b6e-9a53-2f1e0d9c8b7a',
            },
          ],
          meta: { nextCursor: null },
        },
      },
      { summary: 'Too many at once', status: 400, query: { limit: '101' } },
      { summary: 'Not a cursor', status: 400, query: { cursor: 'next' } },
      unknownProject,
    ],
  },
];

export const projectComponents = { NewProject, Project, AuditEntry };
