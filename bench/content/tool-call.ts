/** A `tools/call` request of a client of either protocol era. */

export const ERAS = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof ERAS)[number];

export interface Call {
  tool: string;
  args: Record<string, unknown>;
}

export interface Message {
  headers: Record<string, string>;
  body: string;
}

export function callMessage(era: Era, { tool, args }: Call): Message {
  const stateless = era === '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': era,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  };
  return {
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': era,
      ...(stateless && { 'Mcp-Method': 'tools/call', 'Mcp-Name': tool }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: args, ...(stateless && { _meta }) },
    }),
  };
}
