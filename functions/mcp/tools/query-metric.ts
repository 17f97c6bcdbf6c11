import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { AGGREGATIONS } from '../../../lib/telemetry/metrics/aggregations.ts';
import { listMetrics } from '../../../lib/telemetry/metrics/list-metrics.ts';
import { INTERVALS } from '../../../lib/telemetry/metrics/metric-interval.ts';
import { ListMetrics, ReadMetric } from '../../../lib/telemetry/metrics/metric-schemas.ts';
import { readMetric } from '../../../lib/telemetry/metrics/read-metric.ts';
import { reading } from '../agent-tool.ts';
import { ChoiceError } from '../choice-error.ts';
import { findEnvironment } from '../find-opened.ts';
import {
  aboutEnvironment,
  backendRange,
  defined,
  environmentIds,
  next,
  telemetry,
} from '../telemetry-answer.ts';
import {
  attributeFields,
  backendFields,
  backendPaging,
  backendUntrusted,
  readAttributes,
  shortText,
} from '../telemetry-question.ts';
import { tellRows } from '../tool-answer.ts';

/** Intervals that make at most 200 of a period. */
const INTERVAL_OF = { '15m': '1m', '1h': '1m', '24h': '15m', '7d': '1h', '30d': '6h' } as const;

export const queryMetric = reading({
  name: 'query_metric',
  title: 'Query a metric',
  description:
    'How did this metric change? Values by interval, of all or by up to 3 attribute keys. Null is not observed. Ask `list_metrics` for names and aggregations.',
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
      ...{ ...environmentIds(environment), ...input, ...readAttributes(attributes) },
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
        check(ListMetrics, { ...environmentIds(environment), ...backendRange(input), limit: 20 }),
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
        ...aboutEnvironment(meta, environment),
        next: [
          next(
            'check_backend',
            { environment: environment.id, ...backendRange(input) },
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
});
