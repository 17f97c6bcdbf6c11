import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { findTraces } from '../../../lib/telemetry/find-traces.ts';
import { FindTraces, STATUSES, type TraceItem } from '../../../lib/telemetry/trace-schemas.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import {
  backendRange,
  defined,
  environmentIds,
  next,
  overLonger,
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
import { shortMs } from '../tool-answer.ts';

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

export const findTracesTool = reading({
  name: 'find_traces',
  title: 'Find traces',
  description:
    'Which requests failed, were slow, or touched this? Traces with a span that matches all, newest first or by `sort`. `text`: in names, messages and attributes.',
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
    const again = defined({ ...backendRange(input), status: input.status });
    return tellPage(
      ctx,
      environment,
      limit,
      async (part) => {
        const { data, meta } = await findTraces(ctx, check(FindTraces, { ...fields, limit: part }));
        return { rows: data.map(shortly), meta };
      },
      {
        nextOf: ([newest]) =>
          newest === undefined
            ? [
                ...overLonger('find_traces', { ...again, environment: environment.id }),
                next('check_backend', { environment: environment.id }, 'Which services there are.'),
              ]
            : [
                next(
                  'get_trace',
                  { environment: environment.id, traceId: newest.traceId },
                  'What happened in the newest of them.',
                ),
              ],
        untrusted: ['data[].services', 'data[].root', 'data[].match'],
      },
    );
  },
});
