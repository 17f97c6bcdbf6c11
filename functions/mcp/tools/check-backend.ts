import { check } from '../../../lib/http/issues.ts';
import { getConnectionStatus } from '../../../lib/telemetry/get-connection-status.ts';
import { listServices } from '../../../lib/telemetry/list-services.ts';
import { mapServices } from '../../../lib/telemetry/map-services.ts';
import { ListServices, MapServices } from '../../../lib/telemetry/span-schemas.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
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
import { tell } from '../tool-answer.ts';

export const checkBackend = reading({
  name: 'check_backend',
  title: 'Check a backend',
  description:
    'Is the backend healthy, and does telemetry arrive? Services with entries and errors, who calls whom, and for each signal when it came last.',
  scopes: telemetry,
  entries: backendFields,
  run: async (ctx, input) => {
    const environment = await findEnvironment(ctx, input.environment);
    const ids = environmentIds(environment);
    const asked = { ...ids, ...backendRange(input) };
    const [services, map, connection] = await Promise.all([
      listServices(ctx, check(ListServices, { ...asked, limit: 50 })),
      mapServices(ctx, check(MapServices, asked)),
      getConnectionStatus(ctx, ids),
    ]);
    const around = { environment: environment.id, ...backendRange(input) };
    return tell(ctx, {
      ...aboutEnvironment(services.meta, environment),
      data: {
        services: services.data,
        calls: map.data.edges.slice(0, MAX_BESIDE),
        signals: connection.data.map(({ services: _, lastError, ...signal }) => ({
          ...signal,
          ...(lastError !== null && { lastError }),
        })),
      },
      notes: [
        ...backendNotes(services.meta),
        services.meta.nextCursor !== null && 'More than 50 services: the first by name are listed.',
      ],
      next:
        services.data.length === 0
          ? overLonger('check_backend', around)
          : [
              ...(services.data.some(({ errors }) => errors > 0)
                ? [next('find_traces', { ...around, status: 'error' }, 'The newest failed requests.')]
                : []),
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
});
