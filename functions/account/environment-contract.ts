import * as v from 'valibot';
import { type RouteContract, SAMPLE, unknownEnvironment } from '../../lib/http/contract.ts';
import { Environment, NewEnvironment } from '../../lib/projects/schemas.ts';
import { unknownProject } from './project-contract.ts';

const shared = { tag: 'Environments', auth: 'session', limited: true } as const;
const path = '/api/v1/projects/:projectId/environments';

const createdAt = '2026-11-21T09:00:00.000Z';
const environment = { id: SAMPLE.environmentId, name: 'staging', createdAt };
const OneEnvironment = v.object({ data: Environment });

/** What the OpenAPI document says of environments. */
export const environmentRoutes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path,
    operationId: 'listEnvironments',
    summary: 'A project’s environments, oldest first',
    responses: {
      200: { description: 'The environments.', schema: v.object({ data: v.array(Environment) }) },
    },
    errors: ['NOT_FOUND'],
    examples: [
      { summary: 'All environments', status: 200, response: { data: [environment] } },
      unknownProject,
    ],
  },
  {
    ...shared,
    method: 'POST',
    path,
    operationId: 'createEnvironment',
    summary: 'Make an environment',
    description: 'A project has at most 50.',
    body: { schema: NewEnvironment },
    responses: { 201: { description: 'The new environment.', schema: OneEnvironment } },
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: [
      { summary: 'An environment', status: 201, body: { name: 'staging' }, response: { data: environment } },
      { summary: 'A name that is taken', status: 409, body: { name: 'production' } },
      { summary: 'A name that can’t be one', status: 400, body: { name: 'Staging area' } },
      { ...unknownProject, body: { name: 'staging' } },
    ],
  },
  {
    ...shared,
    method: 'PATCH',
    path: `${path}/:environmentId`,
    operationId: 'renameEnvironment',
    summary: 'Change the name of an environment',
    body: { schema: NewEnvironment },
    responses: { 200: { description: 'The environment as it is now.', schema: OneEnvironment } },
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: [
      { summary: 'A new name', status: 200, body: { name: 'staging' }, response: { data: environment } },
      { ...unknownEnvironment, body: { name: 'staging' } },
    ],
  },
  {
    ...shared,
    method: 'DELETE',
    path: `${path}/:environmentId`,
    operationId: 'deleteEnvironment',
    summary: 'Delete an environment with its keys, telemetry and outcomes',
    description: 'A project has an environment always.',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: [{ summary: 'An environment', status: 204 }, unknownEnvironment],
  },
];

export const environmentComponents = { Environment };
