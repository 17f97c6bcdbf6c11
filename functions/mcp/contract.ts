import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import { ErrorBody } from '../../lib/http/error-envelope.ts';
import { mcpHeaders, mcpResponses, RpcError, RpcRequest } from '../../lib/http/mcp-contract.ts';
import { MESSAGES } from './limits.ts';

export const routes = {
  postMcp: {
    method: 'POST',
    path: '/mcp',
    tag: 'Agents',
    auth: 'queryToken',
    limit: MESSAGES,
    summary: 'Model Context Protocol, Streamable HTTP',
    description:
      'Questions of agents about websites and backends: the same verbs and the same numbers as over REST. One JSON-RPC message of the ' +
      'Model Context Protocol, versions 2026-07-28 and 2025-11-25 (and those before it that the latter’s clients negotiate): ' +
      'https://modelcontextprotocol.io/specification. Stateless; the answer is JSON. Use a client of the protocol, with the ' +
      'token as a header. There is no OAuth. GET and DELETE are 405. A tool that the token’s scopes don’t open isn’t listed, ' +
      'and a call of it is 403.',
    headers: mcpHeaders,
    body: { schema: RpcRequest },
    errorBody: v.union([ErrorBody, RpcError]),
    errors: ['FORBIDDEN'],
    responses: mcpResponses,
  },
} as const satisfies Contracts;
