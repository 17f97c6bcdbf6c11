import type { McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../json-schema.ts';

/** A tool without its protocol: its description and a function. */
export interface Tool<Ctx> {
  name: string;
  title: string;
  description: string;
  /** JSON Schema 2020-12 of an object. */
  inputSchema: JsonSchema;
  /** Absent: the list of tools stays short, and the answer is described in words. */
  outputSchema?: JsonSchema;
  /** The view that draws the answer in chats which can show it (`shows-views.ts`). Absent: the chat has text alone. */
  view?: string;
  annotations: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint: boolean;
  };
  /** Validates the arguments and throws if they are invalid. */
  call(ctx: Ctx, args: unknown): Promise<object> | object;
}

/** An error in the form that the caller of a tool may see (docs/content.md#errors). */
export interface ToolError {
  code: string;
  message: string;
}

/**
 * Adds a tool to a server. The answer is `structuredContent` and the same as JSON text. An error becomes a result with `isError` and
 * the output of `describe`.
 */
export function addTool<Ctx>(
  server: McpServer,
  ctx: Ctx,
  tool: Tool<Ctx>,
  describe: (error: unknown) => ToolError,
): void {
  const { name, title, description, inputSchema, outputSchema, view, annotations } = tool;
  const config = {
    title,
    description,
    inputSchema: asGiven(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: asGiven(outputSchema) }),
    annotations,
    ...(view !== undefined && { _meta: { ui: { resourceUri: view } } }),
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

/** A schema that documents the arguments but accepts everything: the SDK's own message for an invalid argument would quote it. */
export function asGiven(schema: JsonSchema): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'vendor',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
