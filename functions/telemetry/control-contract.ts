import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import {
  CreatedIngestKey,
  CreateIngestKey,
  IngestKey,
  OneEnvironment,
  OneIngestKey,
} from '../../lib/projects/schemas.ts';
import { Origins, ReplaceOrigins, ReplaceRetention, Retention } from '../../lib/telemetry/control-schemas.ts';
import { Connection, ConnectionMeta } from '../../lib/telemetry/schemas.ts';

export const ENVIRONMENT = '/api/v1/telemetry/projects/:projectId/environments/:environmentId';

const session = { auth: 'session', limit: null, errors: ['NOT_FOUND'] } as const;
const keys = { ...session, tag: 'Ingest keys' } as const;
const control = { ...session, tag: 'Telemetry control' } as const;

const OriginsAnswer = v.object({ data: Origins });
const RetentionAnswer = v.object({ data: Retention });

/** An environment's telemetry settings, its ingest keys, and its connection status. */
export const controlRoutes = {
  listIngestKeys: {
    ...keys,
    method: 'GET',
    path: `${ENVIRONMENT}/ingest-keys`,
    input: OneEnvironment,
    summary: 'An environment’s ingest keys, oldest first',
    responses: { 200: { description: 'The keys.', schema: v.object({ data: v.array(IngestKey) }) } },
  },
  createIngestKey: {
    ...keys,
    audit: 'ingest-key.create',
    method: 'POST',
    path: `${ENVIRONMENT}/ingest-keys`,
    input: CreateIngestKey,
    summary: 'Create an ingest key for a backend',
    description:
      'With `outcomes` the key may record outcomes too. It can’t read anything. An environment has at most 100 keys.',
    responses: { 201: { description: 'The new key.', schema: v.object({ data: CreatedIngestKey }) } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  revokeIngestKey: {
    ...keys,
    audit: 'ingest-key.revoke',
    method: 'DELETE',
    path: `${ENVIRONMENT}/ingest-keys/:ingestKeyId`,
    input: OneIngestKey,
    summary: 'Revoke an ingest key',
    description: 'The key stops working within 60 seconds.',
    responses: { 204: { description: 'Revoked.' } },
  },
  getConnectionStatus: {
    ...control,
    method: 'GET',
    path: `${ENVIRONMENT}/connection-status`,
    input: OneEnvironment,
    summary: 'Whether telemetry arrives, by signal and service',
    description:
      'The time of the last receipt, the items of the last 5 minutes, and the last error that a sender got. Every signal is ' +
      'listed; a signal that never arrived has no rate. `meta.quotas` says how much of its quotas the project has used.',
    responses: {
      200: {
        description: 'The four signals.',
        schema: v.object({ data: v.array(Connection), meta: ConnectionMeta }),
      },
    },
  },
  getOrigins: {
    ...control,
    method: 'GET',
    path: `${ENVIRONMENT}/origins`,
    input: OneEnvironment,
    summary: 'The first-party API origins of an environment',
    responses: { 200: { description: 'The origins, by name.', schema: OriginsAnswer } },
  },
  replaceOrigins: {
    ...control,
    audit: 'origins.replace',
    method: 'PUT',
    path: `${ENVIRONMENT}/origins`,
    input: ReplaceOrigins,
    summary: 'Replace the first-party API origins of an environment',
    description:
      'Requests from pages of the listed sites to these origins may be associated with traces, at tier 3 only. An origin ' +
      'without `siteIds` applies to every site of the project. A site of another project is answered with 404. The audit log ' +
      'records the change.',
    responses: { 200: { description: 'The changed origins.', schema: OriginsAnswer } },
  },
  getTelemetryRetention: {
    ...control,
    method: 'GET',
    path: `${ENVIRONMENT}/retention`,
    input: OneEnvironment,
    summary: 'The days for which an environment keeps each signal',
    responses: { 200: { description: 'Days by signal.', schema: RetentionAnswer } },
  },
  replaceTelemetryRetention: {
    ...control,
    audit: 'retention.replace',
    method: 'PUT',
    path: `${ENVIRONMENT}/retention`,
    input: ReplaceRetention,
    summary: 'Set the days for which an environment keeps each signal',
    description:
      'Older data is deleted for good from the next minute on. Outcomes stay as long as their environment. The audit log ' +
      'records the change.',
    responses: { 200: { description: 'The changed days by signal.', schema: RetentionAnswer } },
  },
} as const satisfies Contracts;

export const controlComponents = { IngestKey, CreatedIngestKey, Origins, Retention, Connection };
