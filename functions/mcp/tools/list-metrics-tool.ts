import { check } from '../../../lib/http/issues.ts';
import { listMetrics } from '../../../lib/telemetry/metrics/list-metrics.ts';
import { ListMetrics } from '../../../lib/telemetry/metrics/metric-schemas.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import { defined, environmentIds, telemetry, tellPage } from '../telemetry-answer.ts';
import { backendFields, backendPaging, shortText } from '../telemetry-question.ts';

export const listMetricsTool = reading({
  name: 'list_metrics',
  title: 'List metrics',
  description:
    'Which metrics are there? Type, unit, services, attribute keys for `groupBy`, aggregations that suit. `text`: a part of the name.',
  scopes: telemetry,
  entries: { service: shortText, text: shortText, ...backendFields, ...backendPaging },
  run: async (ctx, { environment: named, limit, text, ...input }) => {
    const environment = await findEnvironment(ctx, named);
    const period = input.from === undefined ? (input.period ?? '1h') : undefined;
    const fields = defined({ ...environmentIds(environment), ...input, period, q: text });
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
});
