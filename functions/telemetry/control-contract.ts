import * as v from 'valibot';
import { NOBODYS, type RouteContract, SAMPLE, unknownEnvironment } from '../../lib/http/contract.ts';
import { Origins, Retention } from '../../lib/telemetry/control-schemas.ts';
import { Connection, TelemetryMeta } from '../../lib/telemetry/schemas.ts';
import { ENVIRONMENT } from './place.ts';

const shared = { tag: 'Telemetry control', auth: 'session', limited: true, errors: ['NOT_FOUND'] } as const;

const origins = {
  origins: [
    { origin: 'https://api.example.com', siteIds: [SAMPLE.siteId] },
    { origin: 'http://localhost:3000' },
  ],
};
const retention = { traces: 14, logs: 30, metrics: 90 };

const OneOrigins = v.object({ data: Origins });
const OneRetention = v.object({ data: Retention });

/** What the OpenAPI document says of what members set for an environment's telemetry. */
export const controlRoutes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path: `${ENVIRONMENT}/connection-status`,
    operationId: 'getConnectionStatus',
    summary: 'Whether telemetry comes in, by signal and service',
    description:
      'When something was received last, how much in the last 5 minutes, and the last error that a sender was told. Every signal is there; ' +
      'one that never came has no rate.',
    responses: {
      200: {
        description: 'The four signals.',
        schema: v.object({ data: v.array(Connection), meta: TelemetryMeta }),
      },
    },
    examples: [{ summary: 'Now', status: 200 }, unknownEnvironment],
  },
  {
    ...shared,
    method: 'GET',
    path: `${ENVIRONMENT}/origins`,
    operationId: 'getOrigins',
    summary: 'The first-party API origins of an environment',
    responses: { 200: { description: 'The origins, by name.', schema: OneOrigins } },
    examples: [{ summary: 'All origins', status: 200, response: { data: origins } }, unknownEnvironment],
  },
  {
    ...shared,
    method: 'PUT',
    path: `${ENVIRONMENT}/origins`,
    operationId: 'replaceOrigins',
    summary: 'Replace the first-party API origins of an environment',
    description:
      'Requests that pages of the tied sites make to these origins may be associated with traces, at tier 3 only. An origin without `siteIds` is ' +
      'tied to every site of the project. A site of another project is answered 404. Audited.',
    body: { schema: Origins },
    responses: { 200: { description: 'The origins as they are now.', schema: OneOrigins } },
    examples: [
      { summary: 'Two origins', status: 200, body: origins, response: { data: origins } },
      { summary: 'None', status: 200, body: { origins: [] } },
      { summary: 'With a path', status: 400, body: { origins: [{ origin: 'https://api.example.com/v1' }] } },
      { summary: 'Without TLS', status: 400, body: { origins: [{ origin: 'http://api.example.com' }] } },
      {
        summary: 'Nobody’s site',
        status: 404,
        body: { origins: [{ origin: 'https://api.example.com', siteIds: [NOBODYS] }] },
      },
      { ...unknownEnvironment, body: origins },
    ],
  },
  {
    ...shared,
    method: 'GET',
    path: `${ENVIRONMENT}/retention`,
    operationId: 'getTelemetryRetention',
    summary: 'For how many days an environment keeps each signal',
    responses: { 200: { description: 'Days by signal.', schema: OneRetention } },
    examples: [{ summary: 'Days', status: 200, response: { data: retention } }, unknownEnvironment],
  },
  {
    ...shared,
    method: 'PUT',
    path: `${ENVIRONMENT}/retention`,
    operationId: 'replaceTelemetryRetention',
    summary: 'Set for how many days an environment keeps each signal',
    description:
      'What is older is deleted for good from the next minute on. Outcomes stay as long as their environment. Audited.',
    body: { schema: Retention },
    responses: { 200: { description: 'Days by signal as they are now.', schema: OneRetention } },
    examples: [
      { summary: 'Days', status: 200, body: retention, response: { data: retention } },
      { summary: 'Too long', status: 400, body: { ...retention, metrics: 91 } },
      { summary: 'Not all of them', status: 400, body: { traces: 14 } },
      { ...unknownEnvironment, body: retention },
    ],
  },
];

export const controlComponents = { Origins, Retention, Connection };
