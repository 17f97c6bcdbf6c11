import { type Examples, SAMPLE, unknownEnvironment } from '../../lib/http/examples.ts';
import type { environmentRoutes } from './environment-contract.ts';
import { unknownProject } from './project-examples.ts';

const createdAt = '2026-11-21T09:00:00.000Z';
const environment = { id: SAMPLE.environmentId, name: 'staging', createdAt };

export const environmentExamples: Examples<typeof environmentRoutes> = {
  listEnvironments: [
    { summary: 'All environments', status: 200, response: { data: [environment] } },
    unknownProject,
  ],
  createEnvironment: [
    { summary: 'An environment', status: 201, body: { name: 'staging' }, response: { data: environment } },
    { summary: 'A name that is taken', status: 409, body: { name: 'production' } },
    { summary: 'A name that can’t be one', status: 400, body: { name: 'Staging area' } },
    { ...unknownProject, body: { name: 'staging' } },
  ],
  renameEnvironment: [
    { summary: 'A new name', status: 200, body: { name: 'staging' }, response: { data: environment } },
    { ...unknownEnvironment, body: { name: 'staging' } },
  ],
  deleteEnvironment: [{ summary: 'An environment', status: 204 }, unknownEnvironment],
};
