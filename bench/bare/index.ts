/**
 * The content service and, at `/bare`, its baseline: the SDK's own handler with one tool that does nothing. Both are in one Worker, so
 * that hops, isolate and compiled SDK code are the same.
 */
import { createMcpHandler, McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import content from '../../functions/content/index.ts';

/** Accepts everything, like the schemas that the service's tools give to the SDK. */
const NOTHING: StandardSchemaWithJSON = {
  '~standard': {
    version: 1,
    vendor: 'bench',
    validate: (value) => ({ value }),
    jsonSchema: {
      input: () => ({ type: 'object', properties: {}, additionalProperties: false }),
      output: () => ({ type: 'object', properties: {}, additionalProperties: false }),
    },
  },
};

const bare = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.registerTool('empty', { inputSchema: NOTHING, outputSchema: NOTHING }, async () => ({
    content: [{ type: 'text', text: '{}' }],
    structuredContent: {},
  }));
  return server;
});

export { Health } from '../../functions/content/index.ts';

type ContentFetch = typeof content.fetch;

export default {
  fetch: (...args: Parameters<ContentFetch>): ReturnType<ContentFetch> =>
    new URL(args[0].url).pathname === '/bare' ? bare.fetch(args[0]) : content.fetch(...args),
};
