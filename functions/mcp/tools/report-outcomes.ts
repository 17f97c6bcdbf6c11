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
  repeatableWhole,
  tellPage,
} from '../telemetry-answer.ts';
import { backendFields, backendPaging, shortText } from '../telemetry-question.ts';
import { charsFor, inSeconds, limitOverTime, type NextCall, tellRows } from '../tool-answer.ts';

type Interval = (typeof OUTCOME_INTERVALS)[number];

const MAX_INTERVALS = 60;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
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
      notes: [
        ...(about.notes ?? []),
        isOpen(meta) && NOT_OVER,
        'Times without outcomes are left out.',
        FACTS,
      ],
      next: [
        ...(all.length > 0
          ? []
          : overLonger(ctx, 'report_outcomes', around, defined({ type: input.type, interval: '1d' }))),
        ...(all.length > 0 ? earlier(meta, { environment: environment.id, type: input.type }) : []),
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

/** As much time before, to compare with: of a day or a week that isn't over the same part of the one before. */
function earlier(
  { range, coverage }: TelemetryMeta,
  asked: { environment: string; type?: string | undefined },
): NextCall[] {
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)] as const;
  const unit = [DAY_MS, 7 * DAY_MS].find((length) => isOfDays(range) && to - from <= length) ?? to - from;
  const before = { from: new Date(from - unit).toISOString(), to: new Date(to - unit).toISOString() };
  const repeated = repeatableWhole(defined(asked));
  return repeated !== undefined && coverage.observed && coverage.since < before.to
    ? [
        {
          ...{ tool: 'report_outcomes', arguments: { ...repeated, ...before }, scope: 'outcomes:read' },
          why: 'As much time before, to compare with.',
        },
      ]
    : [];
}

const NOT_OVER = 'The range ends now: compare it with as much time.';

const isOfDays = ({ from }: TelemetryMeta['range']): boolean => from.endsWith('T00:00:00.000Z');

/** Whether a range that began with a day goes on. */
const isOpen = ({ range, freshness }: TelemetryMeta): boolean =>
  isOfDays(range) && Date.parse(range.to) > Date.parse(freshness.evaluatedAt) - MINUTE_MS;

/** What pages reported before the first outcome, if the range begins on an earlier day. */
function beforeOutcomes({ range, coverage }: TelemetryMeta): NextCall[] {
  const { since } = coverage;
  // A first outcome on the range's first day says nothing of what came before.
  if (!coverage.observed || Date.parse(since) - Date.parse(range.from) <= DAY_MS) return [];
  const [from, to] = [range.from, since].map((at) => at.slice(0, 10));
  return [
    {
      ...{ tool: 'report_events', arguments: { from, to }, scope: 'analytics:read' },
      why: 'Before the first outcome: what pages of a site reported.',
    },
  ];
}

/** Outcomes are rare, and who names no range wants to know of the last ones. */
const defaultRange = ({ period, from, to }: Pick<Over, 'period' | 'from' | 'to'>, interval?: Interval) =>
  (period ?? from ?? to) === undefined
    ? { period: interval === '1h' ? ('24h' as const) : ('30d' as const) }
    : {};

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
  run: async (ctx, { environment: named, interval, limit, ...asked }) => {
    const input = { ...asked, ...defaultRange(asked, interval) };
    const environment = await findEnvironment(ctx, named);
    if (interval !== undefined) return tellIntervals(ctx, environment, { ...input, interval, limit });
    const fields = defined({ ...environmentIds(environment), ...input });
    let known: TelemetryMeta | undefined;
    return tellPage(
      ctx,
      environment,
      limit,
      async (part) => {
        const { data, meta } = await listOutcomes(ctx, check(ListOutcomes, { ...fields, limit: part }));
        known = meta;
        const rows = data.outcomes.map(
          ({ source, domainEventId, type, occurredAt, value, attributes, trace, conflicts }) => ({
            ...{ source, domainEventId, type, occurredAt, value, attributes, trace, conflicts },
          }),
        );
        return { rows, meta, dataOf: (outcomes) => ({ types: data.types.slice(0, MAX_BESIDE), outcomes }) };
      },
      {
        notes: [FACTS],
        notesOf: (rows) => [
          known !== undefined && isOpen(known) && NOT_OVER,
          (rows.length === 0 || rows.some(({ value }) => value !== null)) && NO_SOURCE,
        ],
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
            ...(known !== undefined && rows.length > 0
              ? earlier(known, { environment: environment.id, type: input.type })
              : []),
            ...(known === undefined ? [] : beforeOutcomes(known)),
            next('check_backend', around, 'How the backend does.'),
          ];
        },
        untrusted: ['data.types[].type', 'data.outcomes'],
      },
    );
  },
});
