import type { McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../json-schema.ts';

/** A tool without its protocol: what it says of itself, and a function. */
export interface Tool<Ctx> {
  name: string;
  title: string;
  description: string;
  /** JSON Schema 2020-12 of an object. */
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  /** Checks the arguments itself and throws for what is wrong with them. */
  call(ctx: Ctx, args: unknown): Promise<object> | object;
}

/** An error as its caller may see it, in a tool's text (docs/content.md#errors). */
export interface ToolError {
  code: string;
  message: string;
}

/**
 * Puts a tool into a server. Its answer is `structuredContent`, and the same as JSON text; what it throws becomes a result
 * with `isError` and what `describe` makes of it.
 */
export function addTool<Ctx>(
  server: McpServer,
  ctx: Ctx,
  tool: Tool<Ctx>,
  describe: (error: unknown) => ToolError,
): void {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const config = {
    title,
    description,
    inputSchema: asGiven(inputSchema),
    outputSchema: asGiven(outputSchema),
    annotations,
  };
  server.registerTool(name, config, async (args) => {
    try {
      const structuredContent = { ...(await tool.call(ctx, args)) };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    } catch (error) {
      return { content: [{ type: 'text', text: JSON.stringify({ error: describe(error) }) }], isError: true };
    }
  });
}

/** A schema that tells what it takes and takes all: the SDK's own words for a bad argument would quote it. */
function asGiven(schema: JsonSchema): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'vendor',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
