/** Builds generated traces: a tree of steps with durations becomes rows of spans. */
import type { Attributes, SpanRow } from '../../../lib/otlp/rows.ts';
import type { Random } from '../seeded-random.ts';

export interface Step {
  /** Index of the service's resource. */
  service: number;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: 1 | 2 | 3;
  attributes?: Attributes;
  /** The step's own time in milliseconds, before and after its calls. */
  ms: number;
  /** Calls, one after the other. */
  calls?: Step[];
  /** The error, for the status and an exception event. */
  error?: string;
  /** The exception's type and stack, if the step threw it. */
  thrown?: { type: string; stack: string };
}

export interface TimedTrace {
  spans: SpanRow[];
  traceId: string;
  /** The span of each step, depth first. */
  endMs: number;
}

const hexOf = (random: Random, digits: number): string =>
  Array.from({ length: digits / 8 }, () => random.between(1, 0xffffffff).toString(16).padStart(8, '0')).join(
    '',
  );

/** The spans of a trace whose first step begins at `startMs` (epoch milliseconds). */
export function layOutTrace(root: Step, startMs: number, random: Random): TimedTrace {
  const traceId = hexOf(random, 32);
  const spans: SpanRow[] = [];

  const addSpan = (step: Step, fromMs: number, parentSpanId: string | null): number => {
    const spanId = hexOf(random, 16);
    const row: SpanRow = {
      resource: step.service,
      scope: 0,
      traceId,
      spanId,
      parentSpanId,
      traceState: '',
      flags: 0x101,
      name: step.name,
      kind: step.kind,
      startNano: toNano(fromMs),
      durationNano: 0,
      statusCode: step.error === undefined ? 0 : 2,
      statusMessage: step.error ?? '',
      attributes: step.attributes ?? {},
      events: [],
      links: [],
      droppedAttributes: 0,
      droppedEvents: 0,
      droppedLinks: 0,
      cutAttributes: 0,
    };
    spans.push(row);
    let at = fromMs + step.ms / 2;
    for (const call of step.calls ?? []) at = addSpan(call, at, spanId);
    const endMs = at + step.ms / 2;
    // Of the rounded ends: otherwise a call may end after the next one began.
    row.durationNano = Number(BigInt(toNano(endMs)) - BigInt(row.startNano));
    if (step.error !== undefined) {
      const { type, stack } = step.thrown ?? { type: 'Error', stack: undefined };
      const attributes: Attributes = { 'exception.type': type, 'exception.message': step.error };
      if (stack !== undefined) attributes['exception.stacktrace'] = `${type}: ${step.error}\n${stack}`;
      row.events.push({ name: 'exception', timeNano: toNano(endMs), attributes, droppedAttributes: 0 });
    }
    return endMs;
  };

  const endMs = addSpan(root, startMs, null);
  return { spans, traceId, endMs };
}

/** A double of epoch milliseconds is exact to microseconds. */
export const toNano = (ms: number): string => `${Math.round(ms * 1000)}000`;
