import { type Examples, NOBODYS, type RouteExample, SAMPLE } from '../../lib/http/examples.ts';
import type { projectRoutes } from './project-contract.ts';

export const unknownProject: RouteExample = {
  summary: 'Nobody’s project',
  status: 404,
  params: { projectId: NOBODYS },
};

const project = {
  id: SAMPLE.projectId,
  name: 'Six Strings',
  role: 'owner',
  createdAt: '2026-11-21T09:00:00.000Z',
};

export const projectExamples: Examples<typeof projectRoutes> = {
  listProjects: [{ summary: 'All projects', status: 200, response: { data: [project] } }],
  createProject: [
    { summary: 'A project', status: 201, body: { name: 'Six Strings' }, response: { data: project } },
    { summary: 'Without a name', status: 400, body: { name: '' } },
  ],
  joinProject: [
    {
      summary: 'An open invitation',
      status: 201,
      body: { secret: SAMPLE.invitationSecret },
      response: {
        data: { ...project, name: 'Theirs', role: 'viewer' },
      },
    },
    {
      summary: 'One that is used or over',
      status: 404,
      body: { secret: 'Aa3Vw8QyN1tRb6LxUo4HsDfJc7MgPa2EiXe9Bq5KvYI' },
    },
  ],
  getProject: [{ summary: 'A project', status: 200, response: { data: project } }, unknownProject],
  renameProject: [
    { summary: 'A new name', status: 200, body: { name: 'Six Strings' }, response: { data: project } },
    { ...unknownProject, body: { name: 'Six Strings' } },
  ],
  deleteProject: [{ summary: 'A project', status: 204 }, unknownProject],
  listAuditLog: [
    {
      summary: 'The last lines',
      status: 200,
      query: { limit: '10' },
      response: {
        data: [
          {
            at: '2026-11-21T09:00:00.000Z',
            action: 'ingest-key.create',
            actor: {
              ...{ kind: 'session', userId: SAMPLE.userId, tokenId: null },
              ...{ name: 'Ana', email: 'ana@example.com' },
            },
            site: null,
            requestId: '5d0c7c1f-8a43-4b6e-9a53-2f1e0d9c8b7a',
            tool: 'createIngestKey',
            target: { id: SAMPLE.siteId, name: 'Shop' },
            inputHash: '0f2c7a7e5b8d4f61932d1ce5a0b84e6f7c3a9d20e81b4f5a6c7d8e9f0a1b2c3d',
            result: 'done',
            calls: 1,
            lastAt: '2026-11-21T09:00:00.000Z',
          },
        ],
        meta: { nextCursor: null },
      },
    },
    { summary: 'What was refused about members', status: 200, query: { action: 'member', result: 'failed' } },
    { summary: 'Too many at once', status: 400, query: { limit: '101' } },
    { summary: 'Not an action', status: 400, query: { action: 'member.' } },
    { summary: 'Not a cursor', status: 400, query: { cursor: 'next' } },
    unknownProject,
  ],
};
