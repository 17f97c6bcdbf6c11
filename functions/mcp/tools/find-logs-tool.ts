import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { findLogs } from '../../../lib/telemetry/find-logs.ts';
import { FindLogs } from '../../../lib/telemetry/log-schemas.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import {
  backendRange,
  defined,
  environmentIds,
  MAX_LOG_TEXT,
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

export const findLogsTool = reading({
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
    const fields = defined({ ...environmentIds(environment), ...input, ...readAttributes(attributes) });
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
        nextOf: (rows) => {
          const traceId = rows.find((row) => row.traceId !== null)?.traceId;
          const around = { environment: environment.id, ...backendRange(input) };
          return [
            ...(traceId == null
              ? []
              : [
                  next(
                    'get_trace',
                    { environment: environment.id, traceId },
                    'The request of the newest record.',
                  ),
                ]),
            ...(rows.length > 0
              ? []
              : overLonger('find_logs', { ...around, ...defined({ severity: input.severity }) })),
            next('find_traces', { ...around, status: 'error' }, 'The newest failed requests.'),
          ];
        },
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
});
