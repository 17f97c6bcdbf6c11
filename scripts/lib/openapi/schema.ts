import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';

export type Schema = v.GenericSchema;
/** Schemas that the document names under `components`, by their names. */
export type NamedSchemas = Record<string, Schema>;
export type JsonSchema = Record<string, unknown>;

/**
 * Actions that JSON Schema has no words for. Each must be told to the reader: by the pipe's description before it, or by
 * its own message, which then is the description. Anything else that can't be converted stops the generation.
 */
const OPAQUE = new Set([
  'check',
  'raw_check',
  'raw_transform',
  'transform',
  'trim',
  'to_lower_case',
  'finite',
]);
/** What JSON can't express anyway. */
const TRIVIAL = new Set(['finite', 'safe_integer']);

const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'throw',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ valibotAction, jsonSchema }) => {
    const explicit = explicitSchema(valibotAction);
    if (explicit !== undefined) return { ...explicit };
    if (TRIVIAL.has(valibotAction.type)) return jsonSchema;
    if (!OPAQUE.has(valibotAction.type)) return undefined;
    if (jsonSchema.description !== undefined) return jsonSchema;
    const { message } = valibotAction as { message?: unknown };
    if (typeof message === 'string') return { ...jsonSchema, description: `It ${message}.` };
    throw new Error(`A "${valibotAction.type}" action has neither a description before it nor a message.`);
  },
};

/** `v.metadata({ jsonSchema })` says in full what the pipe takes, for text that stands for something else. */
function explicitSchema(action: object): object | undefined {
  const { metadata } = action as { metadata?: { jsonSchema?: object } };
  return metadata?.jsonSchema;
}

/** What a schema takes, as JSON Schema 2020-12 with references to the named ones. */
export function convert(schema: Schema, named: NamedSchemas): JsonSchema {
  const { $schema, $defs, ...converted } = toJsonSchema(schema, { ...config, definitions: named });
  return converted;
}

export function convertNamed(named: NamedSchemas): Record<string, JsonSchema> {
  return toJsonSchemaDefs(named, config) as Record<string, JsonSchema>;
}
