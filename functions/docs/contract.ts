import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import { ServiceHealth } from '../../lib/http/service-health.ts';

export const routes = {
  getOpenapi: {
    method: 'GET',
    path: '/api/openapi.json',
    tag: 'Service',
    summary: 'This document',
    auth: 'public',
    limit: null,
    responses: {
      200: { description: 'OpenAPI 3.1.', schema: v.looseObject({ openapi: v.literal('3.1.0') }) },
      304: { description: 'Unchanged since the answer with the `ETag` in `If-None-Match`.' },
    },
  },
  getHealth: {
    method: 'GET',
    path: '/api/health',
    tag: 'Service',
    summary: 'The versions of the functions and of the database',
    description:
      'Asked of each function by `docs`, and remembered for 5 seconds. The status is for monitors: both answers have the same body.',
    auth: 'public',
    limit: null,
    responses: {
      200: { description: '`status` is `ok`.', schema: ServiceHealth },
      503: { description: '`status` is `upgrading` or `down`.', schema: ServiceHealth },
    },
  },
} as const satisfies Contracts;
