import { McpServer } from '@modelcontextprotocol/server';
import { addContentTools } from './content-tools.ts';
import { addInputTools } from './input-tools.ts';
import { addLoggingTools } from './logging-tools.ts';
import { addPrompts } from './prompts.ts';
import { addResources } from './resources.ts';
import { addSchemaTools } from './schema-tools.ts';
import { states } from './states.ts';

/** Makes a server for one message, like the product does. */
export function createFixtureServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: false },
        prompts: { listChanged: false },
        completions: {},
        logging: {},
      },
      requestState: { verify: states.verify },
      // It would ask clients of 2025-11-25 through a stream, and the wrapper has no streams.
      inputRequired: { legacyShim: false },
    },
  );
  addContentTools(server);
  addLoggingTools(server);
  addSchemaTools(server);
  addInputTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}
