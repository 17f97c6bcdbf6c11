import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { findTraces } from '../../../lib/telemetry/find-traces.ts';
import { FindTraces, STATUSES, type TraceItem } from '../../../lib/telemetry/trace-schemas.ts';
import { tracesWithVisits } from '../../../lib/telemetry/visits-of-traces.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import {
  backendRange,
  defined,
  environmentIds,
  journeyOf,
  lastError,
  next,
  noVisit,
  overLonger,
  repeatableWhole,
  telemetry,
  tellPage,
} from '../telemetry-answer.ts';
import {
  attributeFields,
  backendFields,
  backendPaging,
  readAttributes,
  shortText,
} from '../telemetry-question.ts';
import { type NextCall, shortMs } from '../tool-answer.ts';

/** A trace without what is so of almost all: a root that was observed, all of its spans, no message. */
const shortly = ({
  traceId,
  start,
  durationMs,
  spans,
  errors,
  services,
  truncated,
  root,
  match,
}: TraceItem) => {
  const { observed, ...first } = root;
  const { statusMessage } = match;
  return {
    ...{ traceId, start, durationMs: shortMs(durationMs), spans, errors, services },
    ...(truncated && { truncated }),
    root: { ...first, ...(!observed && { observed }) },
    match: {
      ...{ service: match.service, operation: match.operation, status: match.status },
      durationMs: shortMs(match.durationMs),
      ...(statusMessage !== null && { statusMessage }),
    },
  };
};

const OK =
  '`ok` is what a sender marked so; other spans that did not fail are `unset`. How many requests succeeded: `summarize_service`, entries without errors.';

const FIRST = { newest: 'newest', duration: 'slowest', errors: 'one with most errors' };

/** What spans don't say may have been logged. */
const inLogs = (around: Record<string, unknown>, text: string | undefined): NextCall[] =>
  text !== undefined && repeatableWhole({ text }) !== undefined
    ? [next('find_logs', { ...around, text }, 'Logs with this word.')]
    : [];

export const findTracesTool = reading({
  name: 'find_traces',
  title: 'Find traces',
  description:
    'Which requests failed, were slow, or touched this? Traces with a span that fits all, newest first. `text`: in names, messages, exceptions, attributes, no stack traces.',
  scopes: telemetry,
  entries: {
    service: shortText,
    operation: shortText,
    status: v.optional(v.picklist(STATUSES)),
    minDurationMs: v.optional(v.number()),
    maxDurationMs: v.optional(v.number()),
    text: shortText,
    sort: v.optional(v.picklist(['duration', 'errors'])),
    ...attributeFields,
    ...backendFields,
    ...backendPaging,
  },
  run: async (ctx, { environment: named, attributes, limit, text, ...input }) => {
    const environment = await findEnvironment(ctx, named);
    const fields = defined({
      ...environmentIds(environment),
      ...input,
      q: text,
      ...readAttributes(attributes),
    });
    // Only what the service itself checked goes into a next call: no texts of the caller.
    const { service, operation, status, minDurationMs, maxDurationMs, sort } = input;
    const around = { environment: environment.id, ...backendRange(input) };
    const filters = defined({
      ...{ service, operation, status, minDurationMs, maxDurationMs, sort },
      ...{ text, attributes },
    });
    const ofUnset = status === 'ok' ? repeatableWhole({ ...filters, status: 'unset' }) : undefined;
    let known: Set<string> | null = null;
    let last: Awaited<ReturnType<typeof lastError>> | undefined;
    return tellPage(
      ctx,
      environment,
      limit,
      async (part) => {
        const { data, meta } = await findTraces(ctx, check(FindTraces, { ...fields, limit: part }));
        known = await tracesWithVisits(ctx, {
          ...environmentIds(environment),
          traceIds: data.map(({ traceId }) => traceId),
        });
        const rows = data.map((trace) => ({
          ...shortly(trace),
          ...(known?.has(trace.traceId) && { visit: true }),
        }));
        if (status === 'error' && rows.length === 0) last = await lastError(ctx, environment, service);
        return { rows, meta };
      },
      {
        notes: [status === 'ok' && OK],
        notesOf: (rows) => [
          last?.note,
          status === 'error' && rows.length > 0 && known?.size === 0 && noVisit('these traces'),
        ],
        nextOf: ([newest, ...others]) =>
          newest === undefined
            ? [
                ...(ofUnset === undefined
                  ? []
                  : [next('find_traces', { ...around, ...ofUnset }, 'Spans that did not fail.')]),
                ...inLogs(around, text),
                ...overLonger(ctx, 'find_traces', around, filters, last?.at),
                next('check_backend', { environment: environment.id }, 'Which services there are.'),
              ]
            : [
                next(
                  'get_trace',
                  { environment: environment.id, traceId: newest.traceId },
                  `What happened in the ${FIRST[sort ?? 'newest']} of them.`,
                ),
                ...[newest, ...others]
                  .filter(({ visit }) => visit)
                  .slice(0, 1)
                  .map(({ traceId }) => journeyOf({ environment: environment.id, traceId })),
              ],
        untrusted: ['data[].services', 'data[].root', 'data[].match'],
      },
    );
  },
});
