import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import type { OneEnvironment } from '../../../lib/projects/schemas.ts';
import { ListErrors } from '../../../lib/telemetry/errors/error-schemas.ts';
import { listErrors } from '../../../lib/telemetry/errors/list-errors.ts';
import {
  GroupSpans,
  groupSpans,
  SPAN_GROUPS,
  type SpanGroup,
  type SpanGroups,
} from '../../../lib/telemetry/group-spans.ts';
import { visitsOfErrors } from '../../../lib/telemetry/visits-of-traces.ts';
import type { AgentContext } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import { leadWithOrigins, PASSED_ON } from '../lead-with-origins.ts';
import {
  aboutEnvironment,
  backendRange,
  defined,
  environmentIds,
  HIDDEN,
  hidesSlow,
  lastError,
  next,
  noVisit,
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

/** Errors whose visits are counted. */
const MAX_AFFECTED = 10;

const AFFECTED =
  '`affected.visits`: consented visits (tier 3) behind its newest `affected.traces`, at most 20; more people may be affected.';

const NOTES: Readonly<Record<SpanGroups | 'error', string>> = {
  error:
    'Errors of servers: browsers send none. The most frequent first, of whole hours (over 7 days: days). `traces` are failed requests, `occurrences` their failed spans, exceptions and log records.',
  statement: 'The most time in total first: `totalMs` is of all calls, whatever runs at once.',
  host: 'Hosts that send no spans themselves, the most time in total first. Your own services: `check_backend`.',
  version: 'The version that came last first. `firstSeenAt`: in this range, not the release.',
};

/** Where rows repeat what senders wrote, beside `service`. */
const FIELDS: Readonly<Record<SpanGroups | 'error', string[]>> = {
  error: ['title', 'passedOnFrom', 'firstRelease', 'lastRelease'],
  statement: ['statement', 'system'],
  host: ['host'],
  version: ['version'],
};

const OF_ALL_TIME =
  '`traces` and `occurrences` are of the range; `firstSeenAt`, `lastSeenAt`, releases and `traceId` are of all time, also after it.';

const ONE_VERSION =
  'Each service has one version in this range: no deploy is visible here, so nothing can be said of what one changed.';

/** Whether no service has rows of two versions. */
const isOfOneVersion = (rows: readonly unknown[]): boolean =>
  new Set((rows as { service: string }[]).map(({ service }) => service)).size === rows.length;

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
    'Which errors occur most, which database statements and outside hosts take the time, how do versions compare?',
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
    const { rows, meta, more, notes } =
      by === 'error' ? await errorsOf(ctx, asked) : await groupsOf(ctx, { ...asked, by });
    const found = rows.find((row) => (row as { traceId?: string | null }).traceId != null) as
      | { traceId: string }
      | undefined;
    const last = by === 'error' && rows.length === 0 ? await lastError(ctx, environment, service) : undefined;
    return tell(ctx, {
      ...aboutEnvironment(meta, environment),
      data: rows,
      notes: [
        ...backendNotes(meta),
        NOTES[by],
        ...notes,
        last?.note,
        by === 'error' && rows.length > 0 && meta.range.to < meta.freshness.evaluatedAt && OF_ALL_TIME,
        by === 'version' && rows.length > 0 && isOfOneVersion(rows) && ONE_VERSION,
        more && 'There are more: ask for a higher `limit`.',
      ],
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
          : overLonger(ctx, 'break_down_backend', { ...around, by }, defined({ service }), last?.at)),
      ],
      untrusted: [...['service', ...FIELDS[by]].map((field) => `data[].${field}`), ...backendUntrusted],
    });
  },
});

async function groupsOf(ctx: AgentContext, asked: { by: SpanGroups }) {
  const { data, meta } = await groupSpans(ctx, check(GroupSpans, asked));
  const rows = data.groups.map((group) => rowOf(group, asked.by));
  return { meta, more: data.more, rows, notes: [data.groups.some(hidesSlow) && HIDDEN] };
}

const environmentOf = ({ projectId, environmentId }: OneEnvironment) => ({ projectId, environmentId });

async function errorsOf(ctx: AgentContext, asked: OneEnvironment) {
  const { data, meta } = await listErrors(ctx, check(ListErrors, { ...asked, order: 'count' }));
  const affected = await visitsOfErrors(ctx, {
    ...environmentOf(asked),
    ids: data.slice(0, MAX_AFFECTED).map(({ id }) => id),
    ...{ fromMs: Date.parse(meta.range.from), toMs: Date.parse(meta.range.to) },
  });
  const isKnown = [...(affected?.values() ?? [])].some(({ visits }) => visits > 0);
  const rows = data.map(
    ({
      id,
      title,
      service,
      state,
      traces,
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
        traces,
        occurrences,
        ...inSeconds({ firstSeenAt, lastSeenAt }),
        firstRelease,
        lastRelease,
      },
      ...(isKnown && affected?.has(id) && { affected: affected.get(id) }),
      traceId: example?.traceId ?? null,
    }),
  );
  const led = await leadWithOrigins(ctx, environmentOf(asked), rows);
  const notes = [
    led.some((row) => 'passedOnFrom' in row) && PASSED_ON,
    isKnown ? AFFECTED : affected !== null && rows.length > 0 && noVisit('these traces'),
  ];
  return { meta, more: meta.nextCursor !== null, rows: led, notes };
}
