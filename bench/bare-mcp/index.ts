/**
 * The function `mcp` and, for messages with the header below, its baseline: the SDK's own handler with one tool that does nothing. Both are
 * in one Worker, so that hops, isolate and compiled SDK code are the same.
 */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import mcp from '../../functions/mcp/index.ts';
import { asGiven } from '../../lib/mcp/tool.ts';

export { Health } from '../../functions/mcp/index.ts';

const NOTHING = asGiven({ type: 'object', properties: {}, additionalProperties: false });

const bare = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.registerTool('empty', { inputSchema: NOTHING }, async () => ({
    content: [{ type: 'text', text: '{}' }],
    structuredContent: {},
  }));
  return server;
});

type Fetch = typeof mcp.fetch;

export default {
  fetch: (...args: Parameters<Fetch>): ReturnType<Fetch> =>
    args[0].headers.has('X-Bare') ? bare.fetch(args[0]) : mcp.fetch(...args),
};
