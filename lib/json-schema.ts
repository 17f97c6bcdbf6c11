import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

export type JsonSchema = Record<string, unknown>;

/**
 * Actions that JSON Schema has no words for. Each must be told to the reader: by the pipe's description before it, or by
 * its own message, which then is the description. Anything else that can't be converted throws.
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

/** How the project's schemas are told in JSON Schema 2020-12: what they take, before transformation. */
export const CONVERSION: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'throw',
  overrideAction: ({ valibotAction, jsonSchema }) => {
    const { metadata, message, requirement } = valibotAction as Action;
    if (metadata?.jsonSchema !== undefined) return { ...metadata.jsonSchema };
    if (TRIVIAL.has(valibotAction.type)) return jsonSchema;
    // JSON Schema's patterns are Unicode ones without saying so.
    if (valibotAction.type === 'regex' && requirement instanceof RegExp && requirement.flags === 'u')
      return { ...jsonSchema, pattern: requirement.source };
    if (!OPAQUE.has(valibotAction.type)) return undefined;
    if (jsonSchema.description !== undefined) return jsonSchema;
    if (typeof message === 'string') return { ...jsonSchema, description: `It ${message}.` };
    throw new Error(`A "${valibotAction.type}" action has neither a description before it nor a message.`);
  },
};

interface Action {
  /** `v.metadata({ jsonSchema })` says in full what a pipe takes, for text that stands for something else. */
  metadata?: { jsonSchema?: object };
  message?: unknown;
  requirement?: unknown;
}

/** What a schema takes, without references. */
export function asJsonSchema(schema: v.GenericSchema): JsonSchema {
  const { $schema, ...converted } = toJsonSchema(schema, CONVERSION);
  return converted;
}
