import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { countLogs } from '../../../lib/telemetry/count-logs.ts';
import { findLogs } from '../../../lib/telemetry/find-logs.ts';
import { CountLogs, FindLogs } from '../../../lib/telemetry/log-schemas.ts';
import type { AgentContext } from '../agent-context.ts';
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
    'What was logged? Newest first, at least as severe as `severity`. `text` takes words: all of them, "a phrase", or, -not, begin*. `total`: how many there are.',
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
    const answer = await tellPage(
      ctx,
      environment,
      limit,
      async (part) => {
        const { data, meta } = await findLogs(ctx, check(FindLogs, { ...fields, limit: part }));
        const rows = data.map(
          ({ time, severityNumber, severityText, service, eventName, body, attributes: own, traceId }) => ({
            ...{ time, severity: severityText || severityNumber, service, body },
            ...(eventName !== null && { eventName }),
            ...(Object.keys(own).length > 0 && { attributes: own }),
            ...(traceId !== null && { traceId }),
          }),
        );
        return { rows, meta };
      },
      {
        maxText: MAX_LOG_TEXT,
        nextOf: (rows) => {
          const traceId = rows.find((row) => row.traceId !== undefined)?.traceId;
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
          'data[].severity',
          'data[].service',
          'data[].eventName',
          'data[].body',
          'data[].attributes',
        ],
      },
    );
    return answer.more === true && input.cursor === undefined
      ? { ...answer, total: await countAll(ctx, fields) }
      : answer;
  },
});

/** How many records match in all; null if they are too many to count. */
async function countAll(ctx: AgentContext, fields: Record<string, unknown>): Promise<number | null> {
  const { data } = await countLogs(ctx, check(CountLogs, { ...fields, interval: '1d' }));
  const counts = data.intervals.flatMap(({ time: _, ...groups }) => Object.values(groups));
  return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
