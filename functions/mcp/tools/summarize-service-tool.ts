import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { SummarizeService } from '../../../lib/telemetry/span-schemas.ts';
import { summarizeService } from '../../../lib/telemetry/summarize-service.ts';
import { reading } from '../agent-tool.ts';
import { ChoiceError } from '../choice-error.ts';
import { findEnvironment } from '../find-opened.ts';
import {
  aboutEnvironment,
  backendRange,
  defined,
  environmentIds,
  next,
  serviceNamed,
  telemetry,
} from '../telemetry-answer.ts';
import { backendFields, backendPaging, backendUntrusted } from '../telemetry-question.ts';
import { tell } from '../tool-answer.ts';

export const summarizeServiceTool = reading({
  name: 'summarize_service',
  title: 'Summarize a service',
  description:
    'How is this service doing? Rate, errors and latency (mean, p50, p95, p99 in ms), in total, by operation and by `interval`.',
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
    const asked = {
      ...environmentIds(environment),
      ...backendRange(input),
      service,
      limit,
      ...defined({ interval }),
    };
    const { data, meta } = await summarizeService(ctx, check(SummarizeService, asked));
    if ((data?.intervals?.length ?? 0) > 60)
      throw new ChoiceError('VALIDATION_ERROR', 'The range has too many intervals.', {
        choices: [],
        details: [{ path: 'interval', message: 'must divide the range into at most 60' }],
      });
    const around = { environment: environment.id, ...backendRange(input) };
    return tell(ctx, {
      ...aboutEnvironment(meta, environment),
      data,
      next: [
        next('find_traces', { ...around, status: 'error' }, 'The newest failed requests.'),
        next('check_backend', around, 'The other services.'),
      ],
      untrusted: ['data.service', 'data.operations[].operation', ...backendUntrusted],
    });
  },
});
