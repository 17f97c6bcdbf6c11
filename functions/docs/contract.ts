import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';

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
      304: { description: 'Unchanged since the answer whose `ETag` came in `If-None-Match`.' },
    },
  },
} as const satisfies Contracts;
