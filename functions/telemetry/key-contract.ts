import * as v from 'valibot';
import { NOBODYS, type RouteContract, SAMPLE, unknownEnvironment } from '../../lib/http/contract.ts';
import { CreatedIngestKey, IngestKey, NewIngestKey } from '../../lib/projects/schemas.ts';
import { ENVIRONMENT } from './place.ts';

const shared = { tag: 'Ingest keys', auth: 'session', limited: true, errors: ['NOT_FOUND'] } as const;
const keys = `${ENVIRONMENT}/ingest-keys`;

const createdAt = '2026-11-21T09:00:00.000Z';
const key = { id: SAMPLE.ingestKeyId, name: 'Shop', outcomes: true, createdAt, lastUsedAt: null };

/** What the OpenAPI document says of the keys that backends send with. */
export const keyRoutes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path: keys,
    operationId: 'listIngestKeys',
    summary: 'An environment’s ingest keys, oldest first',
    responses: { 200: { description: 'The keys.', schema: v.object({ data: v.array(IngestKey) }) } },
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
    errors: ['NOT_FOUND', 'CONFLICT'],
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
    examples: [
      { summary: 'A key', status: 204 },
      { summary: 'Nobody’s key', status: 404, params: { ingestKeyId: NOBODYS } },
      unknownEnvironment,
    ],
  },
];

export const keyComponents = { NewIngestKey, IngestKey, CreatedIngestKey };
