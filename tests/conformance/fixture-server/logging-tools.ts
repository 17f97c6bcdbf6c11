/**
 * Tools that log to the client. Clients of 2026-07-28 must request logs; clients of 2025-11-25 would get them in a stream. Here nothing
 * is sent, and the answers are JSON.
 */
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';

const STEPS = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];

async function logSteps(ctx: ServerContext) {
  for (const step of STEPS) await ctx.mcpReq.log('info', step);
  return { content: [{ type: 'text' as const, text: 'Logged three steps.' }] };
}

export function addLoggingTools(server: McpServer): void {
  server.registerTool('test_tool_with_logging', { description: 'Logs three steps.' }, logSteps);
  server.registerTool('test_logging_tool', { description: 'Logs three steps.' }, logSteps);
}
