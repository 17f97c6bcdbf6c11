import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

export type JsonSchema = Record<string, unknown>;

/**
 * Actions that JSON Schema can't express. The pipe needs a description before each of them, or the action needs a message, which becomes
 * the description. Any other action that can't be converted throws.
 */
const OPAQUE = new Set([
  'check',
  'check_items',
  'raw_check',
  'raw_transform',
  'transform',
  'trim',
  'to_lower_case',
  'finite',
]);
/** Rules that every JSON number keeps. */
const TRIVIAL = new Set(['finite', 'safe_integer']);

/** Converts the project's schemas to JSON Schema 2020-12. Shows the input, before transformations. */
export const CONVERSION: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'throw',
  overrideAction: ({ valibotAction, jsonSchema }) => {
    const { metadata, message, requirement } = valibotAction as Action;
    if (metadata?.jsonSchema !== undefined) return { ...metadata.jsonSchema };
    if (TRIVIAL.has(valibotAction.type)) return jsonSchema;
    // Patterns in JSON Schema are always Unicode patterns.
    if (valibotAction.type === 'regex' && requirement instanceof RegExp && requirement.flags === 'u')
      return { ...jsonSchema, pattern: requirement.source };
    if (!OPAQUE.has(valibotAction.type)) return undefined;
    if (jsonSchema.description !== undefined) return jsonSchema;
    if (typeof message === 'string') return { ...jsonSchema, description: `It ${message}.` };
    throw new Error(`A "${valibotAction.type}" action has neither a description before it nor a message.`);
  },
};

interface Action {
  /** `v.metadata({ jsonSchema })` replaces the whole schema of a pipe whose text encodes another type. */
  metadata?: { jsonSchema?: object };
  message?: unknown;
  requirement?: unknown;
}

/** The JSON Schema of a schema's input, without references. */
export function asJsonSchema(schema: v.GenericSchema): JsonSchema {
  const { $schema, ...converted } = toJsonSchema(schema, CONVERSION);
  return converted;
}
