import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { ListErrors } from '../../../lib/telemetry/errors/error-schemas.ts';
import { listErrors } from '../../../lib/telemetry/errors/list-errors.ts';
import {
  GroupSpans,
  groupSpans,
  SPAN_GROUPS,
  type SpanGroup,
  type SpanGroups,
} from '../../../lib/telemetry/group-spans.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import {
  aboutEnvironment,
  backendRange,
  defined,
  environmentIds,
  next,
  overLonger,
  telemetry,
} from '../telemetry-answer.ts';
import {
  backendFields,
  backendNotes,
  backendPaging,
  backendUntrusted,
  shortText,
} from '../telemetry-question.ts';
import { inSeconds, shortMs, tell } from '../tool-answer.ts';

const NOTES: Readonly<Record<SpanGroups | 'error', string>> = {
  error:
    'The most frequent first: errors of the same type and location in the code are one. `occurrences` are of this range; releases are `service.version`, first and last.',
  statement: 'The most time in total first: `totalMs` is the sum of all calls, whatever runs at once.',
  host: 'Only hosts that send no spans themselves, the most time in total first. Your own services: `check_backend`.',
  version:
    'Entries of each service by `service.version`, the version that came last first. Latencies are exact.',
};

/** Where rows repeat what senders wrote, beside `service`. */
const FIELDS: Readonly<Record<SpanGroups | 'error', string[]>> = {
  error: ['title', 'firstRelease', 'lastRelease'],
  statement: ['statement', 'system'],
  host: ['host'],
  version: ['version'],
};

const rowOf = (
  { service, value, system, spans, firstSeenAt, lastSeenAt, traceId, ...figures }: SpanGroup,
  by: SpanGroups,
) => {
  const { errors, errorRate } = figures;
  const [totalMs, meanMs, p95Ms] = [figures.totalMs, figures.meanMs, figures.p95Ms].map(shortMs);
  if (by === 'version')
    return inSeconds({
      ...{
        service,
        version: value,
        entries: spans,
        errors,
        errorRate,
        meanMs,
        p95Ms,
        firstSeenAt,
        lastSeenAt,
      },
    });
  return {
    ...{ [by]: value, service, ...(system !== null && { system }) },
    ...{ calls: spans, errors, errorRate, totalMs, meanMs, p95Ms, traceId },
  };
};

export const breakDownBackend = reading({
  name: 'break_down_backend',
  title: 'Break down a backend',
  description:
    'Which errors occur most, which database statements and outside hosts take the time, how do versions (`service.version`) compare?',
  scopes: telemetry,
  entries: {
    by: v.picklist(['error', ...SPAN_GROUPS]),
    service: shortText,
    ...backendFields,
    limit: backendPaging.limit,
  },
  run: async (ctx, { by, service, limit, ...input }) => {
    const environment = await findEnvironment(ctx, input.environment);
    const range = backendRange(input);
    const asked = {
      ...environmentIds(environment),
      ...(range.from === undefined && { period: '1h' }),
      ...range,
      ...defined({ service }),
      limit,
    };
    const around = { environment: environment.id, ...range };
    const { rows, meta, more } =
      by === 'error' ? await errorsOf(ctx, asked) : await groupsOf(ctx, { ...asked, by });
    const found = rows.find((row) => (row as { traceId?: string | null }).traceId != null) as
      | { traceId: string }
      | undefined;
    return tell(ctx, {
      ...aboutEnvironment(meta, environment),
      data: rows,
      notes: [...backendNotes(meta), NOTES[by], more && 'There are more: ask for a higher `limit`.'],
      next: [
        ...(found === undefined
          ? []
          : [
              next(
                'get_trace',
                { environment: environment.id, traceId: found.traceId },
                'An example of the first.',
              ),
            ]),
        ...(rows.length > 0
          ? [next('check_backend', around, 'The services of this range.')]
          : overLonger('break_down_backend', { ...around, by })),
      ],
      untrusted: [...['service', ...FIELDS[by]].map((field) => `data[].${field}`), ...backendUntrusted],
    });
  },
});

type Context = Parameters<typeof listErrors>[0];

async function groupsOf(ctx: Context, asked: { by: SpanGroups }) {
  const { data, meta } = await groupSpans(ctx, check(GroupSpans, asked));
  return { meta, more: data.more, rows: data.groups.map((group) => rowOf(group, asked.by)) };
}

async function errorsOf(ctx: Context, asked: object) {
  const { data, meta } = await listErrors(ctx, check(ListErrors, { ...asked, order: 'count' }));
  const rows = data.map(
    ({
      title,
      service,
      state,
      occurrences,
      firstSeenAt,
      lastSeenAt,
      firstRelease,
      lastRelease,
      example,
    }) => ({
      ...{
        title,
        service,
        state,
        occurrences,
        ...inSeconds({ firstSeenAt, lastSeenAt }),
        firstRelease,
        lastRelease,
      },
      traceId: example?.traceId ?? null,
    }),
  );
  return { meta, more: meta.nextCursor !== null, rows };
}
