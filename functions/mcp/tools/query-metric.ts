import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { byLikeness } from '../../../lib/nearest.ts';
import { AGGREGATIONS } from '../../../lib/telemetry/metrics/aggregations.ts';
import { listMetrics } from '../../../lib/telemetry/metrics/list-metrics.ts';
import { INTERVALS } from '../../../lib/telemetry/metrics/metric-interval.ts';
import { ListMetrics, ReadMetric } from '../../../lib/telemetry/metrics/metric-schemas.ts';
import { readMetric } from '../../../lib/telemetry/metrics/read-metric.ts';
import { reading } from '../agent-tool.ts';
import { ChoiceError } from '../choice-error.ts';
import { findEnvironment } from '../find-opened.ts';
import { intervalFor, partialIn } from '../intervals.ts';
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
import { charsFor, inSeconds, shortFigure, tellRows } from '../tool-answer.ts';

const MAX_INTERVALS = 60;

const NO_SUCH_SERIES =
  'The metric was observed in this range, but no series of it has these `attributes` or this `service`. Ask without them; `groupBy` has the values of a key.';

export const queryMetric = reading({
  name: 'query_metric',
  title: 'Query a metric',
  description:
    'How did this metric change? Values by interval, also by up to 3 attribute keys. Null: not observed. `list_metrics` has names and aggregations.',
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
  leavesOut: ['period', 'interval'],
  run: async (ctx, { environment: named, attributes, limit, cursor, ...input }) => {
    const environment = await findEnvironment(ctx, named);
    const fields = defined({
      ...{ ...environmentIds(environment), ...input, ...readAttributes(attributes) },
    });
    const asked = check(ReadMetric, fields);
    const interval = intervalFor(asked, ctx.now(), { ...asked, intervals: INTERVALS, most: MAX_INTERVALS });
    const { data, meta } = await readMetric(ctx, { ...asked, interval });
    if (data.type === null) {
      const known = await listMetrics(
        ctx,
        check(ListMetrics, { ...environmentIds(environment), ...backendRange(input), limit: 100 }),
      );
      if (known.data.some(({ name }) => name === input.name))
        throw new ChoiceError('NOT_FOUND', NO_SUCH_SERIES, { choices: [] });
      throw new ChoiceError(
        'NOT_FOUND',
        'No such metric was observed in this range. Use a name from `choices`, or ask `list_metrics`.',
        { choices: byLikeness(input.name, known.data, ({ name }) => [name]).map(({ name }) => name) },
      );
    }
    const { groups: all, ...about } = data;
    const partial = partialIn(meta.range, about.intervalSeconds);
    const groups = all.map(({ values, ...group }) => ({
      ...group,
      values: values.map(({ time, value, ...exact }) =>
        inSeconds({ time, value: value === null ? null : shortFigure(value), ...exact, ...partial(time) }),
      ),
    }));
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
      {
        rows: groups.slice(offset, offset + limit),
        offset,
        more: groups.length > offset + limit,
        maxChars: charsFor(limit),
      },
      {
        dataOf: (part) => ({ ...about, groups: part }),
        issue: (position) => ctx.cursors.issue(scope, position),
      },
    );
  },
});
