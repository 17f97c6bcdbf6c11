/** What tools about websites share: dimensions, calls that help, and sentences. */
import * as v from 'valibot';
import type { GoalItem } from '../../lib/analytics/answers/goal-schemas.ts';
import type { Overview } from '../../lib/analytics/answers/schemas.ts';
import { percentChange } from '../../lib/analytics/reading/figures.ts';
import { SIGNS } from '../../lib/analytics/reading/filter-text.ts';
import { CAMPAIGN_PARAMETERS } from '../../lib/analytics/reading/report-inputs.ts';
import {
  OTHER_DIMENSIONS,
  VALUE_LISTS,
  VISIT_DIMENSIONS,
  type VisitDimension,
} from '../../lib/visits/dimensions.ts';
import type { NextCall } from './tool-answer.ts';

/** Dimensions by which visits break down: the report of each. */
export const LISTS: Readonly<Record<string, { name: string; fields?: object; label: 'value' | 'path' }>> = {
  page: { name: 'pages', label: 'path' },
  entry_page: { name: 'entry-pages', label: 'path' },
  exit_page: { name: 'exit-pages', label: 'path' },
  ...Object.fromEntries(
    VALUE_LISTS.map(({ dimension, path }) => [dimension, { name: path, label: 'value' }]),
  ),
  ...Object.fromEntries(
    CAMPAIGN_PARAMETERS.map((by) => [`utm_${by}`, { name: 'utm', fields: { by }, label: 'value' }]),
  ),
};
/** Which visits have a value of the dimension (lib/visits/dimensions.ts). */
export function havingOf(by: string): Pick<VisitDimension, 'arrives' | 'lowestTier'> {
  const dimensions: readonly Partial<VisitDimension>[] = [...VISIT_DIMENSIONS, ...OTHER_DIMENSIONS];
  const { arrives, lowestTier = 1 } = dimensions.find(({ name }) => name === by) ?? {};
  return { lowestTier, ...(arrives && { arrives }) };
}

/** The tiers whose visits have a value of the dimension; undefined: all. */
export function tiersWith(by: string): (1 | 2 | 3)[] | undefined {
  const lowest = havingOf(by).lowestTier;
  return lowest === 1 ? undefined : ([2, 3] as const).filter((tier) => tier >= lowest);
}

/** Visits that a list by the dimension leaves out, from the totals by tier. */
export function leftOut(by: string, { tiers }: Overview): string | false {
  const having: readonly number[] | undefined = tiersWith(by);
  const { anonymousCounts = 0, anonymousSessions = 0 } = tiers?.visits ?? {};
  const count = having === undefined ? 0 : anonymousCounts + (having.includes(2) ? 0 : anonymousSessions);
  return (
    count > 0 &&
    `Visits of tier ${having?.includes(2) ? '1' : '1 and 2'} have no \`${by}\`: ${count} of them are not in this list.`
  );
}

export const CALENDAR_INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export const BY_VALUE = Object.keys(LISTS) as [string, ...string[]];

export const analytics = ['analytics:read'] as const;

export const text = (maxLength: number) =>
  v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength)));

/** A report for the batch of a comparison, where each campaign parameter has a name of its own. */
export const batchedList = (by: string): { name: string; label: 'value' | 'path' } => {
  const { name, label } = LISTS[by] as (typeof LISTS)[string];
  return { name: name === 'utm' ? by : name, label };
};

/** The arguments of a next call about another range. */
export const inRange = (around: Record<string, unknown>, range: object): Record<string, unknown> => {
  const { period: _, from: __, to: ___, ...kept } = around;
  return { ...kept, ...range };
};

export const breakDown = (args: Record<string, unknown>, why: string): NextCall => ({
  tool: 'break_down_visits',
  arguments: args,
  why,
  scope: 'analytics:read',
});

export const summary = (args: Record<string, unknown>, why: string): NextCall => ({
  tool: 'summarize_site',
  arguments: args,
  why,
  scope: 'analytics:read',
});

/** Whether filters by what a visit did keep all conversions of no visit: a rate with those compares with nothing. */
const keepsOthers = ({ goal, page }: Readonly<Record<string, unknown>>): boolean =>
  [goal, page].some((filter) => String(filter).startsWith(SIGNS.not));

/**
 * A goal, as these filters count it, without its id, since tools name goals by their names: first its visits, then what can't be tied to one.
 */
export const namedGoal =
  (filters: Readonly<Record<string, unknown>> = {}) =>
  (goal: unknown): object => {
    const {
      id: _,
      exact,
      apart,
      conversions,
      conversionRate,
      events,
      visitors,
      revenue,
      ...named
    } = goal as GoalItem;
    const others = Object.entries(apart ?? {}).filter(([, count]) => count > 0);
    return {
      ...named,
      exact,
      ...(others.length > 0 && {
        apart: Object.fromEntries(others),
        ...(!keepsOthers(filters) && { allTiers: { conversions, conversionRate } }),
      }),
      ...{ events, visitors, revenue },
    };
  };

/** A change in percent with one decimal. Null if it was 0 before and is more now: that is no share of anything. */
export const changeFrom = (before: number, now: number): number | null =>
  before === 0 && now > 0 ? null : percentChange(before, now);

export const MORE_VISITORS =
  'More visitors than visits: some visitors consented during a visit, which counts once.';

export const EXACT =
  'Tell the rate of `exact` (visits of tiers 2 and 3). `apart`: conversions of no single visit; `allTiers`: both, approximately; `visitors` are of both.';

const EARNED = '`revenue` is of all tiers, visitors are of 2 and 3: divide it by visits.';

/** What is to be said of the revenue of goals, if they have any. */
export const earnedBy = (goals: readonly unknown[]): string | false =>
  (goals as readonly GoalItem[]).some(({ revenue }) => revenue.length > 0) && EARNED;

export const CONVERSIONS = 'Goals confirm no purchase; outcomes of the backend do.';
