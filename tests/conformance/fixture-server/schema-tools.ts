/** Tools whose schemas have the keywords that the scenarios look for. */
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';

/** Uses keywords that only JSON Schema 2020-12 has. */
const CONTACT = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** The argument is also sent in a header. */
const REGION = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  required: ['region'],
};

export function addSchemaTools(server: McpServer): void {
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema of every feature.', inputSchema: fromJsonSchema(CONTACT) },
    () => ({ content: [{ type: 'text', text: 'Called.' }] }),
  );
  server.registerTool(
    'test_custom_header',
    { description: 'Takes an argument that a header repeats.', inputSchema: fromJsonSchema(REGION) },
    () => ({ content: [{ type: 'text', text: 'Called.' }] }),
  );
}
