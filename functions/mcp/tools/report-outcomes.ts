import * as v from 'valibot';
import { check } from '../../../lib/http/issues.ts';
import { listOutcomes } from '../../../lib/outcomes/list-outcomes.ts';
import { ListOutcomes, OUTCOME_INTERVALS, type OutcomesOfInterval } from '../../../lib/outcomes/schemas.ts';
import { INTERVAL_SECONDS } from '../../../lib/telemetry/metrics/metric-interval.ts';
import type { TelemetryMeta } from '../../../lib/telemetry/schemas.ts';
import type { AgentContext } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import { findEnvironment } from '../find-opened.ts';
import { intervalFor, partialIn } from '../intervals.ts';
import {
  aboutEnvironment,
  backendRange,
  defined,
  environmentIds,
  FACTS,
  MAX_BESIDE,
  NO_SOURCE,
  next,
  overLonger,
  tellPage,
} from '../telemetry-answer.ts';
import { backendFields, backendPaging, shortText } from '../telemetry-question.ts';
import { charsFor, inSeconds, limitOverTime, type NextCall, tellRows } from '../tool-answer.ts';

type Interval = (typeof OUTCOME_INTERVALS)[number];

const MAX_INTERVALS = 60;
/** A day by its date, an hour by its instant; without the number of outcomes of a currency if all are of it. */
const rowOf = ({ time, count, values, ...row }: OutcomesOfInterval, interval: Interval) => ({
  ...inSeconds({ time: interval === '1d' ? time.slice(0, 10) : time }),
  ...row,
  count,
  values: values.map(({ count: of, ...value }) => (of === count ? value : { ...value, count: of })),
});

/** Counts and sums by interval. Throws the errors of `listOutcomes`. */
async function tellIntervals(
  ctx: AgentContext,
  environment: Awaited<ReturnType<typeof findEnvironment>>,
  { interval, limit, cursor, ...input }: Over,
): Promise<object> {
  const fields = defined({ ...environmentIds(environment), ...input, interval });
  const question = check(ListOutcomes, { ...fields, limit: 1 });
  intervalFor(question, ctx.now(), { interval, intervals: OUTCOME_INTERVALS, most: MAX_INTERVALS });
  const { data, meta } = await listOutcomes(ctx, question);
  const scope = { request: ['report_outcomes', JSON.stringify(fields)], revision: '' };
  const offset = cursor === undefined ? 0 : await (await ctx.cursors.open(cursor)).positionIn(scope);
  const most = limitOverTime(limit);
  const partial = partialIn(meta.range, INTERVAL_SECONDS[interval]);
  const all = (data.intervals ?? []).map((one) => ({ ...rowOf(one, interval), ...partial(one.time) }));
  const about = aboutEnvironment(meta, environment);
  const around = { environment: environment.id, ...backendRange(input) };
  return tellRows(
    ctx,
    {
      ...about,
      notes: [...(about.notes ?? []), 'Times without outcomes are left out.', FACTS],
      next: [
        ...(all.length > 0
          ? []
          : overLonger(ctx, 'report_outcomes', around, defined({ type: input.type, interval: '1d' }))),
        ...beforeOutcomes(meta),
        next('check_backend', around, 'How the backend does.'),
      ],
      untrusted: ['data.types[].type', 'data.intervals[].type', ...(about.untrusted ?? [])],
    },
    {
      rows: all.slice(offset, offset + most),
      offset,
      more: all.length > offset + most,
      maxChars: charsFor(limit),
    },
    {
      dataOf: (intervals) => ({ types: data.types.slice(0, MAX_BESIDE), intervals }),
      issue: (position) => ctx.cursors.issue(scope, position),
    },
  );
}

/** What pages reported before the first outcome, if the range begins on an earlier day. */
function beforeOutcomes({ range, coverage }: TelemetryMeta): NextCall[] {
  const [from, since] = [range.from, coverage.since].map((at) => at.slice(0, 10)) as [string, string];
  if (!coverage.observed || from >= since) return [];
  return [
    {
      ...{ tool: 'report_events', arguments: { from, to: since }, scope: 'analytics:read' },
      why: 'Before the first outcome: what pages of a site reported.',
    },
  ];
}

interface Over {
  type?: string | undefined;
  interval: Interval;
  period?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export const reportOutcomes = reading({
  name: 'report_outcomes',
  title: 'Confirmed outcomes',
  description:
    'What did the backend confirm: orders, sign-ups, payments? Counts and exact sums by type and currency; single ones, newest first.',
  scopes: ['outcomes:read'],
  entries: {
    type: shortText,
    interval: v.optional(v.picklist(OUTCOME_INTERVALS)),
    ...backendFields,
    ...backendPaging,
  },
  leavesOut: ['period', 'interval'],
  run: async (ctx, { environment: named, interval, limit, ...input }) => {
    const environment = await findEnvironment(ctx, named);
    if (interval !== undefined) return tellIntervals(ctx, environment, { ...input, interval, limit });
    const fields = defined({ ...environmentIds(environment), ...input });
    let earlier: NextCall[] = [];
    return tellPage(
      ctx,
      environment,
      limit,
      async (part) => {
        const { data, meta } = await listOutcomes(ctx, check(ListOutcomes, { ...fields, limit: part }));
        earlier = beforeOutcomes(meta);
        const rows = data.outcomes.map(
          ({ source, domainEventId, type, occurredAt, value, attributes, trace, conflicts }) => ({
            ...{ source, domainEventId, type, occurredAt, value, attributes, trace, conflicts },
          }),
        );
        return { rows, meta, dataOf: (outcomes) => ({ types: data.types.slice(0, MAX_BESIDE), outcomes }) };
      },
      {
        notes: [FACTS],
        notesOf: (rows) => (rows.length === 0 || rows.some(({ value }) => value !== null) ? [NO_SOURCE] : []),
        nextOf: (rows) => {
          const traceId = rows.find(({ trace }) => trace !== null)?.trace?.traceId;
          const around = { environment: environment.id, ...backendRange(input) };
          return [
            ...(traceId === undefined
              ? []
              : [
                  next(
                    'get_trace',
                    { environment: environment.id, traceId, view: 'journey' },
                    'How the newest came about.',
                  ),
                ]),
            ...(rows.length > 0
              ? []
              : overLonger(ctx, 'report_outcomes', around, defined({ type: input.type }))),
            ...earlier,
            next('check_backend', around, 'How the backend does.'),
          ];
        },
        untrusted: ['data.types[].type', 'data.outcomes'],
      },
    );
  },
});
