import { listFiringOfEnvironment } from '../../../lib/alerts/list-firing.ts';
import { check } from '../../../lib/http/issues.ts';
import { type ErrorGroup, ListErrors } from '../../../lib/telemetry/errors/error-schemas.ts';
import { listErrors } from '../../../lib/telemetry/errors/list-errors.ts';
import { getConnectionStatus } from '../../../lib/telemetry/get-connection-status.ts';
import { listServices } from '../../../lib/telemetry/list-services.ts';
import { mapServices } from '../../../lib/telemetry/map-services.ts';
import { ListServices, MapServices } from '../../../lib/telemetry/span-schemas.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import { leadWithOrigins, PASSED_ON } from '../lead-with-origins.ts';
import {
  aboutEnvironment,
  backendRange,
  environmentIds,
  MAX_BESIDE,
  next,
  overLonger,
  telemetry,
} from '../telemetry-answer.ts';
import { backendFields, backendNotes, backendUntrusted } from '../telemetry-question.ts';
import { shortMs, tell } from '../tool-answer.ts';

/** Errors that an answer names. */
const MAX_ERRORS = 10;

const WITHIN = '`p95Ms` of calls is within 4.5 % of the exact one.';

const withShortMs = <Call extends { meanMs: number; p95Ms: number }>(call: Call): Call => ({
  ...call,
  ...{ meanMs: shortMs(call.meanMs), p95Ms: shortMs(call.p95Ms) },
});

const notedError = (group: ErrorGroup) => ({
  ...{ id: group.id, service: group.service, title: group.title, state: group.state },
  ...{
    traces: group.traces,
    occurrences: group.occurrences,
    firstSeenAt: group.firstSeenAt,
    lastSeenAt: group.lastSeenAt,
  },
  ...{ release: group.lastRelease, traceId: group.example?.traceId ?? null },
});

export const checkBackend = reading({
  name: 'check_backend',
  title: 'Check a backend',
  description:
    'Is the backend healthy, does telemetry arrive? Services with errors, who calls whom, new or returned errors, when each signal came last.',
  scopes: telemetry,
  entries: backendFields,
  leavesOut: [],
  run: async (ctx, input) => {
    const environment = await findEnvironment(ctx, input.environment);
    const ids = environmentIds(environment);
    const asked = { ...ids, ...backendRange(input) };
    const [services, map, errors, connection, firing] = await Promise.all([
      listServices(ctx, check(ListServices, { ...asked, limit: 50 })),
      mapServices(ctx, check(MapServices, asked)),
      listErrors(
        ctx,
        check(ListErrors, {
          period: asked.from === undefined ? '1h' : undefined,
          ...asked,
          state: 'unsolved',
          limit: 100,
        }),
      ),
      getConnectionStatus(ctx, ids),
      listFiringOfEnvironment(ctx, environment.id),
    ]);
    const noted = errors.data.filter(({ isNew, state }) => isNew || state === 'returned');
    const trace = noted.find(({ example }) => example?.traceId)?.example?.traceId;
    const shown = await leadWithOrigins(ctx, ids, noted.slice(0, MAX_ERRORS).map(notedError));
    const around = { environment: environment.id, ...backendRange(input) };
    return tell(ctx, {
      ...aboutEnvironment(services.meta, environment),
      data: {
        ...(firing.length > 0 && { firing }),
        services: services.data,
        calls: map.data.edges.slice(0, MAX_BESIDE).map(withShortMs),
        errors: {
          noted: shown,
          othersOpen: errors.data.length - noted.length,
        },
        signals: connection.data.map(({ services: _, lastError, ...signal }) => ({
          ...signal,
          ...(lastError !== null && { lastError }),
        })),
      },
      notes: [
        ...backendNotes(services.meta),
        map.data.edges.length > 0 && WITHIN,
        noted.length > 0 &&
          '`open` ones are new. `traces` are failed requests, `occurrences` their failed spans, exceptions and log records.',
        shown.some((row) => 'passedOnFrom' in row) && PASSED_ON,
        noted.length > MAX_ERRORS &&
          `${noted.length} errors are new or returned: the last seen ${MAX_ERRORS} are listed.`,
        errors.meta.nextCursor !== null &&
          'More than 100 errors are open: `errors` is about the last seen 100.',
        services.meta.nextCursor !== null && 'More than 50 services: the first by name are listed.',
      ],
      next:
        services.data.length === 0
          ? overLonger(ctx, 'check_backend', around)
          : [
              ...(services.data.some(({ errors }) => errors > 0)
                ? [next('find_traces', { ...around, status: 'error' }, 'The newest failed requests.')]
                : []),
              ...(trace !== undefined && trace !== null
                ? [
                    next(
                      'get_trace',
                      { environment: environment.id, traceId: trace },
                      'The newest trace of a new or returned error.',
                    ),
                  ]
                : []),
              ...(errors.data.length > 0
                ? [
                    next(
                      'break_down_backend',
                      { ...around, by: 'error' },
                      'All errors, the most frequent first.',
                    ),
                  ]
                : []),
              next('find_logs', { ...around, severity: 'error' }, 'What was logged as an error.'),
            ],
      untrusted: [
        ...[
          'data.services[].name',
          ...['data.firing[].name', 'data.firing[].of'],
          ...['service', 'title', 'release', 'passedOnFrom'].map((field) => `data.errors.noted[].${field}`),
          'data.calls[].caller',
          'data.calls[].callee',
          'data.signals[].lastError.message',
        ],
        ...backendUntrusted,
      ],
    });
  },
});
