import * as v from 'valibot';
import { DomainError, type ErrorCode } from '../../lib/errors.ts';
import { check } from '../../lib/http/issues.ts';
import { refuseHostile } from '../../lib/http/json.ts';
import { asJsonSchema, type JsonSchema } from '../../lib/json-schema.ts';
import type { Tool } from '../../lib/mcp/tool.ts';
import { calendarDates, isCalendarPeriod } from '../../lib/visits/calendar-periods.ts';
import type { AgentContext, Scope } from './agent-context.ts';
import { inArguments } from './argument-errors.ts';
import { explainNotFound } from './find-opened.ts';
import { daysBefore } from './local-dates.ts';
import { type Attributed, askAsSent } from './sent-names.ts';
import { requireNoEnds } from './site-question.ts';
import { askAsStored } from './stored-values.ts';

/** A tool that is listed for tokens with one of its scopes only. Without scopes: for all tokens. */
export interface AgentTool extends Tool<AgentContext> {
  scopes: readonly Scope[];
  /** Writes the audit log's line of a call that was refused before it ran. Never throws. */
  noteRefusal?: (ctx: AgentContext, args: unknown, result: ErrorCode) => Promise<void>;
}

export type Entries = v.ObjectEntries;

interface Definition<E extends Entries> {
  name: string;
  title: string;
  description: string;
  scopes: readonly Scope[];
  entries: E;
  /** Arguments whose values the list leaves out, since another tool has the same ones. Default: `period`. */
  leavesOut?: readonly string[];
  view?: string;
  run(ctx: AgentContext, input: v.InferOutput<v.StrictObjectSchema<E, undefined>>): Promise<object>;
}

/** Whether a tool destroys or may be repeated has a meaning only where it changes something: such a tool has no `readOnlyHint`, whose default is false. */
const READS = { readOnlyHint: true, openWorldHint: false };

/** Rules that a call is checked by but that the list leaves out: they would cost tokens in every conversation. */
const UNLISTED = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'format']);

/** An empty `required`; that unknown arguments are refused; and numbers that are taken by default: the instructions have them once. */
const goesWithoutSaying = (key: string, value: unknown): boolean =>
  (key === 'required' && Array.isArray(value) && value.length === 0) ||
  (key === 'additionalProperties' && value === false) ||
  (key === 'default' && typeof value === 'number');

function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      // A property may have the name of a rule; its value is a schema.
      .filter(([key, value]) => !UNLISTED.has(key) || typeof value === 'object')
      .filter(([key, value]) => !goesWithoutSaying(key, value))
      .map(([key, value]) => [key, withoutBounds(value)]),
  );
}

/** The first tools about websites and about backends list the values of `period` for all. */
const ELSEWHERE = ['period'];

/** The arguments' schema as `tools/list` has it. */
export function listedSchema(input: v.GenericSchema, leavesOut: readonly string[] = []): JsonSchema {
  const schema = withoutBounds(asJsonSchema(input)) as { properties?: Record<string, { enum?: unknown }> };
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { enum: _, ...rest } = property;
    return [name, leavesOut.includes(name) ? rest : property];
  });
  return {
    ...schema,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  } as JsonSchema;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A calendar period, or days, of a question about a backend as instants: environments have no time zone but UTC. */
function inUtc<Input extends object>(ctx: AgentContext, input: Input, entries: Entries): Input {
  if (!('environment' in entries)) return input;
  const { period, ...others } = input as { period?: string; from?: string; to?: string };
  if (isCalendarPeriod(period)) {
    requireNoEnds(others);
    return { ...others, ...instantsOfDays(ctx, calendarDates(period, ctx.now(), 'UTC')) } as Input;
  }
  return { ...input, ...instantsOfDays(ctx, others) };
}

/** The begin of a first day, and the end of a last one, which is the present if it isn't over; instants as they are. */
function instantsOfDays(ctx: AgentContext, { from, to }: { from?: string; to?: string }) {
  const begin = from !== undefined && isDay(from) ? `${from}T00:00:00Z` : from;
  const end = to !== undefined && isDay(to) ? Date.parse(daysBefore(to, -1)) : undefined;
  const isBegun = begin === undefined || !(Date.parse(begin) > ctx.now());
  const last = end === undefined ? to : new Date(isBegun ? Math.min(end, ctx.now()) : end).toISOString();
  return { ...(begin !== undefined && { from: begin }), ...(last !== undefined && { to: last }) };
}

/** Not the 31st of a month that has 30 days. */
const isDay = (text: string): boolean =>
  DAY.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

/** Whose attributes tools filter by, for those whose answer may be empty. */
const ATTRIBUTED: Readonly<Record<string, Attributed>> = { find_traces: 'traces', find_logs: 'logs' };

/** A tool that only reads, from its schema and its verb. The schema checks the arguments. */
export function reading<E extends Entries>({
  entries,
  run,
  leavesOut = ELSEWHERE,
  ...words
}: Definition<E>): AgentTool {
  const Input = v.strictObject(entries);
  const ask: typeof askAsStored =
    'environment' in entries
      ? (ctx, input, answer) => askAsSent(ctx, input, answer, ATTRIBUTED[words.name])
      : askAsStored;
  return {
    ...words,
    annotations: READS,
    inputSchema: listedSchema(Input, leavesOut),
    call: async (ctx, args = {}) => {
      refuseHostile(args);
      try {
        const input = inUtc(ctx, check(Input, args), entries);
        const leftOut = ['site', 'environment'].filter((name) => name in entries && !(name in input));
        return await ask({ ...ctx, leftOut }, input, run);
      } catch (error) {
        if (error instanceof DomainError && error.code === 'NOT_FOUND')
          await explainNotFound(ctx, args as Record<string, unknown>);
        throw inArguments(error, args, entries);
      }
    },
  };
}
