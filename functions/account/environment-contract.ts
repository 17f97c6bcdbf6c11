import * as v from 'valibot';
import type { ErrorCode } from '../../lib/errors.ts';
import { type RouteContract, type RouteExample, SAMPLE } from '../../lib/http/contract.ts';
import {
  CreatedIngestKey,
  Environment,
  IngestKey,
  NewEnvironment,
  NewIngestKey,
} from '../../lib/projects/schemas.ts';
import { NOBODYS, unknownProject } from './project-contract.ts';

const shared = { tag: 'Environments', auth: 'session', limited: true } as const;
const path = '/api/v1/projects/:projectId/environments';
const keys = '/api/v1/telemetry/projects/:projectId/environments/:environmentId/ingest-keys';
const onProject: readonly ErrorCode[] = ['FORBIDDEN', 'NOT_FOUND'];
const body: readonly ErrorCode[] = [...onProject, 'CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
const unknownEnvironment: RouteExample = {
  summary: 'Nobody’s environment',
  status: 404,
  params: { environmentId: NOBODYS },
};

const createdAt = '2026-11-21T09:00:00.000Z';
const environment = { id: SAMPLE.environmentId, name: 'staging', createdAt };
const key = { id: SAMPLE.ingestKeyId, name: 'Shop', outcomes: true, createdAt, lastUsedAt: null };
const OneEnvironment = v.object({ data: Environment });

/** What the OpenAPI document says of environments and of the keys that send to them. */
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
    errors: onProject,
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
    errors: body,
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
    errors: body,
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
    summary: 'Delete an environment with its keys',
    description: 'A project has an environment always.',
    responses: { 204: { description: 'Deleted.' } },
    errors: [...onProject, 'CONFLICT'],
    examples: [{ summary: 'An environment', status: 204 }, unknownEnvironment],
  },
  {
    ...shared,
    method: 'GET',
    path: keys,
    operationId: 'listIngestKeys',
    summary: 'An environment’s ingest keys, oldest first',
    responses: { 200: { description: 'The keys.', schema: v.object({ data: v.array(IngestKey) }) } },
    errors: onProject,
    examples: [{ summary: 'All keys', status: 200, response: { data: [key] } }, unknownEnvironment],
  },
  {
    ...shared,
    method: 'POST',
    path: keys,
    operationId: 'createIngestKey',
    summary: 'Make a key that a backend sends telemetry with',
    description: 'With `outcomes` it records outcomes too. It reads nothing. At most 100 an environment.',
    body: { schema: NewIngestKey },
    responses: { 201: { description: 'The new key.', schema: v.object({ data: CreatedIngestKey }) } },
    errors: body,
    examples: [
      {
        summary: 'For telemetry and outcomes',
        status: 201,
        body: { name: 'Shop', outcomes: true },
        response: { data: { ...key, key: 'ving_...' } },
      },
      { summary: 'For telemetry', status: 201, body: { name: 'Shop' } },
      { summary: 'Without a name', status: 400, body: {} },
      { ...unknownEnvironment, body: { name: 'Shop' } },
    ],
  },
  {
    ...shared,
    method: 'DELETE',
    path: `${keys}/:ingestKeyId`,
    operationId: 'revokeIngestKey',
    summary: 'Revoke an ingest key',
    description: 'Refused everywhere within 60 seconds.',
    responses: { 204: { description: 'Revoked.' } },
    errors: onProject,
    examples: [
      { summary: 'A key', status: 204 },
      { summary: 'Nobody’s key', status: 404, params: { ingestKeyId: NOBODYS } },
      unknownEnvironment,
    ],
  },
];

export const environmentComponents = { Environment, NewIngestKey, IngestKey, CreatedIngestKey };
