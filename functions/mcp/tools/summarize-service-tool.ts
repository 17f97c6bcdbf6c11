import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { INTERVAL_SECONDS } from '../../../lib/telemetry/metrics/metric-interval.ts';
import {
  type Performance,
  type ServiceSummary,
  SPAN_INTERVALS,
  SummarizeService,
} from '../../../lib/telemetry/span-schemas.ts';
import { summarizeService } from '../../../lib/telemetry/summarize-service.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import { intervalFor, partialIn } from '../intervals.ts';
import {
  aboutEnvironment,
  backendRange,
  defined,
  environmentIds,
  HIDDEN,
  hidesSlow,
  next,
  repeatable,
  serviceNamed,
  telemetry,
} from '../telemetry-answer.ts';
import { backendFields, backendNotes, backendPaging, backendUntrusted } from '../telemetry-question.ts';
import { inSeconds, shortFigure, shortMs, tell } from '../tool-answer.ts';

const MAX_INTERVALS = 60;

type Interval = NonNullable<ServiceSummary['intervals']>[number];

const pointOf = (
  { time, entries, errors, meanMs, p50Ms, p95Ms, maxMs }: Interval,
  partial: { partial?: true },
) =>
  inSeconds({
    ...{ time, entries, errors },
    ...(hidesSlow({ meanMs, p95Ms }) && { meanMs: shortMs(meanMs) }),
    ...{ p50Ms: shortMs(p50Ms), p95Ms: shortMs(p95Ms), maxMs: shortMs(maxMs) },
    ...partial,
  });

/** A rate with four decimals and short latencies: more cost tokens and mean nothing. */
export const withShortFigures = <Of extends Omit<Performance, 'ratePerSecond'> & { ratePerSecond?: number }>(
  figures: Of,
): Of => ({
  ...figures,
  ...(figures.ratePerSecond !== undefined && { ratePerSecond: shortFigure(figures.ratePerSecond) }),
  errorRate: figures.errorRate === null ? null : Math.round(figures.errorRate * 1e4) / 1e4,
  ...{ meanMs: shortMs(figures.meanMs), p50Ms: shortMs(figures.p50Ms) },
  ...{ p95Ms: shortMs(figures.p95Ms), p99Ms: shortMs(figures.p99Ms), maxMs: shortMs(figures.maxMs) },
});

const withoutSilence = (
  { intervals, operations, ...summary }: ServiceSummary,
  partial: (time: string) => { partial?: true },
) => ({
  ...withShortFigures(summary),
  operations: operations.map(({ ratePerSecond: _, ...operation }) => {
    const { maxMs: __, ...figures } = withShortFigures(operation);
    return figures;
  }),
  ...(intervals !== undefined && {
    intervals: intervals.filter(({ entries }) => entries > 0).map((one) => pointOf(one, partial(one.time))),
  }),
});

const WITHIN = 'Percentiles and `maxMs` are within 4.5 % of the exact ones.';

export const summarizeServiceTool = reading({
  name: 'summarize_service',
  title: 'Summarize a service',
  description:
    'How is this service doing? Rate, errors and latency percentiles, in total, by operation and by `interval`.',
  scopes: telemetry,
  entries: {
    service: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
    interval: v.optional(v.picklist(SPAN_INTERVALS)),
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
    const question = check(SummarizeService, asked);
    if (interval !== undefined)
      intervalFor(question, ctx.now(), { interval, intervals: SPAN_INTERVALS, most: MAX_INTERVALS });
    const { data, meta } = await summarizeService(ctx, question);
    const around = { environment: environment.id, ...backendRange(input) };
    const ofIt = { ...around, ...repeatable({ service }) };
    return tell(ctx, {
      ...aboutEnvironment(meta, environment),
      data: data && withoutSilence(data, partialIn(meta.range, INTERVAL_SECONDS[interval ?? '1m'])),
      notes: [
        ...backendNotes({ ...meta, approximate: undefined }),
        data !== null && [data, ...data.operations, ...(data.intervals ?? [])].some(hidesSlow) && HIDDEN,
        data !== null && WITHIN,
        data?.intervals !== undefined && 'Intervals without entries are left out.',
      ],
      next: [
        data !== null && data.errors === 0
          ? next(
              'find_traces',
              { ...ofIt, minDurationMs: shortMs(data.p95Ms ?? 0) },
              'The newest slow requests.',
            )
          : next('find_traces', { ...ofIt, status: 'error' }, 'The newest failed requests.'),
        next('check_backend', around, 'The other services.'),
      ],
      untrusted: ['data.service', 'data.operations[].operation', ...backendUntrusted],
    });
  },
});
