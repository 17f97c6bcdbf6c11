import * as v from 'valibot';
import type { RouteContract } from '../../lib/http/contract.ts';

export const routes: RouteContract[] = [
  {
    method: 'GET',
    path: '/api/openapi.json',
    operationId: 'getOpenapi',
    tag: 'Service',
    summary: 'This document',
    auth: 'public',
    responses: {
      200: { description: 'OpenAPI 3.1.', schema: v.looseObject({ openapi: v.literal('3.1.0') }) },
      304: { description: 'Unchanged since the answer whose `ETag` came in `If-None-Match`.' },
    },
    errors: [],
    limited: false,
    examples: [{ summary: 'The document', status: 200 }],
  },
];
