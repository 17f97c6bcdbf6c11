/** What changed between two ranges: totals, and the values that gained and lost most (docs/mcp.md#compare_visits). */
import * as v from 'valibot';
import type { GoalItem } from '../../../lib/analytics/answers/goal-schemas.ts';
import type { ReportMeta } from '../../../lib/analytics/answers/schemas.ts';
import { whyUnknown } from '../../../lib/analytics/reading/changes.ts';
import type { Compare } from '../../../lib/analytics/reading/report-range.ts';
import { daysBetween, weekdayOf } from '../../../lib/dates.ts';
import { invalid } from '../../../lib/http/issues.ts';
import type { AgentContext } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import { answerTogether } from '../answer-together.ts';
import { datesOf, yearBefore } from '../local-dates.ts';
import { aboutSite, rangeAsAsked } from '../report-rows.ts';
import {
  analytics,
  BY_VALUE,
  batchedList,
  breakDown,
  changeFrom,
  earnedBy,
  inRange,
  MORE_VISITORS,
  summary,
  tiersWith,
} from '../site-answer.ts';
import {
  askedOf,
  filterFields,
  notesOf,
  pagingFields,
  type SiteQuestion,
  siteFields,
  siteUntrusted,
  UNKNOWN_CHANGES,
} from '../site-question.ts';
import { type NextCall, tell } from '../tool-answer.ts';

/** Rows of each range that are compared. */
const MAX_ROWS = 100;
/** `by` for conversions instead of visits. */
const GOAL = 'goal';

type List = ReturnType<typeof batchedList>;

interface Totals {
  visitors: number;
  visits: number;
  pageviews: number;
}

interface Side {
  totals: Totals;
  goals: readonly GoalItem[];
  values: Map<string, Totals>;
  isWhole: boolean;
  meta: ReportMeta;
}

async function readSide(
  ctx: AgentContext,
  fields: object,
  { report, instead }: { report: List | undefined; instead?: Compare },
): Promise<Side> {
  const asked = ['overview', report === undefined ? 'goals' : `${report.name}:${MAX_ROWS}`];
  const { data, meta } = await answerTogether(ctx, fields, asked, instead && { instead });
  const rows =
    report === undefined ? [] : (data[report.name] as (Totals & { value?: string; path?: string })[]);
  const { visitors, visits, pageviews } = data.overview as Totals;
  return {
    totals: { visitors, visits, pageviews },
    goals: (data.goals ?? []) as GoalItem[],
    values: new Map(rows.map((row) => [(report && row[report.label]) ?? '', row])),
    isWhole: rows.length < MAX_ROWS,
    meta,
  };
}

const WITH = ['previous', 'weekdays', 'year'] as const;
type With = (typeof WITH)[number];

/** The range, and the one it is compared with, read beside it; only the first tells the days of a year before. */
async function readSides(
  ctx: AgentContext,
  { fields, before }: Asked,
  { report, how }: { report: List | undefined; how: With },
): Promise<[Side, Side]> {
  if (how !== 'year')
    return Promise.all([
      readSide(ctx, fields, { report }),
      readSide(ctx, fields, { report, instead: how === 'previous' ? before : how }),
    ]);
  const now = await readSide(ctx, fields, { report });
  return [now, await readSide(ctx, fields, { report, instead: yearBefore(datesOf(now.meta.range)) })];
}

type Direction = 'gained' | 'lost' | undefined;

const goesTo = (direction: Direction, change: number): boolean =>
  direction === undefined || (direction === 'gained') === change > 0;

/** What a goal's events brought in both ranges, by currency. */
function revenueOf(now: Side, before: Side, id: string): Record<string, { now: string; before: string }> {
  const [own, earlier] = [now, before].map(
    ({ goals }) => goals.find((goal) => goal.id === id)?.revenue ?? [],
  ) as [GoalItem['revenue'], GoalItem['revenue']];
  const amountIn = (revenue: GoalItem['revenue'], wanted: string): string =>
    revenue.find(({ currency }) => currency === wanted)?.amount ?? '0';
  const currencies = [...new Set([...own, ...earlier].map(({ currency }) => currency))].sort();
  return Object.fromEntries(
    currencies.map((currency) => [
      currency,
      { now: amountIn(own, currency), before: amountIn(earlier, currency) },
    ]),
  );
}

/** The goals that a visit of one of the ranges reached, by visits of tiers 2 and 3: these alone have an exact rate. */
function goalsOf(now: Side, before: Side, isKnown: boolean, direction: Direction): object[] {
  const exactOf = (side: Side, id: string) => side.goals.find((goal) => goal.id === id)?.exact;
  return now.goals
    .map(({ id, name, exact }) => {
      const earlier = exactOf(before, id);
      const [conversions, previous] = [exact?.conversions ?? 0, earlier?.conversions ?? 0];
      const revenue = revenueOf(now, before, id);
      return {
        name,
        conversions: {
          ...{ now: conversions, before: previous },
          changePercent: isKnown ? changeFrom(previous, conversions) : null,
        },
        conversionRate: { now: exact?.conversionRate ?? null, before: earlier?.conversionRate ?? null },
        ...(Object.keys(revenue).length > 0 && { revenue }),
      };
    })
    .filter(
      ({ conversions: { now: own, before: other } }) =>
        own + other > 0 && (direction === undefined || (own !== other && goesTo(direction, own - other))),
    )
    .sort((a, b) => b.conversions.now - a.conversions.now || b.conversions.before - a.conversions.before);
}

const OF_GOALS =
  '`goals`: visits of tiers 2 and 3 that reached one, and their share. Goals confirm no purchase.';

const NO_GOALS = 'No visit of tiers 2 and 3 reached a goal in these ranges, or none changed so.';

/** The changes of `overview` aren't shown. */
const withoutChanges = (meta: ReportMeta): ReportMeta => ({
  ...meta,
  coverage: { ...meta.coverage, changesUnknown: undefined },
});

/** What a reader of two ranges should know of their days; nothing if they are the same days of the week. */
function daysApart(now: ReportMeta['range'], before: ReportMeta['range'], isPartial: boolean) {
  const [own, other] = [datesOf(now), datesOf(before)];
  const [days, earlier] = [own, other].map(({ from, to }) => daysBetween(from, to) + 1);
  if (!isPartial && days !== earlier) return `The ranges have ${days} and ${earlier} days.`;
  return (
    weekdayOf(own.from) !== weekdayOf(other.from) &&
    'The ranges have other days of the week: `with: weekdays` compares the same ones.'
  );
}

async function compare(
  ctx: AgentContext,
  asked: Asked,
  question: SiteQuestion & {
    with: With;
    direction?: Direction;
    limit: number;
    by: string;
  },
  report: List | undefined,
): Promise<Record<string, unknown>> {
  const { site, around } = asked;
  const tiers = report && tiersWith(question.by);
  const isHours = question.period === '24h';
  if (isHours && question.with === 'year')
    throw invalid([
      { path: 'period', message: 'must be whole days (7d, 30d, 90d, or `from` and `to`) with `with: year`' },
    ]);
  const [now, before] = await readSides(ctx, asked, { report, how: question.with });
  const of = (side: Side, value: string, figure: 'visits' | 'visitors'): number =>
    side.values.get(value)?.[figure] ?? 0;
  const movers = [...new Set([...now.values.keys(), ...before.values.keys()])]
    .map((value) => {
      const [visits, previous] = [of(now, value, 'visits'), of(before, value, 'visits')];
      return {
        ...{ value, visits, before: previous, change: visits - previous },
        changePercent: changeFrom(previous, visits),
        ...(previous === 0 && before.isWhole && { isNew: true }),
        ...{ visitors: of(now, value, 'visitors'), visitorsBefore: of(before, value, 'visitors') },
      };
    })
    .filter(({ change }) => change !== 0 && goesTo(question.direction, change))
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.value < b.value ? -1 : 1));
  const figures = ['visitors', 'visits', 'pageviews'] as const;
  const isPartial = now.meta.freshness.evaluatedAt < now.meta.range.to;
  const { range, coverage } = before.meta;
  const { observed, since } = now.meta.coverage;
  const unknown = whyUnknown({
    ...{ observed, since },
    compared: { ...range, observed: coverage.observed, rows: before.values },
  });
  const isKnown = unknown === undefined;
  const goals = goalsOf(now, before, isKnown, question.direction);
  const earned = earnedBy([...now.goals, ...before.goals]);
  return tell(ctx, {
    data: {
      totals: Object.fromEntries(
        figures.map((figure) => [
          figure,
          {
            now: now.totals[figure],
            before: coverage.observed ? before.totals[figure] : null,
            changePercent: isKnown ? changeFrom(before.totals[figure], now.totals[figure]) : null,
          },
        ]),
      ),
      ...(report === undefined
        ? { goals: goals.slice(0, question.limit) }
        : { movers: isKnown ? movers.slice(0, question.limit) : [] }),
      comparedWith: { range: rangeAsAsked(range), observed: coverage.observed },
    },
    ...aboutSite(now.meta, site),
    notes: [
      ...notesOf(withoutChanges(now.meta)),
      isKnown && isPartial && 'The earlier range ends after as much time.',
      isKnown && daysApart(now.meta.range, before.meta.range, isPartial),
      isKnown && now.totals.visitors > now.totals.visits && MORE_VISITORS,
      isKnown &&
        tiers !== undefined &&
        `Only visits of tier ${tiers.join(' and ')} have a \`${question.by}\`: \`movers\` are of these, \`totals\` of all.`,
      unknown !== undefined && UNKNOWN_CHANGES[unknown],
      report === undefined && (goals.length > 0 ? OF_GOALS : NO_GOALS),
      report === undefined && earned,
      goals.length > question.limit && 'The goals that most visits reached: a higher `limit` has more.',
      !(now.isWhole && before.isWhole) &&
        `Only the ${MAX_ROWS} most frequent values of each range are compared: one that is missing counts as 0 there.`,
    ],
    next: [
      ...(report === undefined && earned ? [confirmed(now.meta)] : []),
      ...(isHours
        ? [breakDown({ ...around, by: 'hour' }, 'The hours of the range.')]
        : coverage.observed
          ? [
              summary(
                inRange(around, datesOf(range)),
                isPartial ? 'The earlier days, whole.' : 'The earlier range alone.',
              ),
            ]
          : [summary(inRange(around, { period: '30d' }), 'See what was observed of late.')]),
    ],
    untrusted: ['data.goals[].name', 'data.movers[].value', ...siteUntrusted],
  });
}

const confirmed = ({ range }: ReportMeta): NextCall => ({
  tool: 'report_outcomes',
  arguments: { ...datesOf(range) },
  why: 'What the backend confirmed in this range.',
  scope: 'outcomes:read',
});

type Asked = Awaited<ReturnType<typeof askedOf>>;

export const compareVisits = reading({
  name: 'compare_visits',
  title: 'Compare two ranges',
  description:
    'What changed against the range before, the same weekdays or a year before? Totals, and values of `by` that gained or lost most visits; `by: goal`: conversions.',
  scopes: analytics,
  entries: {
    by: v.optional(v.picklist([...BY_VALUE, GOAL]), 'source'),
    with: v.optional(v.picklist(WITH), 'previous'),
    direction: v.optional(v.picklist(['gained', 'lost'])),
    ...siteFields,
    ...filterFields,
    limit: pagingFields.limit,
  },
  leavesOut: ['period', 'by'],
  run: async (ctx, { by, ...input }) =>
    compare(ctx, await askedOf(ctx, input), { ...input, by }, by === GOAL ? undefined : batchedList(by)),
});
