import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { CONVERSION, type JsonSchema } from '../../lib/json-schema.ts';

export type Schema = v.GenericSchema;
/** Schemas that the document lists under `components`, by name. */
export type NamedSchemas = Record<string, Schema>;
export type { JsonSchema };

const config: ConversionConfig = {
  ...CONVERSION,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

/** The input type of a schema as JSON Schema 2020-12, with references to the named schemas. */
export function convert(schema: Schema, named: NamedSchemas): JsonSchema {
  const { $schema, $defs, ...converted } = toJsonSchema(schema, { ...config, definitions: named });
  return converted;
}

export function convertNamed(named: NamedSchemas): Record<string, JsonSchema> {
  return toJsonSchemaDefs(named, config) as Record<string, JsonSchema>;
}
