/** Tools about backends (docs/mcp.md#tools). Each asks the verbs of telemetry and outcomes, with the input that REST checks. */
import * as v from 'valibot';
import type { OpenedEnvironment } from '../../lib/accounts/opened-places.ts';
import { check } from '../../lib/http/issues.ts';
import { listOutcomes } from '../../lib/outcomes/list-outcomes.ts';
import { ListOutcomes } from '../../lib/outcomes/schemas.ts';
import { findLogs } from '../../lib/telemetry/find-logs.ts';
import { findTraces } from '../../lib/telemetry/find-traces.ts';
import { getConnectionStatus } from '../../lib/telemetry/get-connection-status.ts';
import { getJourney } from '../../lib/telemetry/get-journey.ts';
import { getTrace } from '../../lib/telemetry/get-trace.ts';
import { listServices } from '../../lib/telemetry/list-services.ts';
import { FindLogs } from '../../lib/telemetry/log-schemas.ts';
import { mapServices } from '../../lib/telemetry/map-services.ts';
import { AGGREGATIONS } from '../../lib/telemetry/metrics/aggregations.ts';
import { listMetrics } from '../../lib/telemetry/metrics/list-metrics.ts';
import { INTERVALS } from '../../lib/telemetry/metrics/metric-interval.ts';
import { ListMetrics, ReadMetric } from '../../lib/telemetry/metrics/metric-schemas.ts';
import { readMetric } from '../../lib/telemetry/metrics/read-metric.ts';
import type { PagedMeta, TelemetryMeta } from '../../lib/telemetry/schemas.ts';
import { ListServices, MapServices, SummarizeService } from '../../lib/telemetry/span-schemas.ts';
import { summarizeService } from '../../lib/telemetry/summarize-service.ts';
import { FindTraces, OneTrace, STATUSES } from '../../lib/telemetry/trace-schemas.ts';
import type { AgentContext } from './agent-context.ts';
import { type AgentTool, reading } from './agent-tool.ts';
import { ChoiceError } from './choice-error.ts';
import { findEnvironment } from './find-place.ts';
import {
  aboutBackend,
  attributeFields,
  backendFields,
  backendNotes,
  backendPaging,
  backendUntrusted,
  readAttributes,
  shortText,
} from './telemetry-question.ts';
import { type NextCall, type Told, tell, tellRows } from './tool-answer.ts';

const telemetry = ['telemetry:read'] as const;
/** Rows of lists that stand beside others in an answer. */
const MAX_BESIDE = 20;
/** Log bodies have more text than other values. */
const MAX_LOG_TEXT = 500;

/** Intervals that make at most 200 of a period. */
const INTERVAL_OF = { '15m': '1m', '1h': '1m', '24h': '15m', '7d': '1h', '30d': '6h' } as const;

const next = (tool: string, args: Record<string, unknown>, why: string): NextCall => ({
  ...{ tool, arguments: args, why },
  scope: 'telemetry:read',
});

const placeOf = ({ id, projectId }: OpenedEnvironment) => ({ projectId, environmentId: id });

interface RangeArguments {
  period?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const rangeOf = ({ period, from, to }: RangeArguments) => ({
  ...(period !== undefined && { period }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

const defined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const told = (meta: TelemetryMeta, environment: OpenedEnvironment): Omit<Told, 'data'> => ({
  ...aboutBackend(meta, environment),
  notes: backendNotes(meta),
  untrusted: backendUntrusted,
});

/**
 * The answer of a list whose cursor doesn't depend on its limit. If its rows are too long it asks once more for as many as fit, so that the
 * cursor continues there.
 */
async function tellPage<Row>(
  ctx: AgentContext,
  environment: OpenedEnvironment,
  limit: number,
  read: (
    limit: number,
  ) => Promise<{ rows: readonly Row[]; meta: PagedMeta; dataOf?: (rows: readonly unknown[]) => unknown }>,
  words: Pick<Told, 'notes' | 'next' | 'untrusted' | 'maxText'>,
): Promise<Record<string, unknown>> {
  const tellPart = async (asked: number) => {
    const { rows, meta, dataOf } = await read(asked);
    const base = told(meta, environment);
    const cursor = meta.nextCursor ?? '';
    let kept = 0;
    const answer = await tellRows(
      ctx,
      {
        ...base,
        ...words,
        notes: [...(base.notes ?? []), ...(words.notes ?? [])],
        untrusted: [...(words.untrusted ?? []), ...backendUntrusted],
      },
      { rows, offset: 0, more: meta.nextCursor !== null },
      {
        issue: async (position) => {
          kept = position;
          return cursor;
        },
        ...(dataOf !== undefined && { dataOf }),
      },
    );
    return { answer, kept, whole: rows.length };
  };
  const first = await tellPart(limit);
  const isCut = first.answer.more === true && first.kept < first.whole;
  return isCut ? (await tellPart(first.kept)).answer : first.answer;
}

/** The service's name as it is stored. Throws `NOT_FOUND` with the services of the range. */
async function serviceNamed(
  ctx: AgentContext,
  environment: OpenedEnvironment,
  { service, ...range }: RangeArguments & { service: string },
): Promise<string> {
  const { data } = await listServices(
    ctx,
    check(ListServices, { ...placeOf(environment), ...rangeOf(range), limit: 100 }),
  );
  const named = data.find(({ name }) => name.toLowerCase() === service.toLowerCase());
  if (named !== undefined) return named.name;
  throw new ChoiceError(
    'NOT_FOUND',
    'No spans of such a service were observed in this range. `choices` are those that were; or ask for a longer `period`.',
    { choices: data.map(({ name }) => name) },
  );
}

const FACTS =
  'Outcomes are facts that the backend confirmed. Successful requests and goals of websites are none.';

export const telemetryTools: readonly AgentTool[] = [
  reading({
    name: 'check_backend',
    title: 'Check a backend',
    description:
      'Is the backend healthy, and does telemetry arrive? Services with entries and errors, who calls whom, and for each signal when it came last.',
    scopes: telemetry,
    entries: backendFields,
    run: async (ctx, input) => {
      const environment = await findEnvironment(ctx, input.environment);
      const place = placeOf(environment);
      const asked = { ...place, ...rangeOf(input) };
      const [services, map, connection] = await Promise.all([
        listServices(ctx, check(ListServices, { ...asked, limit: 50 })),
        mapServices(ctx, check(MapServices, asked)),
        getConnectionStatus(ctx, place),
      ]);
      const around = { environment: environment.id, ...rangeOf(input) };
      return tell(ctx, {
        ...told(services.meta, environment),
        data: {
          services: services.data,
          calls: map.data.edges.slice(0, MAX_BESIDE),
          signals: connection.data.map(({ services: _, ...signal }) => signal),
        },
        notes: [
          ...backendNotes(services.meta),
          services.meta.nextCursor !== null && 'More than 50 services: the first by name are listed.',
        ],
        next: [
          next('find_traces', { ...around, status: 'error' }, 'The newest failed requests.'),
          next('find_logs', { ...around, severity: 'error' }, 'What was logged as an error.'),
        ],
        untrusted: [
          ...[
            'data.services[].name',
            'data.calls[].caller',
            'data.calls[].callee',
            'data.signals[].lastError.message',
          ],
          ...backendUntrusted,
        ],
      });
    },
  }),
  reading({
    name: 'summarize_service',
    title: 'Summarize a service',
    description:
      'How is this service doing? Rate, errors and latency (mean, p50, p95, p99 in ms), in total, by operation, and by interval if `interval` is given (at most 60).',
    scopes: telemetry,
    entries: {
      service: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
      interval: v.optional(v.picklist(['1m', '5m', '15m', '1h', '1d'])),
      ...backendFields,
      limit: backendPaging.limit,
    },
    run: async (ctx, { interval, limit, ...input }) => {
      const environment = await findEnvironment(ctx, input.environment);
      const service = await serviceNamed(ctx, environment, input);
      const asked = { ...placeOf(environment), ...rangeOf(input), service, limit, ...defined({ interval }) };
      const { data, meta } = await summarizeService(ctx, check(SummarizeService, asked));
      if ((data?.intervals?.length ?? 0) > 60)
        throw new ChoiceError('VALIDATION_ERROR', 'The range has too many intervals.', {
          choices: [],
          details: [{ path: 'interval', message: 'must divide the range into at most 60' }],
        });
      const around = { environment: environment.id, ...rangeOf(input) };
      return tell(ctx, {
        ...told(meta, environment),
        data,
        next: [
          next('find_traces', { ...around, status: 'error' }, 'The newest failed requests.'),
          next('check_backend', around, 'The other services.'),
        ],
        untrusted: ['data.service', 'data.operations[].operation', ...backendUntrusted],
      });
    },
  }),
  reading({
    name: 'find_traces',
    title: 'Find traces',
    description:
      'Which requests failed, were slow, or touched this? Traces with a span that matches all conditions, newest first; `text` is searched in names, messages and attributes.',
    scopes: telemetry,
    entries: {
      service: shortText,
      operation: shortText,
      status: v.optional(v.picklist(STATUSES)),
      minDurationMs: v.optional(v.number()),
      maxDurationMs: v.optional(v.number()),
      text: shortText,
      ...attributeFields,
      ...backendFields,
      ...backendPaging,
    },
    run: async (ctx, { environment: named, attributes, limit, text, ...input }) => {
      const environment = await findEnvironment(ctx, named);
      const fields = defined({ ...placeOf(environment), ...input, q: text, ...readAttributes(attributes) });
      return tellPage(
        ctx,
        environment,
        limit,
        async (part) => {
          const { data, meta } = await findTraces(ctx, check(FindTraces, { ...fields, limit: part }));
          return { rows: data, meta };
        },
        {
          next: [next('check_backend', { environment: environment.id }, 'Which services there are.')],
          untrusted: ['data[].services', 'data[].root', 'data[].match'],
        },
      );
    },
  }),
  reading({
    name: 'get_trace',
    title: 'Read a trace',
    description:
      'What happened in this request? `summary`: its critical path, failed spans and logs. `spans`: all of them as a tree, with attributes. `journey`: page views of the visit and confirmed outcomes around it.',
    scopes: telemetry,
    entries: {
      traceId: v.pipe(v.string(), v.maxLength(32)),
      view: v.optional(v.picklist(['summary', 'spans', 'journey']), 'summary'),
      environment: backendFields.environment,
      ...backendPaging,
    },
    run: async (ctx, { traceId, view, environment: named, limit, cursor }) => {
      const environment = await findEnvironment(ctx, named);
      const asked = check(OneTrace, { ...placeOf(environment), traceId });
      const around = { environment: environment.id, traceId: asked.traceId };
      const others = (['summary', 'spans', 'journey'] as const)
        .filter((other) => other !== view)
        .map((other) => next('get_trace', { ...around, view: other }, `The ${other} of this trace.`));
      if (view === 'journey') {
        const { data, meta } = await getJourney(ctx, asked);
        const { spans, ...journey } = data;
        return tell(ctx, {
          ...told(meta, environment),
          data: { ...journey, spanCount: spans.length },
          notes: [
            ...backendNotes(meta),
            FACTS,
            'A journey tells nobody’s name: it does not prove who a person is.',
          ],
          next: others,
          untrusted: ['data.pageViews', 'data.outcomes', ...backendUntrusted],
        });
      }
      const { data, meta } = await getTrace(ctx, asked);
      const { spans, logs, resources: _, scopes: __, ...about } = data;
      const rows = spans.map((span) => {
        if (span.missing) return span;
        const {
          parentSpanId: _,
          resource,
          scope,
          events,
          links,
          traceState,
          flags,
          startNano,
          durationNano,
          ...shown
        } = span;
        return { ...shown, events: events.map(({ name, attributes }) => ({ name, attributes })) };
      });
      const records = logs
        .slice(0, MAX_BESIDE)
        .map(({ service, severity, severityText, eventName, body, spanId }) => ({
          ...{ service, severity, severityText, eventName, body, spanId },
        }));
      if (view === 'summary')
        return tell(ctx, {
          ...told(meta, environment),
          data: {
            ...about,
            criticalPath: rows
              .filter((span) => (span.criticalMs ?? 0) > 0)
              .sort((a, b) => (b.criticalMs ?? 0) - (a.criticalMs ?? 0))
              .slice(0, 10)
              .map(({ spanId, offsetMs, durationMs, criticalMs, ...span }) => ({
                ...{ spanId, offsetMs, durationMs, criticalMs },
                ...(!span.missing && {
                  service: span.service,
                  name: span.name,
                  kind: span.kind,
                  status: span.status,
                }),
              })),
            failed: rows
              .filter((span) => !span.missing && span.status === 'error')
              .slice(0, 10)
              .map(
                (span) =>
                  !span.missing && {
                    spanId: span.spanId,
                    service: span.service,
                    name: span.name,
                    statusMessage: span.statusMessage,
                    events: span.events.slice(0, 3),
                  },
              ),
            logs: records.slice(0, 10),
            logCount: logs.length,
          },
          next: others,
          untrusted: ['data.services', 'data.criticalPath', 'data.failed', 'data.logs', ...backendUntrusted],
        });
      const scope = { request: ['get_trace', asked.environmentId, asked.traceId], revision: '' };
      const offset = cursor === undefined ? 0 : await (await ctx.cursors.open(cursor)).positionIn(scope);
      return tellRows(
        ctx,
        {
          ...told(meta, environment),
          next: others,
          untrusted: ['data.services', 'data.spans', ...backendUntrusted],
        },
        { rows: rows.slice(offset, offset + limit), offset, more: rows.length > offset + limit },
        {
          dataOf: (part) => ({ ...about, spans: part }),
          issue: (position) => ctx.cursors.issue(scope, position),
        },
      );
    },
  }),
  reading({
    name: 'find_logs',
    title: 'Find logs',
    description:
      'What was logged? Newest first, at least as severe as `severity`. `text` takes words: all of them, "a phrase", or, -not, begin*.',
    scopes: telemetry,
    entries: {
      severity: v.optional(v.picklist(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])),
      service: shortText,
      text: shortText,
      traceId: v.optional(v.pipe(v.string(), v.maxLength(32))),
      ...attributeFields,
      ...backendFields,
      ...backendPaging,
    },
    run: async (ctx, { environment: named, attributes, limit, ...input }) => {
      const environment = await findEnvironment(ctx, named);
      const fields = defined({ ...placeOf(environment), ...input, ...readAttributes(attributes) });
      return tellPage(
        ctx,
        environment,
        limit,
        async (part) => {
          const { data, meta } = await findLogs(ctx, check(FindLogs, { ...fields, limit: part }));
          const rows = data.map(
            ({ time, severityNumber, severityText, service, eventName, body, attributes: own, traceId }) => ({
              ...{ time, severityNumber, severityText, service, eventName, body, attributes: own, traceId },
            }),
          );
          return { rows, meta };
        },
        {
          maxText: MAX_LOG_TEXT,
          next: [
            next(
              'find_traces',
              { environment: environment.id, ...rangeOf(input), status: 'error' },
              'The newest failed requests.',
            ),
          ],
          untrusted: [
            'data[].severityText',
            'data[].service',
            'data[].eventName',
            'data[].body',
            'data[].attributes',
          ],
        },
      );
    },
  }),
  reading({
    name: 'list_metrics',
    title: 'List metrics',
    description:
      'Which metrics are there? Name, type, unit, services, attribute keys for `groupBy`, and which aggregations suit. `text` is a part of the name.',
    scopes: telemetry,
    entries: { service: shortText, text: shortText, ...backendFields, ...backendPaging },
    run: async (ctx, { environment: named, limit, text, ...input }) => {
      const environment = await findEnvironment(ctx, named);
      const fields = defined({ ...placeOf(environment), ...input, q: text });
      return tellPage(
        ctx,
        environment,
        limit,
        async (part) => {
          const { data, meta } = await listMetrics(ctx, check(ListMetrics, { ...fields, limit: part }));
          return { rows: data, meta };
        },
        {
          untrusted: [
            'data[].name',
            'data[].unit',
            'data[].description',
            'data[].services',
            'data[].attributeKeys',
          ],
        },
      );
    },
  }),
  reading({
    name: 'query_metric',
    title: 'Query a metric',
    description:
      'How did this metric change? Values by interval (at most 200), of all or by up to 3 attribute keys. Null is not observed. Ask `list_metrics` for names and aggregations.',
    scopes: telemetry,
    entries: {
      name: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
      aggregation: v.picklist(AGGREGATIONS),
      groupBy: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(256))), v.maxLength(3))),
      interval: v.optional(v.picklist(INTERVALS)),
      service: shortText,
      ...attributeFields,
      ...backendFields,
      ...backendPaging,
    },
    run: async (ctx, { environment: named, attributes, limit, cursor, ...input }) => {
      const environment = await findEnvironment(ctx, named);
      const fields = defined({
        ...{ ...placeOf(environment), ...input, ...readAttributes(attributes) },
        interval: input.interval ?? INTERVAL_OF[input.period ?? '1h'],
        ...(input.from !== undefined && { interval: input.interval }),
      });
      const { data, meta } = await readMetric(ctx, check(ReadMetric, fields));
      if ((data.groups[0]?.values.length ?? 0) > 200)
        throw new ChoiceError('VALIDATION_ERROR', 'The range has too many intervals.', {
          choices: [],
          details: [{ path: 'interval', message: 'must divide the range into at most 200' }],
        });
      if (data.type === null) {
        const known = await listMetrics(
          ctx,
          check(ListMetrics, { ...placeOf(environment), ...rangeOf(input), limit: 20 }),
        );
        throw new ChoiceError(
          'NOT_FOUND',
          'No such metric was observed in this range with these filters. Use a name from `choices`, or ask `list_metrics`.',
          { choices: known.data.map(({ name }) => name) },
        );
      }
      const { groups, ...about } = data;
      const scope = { request: ['query_metric', JSON.stringify(fields)], revision: '' };
      const offset = cursor === undefined ? 0 : await (await ctx.cursors.open(cursor)).positionIn(scope);
      return tellRows(
        ctx,
        {
          ...told(meta, environment),
          next: [
            next(
              'check_backend',
              { environment: environment.id, ...rangeOf(input) },
              'The services of this range.',
            ),
          ],
          untrusted: [
            'data.name',
            'data.unit',
            'data.groupBy',
            'data.groups[].attributes',
            ...backendUntrusted,
          ],
        },
        { rows: groups.slice(offset, offset + limit), offset, more: groups.length > offset + limit },
        {
          dataOf: (part) => ({ ...about, groups: part }),
          issue: (position) => ctx.cursors.issue(scope, position),
        },
      );
    },
  }),
  reading({
    name: 'report_outcomes',
    title: 'Confirmed outcomes',
    description:
      'What did the backend confirm: orders, sign-ups, payments? Counts and exact sums by type and currency of the whole range, and single outcomes, newest first.',
    scopes: ['outcomes:read'],
    entries: { type: shortText, ...backendFields, ...backendPaging },
    run: async (ctx, { environment: named, limit, ...input }) => {
      const environment = await findEnvironment(ctx, named);
      const fields = defined({ ...placeOf(environment), ...input });
      return tellPage(
        ctx,
        environment,
        limit,
        async (part) => {
          const { data, meta } = await listOutcomes(ctx, check(ListOutcomes, { ...fields, limit: part }));
          const rows = data.outcomes.map(
            ({ source, domainEventId, type, occurredAt, value, attributes, trace, conflicts }) => ({
              ...{ source, domainEventId, type, occurredAt, value, attributes, trace, conflicts },
            }),
          );
          return { rows, meta, dataOf: (outcomes) => ({ types: data.types.slice(0, MAX_BESIDE), outcomes }) };
        },
        {
          notes: [FACTS],
          next: [
            next(
              'check_backend',
              { environment: environment.id, ...rangeOf(input) },
              'How the backend does.',
            ),
          ],
          untrusted: ['data.types[].type', 'data.outcomes'],
        },
      );
    },
  }),
];
