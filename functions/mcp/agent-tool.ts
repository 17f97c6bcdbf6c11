import * as v from 'valibot';
import { check } from '../../lib/http/issues.ts';
import { refuseHostile } from '../../lib/http/json.ts';
import { asJsonSchema, type JsonSchema } from '../../lib/json-schema.ts';
import type { Tool } from '../../lib/mcp/tool.ts';
import type { AgentContext, Scope } from './agent-context.ts';

/** A tool that is listed for tokens with one of its scopes only. Without scopes: for all tokens. */
export interface AgentTool extends Tool<AgentContext> {
  scopes: readonly Scope[];
}

type Entries = v.ObjectEntries;

interface Definition<E extends Entries> {
  name: string;
  title: string;
  description: string;
  scopes: readonly Scope[];
  entries: E;
  run(ctx: AgentContext, input: v.InferOutput<v.StrictObjectSchema<E, undefined>>): Promise<object>;
}

const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Rules that a call is checked by but that the list leaves out, because it is in the context of every conversation. */
const UNLISTED = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'format']);

function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !UNLISTED.has(key) || typeof value === 'object')
      .map(([key, value]) => [key, withoutBounds(value)]),
  );
}

/** A tool that only reads, from its schema and its verb. The schema checks the arguments. */
export function reading<E extends Entries>({ entries, run, ...words }: Definition<E>): AgentTool {
  const Input = v.strictObject(entries);
  return {
    ...words,
    annotations: READS,
    inputSchema: withoutBounds(asJsonSchema(Input)) as JsonSchema,
    call: (ctx, args = {}) => {
      refuseHostile(args);
      return run(ctx, check(Input, args));
    },
  };
}
