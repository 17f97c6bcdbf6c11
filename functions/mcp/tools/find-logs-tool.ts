import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { tidyValue } from '../../../lib/mcp/stored-text.ts';
import { countLogs } from '../../../lib/telemetry/count-logs.ts';
import { findLogs } from '../../../lib/telemetry/find-logs.ts';
import { getConnectionStatus } from '../../../lib/telemetry/get-connection-status.ts';
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
          const { period, from, to, cursor, ...others } = input;
          const filters = defined({ ...others, attributes });
          const around = { environment: environment.id, ...backendRange(input) };
          return [
            ...(traceId == null
              ? []
              : [next('get_trace', { environment: environment.id, traceId }, 'Its request.')]),
            ...(rows.length > 0 ? [] : overLonger(ctx, 'find_logs', around, filters)),
            next('find_traces', { ...around, status: 'error' }, 'Failed requests.'),
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
    if (input.cursor !== undefined) return answer;
    const { length } = answer.data as unknown[];
    const total = answer.more === true ? await countAll(ctx, fields) : length;
    const isSilent = length === 0 && input.service !== undefined && (await isWithoutLogs(ctx, fields));
    if (!isSilent) return { ...answer, total };
    return {
      ...{ ...answer, total },
      notes: [SILENT, ...(answer.notes as string[])],
      services: tidyValue(await servicesWithLogs(ctx, fields)),
      untrusted: [...(answer.untrusted as string[]), 'services'],
    };
  },
});

const SILENT = 'This service sent no logs in this range. `services` are those that did.';
/** How many services are looked at. */
const MOST_LOOKED_AT = 5;

/** Services with a record of the range, of the latest ones that are connected: a service may send batches without a record. */
async function servicesWithLogs(ctx: AgentContext, fields: Record<string, unknown>): Promise<string[]> {
  const { projectId, environmentId } = fields as { projectId: string; environmentId: string };
  const { data } = await getConnectionStatus(ctx, { projectId, environmentId });
  const connected = data.find(({ signal }) => signal === 'logs')?.services ?? [];
  const others = connected.map(({ name }) => name).filter((name) => name !== fields.service);
  const names = others.slice(0, MOST_LOOKED_AT);
  const silent = await Promise.all(names.map((service) => isWithoutLogs(ctx, { ...fields, service })));
  return names.filter((_, index) => !silent[index]);
}

/** Whether the service has no record of the range, whatever else was asked. */
async function isWithoutLogs(ctx: AgentContext, fields: Record<string, unknown>): Promise<boolean> {
  const { projectId, environmentId, service, period, from, to } = fields;
  const asked = defined({ projectId, environmentId, service, period, from, to });
  const { data, meta } = await findLogs(ctx, check(FindLogs, { ...asked, limit: 1 }));
  return meta.coverage.observed && data.length === 0 && meta.nextCursor === null;
}

/** How many records match in all; null if they are too many to count. */
async function countAll(ctx: AgentContext, fields: Record<string, unknown>): Promise<number | null> {
  const { data } = await countLogs(ctx, check(CountLogs, { ...fields, interval: '1d' }));
  const counts = data.intervals.flatMap(({ time: _, ...groups }) => Object.values(groups));
  return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
