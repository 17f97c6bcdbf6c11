/** What contracts say of an endpoint of the Model Context Protocol, for the OpenAPI document. */
import * as v from 'valibot';

const rpcId = v.nullable(v.union([v.string(), v.number()]));

export const RpcRequest = v.looseObject({
  jsonrpc: v.literal('2.0'),
  id: v.optional(v.union([v.string(), v.number()])),
  method: v.string(),
  params: v.optional(v.looseObject({})),
});
const RpcResponse = v.looseObject({ jsonrpc: v.literal('2.0'), id: rpcId });
export const RpcError = v.looseObject({
  jsonrpc: v.literal('2.0'),
  id: v.optional(rpcId),
  error: v.looseObject({ code: v.number(), message: v.string() }),
});

export const mcpHeaders = {
  'MCP-Protocol-Version': {
    description:
      'The version of the protocol: `2026-07-28` or `2025-11-25`. Needed from 2026-07-28 on, where the body’s ' +
      '`params._meta["io.modelcontextprotocol/protocolVersion"]` must be the same.',
    schema: v.pipe(v.string(), v.maxLength(32)),
  },
  'Mcp-Method': {
    description: 'The body’s `method`. Needed from 2026-07-28 on.',
    schema: v.pipe(v.string(), v.maxLength(64)),
  },
  'Mcp-Name': {
    description:
      'The body’s `params.name` of `tools/call`, or `params.uri` of `resources/read`. Needed for these from 2026-07-28 ' +
      'on. Text that a header can’t have is `=?base64?<its UTF-8 in Base64>?=`.',
    schema: v.pipe(v.string(), v.maxLength(2048)),
  },
};

export const mcpResponses = {
  200: { description: 'A JSON-RPC response.', schema: RpcResponse },
  202: { description: 'A notification was accepted.' },
  400: { description: 'Not a message of the protocol, or its headers contradict it.', schema: RpcError },
  404: { description: 'A method that the protocol doesn’t have.', schema: RpcError },
  415: { description: 'Not JSON.', schema: RpcError },
};
