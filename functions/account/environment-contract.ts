import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import {
  CreateEnvironment,
  Environment,
  OneEnvironment,
  OneProject,
  RenameEnvironment,
} from '../../lib/projects/schemas.ts';

const shared = { tag: 'Environments', auth: 'session', limit: null } as const;
const path = '/api/v1/projects/:projectId/environments';

const EnvironmentAnswer = v.object({ data: Environment });

export const environmentRoutes = {
  listEnvironments: {
    ...shared,
    method: 'GET',
    path,
    input: OneProject,
    summary: 'A project’s environments, oldest first',
    responses: {
      200: { description: 'The environments.', schema: v.object({ data: v.array(Environment) }) },
    },
    errors: ['NOT_FOUND'],
  },
  createEnvironment: {
    ...shared,
    audit: 'environment.create',
    method: 'POST',
    path,
    summary: 'Create an environment',
    description: 'A project has at most 50.',
    input: CreateEnvironment,
    responses: { 201: { description: 'The new environment.', schema: EnvironmentAnswer } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  renameEnvironment: {
    ...shared,
    audit: 'environment.rename',
    method: 'PATCH',
    path: `${path}/:environmentId`,
    summary: 'Rename an environment',
    input: RenameEnvironment,
    responses: { 200: { description: 'The changed environment.', schema: EnvironmentAnswer } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  deleteEnvironment: {
    ...shared,
    audit: 'environment.delete',
    method: 'DELETE',
    path: `${path}/:environmentId`,
    input: OneEnvironment,
    summary: 'Delete an environment with its keys, telemetry and outcomes',
    description: 'A project always keeps at least one environment.',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
} as const satisfies Contracts;

export const environmentComponents = { Environment };
